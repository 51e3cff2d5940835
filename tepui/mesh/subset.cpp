#include "tepui/mesh/subset.h"

#include <meshoptimizer.h>

#include <algorithm>

namespace tepui {

namespace {

template <class T>
std::vector<T> picked(std::span<const T> list, std::span<const uint32_t> vertices) {
  std::vector<T> result;
  if (list.empty()) return result;
  result.reserve(vertices.size());
  for (const uint32_t v : vertices) result.push_back(list[v]);
  return result;
}

/// The vertices that are used, ascending.
struct Used {
  std::vector<uint32_t> vertices;
  std::vector<uint32_t> places;  ///< of each vertex among them; none where looking it up is cheaper

  uint32_t place(uint32_t vertex) const {
    if (!places.empty()) return places[vertex];
    return static_cast<uint32_t>(std::ranges::lower_bound(vertices, vertex) - vertices.begin());
  }
};

/// Of a small part: time goes by its own size, not by the mesh's.
Used few_vertices(std::span<const MeshTriangle> triangles) {
  Used used;
  for (const MeshTriangle& t : triangles) used.vertices.insert(used.vertices.end(), t.begin(), t.end());
  std::ranges::sort(used.vertices);
  used.vertices.erase(std::unique(used.vertices.begin(), used.vertices.end()), used.vertices.end());
  return used;
}

Used used_vertices(size_t count, std::span<const MeshTriangle> triangles) {
  if (triangles.size() < count / 16) return few_vertices(triangles);
  Used used;
  used.places.assign(count, 0);
  for (const MeshTriangle& t : triangles)
    for (const uint32_t corner : t) used.places[corner] = 1;
  for (size_t v = 0; v < count; ++v) {
    if (used.places[v] == 0) continue;
    used.places[v] = static_cast<uint32_t>(used.vertices.size());
    used.vertices.push_back(static_cast<uint32_t>(v));
  }
  return used;
}

}  // namespace

MeshData pick_vertices(const Mesh& mesh, std::span<const uint32_t> vertices) {
  MeshData data;
  data.centre = mesh.centre();
  data.positions = picked(mesh.positions(), vertices);
  data.normals = picked(mesh.normals(), vertices);
  data.coordinates = picked(mesh.coordinates(), vertices);
  data.colours = picked(mesh.colours(), vertices);
  for (const MeshAttribute& attribute : mesh.attributes())
    data.attributes.push_back(
        {attribute.name, attribute.unit, picked(std::span<const float>(attribute.values), vertices)});
  return data;
}

Mesh subset(const Mesh& mesh, std::span<const MeshTriangle> triangles) {
  const Used used = used_vertices(mesh.positions().size(), triangles);
  MeshData data = pick_vertices(mesh, used.vertices);
  data.triangles.reserve(triangles.size());
  for (const MeshTriangle& t : triangles)
    data.triangles.push_back({used.place(t[0]), used.place(t[1]), used.place(t[2])});
  return Mesh(std::move(data));
}

Mesh in_drawing_order(const Mesh& mesh) {
  if (mesh.triangles().empty()) return subset(mesh, {});
  const size_t corners = mesh.triangles().size() * 3, vertices = mesh.positions().size();
  std::vector<MeshTriangle> triangles(mesh.triangles().size());
  meshopt_optimizeVertexCache(triangles.front().data(), mesh.triangles().front().data(), corners, vertices);
  constexpr uint32_t unknown = UINT32_MAX;
  std::vector<uint32_t> places(vertices, unknown), order;
  for (MeshTriangle& t : triangles)
    for (uint32_t& corner : t) {
      if (places[corner] == unknown) {
        places[corner] = static_cast<uint32_t>(order.size());
        order.push_back(corner);
      }
      corner = places[corner];
    }
  MeshData data = pick_vertices(mesh, order);
  data.triangles = std::move(triangles);
  return Mesh(std::move(data));
}

}  // namespace tepui
