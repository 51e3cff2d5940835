#include "tepui/mesh/land_triangulation.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "tepui/core/parallel.h"
#include "tepui/mesh/block_triangulation.h"

namespace tepui {

namespace {

constexpr int64_t block_cells = 256;

/// Where blocks begin and end along a side: as equal as can be.
std::vector<int64_t> block_borders(int64_t cells) {
  const int64_t count = (cells + block_cells - 1) / block_cells;
  std::vector<int64_t> borders;
  for (int64_t i = 0; i <= count; ++i) borders.push_back(cells * i / count);
  return borders;
}

/// The samples strictly between `first` and `last` of a line that its reduction keeps.
template <class Height>
std::vector<int64_t> reduce_line(int64_t first, int64_t last, double error, const Height& z) {
  std::vector<int64_t> kept;
  std::vector<std::pair<int64_t, int64_t>> pieces{{first, last}};
  while (!pieces.empty()) {
    const auto [a, b] = pieces.back();
    pieces.pop_back();
    const double rise = (z(b) - z(a)) / static_cast<double>(b - a);
    double most = error;
    int64_t worst = a;
    for (int64_t i = a + 1; i < b; ++i) {
      const double off = std::abs(z(i) - (z(a) + rise * static_cast<double>(i - a)));
      if (off > most) most = off, worst = i;
    }
    if (worst == a) continue;
    kept.push_back(worst);
    pieces.emplace_back(a, worst);
    pieces.emplace_back(worst, b);
  }
  std::ranges::sort(kept);
  return kept;
}

/// The lines between blocks, reduced: of each block its southern and its western side, and those of the rims.
struct BlockLines {
  std::vector<int64_t> xs, ys;  ///< where blocks begin and end
  std::vector<std::vector<int64_t>> level, upright;

  size_t columns() const { return xs.size() - 1; }
  size_t rows() const { return ys.size() - 1; }
  /// Along the south of block (i, j).
  std::vector<int64_t>& south(size_t i, size_t j) { return level[j * columns() + i]; }
  std::vector<int64_t>& west(size_t i, size_t j) { return upright[j * xs.size() + i]; }
};

BlockLines reduce_lines(const Grid<float>& z, double error, const Context& context) {
  BlockLines lines{block_borders(z.width() - 1), block_borders(z.height() - 1), {}, {}};
  lines.level.resize(lines.columns() * lines.ys.size());
  lines.upright.resize(lines.xs.size() * lines.rows());
  const size_t levels = lines.level.size();
  parallel_chunks(static_cast<int64_t>(levels + lines.upright.size()), 1, context, [&](int64_t begin, int64_t end) {
    for (auto k = static_cast<size_t>(begin); k < static_cast<size_t>(end); ++k)
      if (k < levels) {
        const size_t i = k % lines.columns();
        const int64_t y = lines.ys[k / lines.columns()];
        lines.level[k] =
            reduce_line(lines.xs[i], lines.xs[i + 1], error, [&](int64_t x) { return static_cast<double>(z(x, y)); });
      } else {
        const size_t j = (k - levels) / lines.xs.size();
        const int64_t x = lines.xs[(k - levels) % lines.xs.size()];
        lines.upright[k - levels] =
            reduce_line(lines.ys[j], lines.ys[j + 1], error, [&](int64_t y) { return static_cast<double>(z(x, y)); });
      }
  });
  return lines;
}

/// A block's part of the result; corners are samples of the land.
std::vector<uint32_t> triangulate_block(const Grid<float>& z, BlockLines& lines, size_t i, size_t j, double error) {
  const LandBlock block{lines.xs[i], lines.ys[j], lines.xs[i + 1], lines.ys[j + 1]};
  BlockTriangulation triangulation(z, block);
  const auto wide = static_cast<int32_t>(block.x1 - block.x0), high = static_cast<int32_t>(block.y1 - block.y0);
  const auto side = [&](int number, const std::vector<int64_t>& line, const auto& point) {
    std::vector<BlockPoint> points;
    for (const int64_t at : line) points.push_back(point(at));
    if (number >= 2) std::ranges::reverse(points);
    triangulation.add_border(number, points);
  };
  const auto east = [&](int64_t x) { return static_cast<int32_t>(x - block.x0); };
  const auto north = [&](int64_t y) { return static_cast<int32_t>(y - block.y0); };
  side(0, lines.south(i, j), [&](int64_t x) { return BlockPoint{east(x), 0}; });
  side(1, lines.west(i + 1, j), [&](int64_t y) { return BlockPoint{wide, north(y)}; });
  side(2, lines.south(i, j + 1), [&](int64_t x) { return BlockPoint{east(x), high}; });
  side(3, lines.west(i, j), [&](int64_t y) { return BlockPoint{0, north(y)}; });
  triangulation.refine(error);
  std::vector<uint32_t> corners;
  corners.reserve(triangulation.corners().size());
  for (const uint32_t corner : triangulation.corners()) {
    const BlockPoint p = triangulation.points()[corner];
    corners.push_back(static_cast<uint32_t>((block.y0 + p.y) * z.width() + block.x0 + p.x));
  }
  return corners;
}

LandTriangulation two_triangles(const Grid<float>& z) {
  const auto end = static_cast<uint32_t>(z.size() - 1), east = static_cast<uint32_t>(z.width() - 1);
  return {{0, east, end - east, end}, {{0, 1, 3}, {0, 3, 2}}};
}

/// Vertices for the samples that triangles use.
LandTriangulation number_vertices(const Grid<float>& z, const std::vector<std::vector<uint32_t>>& blocks) {
  constexpr uint32_t unused = std::numeric_limits<uint32_t>::max();
  Grid<uint32_t> vertex(z.width(), z.height(), unused);
  const std::span<uint32_t> numbers = vertex.cells();
  size_t corners = 0;
  for (const auto& block : blocks) {
    corners += block.size();
    for (const uint32_t sample : block) numbers[sample] = 0;
  }
  LandTriangulation result;
  for (size_t sample = 0; sample < numbers.size(); ++sample)
    if (numbers[sample] != unused) {
      numbers[sample] = static_cast<uint32_t>(result.samples.size());
      result.samples.push_back(static_cast<uint32_t>(sample));
    }
  result.triangles.reserve(corners / 3);
  for (const auto& block : blocks)
    for (size_t k = 0; k < block.size(); k += 3)
      result.triangles.push_back({numbers[block[k]], numbers[block[k + 1]], numbers[block[k + 2]]});
  return result;
}

}  // namespace

LandTriangulation triangulate_land(const Grid<float>& heights, const LandTriangulationParams& params,
                                   const Context& context) {
  assert(heights.width() >= 2 && heights.height() >= 2);
  const std::span<const float> cells = heights.cells();
  if (!params.tile && std::ranges::all_of(cells, [&](float z) { return z == cells.front(); }))
    return two_triangles(heights);
  BlockLines lines = reduce_lines(heights, params.error, context.stage("triangulating", 0, 0.05));
  std::vector<std::vector<uint32_t>> blocks(lines.columns() * lines.rows());
  parallel_chunks(static_cast<int64_t>(blocks.size()), 1, context.stage("triangulating", 0.05, 0.9),
                  [&](int64_t begin, int64_t end) {
                    for (auto k = static_cast<size_t>(begin); k < static_cast<size_t>(end); ++k)
                      blocks[k] =
                          triangulate_block(heights, lines, k % lines.columns(), k / lines.columns(), params.error);
                  });
  return number_vertices(heights, blocks);
}

}  // namespace tepui
