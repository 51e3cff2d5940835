#pragma once

#include "bench/bench.h"
#include "tepui/erode/weathering.h"

namespace tepui::bench {

enum class WeatheringScene {
  all_moving,  ///< deep loose ground that slides everywhere, and walls that shed
  mesa,        ///< a block of rock with its debris, after some hundred steps
  few_moving,  ///< a twentieth of the land slides, in nine places
};

/// The paper's steps on square land of so many cells a side, from a state that is prepared: the plain twin steps on by
/// itself, for a part of them.
Row weathering_row(WeatheringScene scene, int64_t side);

}  // namespace tepui::bench
