#include <fmt/format.h>

#include "tepui/io/file/atomic_file.h"
#include "tepui/io/mesh/mesh_file.h"
#include "tepui/io/mesh_export.h"
#include "tepui/mesh/checks.h"
#include "tepui/output/info_json.h"
#include "tepui/output/kind_rows.h"

namespace tepui {

namespace {

Interval mesh_heights(const Value& value, const Context&) {
  const auto [low, high] = get<Mesh>(value).world_bounds();
  return {low.z, high.z};
}

std::vector<FileRecord> write_mesh_value(const Value& value, const ExportRequest& request, const Setting&,
                                         const Context& context) {
  return export_mesh(get<Mesh>(value), request, context.stage("writing", 0, 1));
}

std::vector<std::string> mesh_options(const std::string& file) {
  std::vector<std::string> options{"tiles"};
  if (file_ending(file) == ".glb") options.insert(options.end(), {"quantise", "meshopt"});
  return options;
}

OrderedJson describe(const Value& value, const Context& context) {
  const Mesh& mesh = get<Mesh>(value);
  const MeshChecks c = check_mesh(mesh, context);
  OrderedJson attributes = OrderedJson::array();
  for (const MeshAttributeRange& a : attribute_ranges(mesh))
    attributes.push_back({{"name", a.name}, {"unit", a.unit}, {"min", a.low}, {"max", a.high}});
  const auto [low, high] = mesh.world_bounds();
  return {{"kind", "mesh"},
          {"vertices", c.vertices},
          {"triangles", c.triangles},
          {"components", c.components},
          {"boundary_edges", c.boundary_edges},
          {"nonmanifold_edges", c.nonmanifold_edges},
          {"misoriented_edges", c.misoriented_edges},
          {"degenerate_triangles", c.degenerate_triangles},
          {"genus", c.genus ? OrderedJson(*c.genus) : OrderedJson()},
          {"volume", c.volume ? OrderedJson(*c.volume) : OrderedJson()},
          {"area", c.area},
          {"bounds", {{"min", corner(low)}, {"max", corner(high)}}},
          {"attributes", attributes},
          {"bytes", mesh.bytes()}};
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
          .endings = mesh_endings(),
          .figures = {"turntable"},
          .example = "circular_faults | materials | gradation | implicitize | polygonize",
          .heights = mesh_heights,
          .picture =
              [](const Value& value, const PictureParams& params, const Setting& around, const Context& context) {
                return draw_picture(get<Mesh>(value), params, around.sea_level, context);
              },
          .options = mesh_options,
          .check = [](const Value&, const ExportRequest& request) { check_mesh_request(request); },
          .write = write_mesh_value,
          .info = info_text<describe>,
          .text = text_of};
}

}  // namespace tepui
