#include "tepui/render/picture/planet_scene.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/render/ground/solid_grain.h"

namespace tepui {

namespace {

constexpr int64_t grain = 4096;

/// Heights of the land, and of whatever water and ice stand on it, at a vertex.
double surface_at(const GlobalLand& land, size_t v) {
  const double ground = land.receiver[v] < 0 ? std::max(land.height[v], 0.0) : land.height[v];
  return ground + static_cast<double>(land.ice[v]);
}

/// As many octaves as there are from a feature's size down to a pixel.
SolidGrainRange octaves_down_to(double footprint, float fall) {
  constexpr int most = 16;
  const int wanted = footprint > 0 ? static_cast<int>(std::ceil(-math::log(footprint) / math::log(2.0))) + 1 : most;
  return {.octaves = std::clamp(wanted, 1, most), .footprint = static_cast<float>(footprint), .fall = fall};
}

}  // namespace

PlanetScene::PlanetScene(const Planet& planet, const Context& context)
    : planet_(planet),
      locator_(planet_.land().mesh),
      cell_(edge_of_level(planet_.land().mesh.level)),
      rise_(planet_.height_scale() / planet_.radius()) {
  const GlobalLand& land = planet_.land();
  const size_t count = land.mesh.directions.size();
  positions_.resize(count);
  std::vector<Vec3> places(count);
  parallel_chunks(static_cast<int64_t>(count), grain, context, [&](int64_t begin, int64_t end) {
    for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) {
      places[v] = land.mesh.directions[v] * (1 + rise_ * surface_at(land, v));
      positions_[v] = {static_cast<float>(places[v].x), static_cast<float>(places[v].y),
                       static_cast<float>(places[v].z)};
    }
  });
  std::vector<Vec3> normals(count);
  for (const auto& [a, b, c] : land.mesh.triangles) {
    const auto at = [&](int32_t v) { return places[static_cast<size_t>(v)]; };
    const Vec3 across = cross(at(b) - at(a), at(c) - at(a));
    for (const int32_t v : {a, b, c}) normals[static_cast<size_t>(v)] = normals[static_cast<size_t>(v)] + across;
  }
  normals_.resize(count);
  for (size_t v = 0; v < count; ++v) {
    const Vec3 n = normalised(normals[v]);
    normals_[v] = {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
  }
}

void PlanetScene::add_to(RayScene& scene) const {
  std::vector<MeshTriangle> triangles;
  triangles.reserve(planet_.land().mesh.triangles.size());
  for (const auto& [a, b, c] : planet_.land().mesh.triangles)
    triangles.push_back({static_cast<uint32_t>(a), static_cast<uint32_t>(b), static_cast<uint32_t>(c)});
  scene.add(positions_, triangles);
}

double PlanetScene::surface(Vec3 direction) const {
  return rise_ * values_at(planet_.land(), locator_.at(direction)).surface();
}

/// A direction moved by up to a cell or so, every size of detail in proportion.
Vec3 PlanetScene::frayed(Vec3 direction, double footprint) const {
  const double size = 2 * cell_;
  if (footprint > size) return direction;
  const SolidGrainRange range = octaves_down_to(footprint / size, 0.6f);
  const Vec3 at = direction * (1 / size);
  const auto push = [&](double shift) {
    return static_cast<double>(solid_grain_value({at.x + shift, at.y - shift, at.z + 0.7 * shift}, range));
  };
  return normalised(direction + Vec3{push(0), push(11.3), push(23.7)} * (1.6 * cell_));
}

Vec3 PlanetScene::ground_normal(const SpherePlace& place) const {
  Vec3 sum;
  const auto& corners = planet_.land().mesh.triangles[static_cast<size_t>(place.triangle)];
  for (size_t k = 0; k < 3; ++k) {
    const auto& n = normals_[static_cast<size_t>(corners[k])];
    sum = sum + Vec3{static_cast<double>(n[0]), static_cast<double>(n[1]), static_cast<double>(n[2])} * place.shares[k];
  }
  return normalised(sum);
}

PlanetPoint PlanetScene::seen(const RayHit& hit, Vec3 from, Vec3 direction, double footprint) const {
  PlanetPoint point;
  point.at = from + direction * hit.distance;
  point.up = point.normal = normalised(point.at);
  point.start = point.at + point.up * (0.015 * cell_);
  const Vec3 moved = frayed(point.up, footprint);
  const GlobalLand& land = planet_.land();
  const SpherePlace where = locator_.from(static_cast<int32_t>(hit.triangle), moved);
  const PlaceValues place = values_at(land, where);
  PlanetSpot& spot = point.spot;
  spot.water = place.water;
  spot.ice = place.ice;
  spot.height = place.ground;
  spot.lake = spot.water > 0 && spot.height + spot.water > 1e-9;
  spot.season = place.season;
  spot.rain = place.rain;
  spot.hardness = place.hardness;
  spot.broad = static_cast<double>(solid_grain_value(point.up * 12, {.octaves = 4, .footprint = 0, .fall = 0.6f}));

  const double size = 2 * cell_;
  const SolidGrain rough =
      solid_grain(point.up * (1 / size) + Vec3{3.1, 7.7, 1.9}, {1, 1, 1}, octaves_down_to(footprint / size, 0.7f));
  spot.patches = static_cast<double>(rough.value);
  double relief = 0;
  if (spot.water <= 0) {
    const Vec3 ground = ground_normal(where);
    const double level = std::max(dot(ground, point.up), 0.05);
    const double slope = std::sqrt(std::max(1 - level * level, 0.0)) / level / planet_.data().exaggeration;
    const double much = spot.ice > 0 ? 0.004 : std::min(0.012 + 2.2 * slope, 0.22);
    const Vec3 tilt{static_cast<double>(rough.tilt[0]), static_cast<double>(rough.tilt[1]),
                    static_cast<double>(rough.tilt[2])};
    const Vec3 along = (tilt - point.up * dot(tilt, point.up)) * (much * planet_.data().exaggeration);
    point.normal = normalised(ground - along);
    const double steep = std::max(dot(point.normal, point.up), 0.05);
    spot.slope = std::sqrt(std::max(1 - steep * steep, 0.0)) / steep / planet_.data().exaggeration;
    relief = spot.patches * slope * 0.35 * cell_ * earth_radius;
    spot.shade =
        std::clamp(dot(point.normal - point.up, local_axes(point.up).north) * (point.up.z < 0 ? -4.0 : 4.0), -1.0, 1.0);
  }
  spot.temperature = place.temperature - land.lapse * relief;
  return point;
}

}  // namespace tepui
