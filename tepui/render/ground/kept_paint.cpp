#include "tepui/render/ground/kept_paint.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "tepui/core/hash.h"
#include "tepui/core/parallel.h"
#include "tepui/render/ground/map_bytes.h"
#include "tepui/render/ground/rock_columns.h"
#include "tepui/render/ground/volume_ground.h"

namespace tepui {

class KeptPaint {
 public:
  Hash setting;  ///< what all colours depend on
  SurfaceParts parts;
  Mesh mesh;  ///< as it came
  Mesh painted;
  std::vector<float> shelter;
  VolumeGround ground;
  std::shared_ptr<const RockColumns> columns;
};

namespace {

Hash setting_of(const SurfaceLattice& lattice, const MeshPaintParams& params) {
  Hasher key;
  key.add(lattice.origin.x).add(lattice.origin.y).add(lattice.origin.z).add(lattice.cell);
  key.add(lattice.nx).add(lattice.ny).add(lattice.nz);
  key.add(params.skin.biome ? static_cast<int64_t>(*params.skin.biome) : int64_t{-1});
  key.add(static_cast<int64_t>(params.skin.season));
  key.add(params.skin.snow_line.has_value()).add(params.skin.snow_line.value_or(0));
  for (const OwnColour& own : params.skin.colours)
    key.add(own.of).add(own.colour.r).add(own.colour.g).add(own.colour.b);
  key.add(params.sea_level.has_value()).add(params.sea_level.value_or(0));
  key.add(params.land != nullptr);
  if (params.land != nullptr) key.add(params.land->hash());
  return key.finish();
}

std::array<Vec3, 2> box_of(const SurfaceLattice& lattice) {
  return {lattice.origin, lattice.at(lattice.nx - 1, lattice.ny - 1, lattice.nz - 1)};
}

/// Which vertices of one mesh are those of another, and which triangles are not.
struct Matched {
  struct Same {
    size_t old_first = 0, first = 0, count = 0;
  };
  std::vector<Same> same;
  std::vector<TriangleSpan> gone, come;
  std::vector<std::pair<size_t, size_t>> fresh;  ///< vertices: the first, and how many

  Matched(const SurfaceParts* old, const SurfaceParts& now) {
    size_t old_vertex = 0, old_triangle = 0, vertex = 0, triangle = 0;
    for (size_t t = 0; t < now.tiles.size(); ++t) {
      const SurfaceParts::Tile& tile = now.tiles[t];
      const SurfaceParts::Tile* was = old != nullptr ? &old->tiles[t] : nullptr;
      if (was != nullptr && was->version == tile.version) {
        same.push_back({old_vertex, vertex, tile.vertices});
      } else {
        fresh.emplace_back(vertex, tile.vertices);
        come.push_back({triangle, tile.triangles});
        if (was != nullptr) gone.push_back({old_triangle, was->triangles});
      }
      if (was != nullptr) old_vertex += was->vertices, old_triangle += was->triangles;
      vertex += tile.vertices, triangle += tile.triangles;
    }
  }
};

/// Paints the vertices that have to be, and takes the rest from what was kept.
class SurfacePainter {
 public:
  SurfacePainter(const Mesh& mesh, const SurfaceParts& parts, const VolumeGround& ground, const RockColumns& columns)
      : data_(mesh.data()),
        shelter_(data_.positions.size()),
        ground_(ground),
        columns_(columns),
        rock_(mesh),
        footprint_(parts.lattice.cell) {
    data_.colours.resize(data_.positions.size());
  }

  void keep(const KeptPaint& kept, const Matched& matched, const std::optional<ColumnZone>& zone,
            const Context& context) {
    for (const Matched::Same& same : matched.same) {
      parallel_chunks(static_cast<int64_t>(same.count), grain, context, [&](int64_t begin, int64_t end) {
        for (auto n = static_cast<size_t>(begin); n < static_cast<size_t>(end); ++n)
          keep(kept, same.old_first + n, same.first + n, zone);
      });
    }
  }

  void paint(const Matched& matched, const Context& context) {
    std::vector<size_t> due;
    for (const auto& [first, count] : matched.fresh)
      for (size_t n = 0; n < count; ++n) due.push_back(first + n);
    parallel_chunks(static_cast<int64_t>(due.size()), grain, context, [&](int64_t begin, int64_t end) {
      for (int64_t n = begin; n < end; ++n) paint(due[static_cast<size_t>(n)]);
    });
  }

  MeshData take() { return std::move(data_); }
  std::vector<float> take_shelter() { return std::move(shelter_); }

 private:
  static constexpr int64_t grain = 1 << 9;

  void keep(const KeptPaint& kept, size_t old, size_t i, const std::optional<ColumnZone>& zone) {
    const SurfacePlace place = place_of(i);
    if (zone && columns_.is_sheltered_from(*zone, place.at, place.normal) &&
        columns_.shelter(place.at, place.normal) != kept.shelter[old])
      return paint(i);
    shelter_[i] = kept.shelter[old];
    data_.colours[i] = kept.painted.colours()[old];
    data_.normals[i] = kept.painted.normals()[old];
  }

  SurfacePlace place_of(size_t i) const {
    const Vec3 normal = to_vec(data_.normals[i]);
    return {data_.centre + to_vec(data_.positions[i]), length(normal) > 0.5 ? normal : Vec3{0, 0, 1}, footprint_};
  }

  void paint(size_t i) {
    SurfacePlace place = place_of(i);
    rock_.tell(static_cast<uint32_t>(i), place);
    const GroundPoint point = ground_.point(place);
    const GroundLook look = ground_.look(point);
    shelter_[i] = point.shelter;
    data_.colours[i] = {srgb_(look.albedo.r), srgb_(look.albedo.g), srgb_(look.albedo.b), 255};
    if (length(to_vec(data_.normals[i])) > 0.5)
      data_.normals[i] = {static_cast<float>(look.normal.x), static_cast<float>(look.normal.y),
                          static_cast<float>(look.normal.z)};
  }

  MeshData data_;
  std::vector<float> shelter_;
  const VolumeGround& ground_;
  const RockColumns& columns_;
  const RockOfMesh rock_;
  const SrgbBytes srgb_;
  double footprint_;
};

}  // namespace

Mesh painted_again(const Mesh& mesh, const SurfaceParts& parts, const MeshPaintParams& params,
                   std::shared_ptr<const KeptPaint>& kept, const Context& context) {
  if (mesh.triangles().empty()) {
    kept.reset();
    return mesh;
  }
  const Hash setting = setting_of(parts.lattice, params);
  const KeptPaint* old = kept != nullptr && kept->setting == setting && kept->parts.tiles.size() == parts.tiles.size()
                             ? kept.get()
                             : nullptr;
  const Matched matched(old != nullptr ? &old->parts : nullptr, parts);
  const std::array<Vec3, 2> box = box_of(parts.lattice);
  std::optional<ColumnZone> zone;
  auto columns = std::make_shared<const RockColumns>(
      old != nullptr ? old->columns->edited(old->mesh, matched.gone, mesh, matched.come, zone)
                     : RockColumns(mesh, box, parts.lattice.cell, context.stage("surface", 0, 0.2)));
  const auto new_ground = [&] {
    VolumeRock made_of{.spacing = parts.lattice.cell};
    if (params.land != nullptr) made_of.land = *params.land;
    VolumeGround ground(params.skin, box, params.sea_level, std::move(made_of), context);
    ground.set_water(params.sea_level);
    return ground;
  };
  VolumeGround ground = old != nullptr ? old->ground : new_ground();
  ground.set_surface(columns);
  SurfacePainter painter(mesh, parts, ground, *columns);
  if (old != nullptr) painter.keep(*old, matched, zone, context);
  painter.paint(matched, context.stage("look", 0.2, 1));
  const Mesh painted(painter.take());
  kept = std::make_shared<const KeptPaint>(
      KeptPaint{setting, parts, mesh, painted, painter.take_shelter(), std::move(ground), std::move(columns)});
  return painted;
}

}  // namespace tepui
