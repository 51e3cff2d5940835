#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/recipe/value.h"

namespace tepui {

/// A number that an operator told about what it did.
struct ToldNumber {
  std::string name;
  double value = 0;
  std::string unit;
  friend bool operator==(const ToldNumber&, const ToldNumber&) = default;
};

/// What is known of a node's value without the value.
struct NodeFacts {
  ValueType type = ValueType::terrain;
  TerrainOutline outline;               ///< of land
  Hash hash;                            ///< of the value
  size_t bytes = 0;                     ///< that it holds
  double cost = 0;                      ///< seconds to compute it again; 0 where its cells are kept
  std::vector<std::string> warnings{};  ///< what the node said
  std::vector<ToldNumber> told{};       ///< and its numbers, in the order it told them
};

/// Hashes of cells that are known already are not computed again.
NodeFacts facts_of(const Value& value, const KnownCells& known = {});

/// As bytes for a cache.
std::string facts_text(const NodeFacts& facts);

/// None unless facts_text could have written it.
std::optional<NodeFacts> parse_facts(std::string_view text);

}  // namespace tepui
