#pragma once

#include <string>

#include "tepui/recipe/param_words.h"

namespace tepui::app {

/// "640x360" as the word that parameters take, "size=640,360".
inline std::string size_word(std::string size) {
  if (const size_t cross = size.find('x'); cross != std::string::npos) size[cross] = ',';
  return "size=" + size;
}

}  // namespace tepui::app
