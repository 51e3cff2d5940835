#include "tepui/planet/view_mesh.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/planet/ice_sheets.h"
#include "tepui/planet/place_values.h"
#include "tepui/planet/valley_ice.h"

namespace tepui {

namespace {

constexpr int64_t grain = 2048;

size_t at(int32_t index) { return static_cast<size_t>(index); }

enum Attribute : size_t {
  height,
  water,
  snow,
  ice,
  plate,
  stress,
  discharge,
  temperature,
  season,
  rain,
  slope,
  born_height,
  attributes
};
constexpr std::pair<const char*, const char*> names[attributes] = {
    {"height", "m"}, {"water", "m"},    {"snow", ""},          {"ice", "m"},
    {"plate", ""},   {"stress", "m/a"}, {"discharge", "m3/s"}, {"temperature", "degC"},
    {"season", "K"}, {"rain", "m/a"},   {"slope", ""},         {"born_height", "m"}};

/// Places of the mesh, exact near its centre.
class Placing {
 public:
  explicit Placing(const ViewMeshSpec& spec) : spec_(spec), axes_(local_axes(spec.below)) {
    radius_ = earth_radius * spec.length_scale;
    if (spec.local) {
      x_ = axes_.east;
      y_ = axes_.north;
      z_ = spec.below;
    }
    centre_ = spec.local ? Vec3{0, 0, spec.altitude} : spec.below * (radius_ + spec.altitude);
  }

  Vec3 centre() const { return centre_; }
  /// Relative to the centre.
  MeshPoint operator()(Vec3 direction, double altitude) const {
    const Vec3 away = (direction - spec_.below) * radius_ + direction * altitude - spec_.below * spec_.altitude;
    return point(away);
  }
  MeshPoint point(Vec3 v) const {
    return {static_cast<float>(dot(v, x_)), static_cast<float>(dot(v, y_)), static_cast<float>(dot(v, z_))};
  }

 private:
  ViewMeshSpec spec_;
  LocalAxes axes_;
  double radius_;
  Vec3 x_{1, 0, 0}, y_{0, 1, 0}, z_{0, 0, 1}, centre_;
};

/// The sum of the normals of the triangles around each vertex, by their areas.
std::vector<Vec3> normals_of(const FineLand& fine, std::span<const Vec3> places) {
  std::vector<Vec3> sums(places.size());
  for (const auto& [a, b, c] : fine.triangles) {
    const Vec3 normal = cross(places[at(b)] - places[at(a)], places[at(c)] - places[at(a)]);
    for (const int32_t v : {a, b, c}) sums[at(v)] = sums[at(v)] + normal;
  }
  for (Vec3& sum : sums) {
    const double size = length(sum);
    sum = size > 0 ? sum * (1 / size) : Vec3{};
  }
  return sums;
}

double surface_of(const PlaceValues& value, ViewSurface surface) {
  switch (surface) {
    case ViewSurface::ground:
      return value.ground;
    case ViewSurface::ice:
      return value.ground + value.ice;
    default:
      return value.surface();
  }
}

/// The same in the middle of the edge on which a vertex was born.
double born_surface(const FineVertices& v, size_t i, const PlaceValues& value, ViewSurface surface) {
  double height = static_cast<double>(v.born_height[i]);
  if (surface != ViewSurface::water) height -= static_cast<double>(v.depth[i]);
  if (surface == ViewSurface::water && v.receiver[i] == in_the_sea) height = std::max(height, 0.0);
  if (surface != ViewSurface::ground && value.ice > 0)
    height = std::max({height, static_cast<double>(v.trait(i, Trait::ice_surface)), v.height[i] + ice_above(v, i)});
  return height;
}

/// The slope at a unit normal, a tangent.
double slope_of(Vec3 normal, Vec3 up) {
  const double upright = std::max(dot(normal, up), 1e-6);
  return std::sqrt(std::max(1 - upright * upright, 0.0)) / upright;
}

}  // namespace

double lasting_snow(double altitude, double snow_line, double hollow, double slope) {
  constexpr double range = 150, cliff = 1.73;  // Eq. 11: nothing rests on slopes of 60 degrees
  const double above = altitude - snow_line + 700 * std::clamp(hollow, -0.3, 0.3);
  return math::smoothstep(-range, range, above) * (1 - math::smoothstep(0.6 * cliff, cliff, slope));
}

Mesh view_mesh(const GlobalLand& land, const FineLand& fine, const ViewMeshSpec& spec, const Context& context) {
  const FineVertices& v = fine.vertices;
  const size_t count = v.size();
  const Placing placing(spec);
  MeshData mesh;
  mesh.centre = placing.centre();
  mesh.positions.resize(count);
  mesh.normals.resize(count);
  for (const auto& [name, unit] : names) mesh.attributes.push_back({name, unit, std::vector<float>(count)});
  std::vector<PlaceValues> values(count);
  std::vector<Vec3> places(count);
  const auto each = [&](const auto& body) {
    parallel_chunks(static_cast<int64_t>(count), grain, context, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) body(i);
    });
  };
  each([&](size_t i) {
    const auto corner = static_cast<int32_t>(i);
    values[i] = values_at(land, fine, {corner, corner, corner}, {1, 0, 0});
    const double top = surface_of(values[i], spec.surface) * spec.height_scale;
    mesh.positions[i] = placing(v.direction[i], top);
    // From the place below the camera, so that differences of near ones are exact.
    places[i] = (v.direction[i] - spec.below) * (earth_radius * spec.length_scale) + v.direction[i] * top;
  });
  const std::vector<Vec3> normals = normals_of(fine, places);
  each([&](size_t i) {
    mesh.normals[i] = placing.point(normals[i]);
    const PlaceValues& value = values[i];
    const double spacing = edge_of_level(v.level[i]) * earth_radius, level = value.ground + value.ice;
    const double line = snow_line(value.temperature + land.lapse * std::max(level, 0.0), value.season, value.rain, {});
    const double steep = slope_of(normals[i], v.direction[i]);
    const double hollow = (static_cast<double>(v.born_height[i]) - v.height[i]) / spacing;
    const auto set = [&](Attribute which, double x) { mesh.attributes[which].values[i] = static_cast<float>(x); };
    set(height, surface_of(value, spec.surface) * spec.height_scale);
    set(water, value.water * spec.height_scale);
    set(snow, value.ice > 0 ? 1 : value.water > 0 ? 0 : lasting_snow(level, line, hollow, steep));
    set(ice, value.ice * spec.height_scale);
    set(plate, value.plate);
    set(stress, value.stress);
    set(discharge, value.discharge);
    set(temperature, value.temperature);
    set(season, value.season);
    set(rain, value.rain);
    set(slope, steep);
    set(born_height, born_surface(v, i, value, spec.surface) * spec.height_scale);
  });
  mesh.triangles.reserve(fine.triangles.size());
  for (const auto& [a, b, c] : fine.triangles)
    mesh.triangles.push_back({static_cast<uint32_t>(a), static_cast<uint32_t>(b), static_cast<uint32_t>(c)});
  return Mesh(std::move(mesh));
}

}  // namespace tepui
