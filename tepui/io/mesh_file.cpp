#include "tepui/io/mesh_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/io/formats.h"
#include "tepui/io/mesh/glb_parts.h"

namespace tepui {

namespace {

const FileFormat& format_of(const std::string& path, const char* action) {
  const FileFormat* format = writing_format(path, Mesh::kind_name);
  if (format == nullptr)
    refuse(
        fmt::format("cannot {} '{}': there is no mesh format with the extension '{}'", action, path, file_ending(path)),
        fmt::format("known extensions: {}", fmt::join(reading_endings(Mesh::kind_name), ", ")));
  return *format;
}

}  // namespace

Mesh read_mesh(const std::string& path, const Context& context) {
  const FileFormat& format = format_of(path, "read");
  context.check();
  const std::string bytes = read_file(path, physical_memory() / 4);
  context.check();
  return format.parse_mesh(bytes, path, context);
}

MeshInfo mesh_info(const Mesh& mesh, const Context& context) {
  MeshInfo info;
  info.checks = check_mesh(mesh, context);
  info.bounds = mesh.world_bounds();
  if (!mesh.normals().empty()) info.has.emplace_back("normals");
  if (!mesh.coordinates().empty()) info.has.emplace_back("texture_coordinates");
  if (!mesh.colours().empty()) info.has.emplace_back("colours");
  info.attributes = attribute_ranges(mesh);
  info.bytes = mesh.bytes();
  return info;
}

MeshInfo inspect_mesh(const std::string& path, const Context& context) {
  const FileFormat& format = format_of(path, "read");
  MeshInfo info = mesh_info(read_mesh(path, context.stage("reading", 0, 0.4)), context.stage("checking", 0.4, 1));
  info.format = format.name;
  info.up = format.y_up ? 'y' : 'z';
  if (!format.y_up) return info;
  const auto [low, high] = info.bounds;
  info.bounds = {Vec3{low.x, low.z, 0 - high.y}, Vec3{high.x, high.z, 0 - low.y}};
  return info;
}

std::string info_json(const MeshInfo& info) {
  using Json = nlohmann::ordered_json;
  const MeshChecks& checks = info.checks;
  const auto corner = [](Vec3 p) { return Json{p.x, p.y, p.z}; };
  Json attributes = Json::array();
  for (const MeshAttributeRange& a : info.attributes)
    attributes.push_back({{"name", a.name}, {"unit", a.unit}, {"min", a.low}, {"max", a.high}});
  const Json json = {{"kind", "mesh"},
                     {"format", info.format.empty() ? Json() : Json(info.format)},
                     {"up", std::string(1, info.up)},
                     {"vertices", checks.vertices},
                     {"triangles", checks.triangles},
                     {"components", checks.components},
                     {"boundary_edges", checks.boundary_edges},
                     {"nonmanifold_edges", checks.nonmanifold_edges},
                     {"misoriented_edges", checks.misoriented_edges},
                     {"degenerate_triangles", checks.degenerate_triangles},
                     {"genus", checks.genus ? Json(*checks.genus) : Json()},
                     {"volume", checks.volume ? Json(*checks.volume) : Json()},
                     {"area", checks.area},
                     {"bounds", {{"min", corner(info.bounds[0])}, {"max", corner(info.bounds[1])}}},
                     {"has", info.has},
                     {"attributes", attributes},
                     {"bytes", info.bytes}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

GlbOptions glb_options(const OutputParams& options) {
  return {.quantise = options.quantise, .meshopt = options.meshopt};
}

void write_mesh(const FileTarget& to, const Mesh& mesh, const Context& context, const GlbOptions& options,
                const MeshTextures& textures) {
  format_of(to.path(), "write")
      .write_mesh(to, StoredMesh(options.quantise ? on_lattice(mesh, options.step) : mesh), textures, context, options);
}

}  // namespace tepui
