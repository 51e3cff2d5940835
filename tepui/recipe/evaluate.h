#pragma once

#include <string>
#include <vector>

#include "tepui/recipe/cache.h"
#include "tepui/recipe/recipe.h"

namespace tepui {

/// What one node did.
struct NodeReport {
  std::string name;
  std::string op;
  double seconds = 0;
  size_t bytes = 0;
  Hash hash;  ///< of its value
  bool cached = false;
};

struct Evaluation {
  std::vector<Value> values;      ///< one per wanted node
  std::vector<NodeReport> nodes;  ///< those that were needed, in the recipe's order
};

/// Computes the wanted nodes (indices into recipe.nodes) and what they need, independent ones side by side. A node
/// whose key (operator, version, parameters, input contents, frame, file contents) is in the cache is not computed. A
/// value is let go after its last reader.
Evaluation evaluate(const Recipe& recipe, const std::vector<int>& wanted, ValueCache& cache, const Context& context);

/// The value a reference means: the node's, or only one layer of it.
Value select(const Value& value, const Reference& reference);

}  // namespace tepui
