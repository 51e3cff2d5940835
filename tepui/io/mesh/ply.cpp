#include "tepui/io/mesh/ply.h"

#include <fmt/format.h>

#include <bit>

#include "tepui/io/mesh/mesh_output.h"

static_assert(std::endian::native == std::endian::little, "the numbers are written as they are");

namespace tepui {

namespace {

std::string units_of(const MeshSource::Facts& facts) {
  std::string text;
  for (const MeshSource::AttributeFacts& attribute : facts.attributes)
    if (!attribute.unit.empty()) text += fmt::format("comment unit of {}: {}\n", attribute.name, attribute.unit);
  return text;
}

std::string header_of(const MeshSource::Facts& facts) {
  std::string text = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment Tepui: metres, z up; the origin is the point {} {} {} of the "
      "world\n{}element vertex {}\nproperty float x\nproperty float y\nproperty float z\n",
      facts.centre.x, facts.centre.y, facts.centre.z, units_of(facts), facts.vertices);
  if (facts.normals) text += "property float nx\nproperty float ny\nproperty float nz\n";
  if (facts.coordinates) text += "property float s\nproperty float t\n";
  if (facts.colours) text += "property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n";
  for (const MeshSource::AttributeFacts& attribute : facts.attributes)
    text += fmt::format("property float {}\n", attribute.name);
  // Most readers expect signed indices.
  const char* index = facts.vertices <= INT32_MAX ? "int" : "uint";
  return text +
         fmt::format("element face {}\nproperty list uchar {} vertex_indices\nend_header\n", facts.triangles, index);
}

}  // namespace

void write_ply(const FileTarget& to, const MeshSource& source, const Context& context) {
  const MeshSource::Facts& facts = source.facts();
  require_surface(to.path(), facts);
  to.write([&](ByteSink& file) {
    const std::string header = header_of(facts);
    file.write(header.data(), header.size());
    write_blocks(file, facts.vertices, context.stage("writing", 0, 0.6),
                 [&](int64_t begin, int64_t end, std::string& bytes) {
                   const VertexBlock block = vertex_block(source, begin, end);
                   for (size_t i = 0; i < block.positions.size(); ++i) {
                     append(bytes, block.positions[i]);
                     if (facts.normals) append(bytes, block.normals[i]);
                     if (facts.coordinates)
                       append(bytes, MeshCoordinate{block.coordinates[i][0], 1 - block.coordinates[i][1]});
                     if (facts.colours) append(bytes, block.colours[i]);
                     for (const std::vector<float>& values : block.attributes) append(bytes, values[i]);
                   }
                 });
    write_blocks(file, facts.triangles, context.stage("writing", 0.6, 1),
                 [&](int64_t begin, int64_t end, std::string& bytes) {
                   std::vector<MeshTriangle> list(static_cast<size_t>(end - begin));
                   source.triangles(begin, list);
                   for (const MeshTriangle& triangle : list) {
                     append(bytes, uint8_t{3});
                     append(bytes, triangle);
                   }
                 });
  });
}

std::array<double, 3> write_ply(const FileTarget& to, const Terrain& terrain, const Context& context) {
  check_land_mesh(to.path(), terrain.frame());
  const LandMesh source(terrain);
  write_ply(to, source, context);
  const Vec3 centre = source.facts().centre;
  return {centre.x, centre.y, centre.z};
}

}  // namespace tepui
