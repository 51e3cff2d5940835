#include "tepui/geology/hardness_table.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "tepui/core/error.h"
#include "tepui/core/file.h"
#include "tepui/core/number.h"
#include "tepui/geology/minerals.h"

namespace tepui {

namespace {

constexpr size_t largest_table = size_t{1} << 20;

using Json = nlohmann::json;

struct Row {
  std::string place;     ///< "'rocks.csv', line 3"
  std::string material;  ///< as written; empty where the row does not say
  double hardness = 0;
};

/// The error of this place of the file.
template <class Work>
auto at_place(const std::string& place, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", place, error.message()), error.hint());
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\"";
  const size_t from = text.find_first_not_of(blank);
  return from == std::string_view::npos ? "" : text.substr(from, text.find_last_not_of(blank) + 1 - from);
}

double checked(double hardness) {
  if (!(hardness >= 0 && hardness <= 1)) refuse(fmt::format("the hardness {:g} is not between 0 and 1", hardness));
  return hardness;
}

/// A number or a mineral.
double hardness_of(std::string_view word) {
  if (word.empty()) refuse("there is no hardness", "write a number from 0 to 1, or a mineral");
  if (const std::optional<double> number = parse_number(word)) return checked(*number);
  return mineral_hardness(word);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (size_t start = 0; start <= line.size();) {
    const size_t end = std::min(line.find_first_of(",;\t", start), line.size());
    cells.push_back(trimmed(line.substr(start, end - start)));
    start = end + 1;
  }
  return cells;
}

/// Spreadsheets begin words with capitals.
bool is_heading(std::string_view word) {
  constexpr std::string_view heading = "hardness";
  return std::ranges::equal(word, heading, {},
                            [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
}

std::vector<Row> csv_rows(std::string_view text, const std::string& name) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::vector<Row> rows;
  size_t number = 0;
  for (size_t start = 0; start < text.size();) {
    // A line ends in either of them, or in both.
    const size_t end = std::min(text.find_first_of("\r\n", start), text.size());
    const std::string_view line = trimmed(text.substr(start, end - start));
    start = end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const std::vector<std::string_view> cells = cells_of(line);
    if (rows.empty() && is_heading(cells.back())) continue;
    Row row{fmt::format("'{}', line {}", name, number), {}, 0};
    at_place(row.place, [&] {
      if (cells.size() > 2) refuse("there are more than two values", "write a material and its hardness");
      row.hardness = hardness_of(cells.back());
    });
    if (cells.size() == 2) row.material = cells.front();
    rows.push_back(std::move(row));
  }
  return rows;
}

double hardness_of(const Json& value) {
  if (value.is_string()) return hardness_of(trimmed(value.get_ref<const std::string&>()));
  if (!value.is_number()) refuse("the hardness is neither a number nor the name of a mineral");
  return checked(value.get<double>());
}

std::string material_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_integer()) refuse("the material is neither a whole number nor a name");
  return value.dump();
}

Row json_row(const Json& entry, std::string place) {
  Row row{std::move(place), {}, 0};
  at_place(row.place, [&] {
    if (entry.is_array() && entry.size() == 2) {
      row.material = material_of(entry[0]);
      row.hardness = hardness_of(entry[1]);
    } else if (entry.is_object()) {
      for (const auto& [key, value] : entry.items())
        if (key != "material" && key != "hardness")
          refuse(fmt::format("there is no key '{}'", key), "the keys are material and hardness");
      if (!entry.contains("hardness")) refuse("there is no \"hardness\"");
      if (entry.contains("material")) row.material = material_of(entry["material"]);
      row.hardness = hardness_of(entry["hardness"]);
    } else {
      row.hardness = hardness_of(entry);
    }
  });
  return row;
}

std::vector<Row> json_rows(std::string_view text, const std::string& name) {
  const Json document = Json::parse(text.begin(), text.end(), nullptr, false);
  if (!document.is_array())
    refuse(fmt::format("'{}' is not a list in JSON", name), "write for example [[0, 0.25], [1, \"quartz\"]]");
  std::vector<Row> rows;
  for (size_t i = 0; i < document.size(); ++i)
    rows.push_back(json_row(document[i], fmt::format("'{}', entry {}", name, i)));
  return rows;
}

/// The number of a material; none of a name.
std::optional<double> number_of(const Row& row) {
  const std::optional<double> number = parse_number(row.material);
  return number && *number == std::floor(*number) ? number : std::nullopt;
}

std::vector<double> in_order(const std::vector<Row>& rows, size_t materials, const std::string& name) {
  if (rows.size() != materials)
    refuse(fmt::format("'{}' has {} rows, but the land has {} materials", name, rows.size(), materials));
  std::vector<double> list;
  for (const Row& row : rows) list.push_back(row.hardness);
  return list;
}

std::vector<double> by_number(const std::vector<Row>& rows, size_t materials, const std::string& name) {
  std::vector<std::optional<double>> found(materials);
  for (const Row& row : rows) {
    const std::optional<double> number = number_of(row);
    if (!number) refuse(fmt::format("{}: '{}' is not a number, but other materials here are", row.place, row.material));
    if (!(*number >= 0 && *number < static_cast<double>(materials)))
      refuse(fmt::format("{}: there is no material {:g}; materials are numbered 0 to {}", row.place, *number,
                         materials - 1));
    std::optional<double>& place = found[static_cast<size_t>(*number)];
    if (place) refuse(fmt::format("{}: material {:g} appears twice", row.place, *number));
    place = row.hardness;
  }
  std::vector<double> list;
  for (size_t m = 0; m < materials; ++m) {
    if (!found[m]) refuse(fmt::format("'{}' does not say how hard material {} is", name, m));
    list.push_back(*found[m]);
  }
  return list;
}

}  // namespace

std::vector<double> parse_hardness_table(std::string_view text, const std::string& name, size_t materials) {
  const std::string ending = file_ending(name);
  if (ending != ".csv" && ending != ".tsv" && ending != ".txt" && ending != ".json")
    refuse(fmt::format("'{}' is not a table of hardness", name), "its name must end in .csv or .json");
  const std::vector<Row> rows = ending == ".json" ? json_rows(text, name) : csv_rows(text, name);
  for (const Row& row : rows)
    if (number_of(row)) return by_number(rows, materials, name);
  return in_order(rows, materials, name);
}

std::vector<double> read_hardness_table(const std::string& path, size_t materials) {
  return parse_hardness_table(read_file(path, largest_table), path, materials);
}

}  // namespace tepui
