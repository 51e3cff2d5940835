#include "tepui/render/ground/mesh_bake.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/render/ground/map_bytes.h"
#include "tepui/render/ground/mesh_paint.h"
#include "tepui/render/ground/volume_ground.h"

namespace tepui {

namespace {

constexpr int usual_size = 2048, least_size = 64, largest_size = 8192;
constexpr uint32_t none = std::numeric_limits<uint32_t>::max();

/// Which triangle the middle of each texel lies in; rows from the top.
Grid<uint32_t> owners_of(const Atlas& atlas) {
  Grid<uint32_t> owners(atlas.size, atlas.size, none);
  const auto side = static_cast<double>(atlas.size);
  for (uint32_t i = 0; i < atlas.mesh.triangles().size(); ++i) {
    Vec2 p[3];
    for (size_t k = 0; k < 3; ++k) {
      const MeshCoordinate& c = atlas.mesh.coordinates()[atlas.mesh.triangles()[i][k]];
      p[k] = {static_cast<double>(c[0]) * side - 0.5, static_cast<double>(c[1]) * side - 0.5};
    }
    const auto [x_low, x_high] = std::minmax({p[0].x, p[1].x, p[2].x});
    const auto [y_low, y_high] = std::minmax({p[0].y, p[1].y, p[2].y});
    const auto first = [&](double v) { return std::max<int64_t>(0, static_cast<int64_t>(std::ceil(v))); };
    const auto last = [&](double v) { return std::min<int64_t>(atlas.size - 1, static_cast<int64_t>(std::floor(v))); };
    for (int64_t y = first(y_low); y <= last(y_high); ++y)
      for (int64_t x = first(x_low); x <= last(x_high); ++x) {
        bool within = owners(x, y) == none;
        for (size_t k = 0; k < 3 && within; ++k) {
          const Vec2 a = p[k], b = p[(k + 1) % 3];
          const double at_x = static_cast<double>(x), at_y = static_cast<double>(y);
          // v goes down, so what is counter-clockwise on the surface goes round the other way here.
          within = (b.x - a.x) * (at_y - a.y) - (b.y - a.y) * (at_x - a.x) <= 0;
        }
        if (within) owners(x, y) = i;
      }
  }
  return owners;
}

class MeshBaker {
 public:
  MeshBaker(const Mesh& mesh, const BakeParams& params, const MeshOrigin& origin, std::optional<double> sea,
            const Context& context)
      : params_(params), ground_(params, mesh.world_bounds(), sea, rock_of(mesh, origin), context), own_rock_(Mesh()) {
    ground_.set_water(sea);
    ground_.set_surface(mesh, context.stage("surface", 0, 0.1));
    MeshData data = mesh.data();
    data.normals = normals_of(mesh, context);
    if (params.occlusion) survey_light(data, context.stage("light", 0.1, 0.2));
    data.colours.clear();
    bake_.atlas =
        make_atlas(Mesh(std::move(data)), {params.size.value_or(usual_size)}, context.stage("atlas", 0.2, 0.5));
    own_rock_ = RockOfMesh(bake_.atlas.mesh);
    if (params.normal != NormalMap::none) tangents_ = tangents_of(bake_.atlas.mesh);
    owners_ = owners_of(bake_.atlas);
  }

  MeshBake bake(const Context& context) {
    if (params_.colour) colour_ = add("colour", {"red", "green", "blue"});
    if (params_.normal != NormalMap::none) normal_ = add("normal", {"east", "north", "up"});
    if (params_.roughness) roughness_ = add("roughness", {"roughness"});
    if (params_.occlusion) occlusion_ = add("occlusion", {"sky"});
    add_weights();
    const int size = bake_.atlas.size;
    parallel_chunks(size, 1, context.stage("maps", 0.5, 0.95), [&](int64_t begin, int64_t end) {
      for (auto y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
        for (int x = 0; x < size; ++x)
          if (owners_(x, y) != none) texel(x, y);
    });
    fill_gutters(context.stage("gutters", 0.95, 1));
    return std::move(bake_);
  }

 private:
  using Map = std::optional<size_t>;

  static VolumeRock rock_of(const Mesh& mesh, const MeshOrigin& origin) {
    VolumeRock result{.spacing = spacing_of(mesh)};
    if (origin.rock != nullptr) result.geology = *origin.rock;
    if (origin.land != nullptr) result.land = *origin.land;
    return result;
  }

  /// It changes slowly: vertices are close enough.
  void survey_light(const MeshData& data, const Context& context) {
    light_.assign(data.positions.size(), 1);
    parallel_chunks(static_cast<int64_t>(light_.size()), 1 << 12, context, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
        if (const Vec3 normal = to_vec(data.normals[i]); length(normal) > 0.5)
          light_[i] = ground_.openness(data.centre + to_vec(data.positions[i]), normal);
    });
  }

  Map add(std::string name, std::vector<std::string> channels) {
    const int count = static_cast<int>(channels.size());
    bake_.maps.maps.push_back({std::move(name), std::move(channels), Image(bake_.atlas.size, bake_.atlas.size, count)});
    return bake_.maps.maps.size() - 1;
  }

  void add_weights() {
    if (params_.weights == WeightMaps::none) return;
    for (WeightMapName& map : weight_map_names(params_.weights == WeightMaps::rgba ? 4 : 1))
      weights_.push_back(*add(std::move(map.name), std::move(map.channels)));
  }

  uint8_t* at(const Map& map, int x, int y) { return bake_.maps.maps[*map].image.at(x, y); }

  /// The shares of a triangle's corners at the middle of a texel.
  std::array<double, 3> shares_at(const MeshTriangle& t, int x, int y) const {
    const auto side = static_cast<double>(bake_.atlas.size);
    const Vec2 at{(x + 0.5) / side, (y + 0.5) / side};
    Vec2 p[3];
    for (size_t k = 0; k < 3; ++k) {
      const MeshCoordinate& c = bake_.atlas.mesh.coordinates()[t[k]];
      p[k] = Vec2{static_cast<double>(c[0]), static_cast<double>(c[1])} - at;
    }
    std::array<double, 3> shares{};
    double sum = 0;
    for (size_t k = 0; k < 3; ++k) {
      const Vec2 a = p[(k + 1) % 3], b = p[(k + 2) % 3];
      sum += shares[k] = a.x * b.y - a.y * b.x;
    }
    if (sum == 0) return {1, 0, 0};
    for (double& share : shares) share = std::clamp(share / sum, 0.0, 1.0);
    return shares;
  }

  void texel(int x, int y) {
    const Mesh& mesh = bake_.atlas.mesh;
    const MeshTriangle& t = mesh.triangles()[owners_(x, y)];
    const std::array<double, 3> shares = shares_at(t, x, y);
    SurfacePlace place;
    Vec3 normal, tangent;
    place.at = mesh.centre();
    for (size_t k = 0; k < 3; ++k) {
      place.at = place.at + to_vec(mesh.positions()[t[k]]) * shares[k];
      normal = normal + to_vec(mesh.normals()[t[k]]) * shares[k];
      if (!tangents_.empty()) {
        const std::array<float, 4>& along = tangents_[t[k]];
        tangent = tangent + to_vec({along[0], along[1], along[2]}) * shares[k];
      }
    }
    const double size = length(normal);
    place.normal = size > 1e-9 ? normal * (1 / size) : Vec3{0, 0, 1};
    place.footprint = 1 / bake_.atlas.per_metre[bake_.atlas.charts[owners_(x, y)]];
    own_rock_.tell(t, shares, place);
    const GroundLook look = ground_.look(place);
    if (colour_) {
      uint8_t* rgb = at(colour_, x, y);
      rgb[0] = srgb_(look.albedo.r), rgb[1] = srgb_(look.albedo.g), rgb[2] = srgb_(look.albedo.b);
    }
    if (normal_) put_normal(look.normal, place.normal, tangent, at(normal_, x, y));
    if (roughness_) *at(roughness_, x, y) = byte_of(255 * static_cast<double>(look.roughness));
    if (occlusion_) {
      double light = 0;
      for (size_t k = 0; k < 3; ++k) light += shares[k] * static_cast<double>(light_[bake_.atlas.sources[t[k]]]);
      *at(occlusion_, x, y) = byte_of(255 * light);
    }
    put_weights(look, x, y);
  }

  /// As glTF's tangent space has it: x along u, y up the picture.
  static void put_normal(Vec3 seen, Vec3 mesh, Vec3 tangent, uint8_t* xyz) {
    tangent = tangent - mesh * dot(mesh, tangent);
    const double size = length(tangent);
    if (size > 1e-9) tangent = tangent * (1 / size);
    Vec3 n = size > 1e-9 ? Vec3{dot(seen, tangent), dot(seen, cross(mesh, tangent)), dot(seen, mesh)} : Vec3{0, 0, 1};
    // What would look through the mesh lies along it.
    n.z = std::max(n.z, 0.05);
    n = n * (1 / length(n));
    xyz[0] = byte_of(127.5 * (n.x + 1)), xyz[1] = byte_of(127.5 * (n.y + 1)), xyz[2] = byte_of(127.5 * (n.z + 1));
  }

  void put_weights(const GroundLook& look, int x, int y) {
    if (weights_.empty()) return;
    std::array<double, ground_kinds> shares{};
    for (size_t k = 0; k < ground_kinds; ++k) shares[k] = static_cast<double>(look.weights[k]);
    const auto bytes = weight_bytes(shares);
    for (size_t k = 0; k < ground_kinds; ++k) {
      if (params_.weights == WeightMaps::grey)
        *at(weights_[k], x, y) = bytes[k];
      else
        at(weights_[k / 4], x, y)[k % 4] = bytes[k];
    }
  }

  /// Texels without a triangle take what their neighbours have, ring by ring; what is left becomes the mean, so that
  /// small copies of a map stay close to it.
  void fill_gutters(const Context& context) {
    const int size = bake_.atlas.size;
    Grid<uint8_t> known(size, size);
    for (int64_t i = 0; i < owners_.size(); ++i) known.data()[i] = owners_.data()[i] != none ? 1 : 0;
    std::vector<std::pair<int, int>> edge;
    for (int y = 0; y < size; ++y)
      for (int x = 0; x < size; ++x)
        if (known(x, y) == 0) edge.emplace_back(x, y);
    for (BakedMap& map : bake_.maps.maps) fill_with_mean(map.image);
    for (int ring = 0; ring < bake_.atlas.gutter + 1; ++ring) {
      context.check();
      std::vector<std::pair<int, int>> left, found;
      for (const auto& [x, y] : edge) (copy_neighbour(x, y, known) ? found : left).emplace_back(x, y);
      for (const auto& [x, y] : found) known(x, y) = 1;
      edge.swap(left);
    }
  }

  bool copy_neighbour(int x, int y, const Grid<uint8_t>& known) {
    static constexpr int ways[8][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    for (const auto& way : ways) {
      const int from_x = x + way[0], from_y = y + way[1];
      if (from_x < 0 || from_y < 0 || from_x >= bake_.atlas.size || from_y >= bake_.atlas.size) continue;
      if (known(from_x, from_y) == 0) continue;
      for (BakedMap& map : bake_.maps.maps)
        std::copy_n(map.image.at(from_x, from_y), map.image.channels, map.image.at(x, y));
      return true;
    }
    return false;
  }

  void fill_with_mean(Image& image) const {
    std::array<uint64_t, 4> sums{};
    uint64_t count = 0;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        if (owners_(x, y) == none) continue;
        ++count;
        for (int k = 0; k < image.channels; ++k) sums[static_cast<size_t>(k)] += image.at(x, y)[k];
      }
    if (count == 0) return;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        if (owners_(x, y) == none)
          for (int k = 0; k < image.channels; ++k)
            image.at(x, y)[k] = static_cast<uint8_t>(sums[static_cast<size_t>(k)] / count);
  }

  const BakeParams& params_;
  VolumeGround ground_;
  RockOfMesh own_rock_;
  MeshBake bake_;
  std::vector<float> light_;  ///< of the given mesh's vertices
  std::vector<std::array<float, 4>> tangents_;
  Grid<uint32_t> owners_;
  SrgbBytes srgb_;
  Map colour_, normal_, roughness_, occlusion_;
  std::vector<size_t> weights_;
};

}  // namespace

MeshBake bake(const Mesh& mesh, const BakeParams& params, const MeshOrigin& origin, std::optional<double> sea_level,
              const Context& context) {
  if (params.size && (*params.size < least_size || *params.size > largest_size))
    refuse(fmt::format("an atlas of {} texels along each side", *params.size),
           fmt::format("{} to {}", least_size, largest_size));
  if (sea_level && !std::isfinite(*sea_level)) refuse("the sea level must be a finite number");
  return MeshBaker(mesh, params, origin, sea_level, context).bake(context);
}

}  // namespace tepui
