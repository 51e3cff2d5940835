// write_meshes FOLDER: meshes of every kind as GLB files, for programs that we did not write.
#include <string>

#include "tepui/io/export.h"
#include "tepui/io/mesh/glb.h"
#include "tepui/io/mesh_export.h"
#include "tepui/io/mesh_file.h"
#include "tepui/mesh/simplify.h"
#include "tests/mesh/shapes.h"

namespace {

using namespace tepui;

/// A box of 4 m with a cavity of 1 m.
MeshData hollow() {
  MeshData box = test::cube(), cavity = test::cube();
  for (MeshPoint& p : box.positions)
    for (float& v : p) v = 4 * v - 1.5f;
  for (MeshTriangle& t : cavity.triangles) t = {t[0] + 8, t[2] + 8, t[1] + 8};
  box.positions.insert(box.positions.end(), cavity.positions.begin(), cavity.positions.end());
  box.triangles.insert(box.triangles.end(), cavity.triangles.begin(), cavity.triangles.end());
  return box;
}

/// With all that a vertex can have.
MeshData dressed(MeshData data) {
  data = test::with_attributes(data, 5);
  for (size_t i = 0; i < data.positions.size(); ++i) {
    data.normals.push_back(data.positions[i]);
    data.coordinates.push_back({0.25f, 0.5f});
    data.colours.push_back({static_cast<uint8_t>(i), 200, 100, 255});
  }
  data.centre = {500000.5, 4000000, 12};
  return data;
}

}  // namespace

int main(int, char** arguments) {
  const std::string folder = std::string(arguments[1]) + "/";
  const Context context;
  MeshData large = test::torus(300);  // more than 65535 vertices
  MeshData open = test::cube();
  open.triangles.pop_back();
  const std::pair<std::string, Mesh> meshes[] = {
      {"open_cube", Mesh(open)},
      {"closed_cube_g0", Mesh(test::cube())},
      {"closed_split_g0", Mesh(test::split(test::cube()))},
      {"closed_hollow_g0", Mesh(hollow())},
      {"closed_torus_g1", Mesh(dressed(test::torus(20)))},
      {"closed_large_g1", Mesh(large)},
      {"closed_simple_g1", simplify(Mesh(dressed(test::torus(60))), {.share = 0.1}, context)},
      {"closed_error_g1", simplify(Mesh(test::torus(60)), {.error = 0.1}, context)}};
  for (const auto& [name, mesh] : meshes) {
    write_mesh(folder + name + ".glb", mesh, context);
    write_mesh(folder + name + "_quantised.glb", mesh, context, {.quantise = true});
    write_mesh(folder + name + "_packed.glb", mesh, context, {.meshopt = true});
    write_mesh(folder + name + "_small.glb", mesh, context, {.quantise = true, .meshopt = true});
  }
  ExportRequest request{.path = folder + "tile.glb"};
  request.options.tiles = {3, 2};
  export_mesh(Mesh(dressed(test::torus(30))), request, context);
}
