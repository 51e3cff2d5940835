#include "reference/polygonize.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "tepui/mesh/cube_cases.h"

namespace tepui::reference {

namespace {

/// f - T at every point, with a layer around that is air where the mesh is to be closed.
struct Values {
  int64_t nx, ny, nz;
  std::vector<float> v;
  float at(int64_t i, int64_t j, int64_t k) const { return v[static_cast<size_t>((k * ny + j) * nx + i)]; }
};

}  // namespace

MeshData polygonize(const Volume& in, const SurfaceLattice& lattice, bool closed) {
  const int64_t margin = closed ? 1 : 0;
  Values values{lattice.nx + 2 * margin, lattice.ny + 2 * margin, lattice.nz + 2 * margin, {}};
  const auto beyond = [](int64_t i, int64_t n) { return i < 0 || i >= n; };
  for (int64_t k = -margin; k < lattice.nz + margin; ++k)
    for (int64_t j = -margin; j < lattice.ny + margin; ++j)
      for (int64_t i = -margin; i < lattice.nx + margin; ++i) {
        const bool air = beyond(i, lattice.nx) || beyond(j, lattice.ny) || beyond(k, lattice.nz);
        values.v.push_back(air ? -1e30f : in.value(lattice.at(i, j, k)));
      }

  MeshData mesh;
  mesh.centre = lattice.centre();
  std::map<std::tuple<int64_t, int64_t, int64_t, int>, uint32_t> vertices;
  const auto vertex = [&](int64_t i, int64_t j, int64_t k, int axis) {
    const auto [found, is_new] = vertices.emplace(std::tuple(i, j, k, axis), mesh.positions.size());
    if (is_new) {
      const auto a = static_cast<double>(values.at(i, j, k));
      const auto b = static_cast<double>(values.at(i + (axis == 0), j + (axis == 1), k + (axis == 2)));
      const double t = std::clamp(a / (a - b), 1e-3, 1 - 1e-3);
      const Vec3 step{axis == 0 ? t : 0, axis == 1 ? t : 0, axis == 2 ? t : 0};
      const Vec3 index{static_cast<double>(i - margin), static_cast<double>(j - margin),
                       static_cast<double>(k - margin)};
      const Vec3 at = lattice.origin + (index + step) * lattice.cell - mesh.centre;
      mesh.positions.push_back({static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)});
    }
    return found->second;
  };
  for (int64_t k = 0; k + 1 < values.nz; ++k)
    for (int64_t j = 0; j + 1 < values.ny; ++j)
      for (int64_t i = 0; i + 1 < values.nx; ++i) {
        unsigned corners = 0;
        for (unsigned c = 0; c < 8; ++c)
          if (values.at(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)) > 0) corners |= 1u << c;
        const CubeCase& cell = cube_case(corners);
        for (size_t t = 0; t < cell.triangles; ++t) {
          MeshTriangle triangle{};
          for (size_t n = 0; n < 3; ++n) {
            const CubeEdge edge = cube_edges()[cell.triangle[t][n]];
            triangle[n] = vertex(i + (edge.low & 1), j + (edge.low >> 1 & 1), k + (edge.low >> 2), edge.axis);
          }
          mesh.triangles.push_back(triangle);
        }
      }
  return mesh;
}

}  // namespace tepui::reference
