#include "apps/studio/stroke_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

#include "apps/studio/graph_edits.h"
#include "apps/studio/graph_wires.h"
#include "tepui/core/error.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/references.h"

namespace tepui::studio {

namespace {

/// The operators that strokes of a brush may add, and what their nodes say beside their inputs.
struct Brush {
  const char *op, *says;
};
constexpr Brush brushes[] = {
    {"paint", ""},
    {"sculpt", R"(, "positions": "metres", "heights": "sea_level", "strokes": [{ "shape": "curve" }])"},
    {"smooth", ""},
    {"strata_erosion", ""},
    {"sea_erosion", ""},
    {"rock_body", ""}};

const Brush& require_brush(const std::string& op) {
  const auto* found = std::ranges::find_if(brushes, [&](const Brush& brush) { return op == brush.op; });
  if (found == std::end(brushes)) refuse(fmt::format("there is no brush '{}'", op));
  return *found;
}

/// The kinds of what a file of strokes holds and of rock.
const Kind& stroke_kind() { return *find_operator("read_lines")->output; }
const Kind& rock_kind() { return *find_operator("rock_body")->output; }

std::string in_quotes(const std::string& text) { return json_text(json_string(text, {})); }

void set(Source& source, const JsonPath& path, const std::string& value) {
  source.text = spliced(source.text, set_value(source, path, value));
}

/// Adds a node that reads a new file.
void add_lines(Source& source, StrokePlace& place, const NewFile& new_file) {
  place.lines = free_name(parse_json(source), place.node + "_strokes");
  place.file = new_file(place.node);
  set(source, {"nodes", place.lines},
      fmt::format(R"({{ "op": "read_lines", "file": {}, "crs": "metres" }})", in_quotes(place.file)));
}

const Port* port_of_kind(const Operator& op, const Kind& kind) {
  const auto found = std::ranges::find(op.inputs, &kind, &Port::kind);
  return found != op.inputs.end() ? &*found : nullptr;
}

/// The first reference on a node's port; none where it is open.
const Json* first_reference(const Json& node, const std::string& port) {
  const Json* given = node.find(port);
  if (given != nullptr && given->is_array()) return given->items.empty() ? nullptr : given->items.data();
  return given;
}

std::string referred(const Json& reference) { return std::string(referred_node(reference.text)); }

/// The node on a port that reads lines; none where nothing is on it. Refuses anything else.
std::optional<std::string> lines_on(const Json& document, const std::string& node, const Port& port) {
  const Json* reference = first_reference(require_node(document, node), port.name);
  if (reference == nullptr) return {};
  const std::string name = referred(*reference);
  const Json& source = require_node(document, name);
  if (require_node_operator(document, name).name != "read_lines" || source.find("land") != nullptr)
    refuse(fmt::format("port '{}' of '{}' is fed by '{}', which reads no file of strokes", port.name, node, name),
           "take that wire off, or draw onto another node");
  return name;
}

/// All who took a node take another; references to its layers and stages stay such. The world's frame stays its own.
void hand_over(Source& source, const std::string& from, const std::string& to) {
  std::vector<Splice> splices;
  for (const ReferencePlace& place : references_of(parse_json(source)))
    if (referred_node(place.text) == from && place.path.front() != "world" && place.node != to)
      splices.push_back({place.at.begin, place.at.end, in_quotes(to + place.text.substr(from.size()))});
  source.text = spliced(source.text, splices);
}

std::string new_node_text(const Brush& brush, const Port* main, const std::string& from, const Port& lines,
                          const std::string& strokes) {
  const std::string in = main != nullptr ? fmt::format(", {}: {}", in_quotes(main->name), in_quotes(from)) : "";
  return fmt::format(R"({{ "op": "{}"{}, {}: {}{}, "ui": {{ "brush": true }} }})", brush.op, in, in_quotes(lines.name),
                     in_quotes(strokes), brush.says);
}

/// Where rock goes into something: a port and what is on it.
struct RockPort {
  std::string node;
  const Port* port = nullptr;
  JsonPath path;
  std::string from;
};

/// The nearest port on the way up from a node that a rock is on.
RockPort rock_port(const Json& document, const std::string& from) {
  std::deque<std::string> next{from};
  std::set<std::string> seen{from};
  while (!next.empty()) {
    const std::string name = next.front();
    next.pop_front();
    const Json& node = require_node(document, name);
    const Operator& op = require_node_operator(document, name);
    for (const Port& port : op.inputs) {
      const Json* given = node.find(port.name);
      const Json* reference = first_reference(node, port.name);
      if (reference == nullptr || !reference->is_string()) continue;
      if (port.kind == &rock_kind()) {
        JsonPath path{"nodes", name, port.name};
        if (given->is_array()) path.push_back("0");
        return {name, &port, std::move(path), reference->text};
      }
      if (seen.insert(referred(*reference)).second) next.push_back(referred(*reference));
    }
  }
  refuse(fmt::format("'{}' is not made of a rock that could be changed", from), "give a node before it a rock");
}

/// A brush that is there gets the stroke, if it is one of this operator.
std::optional<StrokePlace> on_brush(const Source& source, const Json& document, const std::string& node,
                                    const std::string& op, const NewFile& new_file) {
  const Operator& there = require_node_operator(document, node);
  if (there.name != op || !is_brush(require_node(document, node))) return {};
  const Port* lines = port_of_kind(there, stroke_kind());
  if (lines == nullptr) return {};
  return place_onto(source, node, lines->name, new_file);
}

/// What a brush's node is named after: not another brush's node, but the one that the first of them follows.
std::string stem_of(const Json& document, const std::string& node) {
  if (!is_brush(require_node(document, node))) return node;
  const size_t end = node.rfind("_" + require_node_operator(document, node).name);
  return end == std::string::npos || end == 0 ? node : node.substr(0, end);
}

}  // namespace

bool is_brush(const Json& node) {
  const Json* ui = node.find("ui");
  const Json* brush = ui != nullptr ? ui->find("brush") : nullptr;
  return brush != nullptr && brush->boolean;
}

StrokePlace place_onto(const Source& source, const std::string& node, const std::string& port,
                       const NewFile& new_file) {
  const Json document = parse_json(source);
  const Operator& op = require_node_operator(document, node);
  const auto found = std::ranges::find(op.inputs, port, &Port::name);
  if (found == op.inputs.end()) refuse(fmt::format("'{}' has no port '{}'", node, port));
  if (found->kind != &stroke_kind()) refuse(fmt::format("port '{}' of '{}' takes no lines", port, node));
  StrokePlace place{source.text, node, {}, {}, false};
  if (const auto lines = lines_on(document, node, *found)) {
    place.lines = *lines;
    return place;
  }
  Source changed = source;
  add_lines(changed, place, new_file);
  set(changed, {"nodes", node, port}, in_quotes(place.lines));
  place.text = std::move(changed.text);
  return place;
}

StrokePlace place_after(const Source& source, const std::string& after, const std::string& op,
                        const NewFile& new_file) {
  const Brush& brush = require_brush(op);
  const Json document = parse_json(source);
  const Operator *made = find_operator(op), &before = require_node_operator(document, after);
  const Port* lines = made != nullptr ? port_of_kind(*made, stroke_kind()) : nullptr;
  if (lines == nullptr) refuse(fmt::format("'{}' takes no strokes", op));
  const bool is_rock = op == "rock_body";
  const RockPort rock = is_rock ? rock_port(document, after) : RockPort();
  const std::string goes_on = is_rock ? std::string(referred_node(rock.from)) : after;
  if (auto place = on_brush(source, document, goes_on, op, new_file)) return *place;
  const Port* main = port_of_kind(*made, is_rock ? rock_kind() : *before.output);
  if (main == nullptr || (!is_rock && main->kind != made->output))
    refuse(fmt::format("'{}' does not work on what '{}' gives", op, after));

  StrokePlace place{
      {}, free_name(document, stem_of(document, goes_on) + "_" + (is_rock ? "bodies" : op)), {}, {}, true};
  Source changed = source;
  add_lines(changed, place, new_file);
  const std::string from = is_rock ? rock.from : after;
  set(changed, {"nodes", place.node}, new_node_text(brush, main, from, *lines, place.lines));
  if (is_rock)
    set(changed, rock.path, in_quotes(place.node));
  else
    hand_over(changed, after, place.node);
  place.text = std::move(changed.text);
  return place;
}

}  // namespace tepui::studio
