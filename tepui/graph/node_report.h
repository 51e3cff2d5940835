#pragma once

#include <string>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/graph/facts.h"
#include "tepui/graph/graph.h"

namespace tepui {

/// What one node did.
struct NodeReport {
  std::string name;
  std::string op;
  double seconds = 0;
  size_t bytes = 0;
  Hash hash;  ///< of its value; none of a node that was computed by windows
  Hash key;   ///< of all that the value follows from
  bool cached = false;
  bool loaded = false;  ///< its cells were brought from the cache
  std::vector<ToldNumber> told{};
  int64_t windows = 0;  ///< how many windows of it were computed instead of the whole
};

/// The error with the name and the place of the node that it happened in.
Error error_at(const Error& error, const Node& node);

/// The value a reference means: the node's, or only one layer of it.
Value select(const Value& value, const Reference& reference);

}  // namespace tepui
