#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/graph/kept_kinds.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/formats.h"
#include "tepui/io/inspect.h"
#include "tepui/io/read.h"
#include "tepui/mesh/simple_land.h"
#include "tepui/output/kind_rows.h"
#include "tepui/output/land_models.h"
#include "tepui/output/land_output.h"
#include "tepui/recipe/param_words.h"
#include "tepui/render/picture/land_scene.h"
#include "tepui/terrain/normalise.h"
#include "tepui/terrain/statistics.h"

namespace tepui {

namespace {

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
    return write_land_models(land, request, sea_level, context.stage("writing", 0.1, 1));
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
      .as_land = [](const Value& value) -> const Terrain& { return get<Terrain>(value); },
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
