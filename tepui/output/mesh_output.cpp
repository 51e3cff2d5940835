#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/io/mesh_export.h"
#include "tepui/io/mesh_file.h"
#include "tepui/output/kind_rows.h"
#include "tepui/output/output_kind.h"
#include "tepui/render/ground/mesh_bake.h"
#include "tepui/render/ground/mesh_paint.h"

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
  const MeshBake baked = bake(mesh, look, around.its_rock(), around.sea_level, context.stage("look", 0, 0.7));
  ExportRequest own = request;
  own.textures = {.colour = baked.maps.find("colour"),
                  .normal = baked.maps.find("normal"),
                  .occlusion = baked.maps.find("occlusion"),
                  .roughness = baked.maps.find("roughness"),
                  .charted = true,
                  .closed = is_closed(StoredMesh(mesh), context)};
  return export_mesh(baked.atlas.mesh, own, context.stage("writing", 0.7, 1));
}

std::vector<FileRecord> write_mesh_value(const Value& value, const ExportRequest& request, const Setting& around,
                                         const Context& context) {
  const Mesh& mesh = get<Mesh>(value);
  if (!takes_option(value.kind(), request.path, "paint") ||
      !(request.options.texture || is_painted(mesh, request.options)))
    return export_mesh(mesh, request, context.stage("writing", 0, 1));
  if (request.options.texture) return write_textured(mesh, request, around, context);
  const MeshPaintParams look{request.options.skin(), around.sea_level};
  const Mesh coloured = painted(mesh, look, context.stage("look", 0, 0.5));
  ExportRequest own = request;
  own.textures.roughness_factor = mean_roughness(coloured);
  return export_mesh(coloured, own, context.stage("writing", 0.5, 1));
}

std::vector<FileRecord> bake_mesh(const Value& value, const BakeRequest& request, const Setting& around,
                                  const Context& context) {
  const MeshBake baked =
      bake(get<Mesh>(value), request.params, around.its_rock(), around.sea_level, context.stage("baking", 0, 0.7));
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
                return draw_picture(get<Mesh>(value), params, around.sea_level, context, around.scatter);
              },
          .draw = [](const Value& value, const FigureParams& params, const Setting&,
                     const Context& context) { return draw_figure(get<Mesh>(value), params, context); },
          .bake = bake_mesh,
          .read = read_triangles,
          .file_info = [](const std::string& path,
                          const Context& context) { return info_json(inspect_mesh(path, context)); },
          .check = [](const Value&, const ExportRequest& request) { check_mesh_request(request); },
          .write = write_mesh_value,
          .info = describe,
          .text = text_of};
}

}  // namespace tepui
