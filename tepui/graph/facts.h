#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/graph/value.h"

namespace tepui {

/// A number that an operator reported about what it did.
struct ToldNumber {
  std::string name;
  double value = 0;
  std::string unit;
  friend bool operator==(const ToldNumber&, const ToldNumber&) = default;
};

/// What is known of a node's value without the value.
struct NodeFacts {
  const Kind* kind = nullptr;
  Hash hash;                            ///< of the value
  size_t bytes = 0;                     ///< that it holds
  std::string outline{};                ///< of a kind that is kept: all of it but its parts
  std::vector<Part> parts{};            ///< the same: its long arrays, by their content
  double cost = 0;                      ///< seconds to compute it again; 0 where it is kept
  std::vector<std::string> warnings{};  ///< what the node said
  std::vector<ToldNumber> told{};       ///< and its numbers, in the order it reported them

  /// Where the value lies; refused of a kind that lies nowhere.
  Frame frame() const;
};

/// Hashes of parts that are known already, by where they lie in memory.
using KnownParts = std::map<const void*, Hash>;
/// Adds those of a value whose facts are known.
void add_known_parts(KnownParts& known, const Value& value, const NodeFacts& facts);

/// Parts that are known already are not hashed again.
NodeFacts facts_of(const Value& value, const KnownParts& known = {});

/// As bytes for a cache.
std::string facts_text(const NodeFacts& facts);

/// None unless facts_text could have written it.
std::optional<NodeFacts> parse_facts(std::string_view text);

}  // namespace tepui
