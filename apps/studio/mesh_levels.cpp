#include "apps/studio/mesh_levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

namespace tepui::studio {

namespace {

/// A small cube, and which of its six sides a vertex faces.
using Cell = std::array<int32_t, 4>;

struct Cluster {
  Vec3 sum{}, normals{};
  std::array<double, 4> colours{};
  int count = 0;
  double nearest = std::numeric_limits<double>::infinity();
  uint16_t vertex = 0;
};

Vec3 place(const Mesh& mesh, const MeshBlock& block, size_t i) { return to_vec(mesh.positions()[block.vertices[i]]); }

/// Of each vertex, whether it lies at the block's border: on an edge that only one triangle has.
std::vector<bool> border_of(const MeshBlock& block) {
  std::unordered_map<uint32_t, int> edges;
  edges.reserve(block.indices.size());
  const auto edge = [&](size_t t, size_t k) {
    const uint32_t a = block.indices[3 * t + k], b = block.indices[3 * t + (k + 1) % 3];
    return (std::min(a, b) << 16) | std::max(a, b);
  };
  for (size_t t = 0; t < block.triangles(); ++t)
    for (size_t k = 0; k < 3; ++k) ++edges[edge(t, k)];
  std::vector<bool> border(block.vertices.size());
  for (const auto& [ends, count] : edges)
    if (count != 2) border[ends >> 16] = border[ends & 0xffff] = true;
  return border;
}

double mean_edge(const Mesh& mesh, const MeshBlock& block) {
  double sum = 0;
  for (size_t t = 0; t < block.triangles(); ++t)
    for (size_t k = 0; k < 3; ++k)
      sum +=
          length(place(mesh, block, block.indices[3 * t + k]) - place(mesh, block, block.indices[3 * t + (k + 1) % 3]));
  return sum / static_cast<double>(std::max<size_t>(block.indices.size(), 1));
}

int32_t side_faced(Vec3 n) {
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  if (z >= x && z >= y) return n.z < 0 ? 1 : 0;
  return x >= y ? (n.x < 0 ? 3 : 2) : (n.y < 0 ? 5 : 4);
}

Cell cell_of(const Mesh& mesh, uint32_t vertex, double size) {
  const Vec3 p = to_vec(mesh.positions()[vertex]);
  const auto step = [&](double v) { return static_cast<int32_t>(std::floor(v / size)); };
  return {step(p.x), step(p.y), step(p.z), mesh.normals().empty() ? 0 : side_faced(to_vec(mesh.normals()[vertex]))};
}

Vec3 normal_of(const Mesh& mesh, uint32_t vertex) {
  return mesh.normals().empty() ? Vec3{} : to_vec(mesh.normals()[vertex]);
}

/// What the vertices of a block become.
class Merged {
 public:
  Merged(const Mesh& mesh, const MeshBlock& block, const std::vector<bool>& border, double size)
      : mesh_(mesh), block_(block), own_(block.vertices.size(), nullptr) {
    for (size_t i = 0; i < own_.size(); ++i)
      if (!border[i]) add(i, clusters_[cell_of(mesh, block.vertices[i], size)]);
    for (size_t i = 0; i < own_.size(); ++i) {
      Cluster* const own = own_[i];
      if (own == nullptr) continue;
      const double far = length(place(mesh, block, i) - own->sum * (1.0 / own->count));
      if (far < own->nearest) own->nearest = far, own->vertex = static_cast<uint16_t>(i);
    }
  }

  uint16_t of(uint16_t i) const { return own_[i] != nullptr ? own_[i]->vertex : i; }

  Vec3 normal(uint16_t i) const { return own_[i] != nullptr ? own_[i]->normals : normal_of(mesh_, block_.vertices[i]); }

  MeshColour colour(uint16_t i) const {
    if (own_[i] == nullptr) return mesh_.colours()[block_.vertices[i]];
    MeshColour mean;
    for (size_t k = 0; k < mean.size(); ++k)
      mean[k] = static_cast<uint8_t>(std::lround(own_[i]->colours[k] / own_[i]->count));
    return mean;
  }

 private:
  void add(size_t i, Cluster& cluster) {
    const uint32_t vertex = block_.vertices[i];
    own_[i] = &cluster;
    cluster.sum = cluster.sum + place(mesh_, block_, i);
    cluster.normals = cluster.normals + normal_of(mesh_, vertex);
    if (!mesh_.colours().empty())
      for (size_t k = 0; k < cluster.colours.size(); ++k) cluster.colours[k] += mesh_.colours()[vertex][k];
    ++cluster.count;
  }

  const Mesh& mesh_;
  const MeshBlock& block_;
  std::map<Cell, Cluster> clusters_;
  std::vector<Cluster*> own_;  ///< none at the border
};

/// Without the triangles that have two corners in one, and the vertices that none has.
MeshBlock remaining(const Mesh& mesh, const MeshBlock& block, const Merged& merged) {
  MeshBlock left;
  constexpr uint16_t none = 0xffff;
  std::vector<uint16_t> number(block.vertices.size(), none);
  for (size_t t = 0; t < block.triangles(); ++t) {
    std::array<uint16_t, 3> corners;
    for (size_t k = 0; k < 3; ++k) corners[k] = merged.of(block.indices[3 * t + k]);
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    for (const uint16_t corner : corners) {
      if (number[corner] == none) {
        number[corner] = static_cast<uint16_t>(left.vertices.size());
        left.vertices.push_back(block.vertices[corner]);
        if (!mesh.normals().empty()) left.normals.push_back(merged.normal(corner));
        if (!mesh.colours().empty()) left.colours.push_back(merged.colour(corner));
      }
      left.indices.push_back(number[corner]);
    }
  }
  return left;
}

}  // namespace

std::vector<MeshBlock> coarser_levels(const Mesh& mesh, const MeshBlock& block, int most) {
  constexpr size_t few_triangles = 512;
  std::vector<MeshBlock> levels;
  const std::vector<bool> border = border_of(block);
  double size = mean_edge(mesh, block);
  size_t before = block.triangles();
  while (static_cast<int>(levels.size()) < most && before > few_triangles && size > 0) {
    size *= 2;
    MeshBlock coarser = remaining(mesh, block, Merged(mesh, block, border, size));
    if (2 * coarser.triangles() > before) break;
    before = coarser.triangles();
    levels.push_back(std::move(coarser));
  }
  return levels;
}

}  // namespace tepui::studio
