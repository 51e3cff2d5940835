#include "tepui/landforms/surface_cells.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "tepui/core/parallel.h"
#include "tepui/landforms/field_blocks.h"

namespace tepui {

namespace {

/// A large block is evaluated at once: 4^3 blocks.
constexpr int64_t cells = 32, points = cells + 1, side = 8, sides = cells / side;
static_assert(points == LatticeCube::most);

/// v between the eight corners of a cell, places being shares of it.
struct Trilinear {
  double c[8];

  explicit Trilinear(const std::array<float, 8>& corner) {
    for (size_t i = 0; i < 8; ++i) c[i] = static_cast<double>(corner[i]);
  }
  double at(Vec3 p, Vec3& slope) const {
    const double x00 = c[0] + (c[1] - c[0]) * p.x, x10 = c[2] + (c[3] - c[2]) * p.x;
    const double x01 = c[4] + (c[5] - c[4]) * p.x, x11 = c[6] + (c[7] - c[6]) * p.x;
    const double y0 = x00 + (x10 - x00) * p.y, y1 = x01 + (x11 - x01) * p.y;
    const double dx0 = (c[1] - c[0]) + ((c[3] - c[2]) - (c[1] - c[0])) * p.y;
    const double dx1 = (c[5] - c[4]) + ((c[7] - c[6]) - (c[5] - c[4])) * p.y;
    slope = {dx0 + (dx1 - dx0) * p.z, (x10 - x00) + ((x11 - x01) - (x10 - x00)) * p.z, y1 - y0};
    return y0 + (y1 - y0) * p.z;
  }
};

/// A place of the cell's surface near a random one of the cell; false where the way there leaves the cell.
bool find_place(const Trilinear& field, Vec3& p, Vec3& slope) {
  for (int step = 0; step < 4; ++step) {
    const double v = field.at(p, slope), square = dot(slope, slope);
    if (!(square > 0)) return false;
    if (v * v <= 1e-4 * square) return std::min({p.x, p.y, p.z}) >= 0 && std::max({p.x, p.y, p.z}) <= 1;
    p = p - slope * (v / square);
    if (!(std::abs(p.x - 0.5) <= 1.5 && std::abs(p.y - 0.5) <= 1.5 && std::abs(p.z - 0.5) <= 1.5)) return false;
  }
  return false;
}

/// Whether the surface in a cell may lead up as far as is wanted, as the mean slope of the field there tells.
bool may_lead(const SurfaceCell& cell, const SurfaceFilter& filter) {
  constexpr double slack = 0.15;
  if (filter.least_up <= -1 && filter.most_up >= 1) return true;
  Vec3 slope;
  Trilinear(cell.corner).at({0.5, 0.5, 0.5}, slope);
  const double up = -slope.z, all = length(slope);
  return up >= (filter.least_up - slack) * all && up <= (filter.most_up + slack) * all;
}

/// The cells of a large block that the surface goes through.
void list_cells(const Solid& solid, const BlockIndex& block, double cell, const SurfaceFilter& filter, float* v,
                std::array<std::vector<SurfaceCell>, sides * sides * sides>& out) {
  const LatticeCube cube{{block[0] * cells, block[1] * cells, block[2] * cells}, cell, 0, points};
  // A margin of a cell: no corner of a cell that the surface goes through is left to a mere sign.
  if (fill_cube(solid, cube, 1, v) != BlockRock::some) return;
  std::array<uint64_t, points * points> rock;
  for (int64_t row = 0; row < points * points; ++row) {
    uint64_t bits = 0;
    for (int64_t i = 0; i < points; ++i) bits |= static_cast<uint64_t>(v[row * points + i] > 0) << i;
    rock[static_cast<size_t>(row)] = bits;
  }
  for (int64_t k = 0; k < cells; ++k)
    for (int64_t j = 0; j < cells; ++j) {
      const auto row = [&](int64_t dj, int64_t dk) { return rock[static_cast<size_t>((k + dk) * points + j + dj)]; };
      const uint64_t any = row(0, 0) | row(1, 0) | row(0, 1) | row(1, 1);
      const uint64_t all = row(0, 0) & row(1, 0) & row(0, 1) & row(1, 1);
      uint64_t crossed = (any | any >> 1) & ~(all & all >> 1) & ((uint64_t{1} << cells) - 1);
      for (; crossed != 0; crossed &= crossed - 1) {
        const int64_t i = std::countr_zero(crossed);
        SurfaceCell found{
            {static_cast<int8_t>(i % side), static_cast<int8_t>(j % side), static_cast<int8_t>(k % side)}, {}, 0, 0};
        const float* corner = v + (k * points + j) * points + i;
        for (size_t n = 0; n < 8; ++n)
          found.corner[n] = corner[(n & 1) + (n >> 1 & 1) * points + (n >> 2) * points * points];
        if (!may_lead(found, filter)) continue;
        for (const int64_t place : {cube.first[0] + i, cube.first[1] + j, cube.first[2] + k})
          found.key = mix_bits(found.key + static_cast<uint64_t>(place));
        out[static_cast<size_t>((k / side * sides + j / side) * sides + i / side)].push_back(found);
      }
    }
}

}  // namespace

std::vector<SurfaceBlock> surface_cells(const Volume& volume, const Box3& region, double cell,
                                        const SurfaceFilter& filter, const Context& context) {
  // A cell that the region only touches may hold a place of it.
  const std::vector<BlockIndex> large =
      surface_blocks(volume.root(), region, cell * cells, filter.may, context.stage("looking for the surface", 0, 0.1));
  std::vector<std::vector<SurfaceBlock>> parts(large.size());
  parallel_chunks(
      static_cast<int64_t>(large.size()), 1, context.stage("sampling", 0.1, 1), [&](int64_t begin, int64_t end) {
        std::vector<float> v(static_cast<size_t>(points * points * points));
        for (auto b = static_cast<size_t>(begin); b < static_cast<size_t>(end); ++b) {
          std::array<std::vector<SurfaceCell>, sides * sides * sides> found;
          list_cells(volume.root(), large[b], cell, filter, v.data(), found);
          for (size_t i = 0; i < found.size(); ++i) {
            if (found[i].empty()) continue;
            const auto place = [&](size_t axis, size_t in) {
              return large[b][axis] * static_cast<int32_t>(sides) + static_cast<int32_t>(in);
            };
            parts[b].push_back({{place(0, i % sides), place(1, i / sides % sides), place(2, i / (sides * sides))},
                                std::move(found[i])});
          }
        }
      });
  std::vector<SurfaceBlock> blocks;
  for (std::vector<SurfaceBlock>& part : parts)
    for (SurfaceBlock& block : part) blocks.push_back(std::move(block));
  std::ranges::sort(blocks, [](const SurfaceBlock& a, const SurfaceBlock& b) {
    return std::tie(a.at[2], a.at[1], a.at[0]) < std::tie(b.at[2], b.at[1], b.at[0]);
  });
  return blocks;
}

bool SurfaceDarts::draw(const SurfaceBlock& block, const SurfaceCell& cell, uint64_t round, Vec3& at,
                        Vec3& normal) const {
  const uint64_t bits = random_.bits(cell.key, round);
  Vec3 p = Vec3{static_cast<double>(bits & 0x1fffff), static_cast<double>(bits >> 21 & 0x1fffff),
                static_cast<double>(bits >> 42 & 0x1fffff)} *
           0x1p-21;
  Vec3 slope;
  if (!find_place(Trilinear(cell.corner), p, slope)) return false;
  const auto whole = [&](size_t k) { return static_cast<double>(block.at[k] * side + cell.in[k]); };
  at = Vec3{whole(0) + p.x, whole(1) + p.y, whole(2) + p.z} * cell_;
  normal = slope * (-1 / length(slope));
  return normal.z >= least_up_ && normal.z <= most_up_ && region_.holds(at);
}

}  // namespace tepui
