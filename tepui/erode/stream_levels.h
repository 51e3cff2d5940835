#pragma once  // internal

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/random.h"
#include "tepui/erode/fine_detail.h"
#include "tepui/erode/stream_guides.h"
#include "tepui/erode/stream_land.h"
#include "tepui/erode/stream_power_params.h"
#include "tepui/erode/stream_rock.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// A river that comes from outside: where, and the area that would give as much water.
struct StreamInflow {
  Vec2 at;
  double area = 0;
};

/// All that rivers need to know before they cut, on the land's own samples.
struct StreamPlan {
  StreamLaw law;
  StreamRock rock;
  double time = 8;        ///< In all.
  int coarse_steps = 80;  ///< On the coarsest lattice.
  double fine_time = 1;   ///< On each finer one.
  int fine_steps = 5;
  double fall = 0;                    ///< Metres that outlets sink in all.
  Grid<float> raise;                  ///< Metres that each sample rises in all; empty: none.
  Grid<float> supply;                 ///< Water that falls on a sample, as a multiple of what is usual; empty: 1.
  std::vector<StreamInflow> inflows;  ///< Rivers from outside.
  StreamGuides guides;
  std::optional<double> sea_level;
  Outlets outlets = Outlets::low_edges;
  double edge_level = 0;  ///< The border drains where the land is at or below it.
  bool displaced = true;
  Grid<float> own_slope;  ///< Slopes of the land that may stay, metres a metre, whatever the talus; empty: none.
  const FineDetail* detail = nullptr;  ///< Of a land that is amplified: finer lattices get it, and rivers shape it.
  Stream draws{0};
};

/// What the nodes of a lattice are to water: `height` is the input's there.
Grid<WaterCell> stream_kinds(const Terrain& in, const Lattice& lattice, const Grid<float>& height,
                             const StreamPlan& plan, const Context& context);

/// Lets slopes be as steep as the land was: `own` is 0 where that does not count.
void allow_slopes(Grid<float>& steepest, const Grid<float>& own);

/// What rivers made of a land, at its own samples.
struct StreamedLand {
  StreamedLand(Grid<float> z, Grid<float> laid = {}) : height(std::move(z)), alluvium(std::move(laid)) {}  // NOLINT

  Grid<float> height;
  Grid<float> alluvium;  ///< How deep lies what they laid down; empty: there is none.
};

/// Runs the plan on lattices from coarse to fine: all of the time on the first, where rivers also lay down what they
/// carry; on each finer one a few steps that add detail and keep the broad shape. Between them the input's own detail
/// returns where it was neither eroded nor buried.
StreamedLand stream_levels(const Terrain& in, const std::vector<Lattice>& ladder, const StreamPlan& plan,
                           const Context& context);

/// Detail below the cells of a land: the fine part of the plan on each lattice of a ladder that starts below the land's
/// own samples, with `coarse_steps` steps on the first and `fine_steps` on the others. `breached` is the land without
/// its pits. Returns the heights on the last lattice.
Grid<float> amplified_levels(const Terrain& in, const Grid<float>& breached, const std::vector<Lattice>& ladder,
                             const StreamPlan& plan, const Context& context);

}  // namespace tepui
