#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tepui/core/json.h"
#include "tepui/core/problems.h"
#include "tepui/graph/graph.h"

// A recipe after validation: names resolved, types and ranges checked, defaults filled in. What leaves it, its outputs
// and the look of its pictures, is still text here, with variables resolved: output/ reads that.

namespace tepui {

struct Recipe : Graph {
  std::string name;  ///< the file's name without folder and ending
  std::string title;
  Json outputs_text;  ///< an object; null where there are none
  Json look_text;     ///< the same
  std::vector<std::string> warnings;
  Hash hash;  ///< of the recipe as given, overrides included
  std::vector<std::shared_ptr<const Source>> sources;

  /// Parses "node", "node.layer" or "node@age.layer"; throws with a suggestion.
  Reference reference(const std::string& text, Position at = {}) const;
};

/// What the command line changes in a recipe.
struct Overrides {
  std::optional<uint64_t> seed = {};
  std::optional<int64_t> resolution = {};
  std::vector<std::string> set = {};  ///< "var=value" or "node.param=value"
  bool test_size = false;             ///< apply the recipe's own "test" block
};

/// A recipe's file as text.
Source read_recipe(const std::string& path);

Recipe load_recipe(const std::string& path, const Overrides& overrides = {});
Recipe parse_recipe(Source source, const Overrides& overrides = {});

/// The document, before validation: for `make`, which writes one itself.
Recipe build_recipe(Json document, std::vector<std::shared_ptr<const Source>> sources, const Overrides& overrides);

/// The same, where all problems are wanted: if there are any, what comes back is only good for finding more of them.
Recipe build_recipe(Json document, std::vector<std::shared_ptr<const Source>> sources, const Overrides& overrides,
                    Problems& problems);
Recipe parse_recipe(Source source, const Overrides& overrides, Problems& problems);

}  // namespace tepui
