#pragma once

#include <optional>

#include "tepui/core/params.h"

namespace tepui {

/// When the land is shown.
enum class IceAge {
  before,  ///< Before the ice: the land as it was.
  height,  ///< At the height of the ice age, under ice.
  after,   ///< After it: the ice has melted.
};

struct GlaciersParams {
  IceAge glaciation = IceAge::after;
  std::optional<double> snow_line{};  // metres
  double colder = 6.5;                // kelvin below the climate
  double gradient = 6e-3;             // metres of ice a year for a metre
  double most_snow = 1.2;             // metres of ice a year
  double years = 50000;
  double carving = 1;
  double cirques = 1;
  double moraines = 1;
  double variety = 1;
  std::optional<double> sea_level{};
  Seed seed;
};
void describe(Fields<GlaciersParams>& f);

}  // namespace tepui
