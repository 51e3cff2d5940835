#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/graph/operator.h"
#include "tepui/recipe/edit.h"

// Wires of a recipe's graph, by its text alone: what may be wired, and the text that has the wire.

namespace tepui::studio {

/// Where a wire ends: a port of a node, and which of its wires where the port takes a list.
struct WireEnd {
  std::string node, port;
  std::optional<size_t> index{};
};

/// The recipe's "nodes"; refused where it has none.
const Json& require_nodes(const Json& document);
/// The node of that name; refused where there is none.
const Json& require_node(const Json& document, const std::string& name);
/// Its operator; refused where its text names none that is known.
const Operator& require_node_operator(const Json& document, const std::string& name);
/// Refused where the operator has no such port.
const Port& require_port(const Operator& op, const std::string& name);

/// The kind of what a reference gives: a node, or a layer or a stage of it. Refused where there is no such thing.
const Kind& kind_given(const Json& document, const std::string& reference);

/// What refers to something on a port of a node as its text has it, in order.
std::vector<std::string> wires_on(const Json& node, const std::string& port);

/// The port on which a node takes what it changes: the first of the kind that it gives; nullptr where it has none.
const Port* main_port(const Operator& op);
/// The first port that takes this kind; nullptr where there is none.
const Port* port_for(const Operator& op, const Kind& kind);

/// Refuses what a port does not take.
void require_fit(const Kind& given, const std::string& from, const Port& port);
/// Refuses a recipe in which the node waits for itself.
void require_no_cycle(const Source& source, const std::string& node);

/// The text with this reference at the wire's end, or with nothing there. On a port that takes a list, a reference
/// without an index is added behind the others, and nothing without an index empties it.
std::string connected(const Source& source, const WireEnd& end, const std::optional<std::string>& from);

/// The text with a node of the recipe on a wire: it takes what the wire brings on the first port that fits, in place of
/// what is there, and the wire's end takes the node.
std::string inserted(const Source& source, const std::string& node, const WireEnd& onto);

}  // namespace tepui::studio
