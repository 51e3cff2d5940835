#include "tepui/terrain/curvature.h"

#include <algorithm>

#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

namespace {

/// First and second derivatives of the height.
struct Bends {
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;

  double profile() const { return -(xx * x * x + 2 * xy * x * y + yy * y * y) / (x * x + y * y); }
  double plan() const { return -(xx * y * y - 2 * xy * x * y + yy * x * x) / (x * x + y * y); }
  double mean() const { return -(xx + yy) / 2; }
  bool is_level() const { return !(x * x + y * y > 0); }
};

/// The samples of one axis that the derivatives at a place are taken from: three, around a middle one that is the place
/// itself or the nearest that has room. Along a side of fewer than three the land is level.
struct Axis {
  int64_t step = 1, count = 0;
  double cell = 1;

  bool is_level() const { return count < 3; }
  int64_t middle(int64_t at) const { return is_level() ? at : std::clamp(at, step, count - 1 - step); }
  int64_t reach() const { return is_level() ? 0 : step; }
  double apart() const { return cell * static_cast<double>(step); }
};

Bends bends_at(const Grid<float>& z, const Axis& along_x, const Axis& along_y, int64_t x, int64_t y) {
  const int64_t cx = along_x.middle(x), cy = along_y.middle(y), i = along_x.reach(), j = along_y.reach();
  const auto at = [&](int64_t column, int64_t row) { return static_cast<double>(z(column, row)); };
  const double c = at(cx, cy), e = at(cx + i, cy), w = at(cx - i, cy), n = at(cx, cy + j), s = at(cx, cy - j);
  const double turn = (at(cx + i, cy + j) - at(cx - i, cy + j)) - (at(cx + i, cy - j) - at(cx - i, cy - j));
  const double dx = along_x.apart(), dy = along_y.apart();
  Bends b;
  b.xx = ((e - c) + (w - c)) / (dx * dx);
  b.yy = ((n - c) + (s - c)) / (dy * dy);
  b.xy = turn / (4 * dx * dy);
  const double right = static_cast<double>(x - cx) * along_x.cell, up = static_cast<double>(y - cy) * along_y.cell;
  b.x = (e - w) / (2 * dx) + (b.xx * right + b.xy * up);
  b.y = (n - s) / (2 * dy) + (b.yy * up + b.xy * right);
  return b;
}

Grid<float> directed(const Terrain& in, const CurvatureParams& params, const Context& context) {
  const Frame& frame = in.frame();
  const Grid<float>& z = in.height();
  const Halo halo = curvature_halo(frame, distance_in(params.distance, frame));
  const Axis along_x{halo.x / 2, frame.width, frame.cell.x}, along_y{halo.y / 2, frame.height, frame.cell.y};
  const bool plan = params.kind == CurvatureKind::plan;
  Grid<float> result(frame.width, frame.height);
  parallel_chunks(frame.height, rows_per_chunk(frame.width), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < frame.width; ++x) {
        const Bends b = bends_at(z, along_x, along_y, x, y);
        result(x, y) = to_cell(b.is_level() ? b.mean() : plan ? b.plan() : b.profile());
      }
  });
  return result;
}

}  // namespace

void describe(Fields<CurvatureParams>& f) {
  f.about(
      "Measure how much the land bends, positive where it is convex: the layer 'curvature', or one named by 'kind'");
  f.window([](const CurvatureParams& p,
              const Frame& frame) { return curvature_halo(frame, distance_in(p.distance, frame)); },
           "distance");
  f.example("noise sum=ridged | {} distance=2%");
  f("kind", &CurvatureParams::kind, {"mean", "plan", "profile"},
    "in all directions (layer 'curvature'), across the slope ('plan_curvature') or along it ('profile_curvature')")
      .sweep("mean", "plan", "profile");
  f("distance", &CurvatureParams::distance, open_range(0, 1e9),
    "from a sample to those on each side that it is compared with, rounded to cells; auto: the next samples")
      .slider(0, 1000)
      .sweep("1%", "4%", "10%");
}

Terrain curvature(const Terrain& in, const CurvatureParams& params, const Context& context) {
  const bool mean = params.kind == CurvatureKind::mean;
  Grid<float> values =
      mean ? curvature_grid(in, distance_in(params.distance, in.frame()), context) : directed(in, params, context);
  const char* const names[] = {"curvature", "plan_curvature", "profile_curvature"};
  return in.with(make_layer(names[static_cast<size_t>(params.kind)], "1/m", LayerKind::continuous, std::move(values)));
}

}  // namespace tepui
