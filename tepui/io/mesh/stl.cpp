#include "tepui/io/mesh/stl.h"

#include <fmt/format.h>

#include <bit>

#include "tepui/core/error.h"
#include "tepui/io/mesh/mesh_output.h"

static_assert(std::endian::native == std::endian::little, "the numbers are written as they are");

namespace tepui {

namespace {

MeshPoint facet_normal(const std::array<MeshPoint, 3>& corners) {
  const Vec3 a = to_vec(corners[0]);
  const Vec3 normal = cross(to_vec(corners[1]) - a, to_vec(corners[2]) - a);
  const double size = length(normal);
  if (!(size > 0)) return {};
  return {static_cast<float>(normal.x / size), static_cast<float>(normal.y / size),
          static_cast<float>(normal.z / size)};
}

void require_countable(const std::string& path, int64_t triangles) {
  if (triangles > UINT32_MAX)
    refuse(fmt::format("cannot write '{}': the mesh has {} triangles, an STL holds 2^32 - 1", path, triangles),
           "a .ply holds more");
}

}  // namespace

void check_stl(const std::string& path, const Frame& frame) {
  check_land_mesh(path, frame);
  require_countable(path, 2 * (frame.width - 1) * (frame.height - 1));
}

void write_stl(const FileTarget& to, const MeshSource& source, const Context& context) {
  const MeshSource::Facts& facts = source.facts();
  require_surface(to.path(), facts);
  require_countable(to.path(), facts.triangles);
  to.write([&](ByteSink& file) {
    // Readers take "solid" for the text form.
    std::string header = "Tepui: metres, z up";
    header.resize(80, ' ');
    append(header, static_cast<uint32_t>(facts.triangles));
    file.write(header.data(), header.size());
    write_blocks(file, facts.triangles, context, [&](int64_t begin, int64_t end, std::string& bytes) {
      std::vector<MeshTriangle> list(static_cast<size_t>(end - begin));
      source.triangles(begin, list);
      for (const MeshTriangle& triangle : list) {
        std::array<MeshPoint, 3> corners;
        for (size_t k = 0; k < 3; ++k) source.positions(triangle[k], {&corners[k], 1});
        append(bytes, facet_normal(corners));
        append(bytes, corners);
        append(bytes, uint16_t{0});
      }
    });
  });
}

std::array<double, 3> write_stl(const FileTarget& to, const Terrain& terrain, const Context& context) {
  check_stl(to.path(), terrain.frame());
  const LandMesh source(terrain);
  write_stl(to, source, context);
  const Vec3 centre = source.facts().centre;
  return {centre.x, centre.y, centre.z};
}

}  // namespace tepui
