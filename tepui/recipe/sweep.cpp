#include "tepui/recipe/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "tepui/core/error.h"
#include "tepui/core/number.h"

namespace tepui {

namespace {

constexpr const char* examples = "for example rock.count=3,5,7 or seed=1..16 or age=0..1:9";

std::optional<int64_t> parse_whole(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// At the commas outside of brackets.
std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> values(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth <= 0)
      values.emplace_back();
    else
      values.back() += c;
  }
  return values;
}

void require_count(double count, const std::string& text) {
  if (!(count <= static_cast<double>(most_sweep_entries)))
    refuse(fmt::format("the sweep '{}' has {:.0f} values; at most {} are drawn", text, count, most_sweep_entries),
           "say how many to use, for example 0..1000:11");
}

/// "1..16": every whole number between.
std::vector<std::string> whole_range(std::string_view low, std::string_view high, const std::string& text) {
  const std::optional<int64_t> from = parse_whole(low), to = parse_whole(high);
  if (!from || !to) {
    const bool numbers = parse_number(low) && parse_number(high);
    refuse(fmt::format("'{}..{}' in the sweep '{}' does not go over whole numbers", low, high, text),
           numbers ? fmt::format("say how many values: {}..{}:5", low, high) : examples);
  }
  require_count(std::abs(static_cast<double>(*to) - static_cast<double>(*from)) + 1, text);
  std::vector<std::string> values;
  const int64_t step = *from <= *to ? 1 : -1;
  for (int64_t value = *from; value != *to; value += step) values.push_back(std::to_string(value));
  values.push_back(std::to_string(*to));
  return values;
}

/// "0..1:9": so many numbers, evenly.
std::vector<std::string> even_range(std::string_view low, std::string_view high, std::string_view count,
                                    const std::string& text) {
  const std::optional<double> from = parse_number(low), to = parse_number(high);
  if (!from || !to || !std::isfinite(*from) || !std::isfinite(*to))
    refuse(fmt::format("'{}..{}' in the sweep '{}' does not go from a number to a number", low, high, text), examples);
  const std::optional<int64_t> steps = parse_whole(count);
  if (!steps || *steps < 2)
    refuse(fmt::format("'{}' in the sweep '{}' must be a number of values, at least 2", count, text), examples);
  require_count(static_cast<double>(*steps), text);
  std::vector<std::string> values;
  for (int64_t i = 0; i < *steps; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(*steps - 1);
    // Twelve digits: 0.3, not 0.30000000000000004.
    values.push_back(fmt::format("{:.12g}", i + 1 == *steps ? *to : *from * (1 - t) + *to * t));
  }
  return values;
}

/// Of the two names that are numbers of the recipe itself.
void require_whole_values(const Sweep& sweep) {
  if (sweep.name != "seed" && sweep.name != "resolution") return;
  for (const std::string& value : sweep.values)
    if (const std::optional<int64_t> number = parse_whole(value); !number || *number < 0)
      refuse(fmt::format("'{}' in the sweep '{}' is not a whole number from 0", value, sweep.text),
             fmt::format("for example {}", sweep.name == "seed" ? "seed=1..16" : "resolution=65,129,257"));
}

void apply(const Sweep& sweep, size_t value, Overrides& overrides) {
  const std::string& text = sweep.values[value];
  if (sweep.name == "seed")
    overrides.seed = static_cast<uint64_t>(*parse_whole(text));
  else if (sweep.name == "resolution")
    overrides.resolution = parse_whole(text);
  else
    overrides.set.push_back(sweep.name + "=" + text);
}

void require_other_names(const std::vector<Sweep>& sweeps) {
  std::set<std::string> names;
  for (const Sweep& sweep : sweeps)
    if (!names.insert(sweep.name).second)
      refuse(fmt::format("'{}' is swept twice", sweep.name), "put all its values into one sweep");
}

/// What no file system minds.
std::string folder_word(const std::string& text) {
  std::string word;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("._=+-").find(c) != std::string_view::npos;
    word += plain ? c : '_';
  }
  return word;
}

}  // namespace

std::string Sweep::caption(size_t value) const {
  const size_t dot = name.rfind('.');
  // A third of the way has sixteen digits, of which three tell.
  std::string shown = values[value];
  if (const std::optional<double> number = parse_number(shown); number && shown.size() > 6)
    shown = fmt::format("{:.4g}", *number);
  return fmt::format("{} = {}", dot == std::string::npos ? name : name.substr(dot + 1), shown);
}

Sweep parse_sweep(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    refuse(fmt::format("the sweep '{}' is not name=values", text), examples);
  Sweep sweep{text.substr(0, equals), split_values(text.substr(equals + 1)), text};
  if (std::ranges::any_of(sweep.values, &std::string::empty))
    refuse(fmt::format("the sweep '{}' has an empty value", text), examples);
  require_count(static_cast<double>(sweep.values.size()), text);
  // Among several values "1..700" is an interval, as a parameter may be.
  if (sweep.values.size() == 1) {
    const std::string only = sweep.values.front();
    const std::string_view whole = only;
    if (const size_t dots = whole.find(".."); dots != std::string::npos) {
      const std::string_view low = whole.substr(0, dots), rest = whole.substr(dots + 2);
      const size_t colon = rest.find(':');
      sweep.values = colon == std::string::npos ? whole_range(low, rest, text)
                                                : even_range(low, rest.substr(0, colon), rest.substr(colon + 1), text);
    }
  }
  require_whole_values(sweep);
  return sweep;
}

SweepTable sweep_table(const std::vector<Sweep>& sweeps, const Overrides& base) {
  if (sweeps.size() > 2)
    refuse(fmt::format("{} sweeps are too many", sweeps.size()), "one makes a row of lands, two a table");
  require_other_names(sweeps);
  SweepTable table;
  if (sweeps.empty()) {
    table.entries.push_back({base, ""});
  } else if (sweeps.size() == 1) {
    for (size_t i = 0; i < sweeps[0].values.size(); ++i) {
      table.entries.push_back({base, sweeps[0].caption(i)});
      apply(sweeps[0], i, table.entries.back().overrides);
    }
  } else {
    const size_t rows = sweeps[0].values.size(), columns = sweeps[1].values.size();
    if (rows * columns > most_sweep_entries)
      refuse(fmt::format("a table of {} x {} lands has more than {}", rows, columns, most_sweep_entries));
    for (size_t row = 0; row < rows; ++row) table.rows.push_back(sweeps[0].caption(row));
    for (size_t column = 0; column < columns; ++column) table.columns.push_back(sweeps[1].caption(column));
    for (size_t row = 0; row < rows; ++row)
      for (size_t column = 0; column < columns; ++column) {
        table.entries.push_back({base, table.rows[row] + ", " + table.columns[column]});
        apply(sweeps[0], row, table.entries.back().overrides);
        apply(sweeps[1], column, table.entries.back().overrides);
      }
  }
  return table;
}

std::vector<SweepRun> sweep_runs(const std::vector<Sweep>& sweeps, const Overrides& base) {
  require_other_names(sweeps);
  double count = 1;
  for (const Sweep& sweep : sweeps) count *= static_cast<double>(sweep.values.size());
  if (count > static_cast<double>(most_sweep_runs))
    refuse(fmt::format("the sweeps make {:.0f} runs; at most {} are made", count, most_sweep_runs));
  std::vector<SweepRun> runs{{base, {}, ""}};
  for (const Sweep& sweep : sweeps) {
    std::vector<SweepRun> longer;
    for (const SweepRun& run : runs)
      for (size_t i = 0; i < sweep.values.size(); ++i) {
        SweepRun& next = longer.emplace_back(run);
        apply(sweep, i, next.overrides);
        next.values.push_back(sweep.values[i]);
        next.name += (next.name.empty() ? "" : "_") + folder_word(sweep.name + "=" + sweep.values[i]);
      }
    runs = std::move(longer);
  }
  constexpr size_t longest_name = 120;
  std::set<std::string> taken;
  for (size_t i = 0; i < runs.size(); ++i) {
    std::string& name = runs[i].name;
    if (name.size() > longest_name) name.resize(longest_name);
    if (!taken.insert(name).second) name += fmt::format("_{}", i);
    taken.insert(name);
  }
  return runs;
}

}  // namespace tepui
