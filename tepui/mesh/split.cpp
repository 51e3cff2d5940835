#include "tepui/mesh/split.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/mesh/subset.h"

namespace tepui {

namespace {

constexpr int64_t grain = 1 << 15;

/// Which of `count` equal parts of [low, high] a coordinate lies in.
int64_t part_of(double at, double low, double high, int64_t count) {
  if (!(high > low)) return 0;
  const double share = (at - low) / (high - low) * static_cast<double>(count);
  return std::clamp<int64_t>(static_cast<int64_t>(std::floor(share)), 0, count - 1);
}

}  // namespace

std::vector<MeshTile> split_mesh(const Mesh& mesh, int64_t columns, int64_t rows, const Context& context) {
  const auto triangles = mesh.triangles();
  const Vec3 low = to_vec(mesh.bounds().low), high = to_vec(mesh.bounds().high);
  std::vector<uint32_t> tile_of(triangles.size());
  parallel_chunks(static_cast<int64_t>(triangles.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const MeshTriangle& t = triangles[static_cast<size_t>(i)];
      const Vec3 sum = to_vec(mesh.positions()[t[0]]) + to_vec(mesh.positions()[t[1]]) + to_vec(mesh.positions()[t[2]]);
      const int64_t x = part_of(sum.x / 3, low.x, high.x, columns);
      const int64_t y = rows - 1 - part_of(sum.y / 3, low.y, high.y, rows);
      tile_of[static_cast<size_t>(i)] = static_cast<uint32_t>(y * columns + x);
    }
  });
  std::vector<size_t> first(static_cast<size_t>(columns * rows) + 1, 0);
  for (const uint32_t tile : tile_of) ++first[size_t{tile} + 1];
  for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  std::vector<MeshTriangle> sorted(triangles.size());
  std::vector<size_t> next(first.begin(), first.end() - 1);
  for (size_t i = 0; i < triangles.size(); ++i) sorted[next[tile_of[i]]++] = triangles[i];
  std::vector<MeshTile> tiles;
  for (size_t i = 0; i + 1 < first.size(); ++i) {
    context.check();
    const auto part = std::span<const MeshTriangle>(sorted).subspan(first[i], first[i + 1] - first[i]);
    const auto index = static_cast<int64_t>(i);
    if (!part.empty()) tiles.push_back({index % columns, index / columns, subset(mesh, part)});
  }
  return tiles;
}

}  // namespace tepui
