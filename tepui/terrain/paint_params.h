#pragma once

#include <optional>
#include <string>

#include "tepui/core/params.h"

namespace tepui {

enum class PaintTool {
  raise,   ///< The ground goes up by `amount`.
  lower,   ///< The ground goes down by `amount`.
  level,   ///< The ground goes to `target`, or to the height at which the stroke began.
  set,     ///< The ground goes to `target`, or to the heights of the stroke's own points: a dam, a ramp, a road.
  smooth,  ///< The ground goes to its mean around each sample, over about the radius.
  layer,   ///< A layer goes to `value`.
};

/// What a stroke does unless it says otherwise itself.
struct PaintParams {
  PaintTool tool = PaintTool::raise;
  Length radius = percent(5);
  double hardness = 0;  // share of the radius within which the brush is at its full strength
  double strength = 1;
  Length amount = percent(2);
  std::optional<Length> target{};
  std::string layer = "mask";
  double value = 1;
};
void describe(Fields<PaintParams>& f);

}  // namespace tepui
