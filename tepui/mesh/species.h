#pragma once

#include <array>
#include <string_view>

#include "tepui/core/season.h"

namespace tepui {

/// What stands on land and has models built in.
enum class Species { conifer, pine, larch, broadleaf, birch, acacia, shrub, grass, rock, dead };

/// Of the values in their order.
inline constexpr std::array<std::string_view, 10> species_names{"conifer", "pine",  "larch", "broadleaf", "birch",
                                                                "acacia",  "shrub", "grass", "rock",      "dead"};
/// Every species has so many forms, from 0 on: young, old, slender, ragged, ...
inline constexpr int species_forms = 6;

/// About how many triangles a form has: 40, 300, 1500, 8000.
enum class FormDetail { coarse, middle, fine, close };

/// What the time of year makes of a form.
struct FormDress {
  Season season = Season::summer;
  double snow = 0;  ///< share of what faces up that is under snow, 0 to 1
};

}  // namespace tepui
