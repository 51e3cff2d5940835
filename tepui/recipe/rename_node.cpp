#include "tepui/recipe/rename_node.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/core/params.h"
#include "tepui/recipe/references.h"

namespace tepui {

namespace {

class Renaming {
 public:
  Renaming(const std::string& from, const std::string& to) : from_(from), to_(to) {}

  std::vector<Splice> in(const Json& document) {
    const Json* nodes = document.find("nodes");
    if (nodes == nullptr || nodes->find(from_) == nullptr) {
      std::vector<std::string> known;
      if (nodes != nullptr)
        for (const JsonMember& node : nodes->members) known.push_back(node.key);
      refuse(fmt::format("there is no node '{}'", from_), suggest_name(from_, known));
    }
    if (nodes->find(to_) != nullptr) refuse(fmt::format("there is already a node '{}'", to_));
    key_of(nodes);
    for (const ReferencePlace& place : references_of(document))
      if (referred_node(place.text) == from_) replace(place.at, to_ + place.text.substr(from_.size()));
    if (const Json* test = document.find("test"))
      if (const Json* set = test->find("set"))
        for (const JsonMember& member : set->members)
          if (member.key.starts_with(from_ + ".")) replace(member.at, to_ + member.key.substr(from_.size()));
    if (const Json* ui = document.find("ui")) layout_of(*ui);
    std::ranges::sort(splices_, {}, &Splice::begin);
    return std::move(splices_);
  }

 private:
  void replace(const Position& at, const std::string& name) {
    splices_.push_back({at.begin, at.end, json_text(json_string(name, {}))});
  }

  void key_of(const Json* object) {
    if (object == nullptr) return;
    for (const JsonMember& member : object->members)
      if (member.key == from_) replace(member.at, to_);
  }

  /// Where nodes stand in the graph, and what is grouped there.
  void layout_of(const Json& ui) {
    const Json *at = ui.find("at"), *groups = ui.find("groups");
    if (at == nullptr || at->find(to_) == nullptr) key_of(at);
    if (groups == nullptr) return;
    for (const Json& group : groups->items)
      if (const Json* nodes = group.find("nodes"))
        for (const Json& node : nodes->items)
          if (node.is_string() && node.text == from_) replace(node.at, to_);
  }

  std::string from_, to_;
  std::vector<Splice> splices_;
};

}  // namespace

std::vector<Splice> rename_node(const Source& source, const std::string& from, const std::string& to) {
  return Renaming(from, to).in(parse_json(source));
}

}  // namespace tepui
