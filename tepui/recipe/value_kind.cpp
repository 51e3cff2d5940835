#include "tepui/recipe/value_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/formats.h"
#include "tepui/io/mesh/mesh_file.h"
#include "tepui/io/mesh_export.h"
#include "tepui/io/raster/vti.h"
#include "tepui/io/table/lines_write.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/render/ground/bake.h"
#include "tepui/terrain/normalise.h"
#include "tepui/volume/samples.h"

namespace tepui {

namespace {

constexpr int64_t texture_side = 2048;
/// How much of a skyline's picture the highest ridge fills.
constexpr double skyline_share = 0.66;
constexpr double narrowest_with_axes = 600;

Interval land_heights(const Value& value, const Context& context) {
  const Layer* height = std::get<Terrain>(value).find("height");
  if (height == nullptr) return {};
  const MinMax range = min_max(height->grid(), context);
  return {static_cast<double>(range.low), static_cast<double>(range.high)};
}

Drawing draw_land(const Value& value, const FigureParams& params, const Setting& around, const Context& context) {
  return draw_figure(std::get<Terrain>(value), params, context, around.sea_level, around.its_rock());
}

std::vector<std::string> land_options(const std::string& file) {
  const FileFormat* format = find_format(file);
  return format != nullptr ? format->options : std::vector<std::string>();
}

void check_land(const Value& value, const ExportRequest& request) { check_export(std::get<Terrain>(value), request); }

std::vector<FileRecord> write_land_value(const Value& value, const ExportRequest& request, const Setting& around,
                                         const Context& context) {
  return write_land(std::get<Terrain>(value), request, around.sea_level, context);
}

Interval rock_heights(const Value& value, const Context&) { return std::get<Geology>(value).root().levels(); }

Drawing draw_rock(const Value& value, const FigureParams& params, const Setting& around, const Context& context) {
  return draw_figure(std::get<Geology>(value), around.world, params, context);
}

Interval lines_heights(const Value& value, const Context&) {
  const LinesExtent extent = extent_of(std::get<Lines>(value));
  return {extent.low.z, extent.high.z};
}

Drawing draw_lines(const Value& value, const FigureParams& params, const Setting&, const Context& context) {
  return draw_figure(std::get<Lines>(value), params, context);
}

std::vector<FileRecord> write_lines(const Value& value, const ExportRequest& request, const Setting&,
                                    const Context& context) {
  return {record_file(request.path, tepui::write_lines(request.path, std::get<Lines>(value), context))};
}

Interval volume_heights(const Value& value, const Context&) {
  const Box3 box = std::get<Volume>(value).support();
  return box.empty() ? Interval{} : Interval{box.low.z, box.high.z};
}

Drawing draw_volume(const Value& value, const FigureParams& params, const Setting&, const Context& context) {
  return draw_figure(std::get<Volume>(value), params, context);
}

Interval mesh_heights(const Value& value, const Context&) {
  const auto [low, high] = std::get<Mesh>(value).world_bounds();
  return {low.z, high.z};
}

std::vector<FileRecord> write_mesh_value(const Value& value, const ExportRequest& request, const Setting&,
                                         const Context& context) {
  return export_mesh(std::get<Mesh>(value), request, context.stage("writing", 0, 1));
}

std::vector<std::string> mesh_options(const std::string& file) {
  std::vector<std::string> options{"tiles"};
  if (file_ending(file) == ".glb") options.insert(options.end(), {"quantise", "meshopt"});
  return options;
}

bool is_sampled(const std::string& file) {
  const std::string ending = file_ending(file);
  return ending == ".npy" || ending == ".vti";
}

/// What is asked for, or all of `box`.
SampleGrid grid_of(const OutputParams& options, const Box3& box) {
  const Box3 asked{options.low.value_or(box.low), options.high.value_or(box.high)};
  if ((options.low || options.high) && (asked.empty() || asked.low == asked.high))
    refuse("\"low\" must lie below \"high\" on every axis",
           "for example \"low\": [0, 0, 0], \"high\": [500, 500, 200]");
  return sample_grid(asked, options.cell);
}

/// Of the numbers that `level` gives.
std::vector<FileRecord> write_samples(const std::string& path, const SampleGrid& grid, SampledQuantity quantity,
                                      const std::function<void(int64_t, float*)>& level, const Context& context) {
  VolumeSamples samples;
  samples.name = quantity == SampledQuantity::field ? "field" : "resistance";
  samples.origin = grid.origin;
  samples.spacing = {grid.cell, grid.cell, grid.cell};
  samples.nx = grid.nx, samples.ny = grid.ny, samples.nz = grid.nz;
  samples.slab = [&](int64_t z, std::span<float> out) { level(z, out.data()); };
  const bool npy = file_ending(path) == ".npy";
  (npy ? write_npy_volume : write_vti)(path, samples, context);
  FileRecord record = record_file(path, npy ? "NPY" : "VTI");
  record.layers = {samples.name};
  record.bits = 32;
  const Vec3 last{static_cast<double>(grid.nx - 1), static_cast<double>(grid.ny - 1), static_cast<double>(grid.nz - 1)};
  record.bounds = {grid.origin, grid.origin + last * grid.cell};
  return {record};
}

std::vector<FileRecord> write_rock_samples(const std::string& path, const Geology& rock, const SampleGrid& grid,
                                           const Context& context) {
  const Context task = context.told_to(nullptr);
  return write_samples(
      path, grid, SampledQuantity::resistance,
      [&](int64_t z, float* out) { sample_resistance(rock, grid, z, out, task); }, context);
}

/// Over the world, between the heights that the rock tells.
SampleGrid rock_grid(const Geology& rock, const ExportRequest& request, const Frame& world) {
  Interval levels = rock.root().levels();
  if (!(levels.low < levels.high)) levels.high = levels.low + 0.15 * world.shorter_side();
  const Vec3 low{world.origin.x, world.origin.y, levels.low};
  return grid_of(request.options, {low, {low.x + world.size.x, low.y + world.size.y, levels.high}});
}

std::vector<FileRecord> write_rock(const Value& value, const ExportRequest& request, const Setting& around,
                                   const Context& context) {
  const Geology& rock = std::get<Geology>(value);
  return write_rock_samples(request.path, rock, rock_grid(rock, request, around.world), context);
}

std::vector<std::string> volume_options(const std::string& file) {
  if (is_sampled(file)) return {"cell", "sample", "low", "high"};
  std::vector<std::string> options = mesh_options(file);
  options.emplace_back("cell");
  return options;
}

PolygonizeParams polygonize_params(const ExportRequest& request) {
  PolygonizeParams params;
  if (request.options.cell) params.cell = metres(*request.options.cell);
  return params;
}

void check_volume(const Value& value, const ExportRequest& request) {
  const Volume& volume = std::get<Volume>(value);
  if (is_sampled(request.path)) {
    grid_of(request.options, volume.support());
    return;
  }
  check_mesh_request(request);
  polygonize_lattice(volume, polygonize_params(request));
}

std::vector<FileRecord> write_volume(const Value& value, const ExportRequest& request, const Setting& around,
                                     const Context& context) {
  const Volume& volume = std::get<Volume>(value);
  if (is_sampled(request.path)) {
    const SampleGrid grid = grid_of(request.options, volume.support());
    if (request.options.sample == SampledQuantity::resistance)
      return write_rock_samples(request.path, volume.rock(), grid, context);
    const Context task = context.told_to(nullptr);
    return write_samples(
        request.path, grid, SampledQuantity::field,
        [&](int64_t z, float* out) { sample_field(volume, grid, z, out, task); }, context);
  }
  const Mesh mesh = polygonize(volume, polygonize_params(request), context.stage("polygonize", 0, 0.5));
  return write_mesh_value(mesh, request, around, context.stage("writing", 0.5, 1));
}

std::vector<std::string> volume_endings() {
  std::vector<std::string> endings = mesh_endings();
  endings.insert(endings.end(), {".npy", ".vti"});
  return endings;
}

const std::vector<ValueKind>& kinds() {
  static const std::vector<ValueKind> all = {
      {.type = ValueType::terrain,
       .noun = "land",
       .label = "Land",
       .endings = export_endings(),
       .figures = {"map", "section", "wireframe", "profile", "histogram", "turntable"},
       .pictured = true,
       .heights = land_heights,
       .draw = draw_land,
       .options = land_options,
       .check = check_land,
       .write = write_land_value},
      {.type = ValueType::geology,
       .noun = "rock",
       .label = "Rock",
       .endings = {".npy", ".vti"},
       .figures = {"section"},
       .takes_world = true,
       .heights = rock_heights,
       .draw = draw_rock,
       .options = [](const std::string&) -> std::vector<std::string> {
         return {"cell", "low", "high"};
       },
       .write = write_rock},
      {.type = ValueType::lines,
       .noun = "lines",
       .label = "Lines",
       .endings = lines_endings(),
       .figures = {"skyline"},
       .heights = lines_heights,
       .draw = draw_lines,
       .write = write_lines},
      {.type = ValueType::volume,
       .noun = "volumes",
       .label = "Volume",
       .endings = volume_endings(),
       .figures = {"section", "turntable"},
       .pictured = true,
       .heights = volume_heights,
       .draw = draw_volume,
       .options = volume_options,
       .check = check_volume,
       .write = write_volume},
      {.type = ValueType::mesh,
       .noun = "meshes",
       .label = "Mesh",
       .endings = mesh_endings(),
       .figures = {"turntable"},
       .pictured = true,
       .heights = mesh_heights,
       .options = mesh_options,
       .check = [](const Value&, const ExportRequest& request) { check_mesh_request(request); },
       .write = write_mesh_value},
  };
  return all;
}

bool holds(const ValueKind& kind, const std::string& ending) {
  return std::ranges::find(kind.endings, ending) != kind.endings.end();
}

std::string drawn_as(const ValueKind& kind) {
  return fmt::format("\"figure\": {{ \"kind\": \"{}\" }}", kind.figures.front());
}

/// With axes and legend, and yet of the figure's size on the whole.
Image draw_with_axes(const Value& value, FigureParams figure, const Setting& around, const Context& context) {
  const Vec2 whole = *figure.size;
  figure.axes = true;
  figure.size = whole * 0.6;
  const Drawing first = value_kind(value).draw(value, figure, around, context.stage("measure", 0, 0.3));
  const Vec2 frame = Vec2{first.width(), first.height()} - *figure.size;
  figure.size = Vec2{std::max(whole.x - frame.x, 1.0), std::max(whole.y - frame.y, 1.0)};
  const Drawing second = value_kind(value).draw(value, figure, around, context.stage("draw", 0.3, 1));
  Drawing page(whole.x, whole.y);
  page.place({std::floor((whole.x - second.width()) / 2), std::floor((whole.y - second.height()) / 2)}, second);
  return page.raster();
}

}  // namespace

const ValueKind& value_kind(ValueType type) { return kinds()[static_cast<size_t>(type)]; }

const std::vector<std::string>& value_endings() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    for (const ValueKind& kind : kinds())
      for (const std::string& ending : kind.endings)
        if (std::ranges::find(list, ending) == list.end()) list.push_back(ending);
    return list;
  }();
  return all;
}

void check_value_file(const std::string& file, ValueType type, const std::string& from) {
  const ValueKind& kind = value_kind(type);
  const std::string ending = file_ending(file);
  if (holds(kind, ending)) return;
  const bool drawn = ending == ".png" || ending == ".webp" || ending == ".svg";
  const std::string how =
      type != ValueType::terrain && kind.pictured && ending != ".svg" ? R"("render": {})" : drawn_as(kind);
  if (kind.pictured && !std::ranges::any_of(kinds(), [&](const ValueKind& other) { return holds(other, ending); }))
    refuse(fmt::format("output '{}' has an ending that is not known", file),
           drawn ? "draw it: " + how : fmt::format("known are {}", fmt::join(kind.endings, ", ")));
  const std::string why = fmt::format("'{}' cannot hold {}, which {} gives", file, kind.noun, from);
  refuse(why,
         drawn ? "draw it: " + how : fmt::format("endings for {} are {}", kind.noun, fmt::join(kind.endings, ", ")));
}

bool takes_option(ValueType type, const std::string& file, std::string_view option) {
  const ValueKind& kind = value_kind(type);
  if (kind.options == nullptr || !holds(kind, file_ending(file))) return false;
  const std::vector<std::string> taken = kind.options(file);
  return std::ranges::find(taken, option) != taken.end();
}

void require_option(ValueType type, const std::string& file, std::string_view option) {
  if (takes_option(type, file, option)) return;
  if (type == ValueType::terrain) return require_option(file, option);
  std::vector<std::string> takers;
  const ValueKind& kind = value_kind(type);
  for (const std::string& ending : kind.endings)
    if (takes_option(type, "a" + ending, option)) takers.push_back(ending);
  refuse(fmt::format("'{}' is not for '{}', which holds {}", option, file_name(file), kind.noun),
         takers.empty() ? fmt::format("leave it out: no file of {} takes it", kind.noun)
                        : fmt::format("of {} it is for {}", kind.noun, fmt::join(takers, ", ")));
}

void require_pictured(ValueType type, const std::string& from) {
  const ValueKind& kind = value_kind(type);
  if (!kind.pictured)
    refuse(fmt::format("{} gives {}, and pictures in sun and sky show land, volumes and meshes", from, kind.noun),
           fmt::format("draw a figure of kind {}", fmt::join(kind.figures, ", ")));
}

FigureParams usual_figure(ValueType type) {
  FigureParams params;
  Fields<FigureParams> fields;
  describe(fields);
  const std::vector<std::string>& names =
      fields.table().fields[static_cast<size_t>(fields.table().find("kind"))].choices;
  const auto found = std::ranges::find(names, value_kind(type).figures.front());
  params.kind = static_cast<FigureKind>(found - names.begin());
  params.axes = false;
  return params;
}

Picture picture_value(const Value& value, const PictureParams& params, const Setting& around, const Context& context) {
  if (const Mesh* mesh = std::get_if<Mesh>(&value)) return draw_picture(*mesh, params, around.sea_level, context);
  if (const Volume* volume = std::get_if<Volume>(&value))
    return draw_picture(*volume, params, around.sea_level, context);
  return draw_picture(require_land(value, "what a picture shows"), params, around.sea_level, context,
                      around.its_rock());
}

Image draw_value(const Value& value, const PictureParams& params, const Setting& around, const Context& context) {
  if (value_kind(value).pictured) return picture_value(value, params, around, context).image;
  FigureParams figure = usual_figure(value_type(value));
  Vec2 size = params.wanted_size();
  if (!(size.x > 0)) size.x = size.y > 0 ? std::round(size.y * 16 / 9) : 960;
  if (!(size.y > 0)) size.y = std::round(size.x * 9 / 16);
  figure.size = size;
  figure.range = params.frame;
  if (params.frame && figure.kind == FigureKind::skyline) {
    const double foot = std::min(0.0, params.frame->low);
    figure.range = Interval{foot, foot + (params.frame->high - foot) / skyline_share};
  }
  const bool explained = params.legend && figure.kind == FigureKind::section && size.x >= narrowest_with_axes;
  return explained ? draw_with_axes(value, figure, around, context)
                   : value_kind(value).draw(value, figure, around, context).raster();
}

std::vector<FileRecord> write_land(const Terrain& land, ExportRequest request, std::optional<double> sea_level,
                                   const Context& context) {
  if (file_ending(request.path) != ".glb") return export_files(land, request, context.stage("writing", 0, 1));
  BakeParams look;
  look.size = static_cast<int>(std::min(std::max(land.frame().width, land.frame().height), texture_side));
  look.palette = request.options.palette;
  look.normal = NormalMap::mesh;
  look.slope = false;
  look.weights = WeightMaps::none;
  const Bake maps = bake(land, look, sea_level, context.stage("look", 0, 0.6));
  request.textures = {
      .colour = maps.find("colour"), .normal = maps.find("normal"), .occlusion = maps.find("occlusion")};
  return export_files(land, request, context.stage("writing", 0.6, 1));
}

}  // namespace tepui
