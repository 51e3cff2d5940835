#include "tepui/recipe/rename_node.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/core/params.h"
#include "tepui/recipe/operators.h"

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
    for (const JsonMember& node : nodes->members) {
      if (node.key == from_) replace(node.at, to_);
      ports_of(node.value);
    }
    if (const Json* world = document.find("world")) key(*world, "from");
    if (const Json* outputs = document.find("outputs"))
      for (const JsonMember& output : outputs->members) output_of(output.value);
    if (const Json* test = document.find("test"))
      if (const Json* set = test->find("set"))
        for (const JsonMember& member : set->members)
          if (member.key.starts_with(from_ + ".")) replace(member.at, to_ + member.key.substr(from_.size()));
    std::ranges::sort(splices_, {}, &Splice::begin);
    return std::move(splices_);
  }

 private:
  void replace(const Position& at, const std::string& name) {
    splices_.push_back({at.begin, at.end, json_text(json_string(name, {}))});
  }

  void reference(const Json& value) {
    for (const Json& item : value.items) reference(item);
    if (!value.is_string() || value.text.substr(0, value.text.find_first_of(".@")) != from_) return;
    replace(value.at, to_ + value.text.substr(from_.size()));
  }

  void key(const Json& object, std::string_view name) {
    if (const Json* value = object.find(name)) reference(*value);
  }

  void ports_of(const Json& node) {
    const Json* name = node.find("op");
    const Json* as = node.find(as_key);
    const Operator* op =
        name == nullptr
            ? nullptr
            : find_operator(operator_name(name->text.substr(0, name->text.find('@')), as != nullptr ? as->text : ""));
    if (op == nullptr) return;
    for (const Port& port : op->inputs) key(node, port.name);
  }

  void output_of(const Json& output) {
    if (output.is_string()) reference(output);
    for (const char* name : {"from", "frames", "timelapse", "rock"}) key(output, name);
    const Json* sheet = output.find("sheet");
    const Json* panels = sheet != nullptr ? sheet->find("panels") : nullptr;
    if (panels != nullptr)
      for (const Json& panel : panels->items) output_of(panel);
  }

  std::string from_, to_;
  std::vector<Splice> splices_;
};

}  // namespace

std::vector<Splice> rename_node(const Source& source, const std::string& from, const std::string& to) {
  return Renaming(from, to).in(parse_json(source));
}

}  // namespace tepui
