#pragma once

#include <string>

#include "tepui/recipe/json.h"

namespace tepui {

/// "node" or "node.layer"; a stage is a node, too.
struct Reference {
  int node = -1;
  std::string layer;  ///< empty: all of it
  Position at;
};

}  // namespace tepui
