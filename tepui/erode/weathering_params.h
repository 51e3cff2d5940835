#pragma once

#include <optional>

#include "tepui/core/params.h"

namespace tepui {

enum class WeatheringMode {
  block,   ///< now and then a whole block falls
  smooth,  ///< a little everywhere, all the time
};

struct WeatheringParams {
  Length retreat = percent(1);
  std::optional<int64_t> steps = {};
  double from = 0;
  WeatheringMode mode = WeatheringMode::block;
  double pace = 0.25;
  double chance = 0.05;
  double spread = 0.3;
  Length reach = percent(0.5);
  Angle talus{30};
  Length cover = metres(0);
  Seed seed = {};
};
inline constexpr double most_weathering_steps = 1e9;
void describe(Fields<WeatheringParams>& f);

}  // namespace tepui
