#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "tepui/core/error.h"
#include "tepui/graph/kept_kinds.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/formats.h"
#include "tepui/io/inspect.h"
#include "tepui/io/read.h"
#include "tepui/io/tiles.h"
#include "tepui/mesh/simple_land.h"
#include "tepui/output/kind_rows.h"
#include "tepui/output/land_output.h"
#include "tepui/recipe/param_words.h"
#include "tepui/render/ground/bake.h"
#include "tepui/render/picture/land_scene.h"
#include "tepui/terrain/normalise.h"
#include "tepui/terrain/statistics.h"

namespace tepui {

namespace {

constexpr int64_t texture_side = 2048;

Interval land_heights(const Value& value, const Context& context) {
  const Layer* height = get<Terrain>(value).find("height");
  if (height == nullptr) return {};
  const MinMax range = min_max(height->grid(), context);
  return {static_cast<double>(range.low), static_cast<double>(range.high)};
}

Drawing draw_land(const Value& value, const FigureParams& params, const Setting& around, const Context& context) {
  return draw_figure(get<Terrain>(value), params, context, around.sea_level, around.its_rock(), around.its_rivers());
}

Value read_land(const std::string& path, const std::vector<std::string>& how, const Context& context) {
  ReadParams params = params_from_words<ReadParams>(how, "'read'");
  if (!params.file.path.empty()) refuse("the file is already given", "remove 'file'");
  params.file.path = path;
  return read(params, context);
}

void check_land(const Value& value, const ExportRequest& request) { check_export(get<Terrain>(value), request); }

bool view_land(const Value& value, const ViewParams& params, SharedView& view, const Context& context) {
  return view.add(get<Terrain>(value), params, context);
}

std::string describe(const Value& value, const Context& context) {
  return info_json(terrain_info(get<Terrain>(value), context));
}

std::string text_of(const Value& value, const Context& context) {
  const Terrain& land = get<Terrain>(value);
  std::string text = frame_text(land.frame()) + "\n";
  for (const Layer& layer : land.layers()) {
    const LayerStatistics s = statistics(layer.grid(), context);
    text += fmt::format("  {:<10} {:>9.3f} to {:.3f} {}, mean {:.3f}\n", layer.name, s.min, s.max, layer.unit, s.mean);
  }
  return text;
}

bool same_cells(const Layer* a, const Layer* b) {
  return a != nullptr && b != nullptr && std::ranges::equal(a->grid().cells(), b->grid().cells());
}

/// The layer that is new or other than before on ground that is as before.
std::string added_layer(const Value& was, const Value& is) {
  const Terrain &before = get<Terrain>(was), &after = get<Terrain>(is);
  if (!(before.frame() == after.frame()) || !same_cells(before.find("height"), after.find("height"))) return {};
  for (const Layer& layer : after.layers())
    if (!same_cells(before.find(layer.name), &layer)) return layer.name;
  return {};
}

ManifestLand land_in_manifest(const NodeFacts& facts) {
  const TerrainOutline outline = terrain_outline(facts.outline);
  ManifestLand land;
  land.relief = outline.relief;
  land.place = place_of(outline.frame);
  return land;
}

/// None of land without heights.
std::vector<ToldNumber> measure_land(const Value& value, const Context& context) {
  const Terrain& land = get<Terrain>(value);
  if (land.find("height") == nullptr) return {};
  const ManifestLand told = manifest_land("", land, context);
  return {{"low", told.min, ""}, {"high", told.max, ""}, {"voids", static_cast<double>(told.nodata_cells), ""}};
}

/// The files of a land's GLB: levels of detail, and a mesh for collisions.
class LandModels {
 public:
  LandModels(const Terrain& land, const ExportRequest& request, std::optional<double> sea_level)
      : land_(land), request_(request), sea_level_(sea_level) {
    const double cell = std::min(land.frame().cell.x, land.frame().cell.y);
    error_ = request.options.error.value_or(unseen_error(land.frame()));
    // Coarser levels of a mesh that keeps every sample start from what nobody sees.
    next_error_ = error_of_next_lod * (error_ > 0 ? error_ : unseen_error(land.frame()));
    collision_error_ = std::max(cell, error_);
  }

  std::vector<FileRecord> write(const Context& context) {
    const OutputParams& options = request_.options;
    const int files = options.lods + (options.collision ? 1 : 0);
    for (int level = 0; level < options.lods; ++level) write_level(level, share(level, files, context));
    if (options.collision) write_collision(share(files - 1, files, context));
    return std::move(records_);
  }

 private:
  static Context share(int i, int count, const Context& context) {
    return context.stage("writing", static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
  }

  void write_level(int level, const Context& context) {
    ExportRequest request = request_;
    request.path = lod_name(request_.path, level);
    request.coarser = level;
    const double error = level == 0 ? error_ : next_error_;
    if (level > 0) next_error_ *= error_of_next_lod;
    std::optional<Mesh> surface;
    const Context first = context.stage("", 0, 0.1);
    if (level == 0 && !request.options.error)
      request.surface = &surface.emplace(small_land(land_, first));
    else if (error > 0)
      request.surface = &surface.emplace(simple_land(land_, {.error = error}, first));
    const Bake maps = bake_look(level, request.surface, context.stage("look", 0.1, 0.6));
    request.textures = {.colour = maps.find("colour"),
                        .normal = maps.find("normal"),
                        .occlusion = maps.find("occlusion"),
                        .roughness = maps.find("roughness")};
    add(request, context.stage("writing", 0.6, 1));
  }

  Bake bake_look(int level, const Mesh* surface, const Context& context) const {
    BakeParams look;
    const int64_t side = std::min(std::max(land_.frame().width, land_.frame().height), texture_side);
    look.size = std::max(1, static_cast<int>(static_cast<double>(side) * std::pow(texels_of_next_lod, level)));
    static_cast<SkinParams&>(look) = request_.options.skin();
    look.normal = NormalMap::mesh;
    look.slope = false;
    look.water = false;
    look.weights = WeightMaps::none;
    return bake(land_, look, sea_level_, context, surface);
  }

  void write_collision(const Context& context) {
    ExportRequest request = request_;
    request.path = collision_name(request_.path);
    request.standing = {};
    // Godot makes a node of this ending a body for collisions that is not drawn.
    request.mesh_name = std::filesystem::path(request.path).stem().string() + "-colonly";
    const Mesh dressed = simple_land(land_, {.error = collision_error_}, context.stage("", 0, 0.5));
    const Mesh bare(MeshData{.centre = dressed.centre(),
                             .positions = {dressed.positions().begin(), dressed.positions().end()},
                             .triangles = {dressed.triangles().begin(), dressed.triangles().end()}});
    request.surface = &bare;
    request.scene = nullptr;
    add(request, context.stage("writing", 0.5, 1));
  }

  void add(ExportRequest& request, const Context& context) {
    request.options.lods = 1;
    request.options.collision = false;
    std::ranges::move(export_files(land_, request, context), std::back_inserter(records_));
  }

  const Terrain& land_;
  const ExportRequest& request_;
  std::optional<double> sea_level_;
  double error_ = 0, next_error_ = 0, collision_error_ = 0;
  std::vector<FileRecord> records_;
};

}  // namespace

const Layer& main_layer(const Terrain& land) {
  return land.find("height") != nullptr ? *land.find("height") : land.layers().front();
}

std::vector<FileRecord> write_land(const Terrain& land, ExportRequest request, std::optional<double> sea_level,
                                   const PictureParams* look, const Context& context) {
  const FileFormat* format = writing_format(request.path, Terrain::kind_name);
  if (format == nullptr || format->samples != Samples::mesh) return export_files(land, request, context);
  check_export(land, request);
  if (file_ending(request.path) == ".glb") {
    std::optional<GlbScene> scene;
    if (request.options.scene)
      request.scene = &scene.emplace(
          scene_of_picture(land, look != nullptr ? *look : PictureParams(), sea_level, context.stage("scene", 0, 0.1)));
    return LandModels(land, request, sea_level).write(context.stage("writing", 0.1, 1));
  }
  std::optional<Mesh> surface;
  if (request.options.error.value_or(0) > 0)
    request.surface = &surface.emplace(simple_land(land, {.error = *request.options.error}, context.stage("", 0, 0.3)));
  return export_files(land, request, context.stage("writing", 0.3, 1));
}

OutputKind land_output() {
  return {
      .kind = &kind_of<Terrain>(),
      .figures = {"map", "atlas", "section", "wireframe", "profile", "histogram", "hypsometry", "slope_area",
                  "long_profile", "chi", "turntable"},
      .made_of_rock = true,
      .stood_upon = true,
      .stood_upon_in_glb = true,
      .held_by_images = true,
      .example = "circular_faults | materials | gradation",
      .heights = land_heights,
      .picture =
          [](const Value& value, const PictureParams& params, const Setting& around, const Context& context) {
            return draw_picture(get<Terrain>(value), params, around.sea_level, context, around.its_rock(),
                                around.scatter);
          },
      .draw = draw_land,
      .view = view_land,
      .read = read_land,
      .file_info = [](const std::string& path, const Context& context) { return info_json(inspect(path, context)); },
      .check = check_land,
      .write =
          [](const Value& value, const ExportRequest& request, const Setting& around, const Context& context) {
            ExportRequest own = request;
            own.standing = around.scatter;
            return write_land(get<Terrain>(value), own, around.sea_level, around.its_look(), context);
          },
      .info = describe,
      .text = text_of,
      .added = added_layer,
      .land = land_in_manifest,
      .measure = measure_land};
}

}  // namespace tepui
