#include "tepui/volume/volume.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>

#include "bench/bench.h"
#include "bench/volume/scenes.h"
#include "reference/volume.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"

namespace tepui::bench {

namespace {

/// The plain twin of a scene, with the land that it holds on to.
struct PlainScene {
  reference::LandField land;
  reference::StrokedLand field;
  explicit PlainScene(const VolumeScene& scene)
      : land(scene.land, nullptr, {}), field(&land, scene.primitives, Volume::usual_threshold) {}
};

/// Bricks of 8^3 points of the scene's lattice, by the place of their first.
struct Bricks {
  static constexpr int64_t side = 8, points = side * side * side;
  SurfaceLattice lattice;
  std::vector<Vec3> first;

  /// All that meet a stroke.
  explicit Bricks(const VolumeScene& scene) : lattice(scene.lattice) {
    const double brick = static_cast<double>(side) * lattice.cell;
    std::vector<std::array<int64_t, 3>> met;
    const auto index = [&](double at, double origin, int64_t count) {
      const auto i = static_cast<int64_t>(std::floor((at - origin) / brick));
      return std::clamp<int64_t>(i, 0, (count - 1) / side);
    };
    for (const Primitive& p : scene.primitives) {
      const Box3 box = primitive_box(p);
      const Vec3 o = lattice.origin;
      for (int64_t k = index(box.low.z, o.z, lattice.nz); k <= index(box.high.z, o.z, lattice.nz); ++k)
        for (int64_t j = index(box.low.y, o.y, lattice.ny); j <= index(box.high.y, o.y, lattice.ny); ++j)
          for (int64_t i = index(box.low.x, o.x, lattice.nx); i <= index(box.high.x, o.x, lattice.nx); ++i)
            met.push_back({k, j, i});
    }
    std::ranges::sort(met);
    met.erase(std::unique(met.begin(), met.end()), met.end());
    for (const auto& [k, j, i] : met) first.push_back(lattice.at(i * side, j * side, k * side));
  }

  /// Calls use(v) with the values of every brick, from several threads.
  template <class Use>
  void values(const Solid& solid, const Use& use) const {
    parallel_chunks(static_cast<int64_t>(first.size()), 64, Context(), [&](int64_t begin, int64_t end) {
      double ax[side], ay[side], az[side], x[points], y[points], z[points];
      float v[points];
      for (int64_t b = begin; b < end; ++b) {
        const Vec3 low = first[static_cast<size_t>(b)];
        for (int64_t i = 0; i < side; ++i) {
          const double off = static_cast<double>(i) * lattice.cell;
          ax[i] = low.x + off, ay[i] = low.y + off, az[i] = low.z + off;
        }
        for (int64_t n = 0; n < points; ++n)
          x[n] = ax[n % side], y[n] = ay[n / side % side], z[n] = az[n / side / side];
        const FieldLattice brick{ax, ay, az, side, side, side};
        solid.values({x, y, z, points, {low, {ax[side - 1], ay[side - 1], az[side - 1]}}, &brick}, v);
        use(b, v);
      }
    });
  }
};

Row bricks_row(const VolumeScene& scene) {
  const auto bricks = std::make_shared<const Bricks>(scene);
  const auto plain = std::make_shared<const PlainScene>(scene);
  const Volume volume = scene.volume;
  // Every n-th brick will do for the twin.
  const size_t every = std::max<size_t>(bricks->first.size() / 40, 1);
  const size_t looked_at = (bricks->first.size() + every - 1) / every;
  Row row;
  row.size = fmt::format("{} strokes, {} bricks of 8^3", scene.primitives.size(), bricks->first.size());
  row.items = static_cast<double>(bricks->first.size() * Bricks::points);
  row.fast = [=] { bricks->values(volume.root(), [](int64_t, const float*) {}); };
  row.reference = [=] {
    double sum = 0;
    const double cell = bricks->lattice.cell;
    for (size_t b = 0; b < bricks->first.size(); b += every)
      for (int k = 0; k < 8; ++k)
        for (int j = 0; j < 8; ++j)
          for (int i = 0; i < 8; ++i) sum += plain->field.value(bricks->first[b] + Vec3{i * cell, j * cell, k * cell});
    if (!std::isfinite(sum)) std::abort();
  };
  row.reference_part = static_cast<double>(looked_at) / static_cast<double>(bricks->first.size());
  row.hash = [=] {
    std::vector<Hash> all(bricks->first.size());
    bricks->values(volume.root(), [&](int64_t b, const float* v) {
      all[static_cast<size_t>(b)] = hash_bytes(v, Bricks::points * sizeof(float));
    });
    return hash_bytes(all.data(), all.size() * sizeof(Hash));
  };
  return row;
}

/// Places around strokes.
struct Scattered {
  std::vector<double> x, y, z;
  Scattered(const VolumeScene& scene, uint64_t count) {
    const Stream random(77);
    for (uint64_t i = 0; i < count; ++i) {
      const Primitive& p = scene.primitives[random.bits(i, 3) % scene.primitives.size()];
      x.push_back(p.skeleton[0].x + random.uniform(i, 0, -p.falloff, p.falloff));
      y.push_back(p.skeleton[0].y + random.uniform(i, 1, -p.falloff, p.falloff));
      z.push_back(p.skeleton[0].z + random.uniform(i, 2, -p.falloff, p.falloff));
    }
  }
};

Row scattered_row(uint64_t count, bool one_by_one) {
  const VolumeScene scene = sea_scene();
  const auto at = std::make_shared<const Scattered>(scene, count);
  const auto plain = std::make_shared<const PlainScene>(scene);
  const Volume volume = scene.volume;
  const auto ask = [=](std::vector<float>& v) {
    if (!one_by_one) return volume.values(at->x, at->y, at->z, v, Context());
    for (size_t i = 0; i < v.size(); ++i) v[i] = volume.value({at->x[i], at->y[i], at->z[i]});
  };
  const auto results = std::make_shared<std::vector<float>>(count);
  Row row;
  row.size = fmt::format("{} points, {} strokes", count, scene.primitives.size());
  row.items = static_cast<double>(count);
  row.fast = [=] { ask(*results); };
  constexpr size_t few = 10000;
  row.reference = [=] {
    double sum = 0;
    for (size_t i = 0; i < few; ++i) sum += plain->field.value({at->x[i], at->y[i], at->z[i]});
    if (!std::isfinite(sum)) std::abort();
  };
  row.reference_part = static_cast<double>(few) / static_cast<double>(count);
  row.hash = [=] {
    std::vector<float> v(count);
    ask(v);
    return hash_bytes(v.data(), v.size() * sizeof(float));
  };
  return row;
}

}  // namespace

TEPUI_BENCH("volume/bricks/sea 50693") { return bricks_row(sea_scene()); }
TEPUI_BENCH("volume/bricks/karst 165773") { return bricks_row(karst_scene()); }
TEPUI_BENCH("volume/bricks/canyon 137043") { return bricks_row(canyon_scene()); }
TEPUI_BENCH("volume/scattered/50693") { return scattered_row(1000000, false); }
TEPUI_BENCH("volume/single/50693") { return scattered_row(100000, true); }

TEPUI_BENCH("volume/heap/165773") {
  const VolumeScene scene = karst_scene();
  const double threshold = Volume::usual_threshold;
  const SolidPointer heap = blended({}, scene.primitives, threshold);
  Row row;
  const double bytes = static_cast<double>(heap->bytes()) / static_cast<double>(scene.primitives.size());
  row.size = fmt::format("{:.1f} bytes a stroke", bytes);
  row.items = static_cast<double>(scene.primitives.size());
  row.item = fmt::format("strokes of {:.1f} bytes", bytes);
  row.fast = [=] { blended({}, scene.primitives, threshold); };
  row.reference = [=] { reference::StrokedLand(nullptr, scene.primitives, threshold); };
  row.hash = [=] { return Volume(blended({}, scene.primitives, threshold), threshold).hash(); };
  return row;
}

}  // namespace tepui::bench
