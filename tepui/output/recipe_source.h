#pragma once

#include <string>

#include "tepui/core/position.h"

namespace tepui {

/// The text of a recipe's file or, where there is no such file, of a preset; the files that a preset reads lie in a
/// scratch folder while the program runs. Refuses what is neither, with the preset that was perhaps meant.
Source recipe_source(const std::string& name);

}  // namespace tepui
