#include "tepui/render/picture/planet_scene.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/planet/refine.h"
#include "tepui/planet/valley_ice.h"
#include "tepui/render/ground/solid_grain.h"

namespace tepui {

namespace {

constexpr int64_t grain = 4096;
constexpr double year = 365.25 * 86400;
/// Metres that a river of 1 m3/s is wide; it grows with the square root of its discharge.
constexpr double river_width = 5;
/// Radians over which one kind of country gives way to another.
constexpr double patch_size = 0.012;

/// As many octaves as there are from a feature's size down to a pixel.
SolidGrainRange octaves_down_to(double footprint, float fall) {
  constexpr int most = 16;
  const int wanted = footprint > 0 ? 1 - std::ilogb(footprint) : most;
  return {.octaves = std::clamp(wanted, 1, most), .footprint = static_cast<float>(footprint), .fall = fall};
}

FineLand refined(const Planet& planet, const PlanetSight& sight, const Context& context) {
  ViewSpec view;
  view.direction = sight.below;
  view.altitude = std::max(sight.altitude * earth_radius, 1.0);
  view.detail = sight.detail;
  view.deepest = 23;
  // As far beyond the horizon as the highest mountains are seen.
  const double highest = 12000 * planet.data().exaggeration;
  view.beyond = math::acos(earth_radius / (earth_radius + highest));
  return Refiner(planet.share()).refine(ViewRegion(view), context);
}

Vec3 vec(const std::array<float, 3>& v) {
  return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}
std::array<float, 3> single(Vec3 v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

}  // namespace

PlanetScene::PlanetScene(const Planet& planet, const PlanetSight& sight, const Context& context)
    : planet_(planet),
      sight_(sight),
      land_(refined(planet, sight, context.stage("land", 0, 0.7))),
      rise_(planet_.height_scale() / planet_.radius()),
      // Single precision is finest near the eye.
      origin_(sight.altitude < 0.1 ? sight.below : Vec3{}) {
  place_vertices(context.stage("triangles", 0.7, 1));
  find_ground();
}

void PlanetScene::place_vertices(const Context& context) {
  const size_t count = land_.vertices.size();
  std::vector<Vec3> places(count);
  std::vector<MeshPoint> positions(count);
  normals_.resize(count);
  const auto each = [&](const auto& work) {
    parallel_chunks(static_cast<int64_t>(count), grain, context, [&](int64_t begin, int64_t end) {
      for (auto v = static_cast<size_t>(begin); v < static_cast<size_t>(end); ++v) work(v);
    });
  };
  each([&](size_t v) {
    const Vec3 direction = land_.vertices.direction[v];
    places[v] = (direction - origin_) + direction * (rise_ * surface_at(v));
    positions[v] = single(places[v]);
  });
  std::vector<Vec3> normals(count);
  std::vector<MeshTriangle> triangles;
  triangles.reserve(land_.triangles.size());
  for (const auto& [a, b, c] : land_.triangles) {
    const auto at = [&](int32_t v) { return places[static_cast<size_t>(v)]; };
    const Vec3 across = cross(at(b) - at(a), at(c) - at(a));
    for (const int32_t v : {a, b, c}) normals[static_cast<size_t>(v)] = normals[static_cast<size_t>(v)] + across;
    triangles.push_back({static_cast<uint32_t>(a), static_cast<uint32_t>(b), static_cast<uint32_t>(c)});
  }
  each([&](size_t v) {
    const double norm = length(normals[v]);
    normals_[v] = single(norm > 0 ? normals[v] * (1 / norm) : land_.vertices.direction[v]);
  });
  rays_.add(positions, triangles);
  rays_.commit(context);
}

/// Meets the surface below the eye from above all mountains.
void PlanetScene::find_ground() {
  constexpr double above = 1e5;
  const Vec3 from = sight_.below * (1 + above * rise_);
  // Beside the very middle, where three triangles may meet.
  if (const auto met = hit(from, sight_.below * -1)) ground_ = above * rise_ - met->distance;
}

double PlanetScene::surface_at(size_t v) const {
  const FineVertices& all = land_.vertices;
  if (all.receiver[v] == in_the_sea) return std::max(all.height[v], 0.0);
  return std::max(all.height[v] + std::max(ice_above(all, v), 0.0),
                  static_cast<double>(all.trait(v, Trait::ice_surface)));
}

double PlanetScene::trait(const Place& place, Trait which) const {
  double sum = 0;
  for (size_t k = 0; k < 3; ++k)
    sum += place.shares[k] * static_cast<double>(land_.vertices.trait(place.corners[k], which));
  return sum;
}

/// Height, depth of water and thickness of ice, their borders frayed by a noise in [-1, 1].
void PlanetScene::set_ground(PlanetSpot& spot, const Place& place, double fray) const {
  constexpr double least_lake = 1.5, least_ice = 3;
  const FineVertices& all = land_.vertices;
  const auto [low, high] =
      std::minmax({all.height[place.corners[0]], all.height[place.corners[1]], all.height[place.corners[2]]});
  spot.height = place.mix(all.height) + 0.2 * fray * std::min(high - low, 300.0);
  const double lake = place.mix(all.depth) * (1 + 0.5 * fray);
  if (low < 0 && spot.height < 0)
    spot.water = -spot.height;
  else if (lake > least_lake)
    spot.water = lake, spot.lake = true;
  double glacier = 0;
  for (size_t k = 0; k < 3; ++k) glacier += place.shares[k] * ice_above(all, place.corners[k]);
  const double sheet = trait(place, Trait::ice_surface) - std::max(spot.height, 0.0) + 60 * spot.patches;
  const double ice = std::max(sheet, glacier + 4 * fray);
  if (ice > least_ice && (spot.water <= 0 || spot.lake)) {
    spot.ice = ice;
    spot.water = 0;
    spot.lake = false;
  }
}

/// The share of a river's water in what is seen of a place.
double PlanetScene::river_at(const Place& place, Vec3 up, double footprint) const {
  const FineVertices& all = land_.vertices;
  double share = 0;
  for (size_t k = 0; k < 3; ++k) {
    const size_t a = place.corners[k], b = place.corners[(k + 1) % 3];
    const auto runs = [&](size_t from, size_t to) { return all.receiver[from] == static_cast<int32_t>(to); };
    if (!runs(a, b) && !runs(b, a)) continue;
    const size_t upper = runs(a, b) ? a : b;
    const double discharge = static_cast<double>(all.discharge[upper]) * planet_.land().unit / year;
    const double width = river_width * std::sqrt(discharge) / earth_radius;
    if (width < 0.05 * footprint) continue;
    const Vec3 from = all.direction[a], along = all.direction[b] - from, to = up - from;
    const double part = std::clamp(dot(to, along) / std::max(dot(along, along), 1e-30), 0.0, 1.0);
    const double away = length(to - along * part), soft = std::max(footprint, 0.05 * width);
    share = std::max(share, std::clamp((0.5 * (width + soft) - away) / soft, 0.0, 1.0) *
                                std::min(1.0, width / std::max(soft, 1e-30)));
  }
  return share;
}

/// Noise from the size of the triangles at a distance down to a pixel. Its largest octave is one of a row of sizes;
/// between two of them one gives way to the other.
SolidGrain PlanetScene::fine_grain(Vec3 up, double distance, double footprint) const {
  const double cell = std::min(2 * sight_.detail * distance, patch_size);
  int power = 0;
  const double part = std::frexp(std::max(cell, 1e-12), &power);  // in [0.5, 1)
  const float share = static_cast<float>(2 - 2 * part);
  SolidGrain all;
  for (const int k : {power, power - 1}) {
    const double size = std::ldexp(1.0, k), shift = 3.1 * k;
    const float weight = k == power ? 1 - share : share;
    const SolidGrain one =
        solid_grain(up * (1 / size) + Vec3{shift, 7.7, -shift}, {1, 1, 1}, octaves_down_to(footprint / size, 0.7f));
    all.value += weight * one.value;
    for (size_t i = 0; i < 3; ++i) all.tilt[i] += weight * one.tilt[i];
  }
  return all;
}

/// The level with those of its waves that are larger than a pixel.
Vec3 PlanetScene::rippled(Vec3 up, double footprint) const {
  constexpr double swell = 80 / earth_radius, steep = 0.035;
  if (footprint > swell) return up;
  const SolidGrain waves = solid_grain(up * (1 / swell), {1, 1, 1}, octaves_down_to(footprint / swell, 0.7f));
  const Vec3 tilt = vec({waves.tilt[0], waves.tilt[1], waves.tilt[2]});
  return normalised(up - (tilt - up * dot(tilt, up)) * steep);
}

PlanetPoint PlanetScene::seen(const RayHit& hit, Vec3 from, Vec3 direction, double footprint) const {
  const FineVertices& all = land_.vertices;
  const auto& triangle = land_.triangles[hit.triangle];
  const Place place{
      {static_cast<size_t>(triangle[0]), static_cast<size_t>(triangle[1]), static_cast<size_t>(triangle[2])},
      {1 - hit.u - hit.v, hit.u, hit.v}};
  PlanetPoint point;
  point.at = from + direction * hit.distance;
  point.up = point.normal = normalised(point.at);
  point.start = point.at + point.up * (0.02 * edge_of_level(land_.triangle_level[hit.triangle]));
  PlanetSpot& spot = point.spot;
  spot.broad = static_cast<double>(solid_grain_value(point.up * 12, {.octaves = 4, .footprint = 0, .fall = 0.6f}));
  spot.patches = static_cast<double>(
      solid_grain_value(point.up * (1 / patch_size), octaves_down_to(footprint / patch_size, 0.84f)));
  const SolidGrain rough = fine_grain(point.up, hit.distance, footprint);
  spot.fine = static_cast<double>(rough.value);
  set_ground(spot, place, static_cast<double>(rough.value));
  spot.season = trait(place, Trait::season);
  spot.rain = trait(place, Trait::rain);
  spot.hardness = trait(place, Trait::hardness);
  if (spot.water <= 0) {
    const double exaggeration = planet_.data().exaggeration;
    Vec3 ground;
    for (size_t k = 0; k < 3; ++k) ground = ground + vec(normals_[place.corners[k]]) * place.shares[k];
    ground = normalised(ground);
    const auto slope_of = [&](Vec3 normal) {
      const double level = std::max(dot(normal, point.up), 0.05);
      return std::sqrt(std::max(1 - level * level, 0.0)) / level / exaggeration;
    };
    const double much = spot.ice > 0 ? 0.004 : std::min(0.012 + 0.6 * slope_of(ground), 0.22);
    const Vec3 tilt = vec({rough.tilt[0], rough.tilt[1], rough.tilt[2]});
    point.normal = normalised(ground - (tilt - point.up * dot(tilt, point.up)) * (much * exaggeration));
    spot.slope = slope_of(point.normal);
    spot.shade =
        std::clamp(dot(point.normal - point.up, local_axes(point.up).north) * (point.up.z < 0 ? -4.0 : 4.0), -1.0, 1.0);
    spot.river = river_at(place, point.up, footprint);
  }
  if (spot.water > 0) point.normal = rippled(point.up, footprint);
  spot.temperature =
      trait(place, Trait::temperature) - planet_.land().lapse * std::max(place.mix(all.height) + spot.ice, 0.0);
  return point;
}

}  // namespace tepui
