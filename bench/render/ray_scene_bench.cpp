#include "tepui/render/light/ray_scene.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "bench/bench.h"
#include "reference/height_field.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/generate/noise.h"

namespace tepui {

namespace {

HeightPlacement unit_placement(const Terrain& land) {
  const double cell = 1.0 / static_cast<double>(land.height().width() - 1);
  return {{-0.5, -0.5, 0}, {cell, cell}, 1.0 / 2048};
}

Terrain bench_land(int64_t side) { return noise(make_world({2048, 2048}, side), NoiseParams(), Context()); }

struct Ray {
  Vec3 from, direction;
};

/// The ways of light that a path tracer follows: from the eye, then from each point that was met into a random
/// direction over it, three times at most, and towards the sun from each.
class Paths {
 public:
  explicit Paths(int64_t side) : land(bench_land(side)), field(land.height(), unit_placement(land), Context()) {
    scene.add(field);
    scene.commit(Context());
  }

  /// How many rays of a path met something, and how many were cast, by hit(ray) and blocked(ray).
  template <class Hit, class Blocked>
  std::pair<uint64_t, uint64_t> follow(uint64_t path, const Hit& hit, const Blocked& blocked) const {
    const Stream stream(11);
    const Vec3 eye{1.1, -1.3, 0.9};
    // Neighbours in a picture follow each other.
    const Vec3 aim{-0.45 + (static_cast<double>(path % 450) + stream.uniform(path, 0)) / 500,
                   -0.45 + (static_cast<double>(path / 450 % 450) + stream.uniform(path, 1)) / 500, 0.05};
    Ray ray{eye, (aim - eye) * (1 / length(aim - eye))};
    uint64_t met = 0, cast = 0;
    for (uint64_t bounce = 0; bounce < 4; ++bounce, ++met) {
      ++cast;
      const auto found = hit(ray);
      if (!found) break;
      const Vec3 n = field.facet_at(found->u, found->v);
      ray.from = ray.from + ray.direction * found->distance + n * 1e-6;
      const Vec3 sun{-0.74, -0.37, 0.56};
      if (dot(sun, n) > 0 && ++cast && blocked(Ray{ray.from, sun})) ++met;
      ray.direction = scattered(n, stream.uniform(path, 2 * bounce + 2), stream.uniform(path, 2 * bounce + 3));
    }
    return {met, cast};
  }

  Terrain land;
  HeightField field;
  RayScene scene;

 private:
  /// By the cosine law, around a normal that points up.
  static Vec3 scattered(Vec3 n, double a, double b) {
    const double angle = 2 * std::numbers::pi * a, radius = std::sqrt(b), s = -1 / (1 + n.z), t = n.x * n.y * s;
    const Vec3 right{1 + n.x * n.x * s, t, -n.x}, up{t, 1 + n.y * n.y * s, -n.y};
    return right * (radius * math::cos(angle)) + up * (radius * math::sin(angle)) + n * std::sqrt(1 - b);
  }
};

bench::Row paths_row(int64_t side, int64_t paths, bool with_twin) {
  struct State {
    explicit State(int64_t wide) : paths(wide) {}
    Paths paths;
    std::vector<std::pair<uint64_t, uint64_t>> counts;
  };
  const auto state = std::make_shared<State>(side);
  state->counts.resize(static_cast<size_t>(paths));
  bench::Row row;
  row.fast = [=] {
    const RayScene& scene = state->paths.scene;
    parallel_chunks(paths, 256, Context(), [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k)
        state->counts[static_cast<size_t>(k)] = state->paths.follow(
            static_cast<uint64_t>(k), [&](const Ray& ray) { return scene.hit(ray.from, ray.direction); },
            [&](const Ray& ray) { return scene.blocked(ray.from, ray.direction); });
    });
  };
  if (with_twin)
    row.reference = [=] {
      const HeightPlacement p = unit_placement(state->paths.land);
      const auto hit = [&](const Ray& ray) {
        const Vec3 from = ray.from - p.origin, d = ray.direction;
        return reference::first_hit(state->paths.land.height(), {from.x / p.cell.x, from.y / p.cell.y, from.z / p.lift},
                                    {d.x / p.cell.x, d.y / p.cell.y, d.z / p.lift}, 0, RayScene::no_end);
      };
      for (int64_t k = 0; k < paths; ++k)
        state->paths.follow(static_cast<uint64_t>(k), hit, [&](const Ray& ray) { return hit(ray).has_value(); });
    };
  row.fast();
  for (const auto& [met, cast] : state->counts) row.items += static_cast<double>(cast);
  row.hash = [=] { return hash_bytes(state->counts.data(), state->counts.size() * sizeof(state->counts[0])); };
  row.size = std::to_string(side) + "x" + std::to_string(side);
  return row;
}

}  // namespace

TEPUI_BENCH("render/paths/129x129") { return paths_row(129, 2000, true); }
TEPUI_BENCH("render/paths/1025x1025") { return paths_row(1025, 202500, false); }
TEPUI_BENCH("render/paths/8193x8193") { return paths_row(8193, 202500, false); }

TEPUI_BENCH("render/ray_scene/8192x8192") {
  const auto land = std::make_shared<Terrain>(bench_land(8192));
  bench::Row row;
  row.fast = [=] {
    const HeightField field(land->height(), unit_placement(*land), Context());
    RayScene scene;
    scene.add(field);
    scene.commit(Context());
  };
  row.hash = [=] {
    const HeightField field(land->height(), unit_placement(*land), Context());
    std::vector<std::pair<Vec3, Vec3>> boxes;
    for (size_t square = 0; square < field.squares(); ++square) boxes.push_back(field.bounds(square));
    return hash_bytes(boxes.data(), boxes.size() * sizeof(boxes[0]));
  };
  row.size = "8192x8192";
  row.items = 8192.0 * 8192.0;
  return row;
}

}  // namespace tepui
