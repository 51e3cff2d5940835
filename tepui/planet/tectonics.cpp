#include "tepui/planet/tectonics.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/planet/belts.h"
#include "tepui/planet/front.h"
#include "tepui/planet/hot_spots.h"
#include "tepui/planet/plates.h"
#include "tepui/planet/sphere_fields.h"
#include "tepui/planet/sphere_noise.h"

namespace tepui {

namespace {

constexpr int64_t vertex_grain = 4096;
constexpr double km = 1000;
constexpr double oldest_floor = 170;  // million years

/// Plates, their borders, and where each vertex's nearest one lies.
struct Drift {
  Plates plates;
  Front front;
  std::vector<BorderMotion> motions;
  std::vector<int32_t> nearest;
};

Drift drift(const SphereMesh& mesh, std::span<const std::array<int32_t, 2>> parents, const PlateSpec& spec,
            const Context& context) {
  Drift all;
  all.plates = drifting_plates(mesh, spec, context);
  all.front = front_between(mesh, all.plates.of_vertex);
  const double edges = 0.012 / edge_of_level(mesh.level);
  smooth_places(all.front, static_cast<int>(std::ceil(edges * edges)));
  all.motions = border_motions(all.front, all.plates, mesh);
  all.nearest = nearest_points(all.front, mesh, parents, context);
  return all;
}

double arc_km(const SphereMesh& mesh, const Front& front, size_t v, int32_t point) {
  return arc(mesh.directions[v], front.points[static_cast<size_t>(point)].place) * earth_radius / km;
}

/// How much a place would have a continent's crust: noise, what its plate tends to, and a pull of continents' edges
/// towards borders that close, so that cordilleras stand at coasts as the Andes do.
std::vector<float> crust_field(const SphereMesh& mesh, const Neighbours& around, const Drift& drift,
                               const TectonicSpec& spec, const Context& context) {
  const Stream stream(spec.key);
  const std::vector<Direction> moved =
      warped(mesh.directions, 0.22, {.scale = 0.55, .octaves = 5, .gain = 0.55, .key = stream.bits(0, 50)}, context);
  std::vector<float> field =
      noise_at(moved, {.scale = 1.35, .octaves = 7, .gain = 0.5, .key = stream.bits(0, 51)}, context);
  const size_t count = field.size();
  std::vector<float> bias(count);
  for (size_t v = 0; v < count; ++v)
    bias[v] = static_cast<float>(drift.plates.plates[static_cast<size_t>(drift.plates.of_vertex[v])].bias);
  even_out(bias, mesh, around, 0.12, context);
  parallel_chunks(static_cast<int64_t>(count), vertex_grain, context, [&](int64_t begin, int64_t end) {
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
      field[v] += 0.26f * bias[v];
      if (drift.front.empty()) continue;
      const auto nearest = static_cast<size_t>(drift.nearest[v]);
      const Front::Point& point = drift.front.points[nearest];
      const auto& plates = drift.plates;
      const auto plate_at = [&](size_t side) { return plates.of_vertex[static_cast<size_t>(point.sides[side])]; };
      const double first = plates.plates[static_cast<size_t>(plate_at(0))].bias,
                   second = plates.plates[static_cast<size_t>(plate_at(1))].bias;
      const size_t upper = first > second ? 0 : 1;
      const double closing = math::smoothstep(0.01, 0.05, -drift.motions[nearest].opening);
      const double unlike = math::smoothstep(0.15, 0.7, std::fabs(first - second));
      const double far = arc_km(mesh, drift.front, v, drift.nearest[v]);
      const double pull = closing * unlike * (1 - math::smoothstep(150, 900, far));
      field[v] += static_cast<float>(plates.of_vertex[v] == plate_at(upper) ? 0.24 * pull : -0.34 * pull);
    }
  });
  return field;
}

/// The age of the sea floor: what the nearest ridge has made since, at the rate at which it opens.
std::vector<float> floor_ages(const SphereMesh& mesh, const Drift& drift, std::span<const Border> borders,
                              std::span<const std::array<int32_t, 2>> parents, uint64_t key, const Context& context) {
  std::vector<uint8_t> opens(borders.size());
  for (size_t i = 0; i < borders.size(); ++i) opens[i] = borders[i].kind == BorderKind::ridge ? 1 : 0;
  const Front ridges = part_of(drift.front, opens);
  std::vector<double> half_rate;
  for (size_t i = 0; i < borders.size(); ++i)
    if (opens[i] != 0) half_rate.push_back(std::clamp(borders[i].rate / 2, 0.012, 0.05));
  // A ridge's rate changes along it; ages, which follow from it, are to have no seams.
  for (int round = 0; round < 400; ++round) {
    const std::vector<double> before = half_rate;
    for (size_t i = 0; i < half_rate.size(); ++i) {
      double sum = before[i], number = 1;
      for (const int32_t j : ridges.links.of(static_cast<int32_t>(i))) {
        sum += before[static_cast<size_t>(j)];
        number += 1;
      }
      half_rate[i] = sum / number;
    }
  }
  const std::vector<int32_t> nearest = nearest_points(ridges, mesh, parents, context);
  const std::vector<float> uneven = noise_at(mesh.directions, {.scale = 0.4, .octaves = 4, .key = key}, context);
  std::vector<float> ages(mesh.directions.size(), static_cast<float>(oldest_floor));
  if (ridges.empty()) return ages;
  parallel_chunks(static_cast<int64_t>(ages.size()), vertex_grain, context, [&](int64_t begin, int64_t end) {
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
      const double far = arc(mesh.directions[v], ridges.points[static_cast<size_t>(nearest[v])].place) * earth_radius;
      const double age = far / half_rate[static_cast<size_t>(nearest[v])] * 1e-6;
      ages[v] = static_cast<float>(std::min(oldest_floor, age * (1 + 0.25 * static_cast<double>(uneven[v]))));
    }
  });
  return ages;
}

struct Platform {
  std::vector<float> height;
  std::vector<uint8_t> continental;
};

/// Continents that stand above the sea floor, with a shelf and a slope between.
Platform platform(const SphereMesh& mesh, std::span<const float> field, double edge, const std::vector<float>& ages,
                  std::span<const std::array<int32_t, 2>> parents, uint64_t key, const Context& context) {
  const size_t count = field.size();
  Platform land{std::vector<float>(count), std::vector<uint8_t>(count)};
  std::vector<int32_t> label(count);
  for (size_t v = 0; v < count; ++v) {
    label[v] = static_cast<double>(field[v]) > edge ? 1 : 0;
    land.continental[v] = static_cast<uint8_t>(label[v]);
  }
  Front edges = front_between(mesh, label);
  for (Front::Point& point : edges.points) {
    const auto a = static_cast<size_t>(point.sides[0]), b = static_cast<size_t>(point.sides[1]);
    const double low = static_cast<double>(field[a]) - edge, high = static_cast<double>(field[b]) - edge;
    const double share = std::clamp(high > low ? -low / (high - low) : 0.5, 0.0, 1.0);
    point.place = normalised(mesh.directions[a] * (1 - share) + mesh.directions[b] * share);
  }
  const std::vector<int32_t> nearest = nearest_points(edges, mesh, parents, context);
  const std::vector<float> swell =
      noise_at(mesh.directions, {.scale = 0.30, .octaves = 6, .gain = 0.55, .key = key}, context);
  const std::vector<float> abyss =
      noise_at(mesh.directions, {.scale = 0.12, .octaves = 6, .gain = 0.6, .key = key + 1}, context);
  parallel_chunks(static_cast<int64_t>(count), vertex_grain, context, [&](int64_t begin, int64_t end) {
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
      const double side = label[v] != 0 ? 1 : -1;
      const double inland = edges.empty() ? side * 1e4 : side * arc_km(mesh, edges, v, nearest[v]);
      const double noise = static_cast<double>(swell[v]);
      const double floor = -sea_floor_depth(static_cast<double>(ages[v])) + 420 * static_cast<double>(abyss[v]);
      const double dome = 260 * math::smoothstep(100, 1400, inland);
      const double continent = 120 + dome + (220 + 520 * math::smoothstep(0, 700, inland)) * noise;
      const double rise = math::smoothstep(-110, 25, inland + 30 * noise);
      // Mud that rivers have carried down the slope.
      const double fan = 900 * math::smoothstep(-520, -60, inland) * (1 - rise);
      land.height[v] = static_cast<float>((1 - rise) * floor + rise * continent + fan);
    }
  });
  return land;
}

/// Uplift that fades between 3 and 6 km: rock that stands higher spreads under its own weight.
double settled(double height) {
  constexpr double from = 3000, over = 4600;
  return height <= from ? height : from + over * (1 - math::exp(-(height - from) / over));
}

/// The belts of a set of plates that have long changed: broad, low, within the continents of today.
Belts worn_belts(const SphereMesh& mesh, const Neighbours& around, std::span<const std::array<int32_t, 2>> parents,
                 const std::vector<uint8_t>& continental, const TectonicSpec& spec, const Context& context) {
  const Stream stream(spec.key);
  const Drift old = drift(
      mesh, parents, {.count = std::max(spec.plates, 2), .fastest = spec.fastest, .key = stream.bits(0, 60)}, context);
  const std::vector<uint8_t> all(continental.size(), 1);
  const std::vector<Border> borders = borders_built(old.front, old.motions, old.plates, mesh, around, all);
  return belts(mesh, old.front, borders, old.plates, old.nearest, continental,
               {.strength = 0.26, .worn = true, .key = stream.bits(0, 61)}, context);
}

}  // namespace

double sea_floor_depth(double age) {
  return age < 20 ? 2600 + 365 * std::sqrt(age) : 5651 - 2473 * math::exp(-0.0278 * age);
}

double sea_floor_age(double depth) {
  constexpr double oldest = 180;
  const double root = std::max(depth - 2600, 0.0) / 365;
  if (root * root < 20) return root * root;
  return depth < sea_floor_depth(oldest) ? math::log((5651 - depth) / 2473) / -0.0278 : oldest;
}

Crust make_crust(const SphereMesh& mesh, const Neighbours& around, std::span<const std::array<int32_t, 2>> parents,
                 std::span<const double> areas, const TectonicSpec& spec, const Context& context) {
  const Stream stream(spec.key);
  const size_t count = mesh.directions.size();
  const Drift now =
      drift(mesh, parents, {.count = spec.plates, .fastest = spec.fastest, .key = stream.bits(0, 62)}, context);
  const std::vector<float> field = crust_field(mesh, around, now, spec, context);
  const double edge = exceeded_by(field, areas, spec.continents);
  std::vector<uint8_t> continental(count);
  for (size_t v = 0; v < count; ++v) continental[v] = static_cast<double>(field[v]) > edge ? 1 : 0;
  const std::vector<Border> borders = borders_built(now.front, now.motions, now.plates, mesh, around, continental);
  context.check();

  Crust crust;
  crust.age = floor_ages(mesh, now, borders, parents, stream.bits(0, 63), context);
  const Platform land = platform(mesh, field, edge, crust.age, parents, stream.bits(0, 64), context);
  const std::vector<float> none(count, 0);
  const Belts rising = spec.belts ? belts(mesh, now.front, borders, now.plates, now.nearest, land.continental,
                                          {.strength = 1, .worn = false, .key = stream.bits(0, 65)}, context)
                                  : Belts{none, none};
  const Belts old =
      spec.worn_belts ? worn_belts(mesh, around, parents, land.continental, spec, context) : Belts{none, none};
  const std::vector<float> spots =
      hot_spots(mesh, now.plates, land.continental, {.count = spec.hot_spots, .key = stream.bits(0, 66)}, context);
  crust.height.resize(count);
  crust.stress.assign(count, 0);
  crust.basalt.resize(count);
  for (size_t v = 0; v < count; ++v) {
    const double sum = static_cast<double>(land.height[v]) + static_cast<double>(rising.height[v]) +
                       static_cast<double>(old.height[v]) + static_cast<double>(spots[v]);
    crust.height[v] = static_cast<float>(std::max(settled(sum), -10800.0));
    if (land.continental[v] != 0) crust.age[v] = -1;
    crust.basalt[v] = std::clamp(spots[v] / 400, 0.0f, 1.0f);
    if (now.front.empty()) continue;
    const auto border = static_cast<size_t>(now.nearest[v]);
    const double near = 1 - math::smoothstep(0, 150, arc_km(mesh, now.front, v, now.nearest[v]));
    crust.stress[v] = static_cast<float>(near * now.motions[border].opening);
  }
  crust.belt = rising.near_belt;
  crust.worn_belt = old.near_belt;
  crust.plate = now.plates.of_vertex;
  for (const Plate& plate : now.plates.plates) crust.plate_turns.push_back(plate.turn);
  const auto sea = static_cast<float>(exceeded_by(crust.height, areas, 1 - spec.sea));
  for (float& height : crust.height) height -= sea;
  return crust;
}

}  // namespace tepui
