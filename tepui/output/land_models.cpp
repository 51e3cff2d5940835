#include "tepui/output/land_models.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "tepui/io/mesh/glb_parts.h"
#include "tepui/io/tiles.h"
#include "tepui/mesh/simple_land.h"
#include "tepui/mesh/source.h"
#include "tepui/render/ground/bake.h"
#include "tepui/render/ground/water_surface.h"

namespace tepui {

namespace {

constexpr int64_t texture_side = 2048;

/// The textures of one level of detail are those of a land of so many texels; tiles have their share of them.
BakeParams look_of(const Terrain& land, const ExportRequest& request, int level) {
  BakeParams look;
  const int64_t longer = std::max(land.frame().width, land.frame().height);
  const int64_t side = request.options.is_tiled() ? longer : std::min(longer, texture_side);
  const auto texels = [&](int64_t most) {
    return std::max(1,
                    static_cast<int>(static_cast<double>(std::min(side, most)) * std::pow(texels_of_next_lod, level)));
  };
  look.size = texels(largest_bake);
  static_cast<SkinParams&>(look) = request.options.skin();
  look.normal = NormalMap::mesh;
  look.slope = false;
  look.water = false;
  look.weights = WeightMaps::none;
  return look;
}

class LandModels {
 public:
  LandModels(const Terrain& land, const ExportRequest& request, std::optional<double> sea_level, const Context& context)
      : land_(land), request_(request), sea_level_(sea_level), tiled_(request.options.is_tiled()), sheet_(land) {
    const Frame& frame = land.frame();
    windows_ = tiled_ ? tile_windows(request.path, frame, request.options.tiles)
                      : std::vector<TileWindow>{{0, 0, 0, 0, frame.width, frame.height}};
    const double cell = std::min(frame.cell.x, frame.cell.y);
    error_ = request.options.error.value_or(unseen_error(frame));
    // Coarser levels of a mesh that keeps every sample start from what nobody sees.
    next_error_ = error_of_next_lod * (error_ > 0 ? error_ : unseen_error(frame));
    collision_error_ = std::max(cell, error_);
    if (request.options.water) inland_ = InlandWater(land, context);
    if (tiled_) step_ = glb_step(bounds_of_a_tile());
  }

  std::vector<FileRecord> write(const Context& context) {
    const OutputParams& options = request_.options;
    const int files = options.lods + (options.collision ? 1 : 0);
    for (int level = 0; level < options.lods; ++level) write_level(level, share(level, files, context));
    if (options.collision) write_collision(share(files - 1, files, context));
    return std::move(records_);
  }

 private:
  static Context share(size_t i, size_t count, const Context& context) {
    return context.stage("writing", static_cast<double>(i) / static_cast<double>(count),
                         static_cast<double>(i + 1) / static_cast<double>(count));
  }
  static Context share(int i, int count, const Context& context) {
    return share(static_cast<size_t>(i), static_cast<size_t>(count), context);
  }

  /// As large as any.
  MeshBox bounds_of_a_tile() const {
    MeshBox box = sheet_.facts().bounds;
    box.high[0] = box.low[0] + static_cast<float>(static_cast<double>(windows_.front().width) * land_.frame().cell.x);
    box.high[1] = box.low[1] + static_cast<float>(static_cast<double>(windows_.front().height) * land_.frame().cell.y);
    return box;
  }

  Terrain tile_of(const TileWindow& window) const {
    return tiled_ ? cut_tile(land_, window, {"height", "void"}) : land_;
  }

  /// Nothing where all samples are kept.
  std::optional<Mesh> surface_of(const Terrain& tile, double error, const Context& context) const {
    if (tiled_) return simple_tile(sheet_, land_.frame(), tile, error, context);
    if (!(error > 0)) return std::nullopt;
    return simple_land(land_, {.error = error}, context);
  }

  void write_level(int level, const Context& context) {
    double error = level == 0 ? error_ : next_error_;
    if (level > 0) next_error_ *= error_of_next_lod;
    std::optional<Mesh> small;
    if (level == 0 && !request_.options.error) {
      SmallLand found = small_land(land_, context.stage("", 0, 0.1));
      error = found.error;
      if (!tiled_) small = std::move(found.mesh);
    }
    const LandMaps maps(land_, look_of(land_, request_, level), sea_level_, context.stage("look", 0.1, 0.4));
    const Context rest = context.stage("writing", 0.4, 1);
    for (size_t i = 0; i < windows_.size(); ++i) {
      const Terrain tile = tile_of(windows_[i]);
      const Context step = share(i, windows_.size(), rest);
      const std::optional<Mesh> surface = small ? small : surface_of(tile, error, step.stage("", 0, 0.1));
      write_textured(tile, windows_[i], level, surface ? &*surface : nullptr, maps, step.stage("", 0.1, 1));
    }
  }

  void write_textured(const Terrain& tile, const TileWindow& window, int level, const Mesh* surface,
                      const LandMaps& maps, const Context& context) {
    ExportRequest request = request_;
    request.path = path_of(lod_name(request_.path, level), window);
    request.coarser = level;
    request.surface = surface;
    if (window.x > 0 || window.y > 0) request.scene = nullptr;
    const Bake bake = maps.bake(window, surface, context.stage("look", 0, 0.5));
    request.textures = {.colour = bake.find("colour"),
                        .normal = bake.find("normal"),
                        .occlusion = bake.find("occlusion"),
                        .roughness = bake.find("roughness")};
    Mesh water;
    if (request_.options.water) {
      water = water_surface(land_, inland_, sea_level_, window, sheet_.facts().centre, context);
      if (!water.triangles().empty()) request.water = &water;
    }
    add(tile, window, request, context.stage("writing", 0.5, 1));
  }

  void write_collision(const Context& context) {
    for (size_t i = 0; i < windows_.size(); ++i) {
      ExportRequest request = request_;
      request.path = path_of(collision_name(request_.path), windows_[i]);
      request.standing = {};
      request.name_suffix = collision_suffix;
      const Terrain tile = tile_of(windows_[i]);
      const Context step = share(i, windows_.size(), context);
      const Mesh dressed = *surface_of(tile, collision_error_, step.stage("", 0, 0.5));
      const Mesh bare(MeshData{.centre = dressed.centre(),
                               .positions = {dressed.positions().begin(), dressed.positions().end()},
                               .triangles = {dressed.triangles().begin(), dressed.triangles().end()}});
      request.surface = &bare;
      request.scene = nullptr;
      add(tile, windows_[i], request, step.stage("writing", 0.5, 1));
    }
  }

  std::string path_of(const std::string& name, const TileWindow& window) const {
    return tiled_ ? tile_name(name, window.x, window.y) : name;
  }

  void add(const Terrain& tile, const TileWindow& window, ExportRequest& request, const Context& context) {
    request.options.lods = 1;
    request.options.collision = false;
    const Vec2 tiles = std::exchange(request.options.tiles, Vec2{1, 1});
    request.step = step_;
    std::vector<FileRecord> written = export_files(tile, request, context);
    if (tiled_)
      for (FileRecord& record : written)
        record.tile = {window.x, window.y, static_cast<int64_t>(tiles.x), static_cast<int64_t>(tiles.y)};
    std::ranges::move(written, std::back_inserter(records_));
  }

  const Terrain& land_;
  const ExportRequest& request_;
  std::optional<double> sea_level_;
  bool tiled_;
  LandMesh sheet_;
  std::vector<TileWindow> windows_;  ///< one of all where there are no tiles
  InlandWater inland_;
  double error_ = 0, next_error_ = 0, collision_error_ = 0, step_ = 0;
  std::vector<FileRecord> records_;
};

}  // namespace

std::vector<FileRecord> write_land_models(const Terrain& land, const ExportRequest& request,
                                          std::optional<double> sea_level, const Context& context) {
  return LandModels(land, request, sea_level, context.stage("water", 0, 0.05)).write(context.stage("", 0.05, 1));
}

}  // namespace tepui
