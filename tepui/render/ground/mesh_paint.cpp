#include "tepui/render/ground/mesh_paint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "tepui/core/parallel.h"
#include "tepui/mesh/checks.h"
#include "tepui/render/ground/map_bytes.h"
#include "tepui/render/ground/planet_skin.h"
#include "tepui/render/ground/volume_ground.h"

namespace tepui {

namespace {

constexpr int64_t grain = 1 << 12;
constexpr double usual_roughness = 0.9;

double area_of(const Mesh& mesh, const MeshTriangle& t) {
  const Vec3 a = to_vec(mesh.positions()[t[0]]);
  return 0.5 * length(cross(to_vec(mesh.positions()[t[1]]) - a, to_vec(mesh.positions()[t[2]]) - a));
}

/// Attributes that others had under these names go.
std::vector<MeshAttribute> others_of(const Mesh& mesh) {
  std::vector<MeshAttribute> list;
  for (const MeshAttribute& own : mesh.attributes())
    if (own.name != roughness_attribute && !own.name.starts_with(weight_prefix)) list.push_back(own);
  return list;
}

/// What there is of the kinds of ground, as many as a mesh has room for beside the rest.
void add_weights(const std::vector<std::array<uint8_t, ground_kinds>>& weights, std::vector<MeshAttribute>& list) {
  std::array<bool, ground_kinds> seen{};
  for (const auto& w : weights)
    for (size_t k = 0; k < ground_kinds; ++k) seen[k] = seen[k] || w[k] > 0;
  if (list.size() + static_cast<size_t>(std::ranges::count(seen, true)) > most_attributes) return;
  for (size_t k = 0; k < ground_kinds; ++k) {
    if (!seen[k]) continue;
    MeshAttribute one{weight_prefix + std::string(ground_kind_name(static_cast<GroundKind>(k))), "", {}};
    one.values.reserve(weights.size());
    for (const auto& w : weights) one.values.push_back(static_cast<float>(w[k]) / 255);
    list.push_back(std::move(one));
  }
}

}  // namespace

std::vector<float> footprints(const Mesh& mesh, const Context& context) {
  std::vector<double> sums(mesh.positions().size(), 0);
  std::vector<uint32_t> counts(sums.size(), 0);
  for (const MeshTriangle& t : mesh.triangles()) {
    const double area = area_of(mesh, t);
    for (const uint32_t corner : t) sums[corner] += area, ++counts[corner];
  }
  context.check();
  std::vector<float> result(sums.size());
  // Two triangles to a square.
  for (size_t i = 0; i < sums.size(); ++i)
    if (counts[i] > 0) result[i] = static_cast<float>(std::sqrt(2 * sums[i] / counts[i]));
  return result;
}

std::vector<MeshPoint> normals_of(const Mesh& mesh, const Context& context) {
  if (!mesh.normals().empty()) return {mesh.normals().begin(), mesh.normals().end()};
  const std::vector<uint32_t> welded = weld(mesh, context);
  std::vector<Vec3> sums(welded.size());
  for (const MeshTriangle& t : mesh.triangles()) {
    const Vec3 a = to_vec(mesh.positions()[t[0]]);
    const Vec3 n = cross(to_vec(mesh.positions()[t[1]]) - a, to_vec(mesh.positions()[t[2]]) - a);
    for (const uint32_t corner : t) sums[welded[corner]] = sums[welded[corner]] + n;
  }
  std::vector<MeshPoint> result(welded.size());
  for (size_t i = 0; i < welded.size(); ++i) {
    const Vec3 n = sums[welded[i]];
    const double size = length(n);
    if (!(size > 0)) continue;
    result[i] = {static_cast<float>(n.x / size), static_cast<float>(n.y / size), static_cast<float>(n.z / size)};
  }
  return result;
}

double mean_roughness(const Mesh& mesh) {
  const MeshAttribute* roughness = mesh.attribute(roughness_attribute);
  if (roughness == nullptr) return usual_roughness;
  double sum = 0, all = 0;
  for (const MeshTriangle& t : mesh.triangles()) {
    const double area = area_of(mesh, t);
    for (const uint32_t corner : t) sum += area * static_cast<double>(roughness->values[corner]);
    all += 3 * area;
  }
  return all > 0 ? std::clamp(sum / all, 0.0, 1.0) : usual_roughness;
}

namespace {

/// The colours of a planet's view, which has no kinds of ground.
Mesh painted_planet(const Mesh& mesh, const PlanetSkin& skin, Season season, const Context& context) {
  const std::vector<float> sizes = footprints(mesh, context);
  MeshData data = mesh.data();
  data.colours.resize(data.positions.size());
  const SrgbBytes srgb;
  parallel_chunks(static_cast<int64_t>(data.positions.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      const auto vertex = static_cast<uint32_t>(i);
      const Rgb colour = skin.albedo({vertex, vertex, vertex}, {1, 0, 0}, data.centre + to_vec(data.positions[i]),
                                     static_cast<double>(sizes[i]), season);
      data.colours[i] = {srgb(colour.r), srgb(colour.g), srgb(colour.b), 255};
    }
  });
  return Mesh(std::move(data));
}

}  // namespace

Mesh painted(const Mesh& mesh, const MeshPaintParams& params, const Context& context) {
  if (mesh.triangles().empty()) return mesh;
  if (const PlanetSkin planet(mesh); planet.known()) return painted_planet(mesh, planet, params.skin.season, context);
  VolumeRock made_of{.spacing = spacing_of(mesh)};
  if (params.land != nullptr) made_of.land = *params.land;
  VolumeGround ground(params.skin, mesh.world_bounds(), params.sea_level, std::move(made_of), context);
  ground.set_water(params.sea_level);
  ground.set_surface(mesh, context.stage("surface", 0, 0.2));
  const RockOfMesh own_rock(mesh);
  const std::vector<float> sizes = footprints(mesh, context);
  MeshData data = mesh.data();
  data.normals = normals_of(mesh, context);
  const size_t count = data.positions.size();
  data.colours.resize(count);
  data.attributes = others_of(mesh);
  std::vector<std::array<uint8_t, ground_kinds>> weights(count);
  std::vector<float> roughness(count);
  const SrgbBytes srgb;
  parallel_chunks(static_cast<int64_t>(count), grain, context.stage("look", 0.2, 1), [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
      Vec3 normal = to_vec(data.normals[i]);
      const bool known = length(normal) > 0.5;
      if (!known) normal = {0, 0, 1};
      SurfacePlace place{data.centre + to_vec(data.positions[i]), normal, static_cast<double>(sizes[i])};
      own_rock.tell(static_cast<uint32_t>(i), place);
      const GroundLook look = ground.look(place);
      data.colours[i] = {srgb(look.albedo.r), srgb(look.albedo.g), srgb(look.albedo.b), 255};
      if (known)
        data.normals[i] = {static_cast<float>(look.normal.x), static_cast<float>(look.normal.y),
                           static_cast<float>(look.normal.z)};
      roughness[i] = look.roughness;
      std::array<double, ground_kinds> shares{};
      for (size_t k = 0; k < ground_kinds; ++k) shares[k] = static_cast<double>(look.weights[k]);
      weights[i] = weight_bytes(shares);
    }
  });
  if (data.attributes.size() < most_attributes) {
    data.attributes.push_back({roughness_attribute, "", std::move(roughness)});
    add_weights(weights, data.attributes);
  }
  return Mesh(std::move(data));
}

}  // namespace tepui
