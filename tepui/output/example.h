#pragma once

#include <optional>
#include <string>

#include "tepui/graph/evaluate.h"
#include "tepui/io/file/scratch_folder.h"
#include "tepui/recipe/recipe.h"

// The line of operators that shows an operator, for reference pages and for tests.

namespace tepui {

/// What `tepui make` would be given: the operator's own example, else the operator alone if it makes something new,
/// else on table mountains.
std::string example_line(const Operator& op);

/// What an operator's example made.
struct Example {
  Value value;
  Value before{};     ///< what the operator was given of the same kind; nothing where it makes something new
  std::string layer;  ///< what the operator added, where it left the ground alone; empty: it did not
  Recipe recipe;
  Frame world;
};

/// Makes examples; holds the files that they read, which are built in.
class Examples {
 public:
  Examples();

  /// With one parameter of the operator set, "erosion=0.2", or none; on other samples than `tepui make` would choose,
  /// unless a file brings its own.
  Example make(const Operator& op, const std::string& setting, std::optional<int64_t> resolution,
               const Context& context);

 private:
  ScratchFolder files_;
  ValueCache cache_;
};

}  // namespace tepui
