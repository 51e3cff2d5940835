#include "tepui/io/mesh/obj.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>

#include "tepui/io/mesh/mesh_output.h"

namespace tepui {

namespace {

void write_text(ByteSink& file, const std::string& text) { file.write(text.data(), text.size()); }

void write_positions(ByteSink& file, const MeshSource& source, const Context& context) {
  const MeshSource::Facts& facts = source.facts();
  write_blocks(file, facts.vertices, context, [&](int64_t begin, int64_t end, std::string& text) {
    std::vector<MeshPoint> points(static_cast<size_t>(end - begin));
    std::vector<MeshColour> colours(facts.colours ? points.size() : 0);
    source.positions(begin, points);
    if (facts.colours) source.colours(begin, colours);
    for (size_t i = 0; i < points.size(); ++i) {
      const MeshPoint p = y_up(points[i]);
      fmt::format_to(std::back_inserter(text), FMT_COMPILE("v {} {} {}"), p[0], p[1], p[2]);
      if (facts.colours)
        fmt::format_to(std::back_inserter(text), FMT_COMPILE(" {} {} {}"), static_cast<float>(colours[i][0]) / 255,
                       static_cast<float>(colours[i][1]) / 255, static_cast<float>(colours[i][2]) / 255);
      text += '\n';
    }
  });
}

void write_coordinates(ByteSink& file, const MeshSource& source, const Context& context) {
  write_blocks(file, source.facts().vertices, context, [&](int64_t begin, int64_t end, std::string& text) {
    std::vector<MeshCoordinate> list(static_cast<size_t>(end - begin));
    source.coordinates(begin, list);
    // From the lower left corner.
    for (const MeshCoordinate& c : list)
      fmt::format_to(std::back_inserter(text), FMT_COMPILE("vt {} {}\n"), c[0], 1 - c[1]);
  });
}

void write_normals(ByteSink& file, const MeshSource& source, const Context& context) {
  write_blocks(file, source.facts().vertices, context, [&](int64_t begin, int64_t end, std::string& text) {
    std::vector<MeshPoint> list(static_cast<size_t>(end - begin));
    source.normals(begin, list);
    for (const MeshPoint& normal : list) {
      const MeshPoint n = y_up(normal);
      fmt::format_to(std::back_inserter(text), FMT_COMPILE("vn {} {} {}\n"), n[0], n[1], n[2]);
    }
  });
}

void write_faces(ByteSink& file, const MeshSource& source, const Context& context) {
  const MeshSource::Facts& facts = source.facts();
  write_blocks(file, facts.triangles, context, [&](int64_t begin, int64_t end, std::string& text) {
    std::vector<MeshTriangle> list(static_cast<size_t>(end - begin));
    source.triangles(begin, list);
    for (const MeshTriangle& triangle : list) {
      text += 'f';
      for (const uint32_t corner : triangle) {
        const fmt::format_int number(uint64_t{corner} + 1);
        text += ' ';
        text.append(number.data(), number.size());
        if (facts.coordinates) text.append("/").append(number.data(), number.size());
        if (facts.normals) text.append(facts.coordinates ? "/" : "//").append(number.data(), number.size());
      }
      text += '\n';
    }
  });
}

}  // namespace

void write_obj(const FileTarget& to, const MeshSource& source, const Context& context) {
  const MeshSource::Facts& facts = source.facts();
  require_surface(to.path(), facts);
  to.write([&](ByteSink& file) {
    write_text(file, fmt::format("# Tepui: metres, Y up; the origin is the point {} {} {} of the world (z up)\n",
                                 facts.centre.x, facts.centre.y, facts.centre.z));
    write_positions(file, source, context.stage("writing", 0, 0.2));
    if (facts.coordinates) write_coordinates(file, source, context.stage("writing", 0.2, 0.3));
    if (facts.normals) write_normals(file, source, context.stage("writing", 0.3, 0.5));
    write_faces(file, source, context.stage("writing", 0.5, 1));
  });
}

std::array<double, 3> write_obj(const FileTarget& to, const Terrain& terrain, const Context& context) {
  check_land_mesh(to.path(), terrain.frame());
  const LandMesh source(terrain);
  write_obj(to, source, context);
  const Vec3 centre = source.facts().centre;
  return {centre.x, centre.y, centre.z};
}

}  // namespace tepui
