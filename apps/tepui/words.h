#pragma once

#include <string>
#include <vector>

#include "apps/tepui/commands.h"
#include "tepui/recipe/param_words.h"

namespace tepui::app {

/// "640x360" as the word that parameters take, "size=640,360".
inline std::string size_word(std::string size) {
  if (const size_t cross = size.find('x'); cross != std::string::npos) size[cross] = ',';
  return "size=" + size;
}

/// Parts the words of --set: those that name a variable or a node's parameter of one of the recipes stay in `set`, the
/// others, parameters of what is drawn, go to `look`. A word that is both is for both: a recipe's variable "samples"
/// and the samples of a picture.
void part_words(std::vector<std::string>& set, std::vector<std::string>& look, const std::vector<std::string>& sources,
                const ParamTable& drawn);

}  // namespace tepui::app
