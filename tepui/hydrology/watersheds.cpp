#include "tepui/hydrology/watersheds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/hydrology/gather.h"
#include "tepui/hydrology/inflow.h"
#include "tepui/hydrology/sea_level.h"
#include "tepui/hydrology/watershed_numbers.h"

namespace tepui {

namespace {

/// The sample within `snap` of a place that drains most; of equal ones the first.
int32_t snapped(const Grid<int32_t>& cells, const Frame& frame, Vec3 p, double snap) {
  const int64_t at = cell_at(frame, p.x, p.y);
  if (at < 0) refuse(fmt::format("the point at {:g}, {:g} lies outside the land", p.x, p.y), "move it onto the land");
  const auto rx = static_cast<int64_t>(snap / frame.cell.x), ry = static_cast<int64_t>(snap / frame.cell.y);
  const int64_t cx = at % frame.width, cy = at / frame.width;
  int64_t best = at;
  for (int64_t y = std::max<int64_t>(0, cy - ry); y <= std::min(frame.height - 1, cy + ry); ++y)
    for (int64_t x = std::max<int64_t>(0, cx - rx); x <= std::min(frame.width - 1, cx + rx); ++x) {
      const double dx = static_cast<double>(x - cx) * frame.cell.x, dy = static_cast<double>(y - cy) * frame.cell.y;
      if (dx * dx + dy * dy <= snap * snap && cells(x, y) > cells.data()[best]) best = y * frame.width + x;
    }
  return static_cast<int32_t>(best);
}

}  // namespace

void describe(Fields<WatershedsParams>& f) {
  f.about("Divide the land by where its water goes");
  f.example("noise height=400m | {} area=20000");
  f("area", &WatershedsParams::area, Range{0, 1e15}, "smaller watersheds are left out")
      .unit("m2")
      .slider(0, 1e7)
      .sweep("0", "20000", "200000");
  f("snap", &WatershedsParams::snap, not_negative, "how far a point may move to the sample that drains most")
      .slider(0, 500);
  describe_sea_level(f);
}

Terrain watersheds(const Terrain& in, const Lines* points, const WatershedsParams& params, const Context& context) {
  const Frame& frame = in.frame();
  const Watercourses water = watercourses(in, params.sea_level, context.stage("basins", 0, 0.6));
  const FlowOrder order(water.directions, context.stage("order", 0.6, 0.8));
  const Grid<int32_t> cells = cells_upstream(water, order, context.stage("drainage", 0.8, 0.9));
  std::vector<int32_t> outlets;
  if (points == nullptr) {
    outlets = outlets_of(water, order, cells, params.area / (frame.cell.x * frame.cell.y), context);
  } else {
    for (const Vec3& p : points->vertices()) outlets.push_back(snapped(cells, frame, p, params.snap.in(frame)));
  }
  constexpr size_t most = (1 << 24) - 1;  // whole numbers of a float
  if (outlets.size() > most)
    refuse(fmt::format("{} watersheds are more than a layer can tell apart", outlets.size()), "set a larger 'area'");
  Grid<float> of = watershed_numbers(order, outlets, frame.width, frame.height, context.stage("watersheds", 0.9, 1));
  Layer layer = make_layer("watershed", "", LayerKind::category, std::move(of));
  layer.classes = static_cast<int>(outlets.size()) + 1;
  return in.with(std::move(layer));
}

}  // namespace tepui
