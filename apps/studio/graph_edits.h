#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/studio/graph_ui.h"
#include "apps/studio/graph_wires.h"
#include "tepui/core/error.h"
#include "tepui/core/vec.h"

// Nodes of a recipe's graph come, go and are copied. Every edit gives another text, in which comments, the order of
// keys and layout are as they were where nothing had to change.

namespace tepui::studio {

/// A node that is to be made.
struct NewNode {
  std::string op;
  std::string name{};                                                      ///< empty: after its operator
  std::vector<std::pair<std::string, std::vector<std::string>>> inputs{};  ///< references by port
  std::optional<Vec2> at{};
  std::vector<Place> places{};    ///< of others, which make room for it
  std::optional<WireEnd> onto{};  ///< it is put on this wire, or feeds this port where nothing is on it
};

/// Another text, and the nodes that are new in it.
struct MadeNodes {
  std::string text;
  std::vector<std::string> nodes;
};

/// Refuses what cannot be the name of a node.
void require_node_name(const std::string& name);
/// That name, or where it is taken, the first of name_2, name_3, ... that is free.
std::string free_name(const Json& document, const std::string& wanted);

MadeNodes added(const Source& source, const NewNode& node);

/// What referred to a node that goes refers to what the node had on its main port, if that is of the same kind; if not,
/// the reference goes, too. So it does if it is to a layer or a stage of the node. An output that has lost what it was
/// of is taken out.
std::string removed(const Source& source, const std::vector<std::string>& nodes);
/// What stands in for a node that goes: the reference on its main port, or on that of the node there if that goes, too.
/// Empty where there is none.
std::string stand_in(const Json& document, const std::string& node, const std::vector<std::string>& nodes);

/// Copies behind all other nodes. Wires between them are wires between their copies; all other inputs are the same.
MadeNodes duplicated(const Source& source, const std::vector<std::string>& nodes);

/// A recipe without its nodes that are wrong and those that wait for them, such as a node that lacks an input; none
/// where an output or the world needs one of them, or something else is wrong.
struct FinishedPart {
  Source source;
  std::vector<std::string> unfinished;  ///< what it is without
};
std::optional<FinishedPart> finished_part(const Source& source, const std::vector<Error>& problems);

}  // namespace tepui::studio
