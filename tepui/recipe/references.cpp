#include "tepui/recipe/references.h"

#include <algorithm>

#include "tepui/recipe/operators.h"

namespace tepui {

namespace {

class Finder {
 public:
  std::vector<ReferencePlace> in(const Json& document) {
    if (const Json* nodes = document.find("nodes"))
      for (const JsonMember& node : nodes->members) ports_of(node);
    if (const Json* world = document.find("world")) key(*world, {"world"}, "from");
    if (const Json* outputs = document.find("outputs"))
      for (const JsonMember& output : outputs->members) output_of(output.value, {"outputs", output.key});
    std::ranges::sort(found_, {}, [](const ReferencePlace& place) { return place.at.begin; });
    return std::move(found_);
  }

 private:
  static JsonPath below(JsonPath path, std::string name) {
    path.push_back(std::move(name));
    return path;
  }

  void reference(const Json& value, const JsonPath& path) {
    for (size_t i = 0; i < value.items.size(); ++i) reference(value.items[i], below(path, std::to_string(i)));
    if (value.is_string()) found_.push_back({path, value.text, value.at, node_, port_});
  }

  void key(const Json& object, const JsonPath& path, const std::string& name) {
    if (const Json* value = object.find(name)) reference(*value, below(path, name));
  }

  void ports_of(const JsonMember& node) {
    const Operator* op = operator_of_node(node.value);
    if (op == nullptr) return;
    node_ = node.key;
    for (const Port& port : op->inputs) {
      port_ = &port;
      key(node.value, {"nodes", node.key}, port.name);
    }
    node_.clear();
    port_ = nullptr;
  }

  void output_of(const Json& output, const JsonPath& path) {
    if (output.is_string()) reference(output, path);
    for (const char* name : {"from", "frames", "timelapse", "rock"}) key(output, path, name);
    const Json* sheet = output.find("sheet");
    const Json* panels = sheet != nullptr ? sheet->find("panels") : nullptr;
    if (panels == nullptr) return;
    for (size_t i = 0; i < panels->items.size(); ++i)
      output_of(panels->items[i], below(below(below(path, "sheet"), "panels"), std::to_string(i)));
  }

  std::string node_;
  const Port* port_ = nullptr;
  std::vector<ReferencePlace> found_;
};

}  // namespace

std::vector<ReferencePlace> references_of(const Json& document) { return Finder().in(document); }

std::string_view referred_node(std::string_view reference) {
  return reference.substr(0, reference.find_first_of(".@"));
}

const Operator* operator_of_node(const Json& node) {
  const Json *name = node.find("op"), *as = node.find(as_key);
  if (name == nullptr || !name->is_string()) return nullptr;
  return find_operator(operator_name(name->text.substr(0, name->text.find('@')), as != nullptr ? as->text : ""));
}

}  // namespace tepui
