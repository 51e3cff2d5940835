// From a JSON document to a validated recipe.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "tepui/core/json_checks.h"
#include "tepui/core/number.h"
#include "tepui/graph/graph_checks.h"
#include "tepui/recipe/compose.h"
#include "tepui/recipe/json_path.h"
#include "tepui/recipe/meaning.h"
#include "tepui/recipe/one_liner.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/param_json.h"
#include "tepui/recipe/recipe.h"
#include "tepui/recipe/stages.h"

namespace tepui {

namespace {

constexpr size_t most_nodes = 4096;
constexpr int64_t largest_resolution = INT32_MAX;

int64_t whole_number(const Json& value, std::string_view what, int64_t low, int64_t high) {
  const bool whole = value.type == Json::Type::integer;
  if (!whole && !(value.is_number() && value.number == std::floor(value.number)))
    refuse_at(value.at, fmt::format("{} must be a whole number, not {}", what,
                                    value.is_number() ? json_text(value) : std::string(value.type_name())));
  // What no integer holds, such as 1e19, is out of any range.
  if (!whole && std::abs(value.number) < 0x1p53)
    return whole_number(json_integer(static_cast<int64_t>(value.number), value.at), what, low, high);
  if (!whole || value.integer < low || value.integer > high)
    refuse_at(value.at, fmt::format("{} is {}, but must be from {} to {}", what, json_text(value), low, high));
  return value.integer;
}

bool is_identifier(std::string_view name) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, good) && !(name[0] >= '0' && name[0] <= '9');
}

/// Adds a member or replaces its value.
void put(Json& object, std::string_view key, Json value) {
  if (Json* existing = object.find(key)) {
    *existing = std::move(value);
    return;
  }
  const Position at = value.at;
  object.members.push_back({std::string(key), at, std::move(value)});
}

class Builder {
 public:
  Builder(Json document, std::vector<std::shared_ptr<const Source>> sources, Problems& problems)
      : document_(std::move(document)), problems_(problems) {
    recipe_.sources = std::move(sources);
  }

  Recipe build(const Overrides& overrides) {
    const size_t before = problems_.list().size();
    try {
      problems_.attempt([&] { build_parts(overrides); });
    } catch (const Error& error) {
      throw concerning(error, document_);
    }
    for (size_t i = before; i < problems_.list().size(); ++i)
      problems_.list()[i] = concerning(problems_.list()[i], document_);
    return std::move(recipe_);
  }

 private:
  /// Each part goes on after the problems of those before it; what cannot be read at all ends it.
  void build_parts(const Overrides& overrides) {
    require_object(document_, "a recipe");
    read_head();
    apply(overrides);
    recipe_.hash = content_hash();
    if (const Json* vars = document_.find("vars")) problems_.attempt([&] { read_vars(*vars); });
    name_nodes();
    for (const JsonMember& member : nodes().members) read_node(member);
    problems_.attempt([&] { read_world(); });
    recipe_.outputs_text = read_text("outputs");
    recipe_.look_text = read_text("look");
    check_graph(recipe_, problems_, link_hint);
    if (problems_.empty()) add_warnings();
  }

  const Json& nodes() const { return *document_.find("nodes"); }

  /// Of all that can change what is written; titles, notes and the layout of panels cannot.
  Hash content_hash() const {
    const std::vector<std::string_view> notes{"$schema", "title", "doc", "ui"};
    Hasher hasher;
    for (const JsonMember& member : document_.members) {
      if (std::ranges::find(notes, member.key) != notes.end() || member.key == "test") continue;
      hasher.add(member.key);
      const bool described = (member.key == "nodes" || member.key == "outputs") && member.value.is_object();
      if (!described) hash_json(hasher, member.value);
      for (const JsonMember& entry : described ? member.value.members : std::vector<JsonMember>()) {
        hasher.add(entry.key);
        hash_json(hasher, entry.value, notes);
      }
    }
    return hasher.finish();
  }

  void read_head() {
    allow_keys(document_,
               {"tepui", "$schema", "title", "doc", "ui", "seed", "world", "look", "vars", "nodes", "outputs", "test"},
               "the recipe", problems_);
    problems_.attempt([&] { check_version(); });
    if (const Json* title = document_.find("title"))
      problems_.attempt([&] { recipe_.title = plain_text(*title, "the title"); });
    const Json* all = document_.find("nodes");
    if (all == nullptr) refuse_at(document_.at, "the recipe has no \"nodes\"");
    require_object(*all, "\"nodes\"");
    const std::filesystem::path path = document_.at.source != nullptr ? document_.at.source->name : "";
    recipe_.name = path.stem().string();
  }

  void check_version() const {
    const Json* version = document_.find("tepui");
    if (version == nullptr)
      refuse_at(document_.at, "the recipe does not name its format version", "add \"tepui\": 1 at the top");
    if (version->type != Json::Type::integer || version->integer != 1)
      refuse_at(version->at, "this recipe has an unknown format version", "this program reads \"tepui\": 1");
  }

  void apply(const Overrides& overrides) {
    if (const Json* test = document_.find("test"))
      problems_.attempt([&] {
        check_test(*test);
        if (overrides.test_size) apply_test(Json(*test));
      });
    for (const std::string& text : overrides.set) problems_.attempt([&] { apply_set(text); });
    if (overrides.seed) put(document_, "seed", json_integer(static_cast<int64_t>(*overrides.seed)));
    if (overrides.resolution) problems_.attempt([&] { set_resolution(json_integer(*overrides.resolution)); });
    if (const Json* seed = document_.find("seed"))
      problems_.attempt([&] { recipe_.seed = static_cast<uint64_t>(whole_number(*seed, "the seed", 0, INT64_MAX)); });
  }

  static void check_test(const Json& test) {
    require_object(test, "\"test\"");
    allow_keys(test, {"resolution", "set"}, "\"test\"");
    if (const Json* resolution = test.find("resolution"))
      whole_number(*resolution, "the resolution", 1, largest_resolution);
    if (const Json* set = test.find("set")) require_object(*set, "\"set\"");
  }

  void apply_test(const Json& test) {
    if (const Json* resolution = test.find("resolution")) set_resolution(*resolution);
    if (const Json* set = test.find("set"))
      for (const JsonMember& member : set->members) set_value(member.key, member.value, member.at);
  }

  void set_resolution(Json value) {
    if (document_.find("world") == nullptr) put(document_, "world", json_object(value.at));
    Json& world = *document_.find("world");
    require_object(world, "\"world\"");
    if (world.find("from") != nullptr)
      throw Error(ErrorKind::request, "the resolution cannot be changed here: the world's grid comes from a node",
                  "add a 'resample' node, or remove \"from\" from \"world\"");
    put(world, "resolution", std::move(value));
  }

  void apply_set(const std::string& text) {
    const size_t equals = text.find('=');
    auto source = std::make_shared<Source>(Source{"--set " + text.substr(0, equals), text});
    recipe_.sources.push_back(source);
    const Position at{source.get(), 1, 1};
    if (equals == std::string::npos || equals == 0)
      refuse_at(at, "--set needs name=value", "for example --set age=0.7 or --set rock.count=7");
    const std::string value_text = text.substr(equals + 1);
    const Position value_at{source.get(), 1, static_cast<int>(equals) + 2};
    set_value(text.substr(0, equals), parse_word(value_text, value_at), at);
  }

  void set_value(const std::string& name, const Json& value, Position at) {
    if (const size_t dot = name.find('.'); dot != std::string::npos) {
      Json* all = document_.find("nodes");
      Json* node = all->find(name.substr(0, dot));
      if (node == nullptr)
        refuse_at(at, fmt::format("there is no node '{}'", name.substr(0, dot)),
                  suggest_name(name.substr(0, dot), keys(*all)));
      require_object(*node, "a node");
      put(*node, name.substr(dot + 1), value);
      return;
    }
    Json* vars = document_.find("vars");
    if (vars == nullptr || vars->find(name) == nullptr) {
      std::vector<std::string> known = vars != nullptr ? keys(*vars) : std::vector<std::string>();
      refuse_at(at, fmt::format("this recipe has no variable '{}'", name),
                known.empty() ? "it has no \"vars\"; set a node's parameter with node.parameter=value"
                              : suggest_name(name, known));
    }
    put(*vars, name, value);
  }

  static std::vector<std::string> keys(const Json& object) {
    std::vector<std::string> names;
    for (const JsonMember& member : object.members) names.push_back(member.key);
    return names;
  }

  void read_vars(const Json& vars) {
    require_object(vars, "\"vars\"");
    for (const JsonMember& member : vars.members) {
      vars_[member.key] = member.value;
      if (!problems_.attempt([&] { check_variable(member); })) unsound_vars_.insert(member.key);
    }
  }

  static void check_variable(const JsonMember& member) {
    if (!is_identifier(member.key))
      refuse_at(member.at, fmt::format("'{}' is not a valid name for a variable", member.key));
    if (member.value.is_object() || member.value.type == Json::Type::null)
      refuse_at(member.value.at, fmt::format("variable '{}' must be a plain value or a list, not {}", member.key,
                                             member.value.type_name()));
    if (member.value.is_string() && member.value.text.starts_with('$'))
      refuse_at(member.value.at, fmt::format("variable '{}' must be a plain value, not another variable", member.key));
  }

  /// Replaces "$name", at any depth, by the variable's value, which then counts as standing where it is used, unless it
  /// came from the command line. Lists do not go into lists: their copies could grow without bound.
  Json resolve(const Json& value, bool inside_list = false) {
    if (value.is_string() && value.text.size() > 1 && value.text[0] == '$') {
      const std::string name = value.text.substr(1);
      const auto found = vars_.find(name);
      if (found == vars_.end()) {
        std::vector<std::string> known;
        for (const auto& var : vars_) known.push_back(var.first);
        refuse_at(value.at, fmt::format("there is no variable '{}'", name),
                  known.empty() ? "the recipe has no \"vars\"" : suggest_name(name, known));
      }
      used_vars_.insert(name);
      if (unsound_vars_.contains(name)) throw Consequence();
      if (inside_list && found->second.is_array())
        refuse_at(value.at, fmt::format("variable '{}' is a list, which cannot stand inside another list", name));
      return is_override(found->second.at) ? found->second : found->second.placed_at(value.at);
    }
    Json copy = value;
    for (Json& item : copy.items) item = resolve(item, true);
    for (JsonMember& member : copy.members) member.value = resolve(member.value);
    return copy;
  }

  /// The same of all but what "doc" says.
  void resolve_but_notes(Json& value) {
    if (!value.is_object()) value = resolve(value);
    for (JsonMember& member : value.members)
      if (member.key != "doc") member.value = resolve(member.value);
  }

  static bool is_override(const Position& at) { return at.source != nullptr && at.source->name.starts_with("--"); }

  void name_nodes() {
    if (nodes().members.size() > most_nodes)
      refuse_at(nodes().at,
                fmt::format("the recipe has {} nodes; at most {} are allowed", nodes().members.size(), most_nodes));
    for (const JsonMember& member : nodes().members) {
      std::vector<double> ages;
      const Operator* op = nullptr;
      const bool sound = problems_.attempt([&] {
        if (!is_identifier(member.key))
          refuse_at(member.at, fmt::format("'{}' is not a valid name for a node", member.key),
                    "use letters, digits, _ and -, and do not start with a digit");
        require_object(member.value, fmt::format("node '{}'", member.key));
        op = &find_op(member.value, member.key);
        ages = ages_of(member, *op);
      });
      operators_.push_back(op);
      add_node(recipe_, member.key, member.at, ages);
      // What refers to a node that is not sound is not checked further.
      if (sound) recipe_.nodes.back().op = op;
      if (recipe_.nodes.size() > most_nodes)
        refuse_at(member.at, fmt::format("with its stages the recipe has more than {} nodes", most_nodes));
    }
  }

  /// Of the stages that "every" divides the node into; none without.
  std::vector<double> ages_of(const JsonMember& member, const Operator& op) {
    if (member.value.find(every_key) == nullptr) return {};
    return stage_ages(op, member.value, [this](const Json& v) { return resolve(v); });
  }

  const Operator& find_op(const Json& node, const std::string& node_name) {
    const Json* value = node.find("op");
    if (value == nullptr) refuse_at(node.at, fmt::format("node '{}' has no \"op\"", node_name));
    std::string name = plain_text(*value, "\"op\"");
    std::optional<double> pinned;
    if (const size_t at_sign = name.find('@'); at_sign != std::string::npos) {
      pinned = parse_number(name.substr(at_sign + 1));
      if (!pinned)
        refuse_at(value->at, fmt::format("'{}' is not a version", name.substr(at_sign + 1)),
                  "write it like \"noise@1\"");
      name.resize(at_sign);
    }
    const Operator* op = find_operator(name);
    if (op == nullptr) refuse_at(value->at, fmt::format("there is no operator '{}'", name), suggest_operator(name));
    if (const Json* as = node.find(as_key)) {
      const std::string as_text = plain_text(*as, fmt::format("\"{}\"", as_key));
      const std::vector<std::string> ways = ways_of(name);
      const bool known = op->params.find(as_key) >= 0 || std::ranges::find(ways, as_text) != ways.end();
      if (!known)
        refuse_at(as->at, fmt::format("'{}' gives nothing as '{}'", name, as_text), suggest_name(as_text, ways));
      op = find_operator(operator_name(name, as_text));
    }
    if (pinned && *pinned != op->version)
      refuse_at(value->at,
                fmt::format("'{}' is pinned to version {:g}, but only version {} is here", name, *pinned, op->version));
    return *op;
  }

  void read_node(const JsonMember& member) {
    const Operator* known = operators_[static_cast<size_t>(&member - nodes().members.data())];
    if (known == nullptr) return;
    const Operator& op = *known;
    const int index = recipe_.find_node(member.key);
    Node& node = recipe_.nodes[static_cast<size_t>(index)];
    node.inputs.resize(op.inputs.size());
    for (const Field& field : op.params.fields) node.params.push_back(field.fallback);
    bool sound = true;
    std::set<std::string> unread;
    for (const JsonMember& entry : member.value.members) {
      if (entry.key == every_key && node.is_stage()) continue;
      if (problems_.attempt([&] { read_entry(node, op, entry); })) continue;
      unread.insert(entry.key);
      sound = false;
    }
    for (size_t i = 0; i < op.inputs.size(); ++i)
      if (node.inputs[i].empty() && !unread.contains(op.inputs[i].name))
        sound &= problems_.attempt([&] { require_open(op, op.inputs[i], member); });
    for (size_t i = 0; i < op.params.fields.size(); ++i) {
      const Field& field = op.params.fields[i];
      if (field.type == ParamType::seed) std::get<Seed>(node.params[i]).recipe = recipe_.seed;
      if (field.type == ParamType::file && !unread.contains(field.name))
        sound &= problems_.attempt([&] { locate_file(node.params[i], field, member); });
    }
    if (sound && node.op != nullptr) divide(recipe_, index);
  }

  /// Refuses a port that must not stay open.
  void require_open(const Operator& op, const Port& port, const JsonMember& node) const {
    if (port.optional) return;
    refuse_at(node.at, fmt::format("node '{}' needs an input on its port '{}'", node.key, port.name),
              is_one_liner() ? pipe_hint(port, op) : fmt::format("add \"{}\": \"name of a node\"", port.name));
  }

  bool is_one_liner() const { return document_.at.source != nullptr && document_.at.source->name == "make"; }

  /// "read" of "read_mask", where that is what "as" has made of it.
  static std::string_view name_before_as(const Operator& op) {
    const std::string_view name = op.name;
    const std::string_view before = name.substr(0, name.find('_'));
    return find_operator(before) != nullptr ? before : name;
  }

  void read_entry(Node& node, const Operator& op, const JsonMember& entry) {
    if (entry.key == "op" || entry.key == "doc" || entry.key == "title" || entry.key == "ui") return;
    if (entry.key == as_key && op.params.find(as_key) < 0 && ways_of(name_before_as(op)).size() > 1) return;
    for (size_t i = 0; i < op.inputs.size(); ++i)
      if (op.inputs[i].name == entry.key) {
        node.inputs[i] = read_port(op.inputs[i], entry.value);
        return;
      }
    const int index = op.params.find(entry.key);
    if (index < 0) refuse_parameter(op, entry.key, entry.at);
    node.params[static_cast<size_t>(index)] =
        param_from_json(op.params.fields[static_cast<size_t>(index)], resolve(entry.value));
  }

  std::vector<Reference> read_port(const Port& port, const Json& value) const {
    std::vector<Reference> list;
    if (value.is_array() && port.list) {
      for (const Json& item : value.items) list.push_back(reference(plain_text(item, "a reference"), item.at));
    } else {
      list.push_back(reference(plain_text(value, fmt::format("port '{}'", port.name)), value.at));
    }
    return list;
  }

  /// Of a node that is sound.
  Reference reference(const std::string& text, Position at) const {
    const int named = recipe_.find_node(text.substr(0, text.find_first_of(".@")));
    if (named >= 0 && recipe_.node(named).op == nullptr) throw Consequence();
    return recipe_.reference(text, at);
  }

  /// Relative to the recipe's folder, or to the current one where the command line names it.
  void locate_file(ParamValue& value, const Field& field, const JsonMember& member) {
    if (std::holds_alternative<Automatic>(value)) return;
    FilePath& file = std::get<FilePath>(value);
    const Json* given = member.value.find(field.name);
    if (given == nullptr || file.path.empty())
      refuse_at(member.at, fmt::format("node '{}' needs a value for '{}'", member.key, field.name));
    const std::filesystem::path path = file.path;
    if (path.is_relative() && document_.at.source != nullptr && !is_override(resolve(*given).at))
      file.path = (std::filesystem::path(document_.at.source->name).parent_path() / path).string();
  }

  /// Throws where the world's frame is not known; other problems are kept.
  void read_world() {
    const Json* world = document_.find("world");
    if (world == nullptr) return;
    require_object(*world, "\"world\"");
    allow_keys(*world, {"size", "resolution", "origin", "from", "sea_level"}, "\"world\"", problems_);
    if (const Json* level = world->find("sea_level"))
      problems_.attempt([&] { recipe_.world.sea_level = plain_number(resolve(*level), "the sea level"); });
    if (const Json* from = world->find("from")) return read_world_node(*world, *from);
    bool known = true;
    if (const Json* size = world->find("size"))
      known &= problems_.attempt([&] { recipe_.world.size = read_size(resolve(*size)); });
    if (const Json* resolution = world->find("resolution"))
      known &= problems_.attempt([&] {
        recipe_.world.resolution = whole_number(resolve(*resolution), "the resolution", 1, largest_resolution);
      });
    if (const Json* origin = world->find("origin"))
      known &= problems_.attempt([&] { recipe_.world.origin = read_origin(resolve(*origin)); });
    if (!known) throw Consequence();
  }

  void read_world_node(const Json& world, const Json& from) {
    for (const char* key : {"size", "resolution", "origin"})
      if (world.find(key) != nullptr)
        refuse_at(world.find(key)->at, fmt::format("the world has both \"from\" and \"{}\"", key), "leave one out");
    const Reference node = reference(plain_text(from, "\"from\""), from.at);
    if (recipe_.node(node).op->takes_world)
      refuse_at(from.at, "the world's grid must come from a node that has its own, such as 'read'");
    if (recipe_.node(node).op->output->frame == nullptr) refuse_at(from.at, "the world's grid must come from land");
    recipe_.world.from = node.node;
  }

  static Vec2 read_origin(const Json& value) {
    if (!value.is_array() || value.items.size() != 2) refuse_at(value.at, "the origin must be two numbers [x, y]");
    return {plain_number(value.items[0], "the origin"), plain_number(value.items[1], "the origin")};
  }

  static Vec2 read_size(const Json& value) {
    const auto side = [](const Json& item) {
      const Length length = length_from_json(item);
      if (length.percent || !(length.value > 0) || !(length.value <= 1e9))
        refuse_at(item.at, "a side of the world must be a length in metres, from above 0 to 1e9");
      return length.value;
    };
    if (!value.is_array()) return {side(value), side(value)};
    if (value.items.size() != 2) refuse_at(value.at, "the world's size must be one length or two, [x, y]");
    return {side(value.items[0]), side(value.items[1])};
  }

  /// What is read elsewhere, with its variables; null where the recipe does not have it.
  Json read_text(const char* key) {
    const Json* value = document_.find(key);
    if (value == nullptr || !problems_.attempt([&] { require_object(*value, fmt::format("\"{}\"", key)); })) return {};
    Json resolved = *value;
    resolved.members.clear();
    for (JsonMember member : value->members)
      if (problems_.attempt([&] { resolve_but_notes(member.value); })) resolved.members.push_back(std::move(member));
    return resolved;
  }

  void add_warnings() {
    recipe_.warnings = graph_warnings(recipe_);
    for (const auto& [name, value] : vars_)
      if (!used_vars_.contains(name))
        recipe_.warnings.push_back(warning_text(value.at, fmt::format("variable '{}' is not used", name)));
  }

  Json document_;
  Recipe recipe_;
  std::map<std::string, Json> vars_;
  std::set<std::string> used_vars_, unsound_vars_;
  std::vector<const Operator*> operators_;  ///< of each node of the document; nullptr where there is none
  Problems& problems_;
};

}  // namespace

Recipe build_recipe(Json document, std::vector<std::shared_ptr<const Source>> sources, const Overrides& overrides) {
  Problems first;
  return build_recipe(std::move(document), std::move(sources), overrides, first);
}

Recipe build_recipe(Json document, std::vector<std::shared_ptr<const Source>> sources, const Overrides& overrides,
                    Problems& problems) {
  return Builder(std::move(document), std::move(sources), problems).build(overrides);
}

}  // namespace tepui
