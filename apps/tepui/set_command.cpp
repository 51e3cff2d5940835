// set: a recipe's text edited in place.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tepui/commands.h"
#include "apps/tepui/land.h"
#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/recipe/edit.h"
#include "tepui/recipe/presets.h"
#include "tepui/recipe/rename_node.h"

namespace tepui::app {

namespace {

namespace fs = std::filesystem;

/// One thing that was asked for, and what became of it.
struct Change {
  std::string name, before, after;
  JsonPath path;
};

/// "name=value".
std::pair<std::string, std::string> parts_of(const std::string& word, const char* what, const char* example) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) refuse(fmt::format("'{}' is not {}", word, what), example);
  return {word.substr(0, equals), word.substr(equals + 1)};
}

/// The text of the value at these keys; empty where there is none.
std::string text_at(const Source& source, const JsonPath& path) {
  const Json document = parse_json(source);
  const Json* value = find_value(document, path);
  return value == nullptr ? std::string() : source.text.substr(value->at.begin, value->at.end - value->at.begin);
}

/// Makes the edits one after the other.
std::vector<Change> edit(Source& source, const SetOptions& options) {
  std::vector<Change> changes;
  for (const std::string& word : options.renamed) {
    const auto [from, to] = parts_of(word, "node=name", "for example --rename mesa=worn");
    source.text = spliced(source.text, rename_node(source, from, to));
    changes.push_back({from, from, to, {"nodes", to}});
  }
  for (const std::string& name : options.removed) {
    const JsonPath path = path_of_name(parse_json(source), name);
    changes.push_back({name, text_at(source, path), "", path});
    source.text = spliced(source.text, remove_value(source, path));
  }
  for (const std::string& word : options.values) {
    const auto [name, value] = parts_of(word, "name=value", "for example rock.count=7");
    const JsonPath path = path_of_name(parse_json(source), name);
    changes.push_back({name, text_at(source, path), value_of_word(value), path});
    source.text = spliced(source.text, set_value(source, path, changes.back().after));
  }
  return changes;
}

/// Refuses a text that is no recipe. Its lines are not those of the file, so that an error names the change, where it
/// is about one.
void check(const Source& source, const std::vector<Change>& changes) {
  try {
    plan(parse_recipe(source));
  } catch (const Error& error) {
    const std::optional<JsonPath> path = path_at(parse_json(source), error.place());
    for (const Change& change : changes)
      if (path && path->size() >= change.path.size() &&
          std::equal(change.path.begin(), change.path.end(), path->begin())) {
        Place place = error.place();
        throw Error(error.kind(), error.message(), error.hint(),
                    {.file = "set " + change.name, .node = place.node, .field = place.field});
      }
    throw Error(error.kind(), fmt::format("{}; '{}' is left unchanged", error.message(), source.name), error.hint(),
                {.file = source.name, .node = error.place().node, .field = error.place().field});
  }
}

}  // namespace

void set(const SetOptions& options, const Invocation& call) {
  if (!fs::is_regular_file(options.recipe) && find_preset(options.recipe) != nullptr)
    refuse(fmt::format("'{}' is a preset; only a file can be edited", options.recipe),
           fmt::format("copy it to a file first: tepui new {0} -o {0}.json", options.recipe));
  if (options.values.empty() && options.removed.empty() && options.renamed.empty())
    refuse("no change is given", "for example: tepui set my.json seed=5 rock.count=7");
  Source source = read_recipe(options.recipe);
  const std::string before = source.text;
  const std::vector<Change> changes = edit(source, options);
  check(source, changes);
  if (source.text != before) write_file(options.recipe, source.text);
  Ordered list = Ordered::array();
  for (const Change& change : changes) {
    list.push_back({{"name", change.name}, {"before", change.before}, {"after", change.after}});
    const auto shown = [](const std::string& text) { return text.empty() ? "nothing" : readable(text, 60); };
    report(call, fmt::format("{}: {} -> {}\n", change.name, shown(change.before), shown(change.after)));
  }
  if (call.json) print_json(Ordered{{"path", options.recipe}, {"changed", source.text != before}, {"changes", list}});
}

}  // namespace tepui::app
