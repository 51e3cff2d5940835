#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/recipe/one_liner.h"

namespace tepui {

/// What `tepui make` is given beside the line itself.
struct LineOptions {
  std::vector<std::string> outputs = {};
  std::vector<std::string> out = {};   ///< "name=value" options, each for the outputs whose format takes it
  std::string picture = {};            ///< a picture to draw, or what stands for it; empty for none
  std::vector<std::string> look = {};  ///< "name=value" words of that picture; a draft unless they say how fine
  std::string size = {};               ///< "2048", "2km", "4km x 2km"; empty for the default
  std::optional<int64_t> resolution = {};
  int64_t seed = 0;
};

/// The document of the recipe that a line and its outputs are.
Json line_document(const Source& line, const LineOptions& options);

}  // namespace tepui
