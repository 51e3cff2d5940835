#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tepui/core/error.h"
#include "tepui/io/mesh_export.h"
#include "tepui/io/mesh_file.h"
#include "tepui/io/tiles.h"
#include "tepui/mesh/simplify.h"
#include "tepui/output/kind_rows.h"
#include "tepui/output/output_kind.h"
#include "tepui/render/ground/mesh_bake.h"
#include "tepui/render/ground/mesh_paint.h"
#include "tepui/render/ground/volume_ground.h"

namespace tepui {

namespace {

Interval mesh_heights(const Value& value, const Context&) {
  const auto [low, high] = get<Mesh>(value).world_bounds();
  return {low.z, high.z};
}

bool is_painted(const Mesh& mesh, const OutputParams& options) {
  return options.paint ? *options.paint == MeshColouring::natural : mesh.colours().empty();
}

std::vector<FileRecord> write_textured(const Mesh& mesh, const ExportRequest& request, const Setting& around,
                                       const Context& context) {
  BakeParams look;
  look.size = request.options.texture;
  static_cast<SkinParams&>(look) = request.options.skin();
  look.normal = NormalMap::mesh;
  look.weights = WeightMaps::none;
  const MeshBake baked =
      bake(mesh, look, {around.its_rock(), around.its_land()}, around.sea_level, context.stage("look", 0, 0.7));
  ExportRequest own = request;
  own.textures = {.colour = baked.maps.find("colour"),
                  .normal = baked.maps.find("normal"),
                  .occlusion = baked.maps.find("occlusion"),
                  .roughness = baked.maps.find("roughness"),
                  .charted = true,
                  .closed = is_closed(StoredMesh(mesh), context)};
  return export_mesh(baked.atlas.mesh, own, context.stage("writing", 0.7, 1));
}

/// With the look of the ground, where the file takes it.
std::vector<FileRecord> write_dressed(const Mesh& mesh, const ExportRequest& request, const Setting& around,
                                      const Context& context) {
  if (!takes_option(kind_of<Mesh>(), request.path, "paint") ||
      !(request.options.texture || is_painted(mesh, request.options)))
    return export_mesh(mesh, request, context.stage("writing", 0, 1));
  if (request.options.texture) return write_textured(mesh, request, around, context);
  const MeshPaintParams look{request.options.skin(), around.sea_level, around.its_land()};
  const Mesh coloured = painted(mesh, look, context.stage("look", 0, 0.5));
  ExportRequest own = request;
  own.textures.roughness_factor = mean_roughness(coloured);
  return export_mesh(coloured, own, context.stage("writing", 0.5, 1));
}

/// The GLBs of a mesh: levels of detail, and a mesh for collisions.
class MeshModels {
 public:
  MeshModels(const Mesh& mesh, const ExportRequest& request, const Setting& around)
      : mesh_(mesh), request_(request), around_(around), spacing_(spacing_of(mesh)) {
    const double unseen = unseen_share * spacing_;
    error_ = request.options.error.value_or(request.made_for_it ? unseen : 0);
    next_error_ = error_of_next_lod * (error_ > 0 ? error_ : unseen);
  }

  std::vector<FileRecord> write(const Context& context) {
    const OutputParams& options = request_.options;
    const int files = options.lods + (options.collision ? 1 : 0);
    const auto share = [&](int i) { return context.stage("writing", 1.0 * i / files, 1.0 * (i + 1) / files); };
    for (int level = 0; level < options.lods; ++level) write_level(level, share(level));
    if (options.collision) write_collision(share(files - 1));
    return std::move(records_);
  }

 private:
  static constexpr double unseen_share = 0.1, longest_in_cells = 4;
  static constexpr int least_texels = 64;

  Mesh within(double error, std::optional<double> longest, const Context& context) const {
    if (!(error > 0) || mesh_.triangles().empty()) return mesh_;
    return simplify(mesh_, {.error = error, .longest = longest}, context);
  }

  /// Colours on vertices are no further apart than this, unless an error is asked for.
  std::optional<double> longest_at(int level) const {
    if (request_.options.error || request_.options.texture) return std::nullopt;
    return longest_in_cells * spacing_ * std::ldexp(1.0, level);
  }

  void write_level(int level, const Context& context) {
    ExportRequest request = only_file(lod_name(request_.path, level));
    if (request.options.texture) request.options.texture = std::max(*request.options.texture >> level, least_texels);
    const double error = level == 0 ? error_ : next_error_;
    if (level > 0) next_error_ *= error_of_next_lod;
    const Mesh mesh = within(error, longest_at(level), context.stage("simplifying", 0, 0.4));
    add(write_dressed(mesh, request, around_, context.stage("", 0.4, 1)));
  }

  void write_collision(const Context& context) {
    ExportRequest request = only_file(collision_name(request_.path));
    request.name_suffix = collision_suffix;
    const Mesh dressed = within(std::max(spacing_, error_), {}, context.stage("simplifying", 0, 0.5));
    const Mesh bare(MeshData{.centre = dressed.centre(),
                             .positions = {dressed.positions().begin(), dressed.positions().end()},
                             .triangles = {dressed.triangles().begin(), dressed.triangles().end()}});
    add(export_mesh(bare, request, context.stage("writing", 0.5, 1)));
  }

  ExportRequest only_file(const std::string& path) const {
    ExportRequest request = request_;
    request.path = path;
    request.options.lods = 1;
    request.options.collision = false;
    return request;
  }

  void add(std::vector<FileRecord> records) { std::ranges::move(records, std::back_inserter(records_)); }

  const Mesh& mesh_;
  const ExportRequest& request_;
  const Setting& around_;
  double spacing_, error_ = 0, next_error_ = 0;
  std::vector<FileRecord> records_;
};

std::vector<FileRecord> write_mesh_value(const Value& value, const ExportRequest& request, const Setting& around,
                                         const Context& context) {
  const Mesh& mesh = get<Mesh>(value);
  if (!takes_option(value.kind(), request.path, "lods")) return write_dressed(mesh, request, around, context);
  return MeshModels(mesh, request, around).write(context);
}

std::vector<FileRecord> bake_mesh(const Value& value, const BakeRequest& request, const Setting& around,
                                  const Context& context) {
  const MeshBake baked = bake(get<Mesh>(value), request.params, {around.its_rock(), around.its_land()},
                              around.sea_level, context.stage("baking", 0, 0.7));
  std::vector<FileRecord> records =
      write_bake(request.prefix, baked.maps, request.text, context.stage("writing", 0.7, 0.9));
  ExportRequest mesh;
  mesh.path = request.prefix + "_mesh.glb";
  for (FileRecord& record : export_mesh(baked.atlas.mesh, mesh, context.stage("writing", 0.9, 1)))
    records.push_back(std::move(record));
  return records;
}

Value read_triangles(const std::string& path, const std::vector<std::string>& how, const Context& context) {
  if (!how.empty()) refuse("'--in' applies to land and lines, not to a mesh");
  return read_mesh(path, context);
}

std::string describe(const Value& value, const Context& context) {
  return info_json(mesh_info(get<Mesh>(value), context));
}

std::string text_of(const Value& value, const Context&) {
  const Mesh& mesh = get<Mesh>(value);
  const auto [low, high] = mesh.world_bounds();
  return fmt::format("a mesh of {} triangles and {} vertices, heights {:.6g} to {:.6g} m\n", mesh.triangles().size(),
                     mesh.positions().size(), low.z, high.z);
}

}  // namespace

OutputKind mesh_output() {
  return {.kind = &kind_of<Mesh>(),
          .figures = {"turntable", "wireframe"},
          .stood_upon = true,
          .example = "circular_faults | materials | gradation | implicitize | polygonize",
          .heights = mesh_heights,
          .picture =
              [](const Value& value, const PictureParams& params, const Setting& around, const Context& context) {
                return draw_picture(get<Mesh>(value), params, around.sea_level, context, around.scatter,
                                    around.its_land());
              },
          .draw = [](const Value& value, const FigureParams& params, const Setting&,
                     const Context& context) { return draw_figure(get<Mesh>(value), params, context); },
          .bake = bake_mesh,
          .surface = [](const Value& value, int64_t, const Setting& around, SurfaceMemory&,
                        const Context& context) { return painted_mesh(get<Mesh>(value), around, context); },
          .read = read_triangles,
          .file_info = [](const std::string& path,
                          const Context& context) { return info_json(inspect_mesh(path, context)); },
          .check = [](const Value&, const ExportRequest& request) { check_mesh_request(request); },
          .write = write_mesh_value,
          .info = describe,
          .text = text_of};
}

}  // namespace tepui
