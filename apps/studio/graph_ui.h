#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/studio/frames.h"
#include "tepui/core/vec.h"
#include "tepui/recipe/edit.h"

// Where a recipe's nodes stand in the graph and what is grouped there: its "ui", which changes nothing that is
// computed.

namespace tepui::studio {

/// A node's place, or none where the page may choose one.
using Place = std::pair<std::string, std::optional<Vec2>>;

/// Nodes in a frame with a name.
struct NodeGroup {
  std::string name;
  std::vector<std::string> nodes;
  std::string colour{};  ///< "#rrggbb"; empty: that which it has, or none
  std::string was{};     ///< the name that it has had so far; empty: the same
};

/// Of a recipe's document, as far as it is sound: {"at": {node: [x, y]}, "groups": [{"name", "nodes", "colour"}]}.
Ordered ui_json(const Json& document);
/// The place that the recipe gives a node.
std::optional<Vec2> place_of(const Json& document, const std::string& node);

/// The text with the nodes at these places. Refuses nodes that are not there.
std::string placed(const Source& source, const std::vector<Place>& places);

/// The text with this group in place of that of its name so far; one without nodes goes. A node is in one group at
/// most.
std::string grouped(const Source& source, const NodeGroup& group);

/// The text in which these nodes have no place and are in no group.
std::string without_places(const Source& source, const std::vector<std::string>& nodes);

}  // namespace tepui::studio
