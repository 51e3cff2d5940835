#include "python/native/saved.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "tepui/core/error.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/param_json.h"
#include "tepui/recipe/recipe.h"

namespace tepui::python {

namespace {

namespace fs = std::filesystem;

void put(Json& object, const std::string& key, Json value) { object.members.push_back({key, {}, std::move(value)}); }

Json number(double value) {
  Json json;
  json.type = Json::Type::number;
  json.number = value;
  return json;
}

/// A name that recipes allow, and no other node has.
std::string free_name(std::string name, const std::map<std::string, int>& taken) {
  for (char& c : name)
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '-') c = '_';
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) name.insert(0, "n");
  std::string free = name;
  for (int i = 2; taken.contains(free); ++i) free = name + "_" + std::to_string(i);
  return free;
}

/// Relative to the recipe where it lies below its folder.
Json file_text(const std::string& path, const std::string& folder) {
  const fs::path relative =
      fs::absolute(path).lexically_normal().lexically_relative(fs::absolute(folder).lexically_normal());
  return json_string(relative.empty() || *relative.begin() == ".." ? fs::absolute(path).string() : relative.string(),
                     {});
}

class Writer {
 public:
  explicit Writer(const SavedGraph& saved) : saved_(saved), graph_(graph_of(nodes_of(saved))) {
    for (size_t i = 0; i < saved.named.size(); ++i) {
      const int node = graph_.targets[i];
      if (names_.contains(node)) continue;  // a node may have one name
      name(node, saved.named[i].first);
    }
    for (size_t i = 0; i < graph_.nodes.size(); ++i)
      if (!names_.contains(static_cast<int>(i))) name(static_cast<int>(i), graph_.nodes[i].name);
  }

  std::string text() {
    Json document = json_object({});
    put(document, "tepui", json_integer(1));
    if (!saved_.title.empty()) put(document, "title", json_string(saved_.title, {}));
    put(document, "seed", json_integer(static_cast<int64_t>(graph_.seed)));
    put(document, "world", world());
    Json nodes = json_object({});
    for (size_t i = 0; i < graph_.nodes.size(); ++i) put(nodes, names_.at(static_cast<int>(i)), node(i));
    put(document, "nodes", std::move(nodes));
    if (saved_.outputs.is_object()) put(document, "outputs", saved_.outputs);
    return json_text(document) + "\n";
  }

 private:
  static std::vector<DeferredPointer> nodes_of(const SavedGraph& saved) {
    std::vector<DeferredPointer> list;
    for (const auto& [name, reference] : saved.named) list.push_back(reference.node);
    return list;
  }

  void name(int node, const std::string& wanted) {
    const std::string free = free_name(wanted, taken_);
    taken_[free] = node;
    names_[node] = free;
  }

  Json world() const {
    Json json = json_object({});
    if (graph_.world.from >= 0) {
      put(json, "from", json_string(names_.at(graph_.world.from), {}));
    } else {
      put(json, "size", json_list({number(graph_.world.size.x), number(graph_.world.size.y)}));
      put(json, "resolution", json_integer(graph_.world.resolution));
      if (!(graph_.world.origin == Vec2{}))
        put(json, "origin", json_list({number(graph_.world.origin.x), number(graph_.world.origin.y)}));
    }
    if (graph_.world.sea_level) put(json, "sea_level", number(*graph_.world.sea_level));
    return json;
  }

  Json node(size_t index) const {
    const Deferred& from = *graph_.sources[index];
    const Node& node = graph_.nodes[index];
    require_sayable(from);
    Json json = json_object({});
    put(json, "op", json_string(node.op->name, {}));
    for (size_t port = 0; port < node.inputs.size(); ++port) {
      if (node.inputs[port].empty()) continue;
      Json list = json_list({});
      for (const Reference& reference : node.inputs[port]) {
        const std::string& name = names_.at(reference.node);
        list.items.push_back(json_string(reference.layer.empty() ? name : name + "." + reference.layer, {}));
      }
      put(json, node.op->inputs[port].name, node.op->inputs[port].list ? std::move(list) : list.items.front());
    }
    for (const JsonMember& member : from.given.members) put(json, member.key, given(node, member));
    return json;
  }

  Json given(const Node& node, const JsonMember& member) const {
    const int index = node.op->params.find(member.key);
    if (index < 0) return member.value;  // "every"
    const auto field = static_cast<size_t>(index);
    if (const FilePath* file = std::get_if<FilePath>(&node.params[field])) return file_text(file->path, saved_.folder);
    return member.value;
  }

  void require_sayable(const Deferred& from) const {
    if (from.op.get() != find_operator(from.op->name)) {
      const bool constant = from.inputs.empty() && !from.value().empty();
      throw Error(
          ErrorKind::request,
          constant ? "a recipe cannot hold " + from.op->output->noun + " made from arrays"
                   : "a recipe cannot hold the Python operator '" + from.op->name + "'",
          constant ? "save it to a file and read that: tp.read(file)" : "save its result to a file and read that");
    }
    if (from.world && !(*from.world == *world_of_all()))
      throw Error(ErrorKind::request, "a recipe has one world, and node '" + from.name + "' lies in another",
                  "save each world as a recipe of its own");
  }

  WorldPointer world_of_all() const {
    for (const DeferredPointer& node : graph_.sources)
      if (node->world) return node->world;
    return nullptr;
  }

  const SavedGraph& saved_;
  DeferredGraph graph_;
  std::map<int, std::string> names_;
  std::map<std::string, int> taken_;
};

}  // namespace

std::string recipe_text(const SavedGraph& saved) { return Writer(saved).text(); }

}  // namespace tepui::python
