#pragma once

#include <optional>

#include "tepui/core/params.h"

namespace tepui {

/// What rises while rivers cut, where no map says so.
enum class UpliftShape {
  broad,  ///< The land's own broad shape: mountains rise most.
  even,   ///< All of it.
  none,   ///< Nothing: rivers only wear down what is there.
};

/// Where water leaves the land.
enum class Outlets {
  low_edges,  ///< Over the lowest part of the border.
  all_edges,  ///< Over all of the border.
  sea,        ///< Into the sea only.
  points,     ///< At the points named 'outlet' of the guides.
};

struct StreamPowerParams {
  double age = 1;
  std::optional<double> steepness{};
  UpliftShape uplift_shape = UpliftShape::broad;
  Length fall = metres(0);
  double concavity = 0.45;
  double slope_exponent = 1;
  Angle talus{33};
  std::optional<double> creep{};         // square metres
  std::optional<double> channel_head{};  // square metres
  Length valley_floor = metres(0);
  double deposition = 0;
  std::optional<Outlets> outlets{};
  double variety = 1;
  double runoff = 500;  // mm a year
  std::optional<double> erodibility{};
  double years = 1e6;
  double uplift_rate = 0;  // metres a year
  std::optional<int> steps{};
  std::optional<int> levels{};
  std::optional<double> sea_level{};
  Seed seed;
};
void describe(Fields<StreamPowerParams>& f);

}  // namespace tepui
