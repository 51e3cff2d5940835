#pragma once

#include <string>
#include <utility>
#include <vector>

#include "python/native/deferred.h"

namespace tepui::python {

/// What of a graph of Python's becomes a recipe.
struct SavedGraph {
  std::vector<std::pair<std::string, DeferredReference>> named;  ///< nodes that have names of their own
  std::string title{};
  Json outputs{};      ///< an object; a node is meant by its name
  std::string folder;  ///< of the recipe: files below it are named from there
};

/// The recipe's text: running it gives the values that Python has. Refuses what no recipe can say, such as arrays and
/// functions of Python.
std::string recipe_text(const SavedGraph& saved);

}  // namespace tepui::python
