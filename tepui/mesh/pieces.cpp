#include "tepui/mesh/pieces.h"

#include "tepui/mesh/sets.h"
#include "tepui/mesh/subset.h"

namespace tepui {

Mesh without_crumbs(const Mesh& mesh, double square_metres, const Context& context) {
  Sets pieces(mesh.positions().size());
  for (const MeshTriangle& t : mesh.triangles()) {
    pieces.join(t[0], t[1]);
    pieces.join(t[0], t[2]);
  }
  context.check();
  std::vector<double> surface(mesh.positions().size());
  for (const MeshTriangle& t : mesh.triangles()) {
    const Vec3 a = to_vec(mesh.positions()[t[0]]), b = to_vec(mesh.positions()[t[1]]),
               c = to_vec(mesh.positions()[t[2]]);
    surface[pieces.find(t[0])] += 0.5 * length(cross(b - a, c - a));
  }
  context.check();
  std::vector<MeshTriangle> kept;
  kept.reserve(mesh.triangles().size());
  for (const MeshTriangle& t : mesh.triangles())
    if (surface[pieces.find(t[0])] >= square_metres) kept.push_back(t);
  return kept.size() == mesh.triangles().size() ? mesh : subset(mesh, kept);
}

}  // namespace tepui
