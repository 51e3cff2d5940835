#include <memory>

#include "bench/bench.h"
#include "reference/volume.h"
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

/// Of `part` planes one is asked of the twin.
Row row_of(const Volume& volume, const reference::Field& plain, int64_t part = 32) {
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
  row.reference_part = 1.0 / static_cast<double>(part);
  row.hash = [=] {
    const std::vector<float> all = in_bricks(volume);
    return hash_bytes(all.data(), all.size() * sizeof(float));
  };
  row.size = "128x128x128";
  row.items = static_cast<double>(count * count * count);
  return row;
}

Vec3 any_place(const Stream& stream, uint64_t i) {
  return {stream.uniform(i, 0, 0, count * cell), stream.uniform(i, 1, 0, count * cell),
          stream.uniform(i, 2, 0, count * cell)};
}

/// Points or spheres that reach equally far.
std::vector<Primitive> strokes(PrimitiveShape shape) {
  constexpr double reach = 6;
  std::vector<Primitive> all;
  const Stream stream(11);
  for (uint64_t i = 0; i < 10000; ++i) {
    Primitive p;
    p.shape = shape;
    p.skeleton = {any_place(stream, i)};
    p.radius = shape == PrimitiveShape::sphere ? stream.uniform(i, 3, 1, 3) : 0;
    p.falloff = reach - p.radius;
    p.energy = 15;
    all.push_back(std::move(p));
  }
  return all;
}

/// A walk through the world that turns back at its ends, made smooth as `sculpt` does it.
std::vector<Primitive> long_curve() {
  constexpr int points = 1000, pieces = 6;
  const Stream stream(12);
  std::vector<Vec3> way;
  Vec3 at{0.5 * count * cell, 0.5 * count * cell, 0.5 * count * cell};
  for (uint64_t i = 0; i < points; ++i) {
    const auto moved = [&](double from, uint64_t axis) {
      const double to = from + stream.uniform(i, axis, -8, 8);
      return to < 0 || to > count * cell ? 2 * from - to : to;
    };
    at = {moved(at.x, 0), moved(at.y, 1), moved(at.z, 2)};
    way.push_back(at);
  }
  Primitive p;
  p.shape = PrimitiveShape::curve;
  p.falloff = 4;
  p.energy = 15;
  for (size_t i = 0; i + 1 < way.size(); ++i)
    for (int k = 0; k < pieces; ++k) p.skeleton.push_back(way[i] + (way[i + 1] - way[i]) * (1.0 / pieces * k));
  return {p};
}

Volume volume_of(const std::vector<Primitive>& all) { return Volume(blended({}, all, T), T); }

reference::Field twin_of(const std::vector<Primitive>& all) {
  const auto plain = std::make_shared<const reference::StrokedLand>(nullptr, all, T);
  return [plain](Vec3 p) { return plain->value(p); };
}

/// Of places all over the world, in batches or one by one.
Row scattered_row(const std::vector<Primitive>& all, bool one_by_one) {
  constexpr size_t places = 200000, few = 2000;
  std::vector<double> x, y, z;
  const Stream stream(13);
  for (uint64_t i = 0; i < places; ++i) {
    const Vec3 at = any_place(stream, i);
    x.push_back(at.x), y.push_back(at.y), z.push_back(at.z);
  }
  const Volume volume = volume_of(all);
  const auto ask = [=] {
    std::vector<float> v(places);
    if (!one_by_one) volume.values(x, y, z, v, Context());
    if (one_by_one)
      for (size_t i = 0; i < places; ++i) v[i] = volume.value({x[i], y[i], z[i]});
    return v;
  };
  const reference::Field plain = twin_of(all);
  Row row;
  row.fast = [=] { ask(); };
  row.reference = [=] {
    double sum = 0;
    for (size_t i = 0; i < few; ++i) sum += plain({x[i], y[i], z[i]});
    if (sum > 1e30) std::abort();
  };
  row.reference_part = static_cast<double>(few) / static_cast<double>(places);
  row.hash = [=] {
    const std::vector<float> v = ask();
    return hash_bytes(v.data(), v.size() * sizeof(float));
  };
  row.size = "200000 points";
  row.items = static_cast<double>(places);
  return row;
}

}  // namespace

TEPUI_BENCH("volume/shapes/10000 points") {
  const std::vector<Primitive> all = strokes(PrimitiveShape::point);
  return row_of(volume_of(all), twin_of(all));
}
TEPUI_BENCH("volume/shapes/10000 spheres") {
  const std::vector<Primitive> all = strokes(PrimitiveShape::sphere);
  return row_of(volume_of(all), twin_of(all));
}
TEPUI_BENCH("volume/shapes/10000 spheres scattered") { return scattered_row(strokes(PrimitiveShape::sphere), false); }
TEPUI_BENCH("volume/shapes/10000 spheres single") { return scattered_row(strokes(PrimitiveShape::sphere), true); }
TEPUI_BENCH("volume/shapes/curve of 1000") {
  const std::vector<Primitive> all = long_curve();
  return row_of(volume_of(all), twin_of(all), 128);
}
TEPUI_BENCH("volume/shapes/curve of 1000 single") { return scattered_row(long_curve(), true); }

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

Row erosion_row(ErosionForm form) {
  const Volume in = balls();
  const Geology rock = strata(world(), {}, Context());
  StrataErosionParams p;
  p.form = form;
  const auto twin = form == ErosionForm::paper ? reference::field_erosion : reference::exposed_erosion;
  return row_of(strata_erosion(world(), in, &rock, nullptr, p, Context()),
                twin(
                    point_by_point(in), [](Vec3) { return 1.0; },
                    [rock](Vec3 at) { return static_cast<double>(rock.resistance(at)); }, p.depth.value, T));
}
TEPUI_BENCH("volume/strata_erosion/128x128x128") { return erosion_row(ErosionForm::metres); }
TEPUI_BENCH("volume/strata_erosion/paper 128x128x128") { return erosion_row(ErosionForm::paper); }

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
