#include "tepui/io/mesh/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/mesh/glb.h"
#include "tepui/io/mesh/mesh_output.h"
#include "tepui/io/mesh/obj.h"
#include "tepui/io/mesh/ply.h"
#include "tepui/io/mesh/stl.h"

namespace tepui {

namespace {

struct Format {
  const char* ending;
  const char* name;
  bool y_up;
  Mesh (*parse)(std::string_view bytes, const std::string& path, const Context& context);
};

constexpr Format formats[] = {{".glb", "GLB", true, parse_glb},
                              {".obj", "OBJ", true, parse_obj},
                              {".ply", "PLY", false, parse_ply},
                              {".stl", "STL", false, parse_stl}};

const Format* find_format(const std::string& ending) {
  for (const Format& format : formats)
    if (ending == format.ending) return &format;
  return nullptr;
}

const Format& format_of(const std::string& path, const char* action) {
  const Format* format = find_format(file_ending(path));
  if (format == nullptr)
    refuse(fmt::format("cannot {} '{}': no mesh has the ending '{}'", action, path, file_ending(path)),
           fmt::format("the endings are {}", fmt::join(mesh_endings(), ", ")));
  return *format;
}

void write_source(const std::string& path, const MeshSource& source, const MeshTextures& textures,
                  const Context& context, const GlbOptions& options) {
  const std::string ending = format_of(path, "write").ending;
  if (ending == ".glb")
    write_glb(path, source, textures, context, options);
  else if (ending == ".obj")
    write_obj(path, source, context);
  else if (ending == ".ply")
    write_ply(path, source, context);
  else
    write_stl(path, source, context);
}

}  // namespace

const std::vector<std::string>& mesh_endings() {
  static const std::vector<std::string> endings = [] {
    std::vector<std::string> list;
    for (const Format& format : formats) list.push_back(format.ending);
    return list;
  }();
  return endings;
}

bool is_mesh_ending(const std::string& ending) { return find_format(ending) != nullptr; }

std::string mesh_format(const std::string& path) {
  const Format* format = find_format(file_ending(path));
  return format != nullptr ? format->name : "";
}

Mesh read_mesh(const std::string& path, const Context& context) {
  const Format& format = format_of(path, "read");
  context.check();
  const std::string bytes = read_file(path, physical_memory() / 4);
  context.check();
  return format.parse(bytes, path, context);
}

MeshFileInfo inspect_mesh(const std::string& path, const Context& context) {
  const Format& format = format_of(path, "read");
  const Mesh mesh = read_mesh(path, context.stage("reading", 0, 0.4));
  MeshFileInfo info;
  info.format = format.name;
  info.up = format.y_up ? "y" : "z";
  info.checks = check_mesh(mesh, context.stage("checking", 0.4, 1));
  info.bounds = mesh.world_bounds();
  if (format.y_up) {
    const auto [low, high] = info.bounds;
    info.bounds = {Vec3{low.x, low.z, 0 - high.y}, Vec3{high.x, high.z, 0 - low.y}};
  }
  info.normals = !mesh.normals().empty();
  info.coordinates = !mesh.coordinates().empty();
  info.colours = !mesh.colours().empty();
  info.attributes = attribute_ranges(mesh);
  return info;
}

std::string info_json(const MeshFileInfo& info) {
  using Json = nlohmann::ordered_json;
  const MeshChecks& checks = info.checks;
  Json json = {{"kind", "mesh"}, {"format", info.format}, {"up", info.up}};
  json["vertices"] = checks.vertices;
  json["triangles"] = checks.triangles;
  json["components"] = checks.components;
  json["boundary_edges"] = checks.boundary_edges;
  json["nonmanifold_edges"] = checks.nonmanifold_edges;
  json["misoriented_edges"] = checks.misoriented_edges;
  json["degenerate_triangles"] = checks.degenerate_triangles;
  json["genus"] = checks.genus ? Json(*checks.genus) : Json();
  json["volume"] = checks.volume ? Json(*checks.volume) : Json();
  json["area"] = checks.area;
  json["bounds"] = Json::array();
  for (const Vec3& corner : info.bounds) json["bounds"].push_back({corner.x, corner.y, corner.z});
  Json has = Json::array();
  if (info.normals) has.push_back("normals");
  if (info.coordinates) has.push_back("texture_coordinates");
  if (info.colours) has.push_back("colours");
  for (const MeshAttributeRange& a : info.attributes) has.push_back(a.name);
  json["attributes"] = has;
  Json ranges = Json::object();
  for (const MeshAttributeRange& a : info.attributes)
    ranges[a.name] = {{"unit", a.unit}, {"min", a.low}, {"max", a.high}};
  if (!ranges.empty()) json["ranges"] = ranges;
  return json.dump();
}

void check_mesh_export(const std::string& path, const Frame& frame) {
  const std::string ending = format_of(path, "write").ending;
  check_land_mesh(path, frame);
  if (ending == ".glb") check_glb(path, frame);
  if (ending == ".stl") check_stl(path, frame);
}

GlbOptions glb_options(const OutputParams& options) {
  return {.quantise = options.quantise, .meshopt = options.meshopt};
}

std::array<double, 3> write_mesh(const std::string& path, const Terrain& terrain, const MeshTextures& textures,
                                 const Context& context, const GlbOptions& options) {
  check_mesh_export(path, terrain.frame());
  const LandMesh source(terrain);
  write_source(path, source, textures, context, options);
  const Vec3 centre = source.facts().centre;
  return {centre.x, centre.y, centre.z};
}

void write_mesh(const std::string& path, const Mesh& mesh, const Context& context, const GlbOptions& options) {
  write_source(path, StoredMesh(mesh), {}, context, options);
}

}  // namespace tepui
