#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/hash.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// What is known of a node's value without its cells.
struct NodeFacts {
  TerrainOutline outline;
  Hash hash;                            ///< of the value
  double cost = 0;                      ///< seconds to compute it again; 0 where its cells are kept
  std::vector<std::string> warnings{};  ///< what the node said
};

/// As bytes for a cache.
std::string facts_text(const NodeFacts& facts);

/// None unless facts_text could have written it.
std::optional<NodeFacts> parse_facts(std::string_view text);

}  // namespace tepui
