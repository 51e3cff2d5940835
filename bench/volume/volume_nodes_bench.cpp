#include "bench/bench.h"
#include "reference/volume_nodes.h"
#include "tepui/core/grid.h"
#include "tepui/core/parallel.h"
#include "tepui/geology/strata.h"
#include "tepui/volume/sculpt.h"
#include "tepui/volume/strata_erosion.h"
#include "tepui/volume/transform.h"
#include "tepui/volume/union.h"
#include "tepui/volume/warp.h"

// Operators over bricks of 8 x 8 x 8 points, beside their twins, for which the parts below are asked point by point.

namespace tepui::bench {

namespace {

constexpr int64_t bricks = 16, side = 8, count = bricks * side;
constexpr double cell = 1.5;
constexpr double T = Volume::usual_threshold;

const Frame& world() {
  static const Frame frame = make_world({count * cell, count * cell}, 129);
  return frame;
}

/// Balls of rock, all over the world.
Volume balls() {
  SculptParams params;
  params.positions = Positions::metres;
  params.strokes.clear();
  const Stream stream(7);
  for (uint64_t i = 0; i < 200; ++i) {
    SculptStroke stroke;
    stroke.at = {stream.uniform(i, 0, 0, count * cell), stream.uniform(i, 1, 0, count * cell),
                 stream.uniform(i, 2, 0, count * cell)};
    stroke.radius = metres(stream.uniform(i, 3, 2, 10));
    stroke.falloff = metres(8);
    stroke.energy = 15;
    params.strokes.push_back(stroke);
  }
  return sculpt(world(), nullptr, nullptr, params, Context());
}

reference::Field point_by_point(const Volume& volume) {
  return [volume](Vec3 p) { return static_cast<double>(volume.value(p)); };
}

std::vector<float> in_bricks(const Volume& volume) {
  std::vector<float> all(static_cast<size_t>(count * count * count));
  parallel_chunks(bricks * bricks * bricks, 1, Context(), [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      const int64_t first[] = {b % bricks * side, b / bricks % bricks * side, b / bricks / bricks * side};
      double axes[3][side], x[side * side * side], y[side * side * side], z[side * side * side];
      for (int a = 0; a < 3; ++a)
        for (int64_t i = 0; i < side; ++i) axes[a][i] = static_cast<double>(first[a] + i) * cell;
      int64_t n = 0;
      for (int64_t k = 0; k < side; ++k)
        for (int64_t j = 0; j < side; ++j)
          for (int64_t i = 0; i < side; ++i, ++n) {
            x[n] = axes[0][i];
            y[n] = axes[1][j];
            z[n] = axes[2][k];
          }
      const FieldLattice lattice{axes[0], axes[1], axes[2], side, side, side};
      volume.root().values({x, y, z, n, box_around(x, y, z, n), &lattice}, all.data() + b * n);
    }
  });
  return all;
}

Row row_of(const Volume& volume, const reference::Field& plain) {
  constexpr int64_t part = 32;  // of the planes, one is asked of the twin
  Row row;
  row.fast = [=] { in_bricks(volume); };
  row.reference = [=] {
    double sum = 0;
    for (int64_t k = 0; k < count; k += part)
      for (int64_t j = 0; j < count; ++j)
        for (int64_t i = 0; i < count; ++i)
          sum += plain({static_cast<double>(i) * cell, static_cast<double>(j) * cell, static_cast<double>(k) * cell});
    if (sum > 1e30) std::abort();
  };
  row.reference_part = 1.0 / part;
  row.hash = [=] {
    const std::vector<float> all = in_bricks(volume);
    return hash_bytes(all.data(), all.size() * sizeof(float));
  };
  row.size = "128x128x128";
  row.items = static_cast<double>(count * count * count);
  return row;
}

}  // namespace

TEPUI_BENCH("volume/union/128x128x128") {
  const Volume a = balls();
  TransformParams turn;
  turn.turn = {90};
  const Volume b = transform(world(), a, turn, Context());
  return row_of(unite(world(), a, {b}, {metres(4)}, Context()),
                reference::csg(Csg::united, {point_by_point(a), point_by_point(b)}, 4, T));
}

TEPUI_BENCH("volume/warp/128x128x128") {
  const Volume in = balls();
  WarpParams p;
  p.amplitude = metres(0.6);
  p.scale = metres(20);
  return row_of(warp(world(), in, p, Context()),
                reference::warp(
                    point_by_point(in), [](Vec3) { return 1.0; }, 0.6, 20, p.octaves, p.seed));
}

TEPUI_BENCH("volume/strata_erosion/128x128x128") {
  const Volume in = balls();
  const Geology rock = strata(world(), {}, Context());
  StrataErosionParams p;
  return row_of(strata_erosion(world(), in, &rock, p, Context()),
                reference::strata_erosion(
                    point_by_point(in), [](Vec3) { return 1.0; },
                    [rock](Vec3 at) { return static_cast<double>(rock.resistance(at)); }, p.depth.value, T));
}

TEPUI_BENCH("volume/instances/128x128x128") {
  SculptParams one;
  one.positions = Positions::metres;
  one.strokes = {SculptStroke{}};
  one.strokes[0].at = {0, 0, 0};
  one.strokes[0].radius = one.strokes[0].falloff = metres(3);
  one.strokes[0].energy = 15;
  const Volume stone = sculpt(world(), nullptr, nullptr, one, Context());
  std::vector<Placement> places;
  const Stream stream(9);
  for (uint64_t i = 0; i < 2000; ++i)
    places.push_back({{stream.uniform(i, 0, 0, count * cell), stream.uniform(i, 1, 0, count * cell),
                       stream.uniform(i, 2, 0, count * cell)},
                      stream.uniform(i, 3, 0, 6),
                      stream.uniform(i, 4, 0.5, 1.5)});
  Row row = row_of(stone.with_root(copies_of(stone.share(), {}, places, CopyJoin::unite, T)),
                   reference::instances(point_by_point(stone), {}, places, CopyJoin::unite, T));
  return row;
}

}  // namespace tepui::bench
