#pragma once

#include <cstdint>
#include <vector>

#include "tepui/core/grid.h"
#include "tepui/core/vec.h"

// Rivers that cut, written plainly: one thread, double, lists and sorted sets.

namespace tepui::reference {

struct StreamPower {
  Vec2 cell{1, 1};
  double k = 1, m = 0.45, n = 1;  ///< K A^m S^n
  double head = 0;                ///< A counts as A^2 / (A + head).
  double uplift = 0;              ///< Metres a unit of time, everywhere but at outlets.
  double steepest = 1e9;          ///< Of slopes along the flow, metres a metre.
  double creep = 0;               ///< D, square metres a unit of time.
  double deposition = 0;          ///< G of Yuan et al. (2019).
};

/// One step of the implicit scheme of Braun and Willett (2013) on land whose border is all outlets where no neighbour
/// is lower. Water leaves a pit over the lowest saddle between basins (Cordonnier et al. 2019), found by Prim's
/// algorithm; what lies under the level of a lake is not cut. Then soil creeps: implicitly along rows, then along
/// columns.
///
/// With G > 0 rivers lay down G / A times what was taken upstream: sums and heights are computed in turn, as Yuan et
/// al. do, but with small steps from one sum to the next, until nothing changes. A lake takes all that reaches it until
/// nine tenths of its depth are filled.
void stream_power_step(Grid<double>& z, const StreamPower& law, double dt);

}  // namespace tepui::reference
