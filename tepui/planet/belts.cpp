#include "tepui/planet/belts.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/planet/sphere_noise.h"

namespace tepui {

namespace {

constexpr int64_t vertex_grain = 2048;
constexpr double km = 1000;
constexpr double slow = 0.006;        // metres a year below which a border builds nothing
constexpr double fast = 0.06;         // from which it builds all it can
constexpr double look_aside = 0.025;  // radians from the border where its crust is read

/// From a vertex, step by step, the neighbour that lies farthest along `way`.
int32_t walked(const SphereMesh& mesh, const Neighbours& around, int32_t v, Vec3 way, double far) {
  const Vec3 start = mesh.directions[static_cast<size_t>(v)];
  const int steps = std::max(1, static_cast<int>(far / edge_of_level(mesh.level)));
  for (int step = 0; step < steps; ++step) {
    int32_t best = v;
    double most = 0;
    for (const int32_t next : around.of(v)) {
      const Vec3 moved = mesh.directions[static_cast<size_t>(next)] - mesh.directions[static_cast<size_t>(v)];
      const Vec3 strayed = mesh.directions[static_cast<size_t>(next)] - start;
      const double along = dot(moved, way), aside = length(strayed - way * dot(strayed, way));
      if (along - 0.3 * aside > most) {
        most = along - 0.3 * aside;
        best = next;
      }
    }
    v = best;
  }
  return v;
}

/// 1 at `peak`, falling smoothly to 0 at `inner` on the near and `outer` on the far side of it.
double hump(double x, double inner, double peak, double outer) {
  return x < peak ? math::smoothstep(inner, peak, x) : 1 - math::smoothstep(peak, outer, x);
}

struct Place {
  double far;    ///< from the border, metres, positive on the overriding side
  double power;  ///< of the border's motion, in [0, 1]
  double along;  ///< noise that makes a belt stronger and weaker along its run, in [-1, 1]
  double crest;  ///< ridged noise of its ranges, in about [-1, 1]
  bool continental;
};

double collision(const Place& at) {
  // Tibet behind the Himalaya: a front range, a wide plateau, and folds beyond the border.
  const double range = hump(at.far, -130 * km, 70 * km, 420 * km) * (3150 + 2700 * at.crest);
  const double plateau = hump(at.far, -40 * km, 330 * km, 1150 * km) * (2200 + 1000 * at.along);
  const double foredeep = -350 * hump(at.far, -420 * km, -190 * km, -90 * km);
  return (std::max(range, plateau) + 0.3 * std::min(range, plateau) + foredeep);
}

double trench(double far, double power) {
  const double depth = hump(far, -130 * km, -28 * km, 40 * km);
  const double swell = hump(far, -330 * km, -190 * km, -120 * km);
  return -3300 * std::sqrt(power) * depth + 250 * swell;
}

double cordillera(const Place& at) {
  // The Andes: an outer slope, a main range above the melting slab, a high plain and a lower range behind.
  const double main = hump(at.far, 20 * km, 170 * km, 430 * km) * (2850 + 2600 * at.crest + 900 * at.along);
  const double behind = hump(at.far, 180 * km, 380 * km, 800 * km) * (1100 + 900 * at.along);
  return std::max(main, behind) + 0.35 * std::min(main, behind);
}

double island_arc(const Place& at) {
  const double rise = hump(at.far, 40 * km, 165 * km, 310 * km);
  const double basin = -600 * hump(at.far, 260 * km, 420 * km, 700 * km);
  return rise * (2600 + 2300 * at.crest + 1500 * at.along) + basin;
}

double rift(const Place& at) {
  const double far = std::fabs(at.far);
  return -900 * (1 - math::smoothstep(10 * km, 45 * km, far)) +
         1000 * hump(far, 25 * km, 75 * km, 380 * km) * (1 + 0.6 * at.crest);
}

double built(const Border& border, const Place& at, bool worn) {
  double height = 0;
  switch (border.kind) {
    case BorderKind::collision:
      height = collision(at);
      break;
    case BorderKind::cordillera:
      height = at.far > -40 * km || at.continental ? cordillera(at) : 0;
      break;
    case BorderKind::island_arc:
      height = island_arc(at);
      break;
    case BorderKind::rift:
      height = rift(at);
      break;
    default:
      return 0;
  }
  height *= at.power;
  const bool subducts = border.kind == BorderKind::cordillera || border.kind == BorderKind::island_arc;
  return subducts && !worn ? height + trench(at.far, at.power) : height;
}

bool is_belt(BorderKind kind) {
  return kind == BorderKind::collision || kind == BorderKind::cordillera || kind == BorderKind::island_arc;
}

}  // namespace

std::vector<Border> borders_built(const Front& front, std::span<const BorderMotion> motions, const Plates& plates,
                                  const SphereMesh& mesh, const Neighbours& around,
                                  std::span<const uint8_t> continental) {
  std::vector<Border> borders(front.points.size());
  for (size_t i = 0; i < borders.size(); ++i) {
    const Front::Point& point = front.points[i];
    bool continent[2];
    for (size_t side = 0; side < 2; ++side)
      continent[side] =
          continental[static_cast<size_t>(
              walked(mesh, around, point.sides[side], motions[i].normal * (side == 0 ? -1 : 1), look_aside))] != 0;
    Border& border = borders[i];
    const double closing = -motions[i].opening;
    border.rate = std::fabs(closing);
    const int32_t first = plates.of_vertex[static_cast<size_t>(point.sides[0])];
    const int32_t second = plates.of_vertex[static_cast<size_t>(point.sides[1])];
    border.upper =
        continent[0] != continent[1]
            ? (continent[0] ? 0 : 1)
            : (plates.plates[static_cast<size_t>(first)].bias > plates.plates[static_cast<size_t>(second)].bias ? 0
                                                                                                                : 1);
    if (border.rate < slow)
      border.kind = BorderKind::transform;
    else if (closing > 0)
      border.kind = continent[0] && continent[1]   ? BorderKind::collision
                    : continent[0] || continent[1] ? BorderKind::cordillera
                                                   : BorderKind::island_arc;
    else
      border.kind = continent[0] && continent[1] ? BorderKind::rift : BorderKind::ridge;
  }
  return borders;
}

namespace {

/// How strongly each point of a front builds, evened along it so that a belt does not end like a wall.
std::vector<float> evened_power(const Front& front, std::span<const Border> borders, const SphereMesh& mesh) {
  std::vector<float> power(borders.size()), next;
  for (size_t i = 0; i < borders.size(); ++i) {
    const BorderKind kind = borders[i].kind;
    power[i] = kind == BorderKind::none || kind == BorderKind::transform || kind == BorderKind::ridge
                   ? 0.0f
                   : static_cast<float>(std::sqrt(math::smoothstep(0, fast, borders[i].rate)));
  }
  const double edges = 0.05 / edge_of_level(mesh.level);
  for (int round = 0; round < static_cast<int>(edges * edges); ++round) {
    next = power;
    for (size_t i = 0; i < power.size(); ++i) {
      float sum = power[i], weight = 1;
      for (const int32_t j : front.links.of(static_cast<int32_t>(i))) {
        sum += power[static_cast<size_t>(j)];
        weight += 1;
      }
      next[i] = sum / weight;
    }
    power.swap(next);
  }
  return power;
}

}  // namespace

Belts belts(const SphereMesh& mesh, const Front& front, std::span<const Border> borders, const Plates& plates,
            std::span<const int32_t> nearest, std::span<const uint8_t> continental, const BeltSpec& spec,
            const Context& context) {
  const size_t count = mesh.directions.size();
  Belts relief{std::vector<float>(count, 0), std::vector<float>(count, 0)};
  if (front.empty()) return relief;
  const std::vector<float> power = evened_power(front, borders, mesh);
  const std::vector<float> along = noise_at(mesh.directions, {.scale = 0.16, .octaves = 2, .key = spec.key}, context);
  const std::vector<float> crest = noise_at(
      mesh.directions, {.scale = 0.055, .octaves = 4, .gain = 0.6, .ridged = true, .key = spec.key + 1}, context);
  const std::vector<float> bend =
      noise_at(mesh.directions, {.scale = 0.09, .octaves = 3, .gain = 0.6, .key = spec.key + 2}, context);
  parallel_chunks(static_cast<int64_t>(count), vertex_grain, context, [&](int64_t begin, int64_t end) {
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
      const auto source = static_cast<size_t>(nearest[v]);
      const Front::Point& point = front.points[source];
      const Border& border = borders[source];
      if (power[source] <= 0) continue;
      const bool above =
          plates.of_vertex[v] == plates.of_vertex[static_cast<size_t>(point.sides[static_cast<size_t>(border.upper)])];
      const double far = arc(mesh.directions[v], point.place) * earth_radius * (above ? 1 : -1);
      const double moved = far + 75 * km * static_cast<double>(bend[v]) * math::smoothstep(0, 150 * km, std::fabs(far));
      const Place at{moved, static_cast<double>(power[source]), static_cast<double>(along[v]),
                     static_cast<double>(crest[v]), continental[v] != 0};
      double height = built(border, at, spec.worn) * spec.strength;
      if (spec.worn && continental[v] == 0) height = 0;
      relief.height[v] = static_cast<float>(height);
      if (is_belt(border.kind))
        relief.near_belt[v] = static_cast<float>(at.power * (1 - math::smoothstep(250 * km, 900 * km, std::fabs(far))));
    }
  });
  return relief;
}

}  // namespace tepui
