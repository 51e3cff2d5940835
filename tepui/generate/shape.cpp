#include "tepui/generate/shape.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// Cosine and sine, exact for quarter turns.
Vec2 direction(double degrees) {
  const double turn = degrees - 360 * std::floor(degrees / 360);
  if (turn == 0) return {1, 0};
  if (turn == 90) return {0, 1};
  if (turn == 180) return {-1, 0};
  if (turn == 270) return {0, -1};
  const double angle = math::radians(turn);
  return {math::cos(angle), math::sin(angle)};
}

struct Solid {
  double half_width, half_depth;
  double slack;  ///< of walls, metres
  float height;

  bool within(double u, double half) const { return u >= -half - slack && u < half - slack; }
  float slope(double share) const {
    return static_cast<float>((1 - std::min(share, 1.0)) * static_cast<double>(height));
  }

  template <ShapeKind kind>
  float at(double u, double v) const {
    if constexpr (kind == ShapeKind::cliff) return u >= -slack ? height : 0;
    if constexpr (kind == ShapeKind::box) return within(u, half_width) && within(v, half_depth) ? height : 0;
    if constexpr (kind == ShapeKind::prism) return within(u, half_width) ? slope(std::abs(v) / half_depth) : 0;
    const double p = u / half_width, q = v / half_depth;
    if constexpr (kind == ShapeKind::pyramid) return slope(std::max(std::abs(p), std::abs(q)));
    if constexpr (kind == ShapeKind::cone) return slope(std::sqrt(p * p + q * q));
    return p * p + q * q <= 1 + slack / std::max(half_width, half_depth) ? height : 0;
  }
};

/// How the axes of a shape lie: u = (dx, dy) . u, v alike.
struct Axes {
  Vec2 u, v;
};

/// Quarter turns of what is alike on both sides only swap the axes, so that its walls still hold their western and
/// southern samples.
Axes axes_of(ShapeKind kind, double degrees) {
  const Vec2 turn = direction(degrees);
  if (kind != ShapeKind::cliff && turn.y == 0) return {{1, 0}, {0, 1}};
  if (kind != ShapeKind::cliff && turn.x == 0) return {{0, 1}, {1, 0}};
  return {turn, {-turn.y, turn.x}};
}

template <ShapeKind kind>
void fill(const Frame& frame, Vec2 middle, const Axes& axes, const Solid& solid, Grid<float>& z,
          const Context& context) {
  std::vector<double> columns(static_cast<size_t>(frame.width));
  for (int64_t x = 0; x < frame.width; ++x)
    columns[static_cast<size_t>(x)] = static_cast<double>(frame.first_x + x) * frame.cell.x - middle.x;
  parallel_chunks(frame.height, rows_per_chunk(frame.width), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const double dy = static_cast<double>(frame.first_y + y) * frame.cell.y - middle.y;
      float* row = z.row(y);
      for (int64_t x = 0; x < frame.width; ++x) {
        const double dx = columns[static_cast<size_t>(x)];
        row[x] = solid.at<kind>(axes.u.x * dx + axes.u.y * dy, axes.v.x * dx + axes.v.y * dy);
      }
    }
  });
}

}  // namespace

void describe(Fields<ShapeParams>& f) {
  f.about("A box, cylinder, cone, pyramid, prism or cliff on flat ground, to try other operators on");
  f.reach(Reach::point);
  f.example("{} kind=pyramid width=75% depth=75% height=40%");
  f("kind", &ShapeParams::kind, {"box", "cylinder", "cone", "pyramid", "prism", "cliff"},
    "which solid; a prism's ridge runs along its width, a cliff is high east of its middle")
      .sweep("box", "cone", "prism");
  f("x", &ShapeParams::x, Range{-1e9, 1e9},
    "position of its middle, east of the world's south-west corner; % of the world's width")
      .slider(0, 100);
  f("y", &ShapeParams::y, Range{-1e9, 1e9},
    "position of its middle, north of the world's south-west corner; % of the world's depth")
      .slider(0, 100);
  f("width", &ShapeParams::width, Range{0, 1e9}, "size from west to east before rotation; unused for a cliff")
      .slider(0, 150);
  f("depth", &ShapeParams::depth, Range{0, 1e9}, "size from south to north before rotation; unused for a cliff")
      .slider(0, 150);
  f("height", &ShapeParams::height, Range{0, 1e6}, "height of its top above the ground").slider(0, 50);
  f("rotation", &ShapeParams::rotation, Range{-360, 360}, "rotation about its middle, counter-clockwise")
      .sweep("0", "20", "45");
}

Terrain shape(const Frame& world, const ShapeParams& params, const Context& context) {
  const auto along = [](const Length& l, double side) { return l.percent ? l.value * 0.01 * side : l.value; };
  const Vec2 middle{along(params.x, world.size.x), along(params.y, world.size.y)};
  const Axes axes = axes_of(params.kind, params.rotation.degrees);
  const double height = params.height.in(world);
  const Solid solid{params.width.in(world) / 2, params.depth.in(world) / 2, world.longer_side() * 0x1p-32,
                    to_cell(height)};
  Grid<float> z(world.width, world.height);
  const auto make = [&]<ShapeKind kind>() { fill<kind>(world, middle, axes, solid, z, context); };
  if (params.kind == ShapeKind::cliff)
    make.operator()<ShapeKind::cliff>();
  else if (!(solid.half_width > 0 && solid.half_depth > 0))
    std::ranges::fill(z.cells(), 0.0f);
  else if (params.kind == ShapeKind::box)
    make.operator()<ShapeKind::box>();
  else if (params.kind == ShapeKind::cylinder)
    make.operator()<ShapeKind::cylinder>();
  else if (params.kind == ShapeKind::cone)
    make.operator()<ShapeKind::cone>();
  else if (params.kind == ShapeKind::pyramid)
    make.operator()<ShapeKind::pyramid>();
  else
    make.operator()<ShapeKind::prism>();
  return Terrain(world, {0, height}, std::move(z));
}

}  // namespace tepui
