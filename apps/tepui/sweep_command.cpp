// run --sweep: a recipe once for each combination of values, and a table of what came of it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tepui/build_commands.h"
#include "apps/tepui/land.h"
#include "apps/tepui/progress.h"
#include "tepui/core/pool.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/output/output_kind.h"
#include "tepui/recipe/sweep.h"

namespace tepui::app {

namespace {

namespace fs = std::filesystem;

/// One run in figures: what is known of its outputs' values, and what its nodes told.
struct Row {
  std::string folder;
  std::vector<std::string> values;
  std::vector<std::pair<std::string, double>> numbers;
};

/// "land.mean" of each value that an output is made from, "life.drift" of each node that told something.
std::vector<std::pair<std::string, double>> numbers_of(const Plan& recipe, const Build& built,
                                                       const std::vector<std::string>& only, const Context& context) {
  std::vector<std::pair<std::string, double>> numbers;
  std::vector<std::string> seen;
  size_t value = 0;
  for (const Output& output : recipe.outputs) {
    const auto named = [&](const std::string& name) {
      return !name.empty() && std::ranges::find(only, name) != only.end();
    };
    if (!only.empty() && !named(output.name) && !named(output.pattern)) continue;
    const Value& made = built.values[value++];
    const std::string& node = recipe.node(output.from).name;
    if (std::ranges::find(seen, node) != seen.end()) continue;
    seen.push_back(node);
    const Ordered told = Ordered::parse(output_kind(made).info(made, context));
    for (const auto& [key, number] : told.items())
      if (number.is_number()) numbers.emplace_back(node + "." + key, number.get<double>());
  }
  for (const NodeReport& node : built.nodes)
    for (const ToldNumber& told : node.told) numbers.emplace_back(node.name + "." + told.name, told.value);
  return numbers;
}

/// The names of all numbers, in the order in which they first came up.
std::vector<std::string> columns_of(const std::vector<Row>& rows) {
  std::vector<std::string> columns;
  for (const Row& row : rows)
    for (const auto& [name, number] : row.numbers)
      if (std::ranges::find(columns, name) == columns.end()) columns.push_back(name);
  return columns;
}

std::string csv_word(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_table(const std::vector<Sweep>& sweeps, const std::vector<Row>& rows) {
  const std::vector<std::string> columns = columns_of(rows);
  std::vector<std::string> words{"folder"};
  for (const Sweep& sweep : sweeps) words.push_back(csv_word(sweep.name));
  for (const std::string& column : columns) words.push_back(csv_word(column));
  std::string text = fmt::format("{}\n", fmt::join(words, ","));
  for (const Row& row : rows) {
    words = {csv_word(row.folder)};
    for (const std::string& value : row.values) words.push_back(csv_word(value));
    for (const std::string& column : columns) {
      const auto found = std::ranges::find(row.numbers, column, [](const auto& pair) { return pair.first; });
      words.push_back(found == row.numbers.end() ? "" : fmt::format("{}", found->second));
    }
    text += fmt::format("{}\n", fmt::join(words, ","));
  }
  return text;
}

Ordered json_table(const std::vector<Sweep>& sweeps, const std::vector<Row>& rows) {
  Ordered list = Ordered::array();
  for (const Row& row : rows) {
    Ordered values = Ordered::object(), numbers = Ordered::object();
    for (size_t i = 0; i < sweeps.size(); ++i) {
      const Ordered plain = Ordered::parse(row.values[i], nullptr, false);
      values[sweeps[i].name] = plain.is_discarded() ? Ordered(row.values[i]) : plain;
    }
    for (const auto& [name, number] : row.numbers) numbers[name] = number;
    list.push_back({{"folder", row.folder}, {"values", values}, {"numbers", numbers}});
  }
  return {{"runs", list}};
}

void write_table(const std::string& path, const std::vector<Sweep>& sweeps, const std::vector<Row>& rows) {
  const bool json = file_ending(path) == ".json";
  write_file(path, json ? json_table(sweeps, rows).dump(2) + "\n" : csv_table(sweeps, rows));
}

}  // namespace

void run_sweep(const RunOptions& options, const Invocation& call) {
  std::vector<Sweep> sweeps;
  for (const std::string& text : options.sweeps) sweeps.push_back(parse_sweep(text));
  const std::vector<SweepRun> runs = sweep_runs(sweeps, overrides_of(options));
  const std::string table = options.table.empty() ? (fs::path(options.folder) / "sweep.csv").string() : options.table;
  if (const std::string ending = file_ending(table); ending != ".csv" && ending != ".json")
    refuse(fmt::format("cannot write '{}': the table of a sweep is .csv or .json", table));
  // A value that is wrong is told before anything is made.
  std::vector<RunOptions> wanted;
  for (const SweepRun& run : runs) {
    RunOptions& one = wanted.emplace_back(options);
    one.seed = run.overrides.seed;
    one.resolution = run.overrides.resolution;
    one.set = run.overrides.set;
    one.folder = (fs::path(options.folder) / run.name).string();
    open_recipe_to_run(one);
  }
  ensure_folder(options.folder);
  check_writable(table);
  const std::unique_ptr<DiskCache> disk = open_cache(call.cache);
  ValueCache cache(physical_memory() / 8, disk.get());
  std::vector<Row> rows;
  for (size_t i = 0; i < runs.size(); ++i) {
    const Plan recipe = open_recipe_to_run(wanted[i]);
    const Build built =
        build_with_progress(recipe, wanted[i].folder, {options.only, !call.cache.off, true}, cache, call);
    rows.push_back({runs[i].name, runs[i].values, numbers_of(recipe, built, options.only, call.context)});
    // After each, so that a sweep that is stopped has told what it knows.
    write_table(table, sweeps, rows);
    const auto kept = std::ranges::all_of(built.files, &BuiltFile::kept);
    report(call, fmt::format("{:>{}} of {}  {}  {}\n", i + 1, std::to_string(runs.size()).size(), runs.size(),
                             wanted[i].folder, kept ? "up to date" : fmt::format("{:.2f} s", built.seconds)));
  }
  if (call.json) {
    Ordered object = json_table(sweeps, rows);
    object["table"] = table;
    print_json(object);
  }
  report(call, fmt::format("wrote {}\n", table));
}

}  // namespace tepui::app
