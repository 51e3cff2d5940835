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

/// How v changes at a place of a cell, v being trilinear between its corners; the place is in shares of the cell.
Vec3 slope_at(const std::array<float, 8>& corner, Vec3 p) {
  double c[8];
  for (size_t i = 0; i < 8; ++i) c[i] = static_cast<double>(corner[i]);
  const double x00 = c[0] + (c[1] - c[0]) * p.x, x10 = c[2] + (c[3] - c[2]) * p.x;
  const double x01 = c[4] + (c[5] - c[4]) * p.x, x11 = c[6] + (c[7] - c[6]) * p.x;
  const double y0 = x00 + (x10 - x00) * p.y, y1 = x01 + (x11 - x01) * p.y;
  const double dx0 = (c[1] - c[0]) + ((c[3] - c[2]) - (c[1] - c[0])) * p.y;
  const double dx1 = (c[5] - c[4]) + ((c[7] - c[6]) - (c[5] - c[4])) * p.y;
  return {dx0 + (dx1 - dx0) * p.z, (x10 - x00) + ((x11 - x01) - (x10 - x00)) * p.z, y1 - y0};
}

/// Whether the surface in a cell may lead up as far as is wanted, as the mean slope of the field there tells.
bool may_lead(const SurfaceCell& cell, const SurfaceFilter& filter) {
  constexpr double slack = 0.15;
  if (filter.least_up <= -1 && filter.most_up >= 1) return true;
  const Vec3 slope = slope_at(cell.corner, {0.5, 0.5, 0.5});
  const double up = -slope.z, all = length(slope);
  return up >= (filter.least_up - slack) * all && up <= (filter.most_up + slack) * all;
}

/// Which cells along one axis of a large block a region meets, a bit each.
uint64_t cells_within(int64_t first, double cell, double low, double high) {
  uint64_t bits = 0;
  for (int64_t i = 0; i < cells; ++i)
    if (static_cast<double>(first + i) * cell <= high && static_cast<double>(first + i + 1) * cell >= low)
      bits |= uint64_t{1} << i;
  return bits;
}

/// Looks for the cells of large blocks that the surface goes through, where places are wanted.
class CellSearch {
 public:
  CellSearch(const Solid& solid, const Box3& region, double cell, const SurfaceFilter& filter)
      : solid_(solid), region_(region), cell_(cell), filter_(filter) {}

  using Found = std::array<std::vector<SurfaceCell>, sides * sides * sides>;
  void list(const BlockIndex& block, float* v, Found& out) const {
    const LatticeCube cube{{block[0] * cells, block[1] * cells, block[2] * cells}, cell_, 0, points};
    // A margin of a cell: no corner of a cell that the surface goes through is left to a mere sign.
    const auto wanted = [this](const Box3& box) { return box.meets(region_) && (!filter_.may || filter_.may(box)); };
    if (fill_cube(solid_, cube, 1, v, wanted) != BlockRock::some) return;
    std::array<uint64_t, points * points> rock;
    sign_bits(v, points * points, points, rock.data());
    const uint64_t x = cells_within(cube.first[0], cell_, region_.low.x, region_.high.x),
                   y = cells_within(cube.first[1], cell_, region_.low.y, region_.high.y),
                   z = cells_within(cube.first[2], cell_, region_.low.z, region_.high.z);
    for (int64_t k = 0; k < cells; ++k)
      for (int64_t j = 0; j < cells; ++j) {
        if ((y >> j & z >> k & 1) == 0) continue;
        const auto row = [&](int64_t dj, int64_t dk) { return rock[static_cast<size_t>((k + dk) * points + j + dj)]; };
        const uint64_t any = row(0, 0) | row(1, 0) | row(0, 1) | row(1, 1);
        const uint64_t all = row(0, 0) & row(1, 0) & row(0, 1) & row(1, 1);
        for (uint64_t crossed = (any | any >> 1) & ~(all & all >> 1) & x; crossed != 0; crossed &= crossed - 1)
          add(cube, {std::countr_zero(crossed), j, k}, v, out);
      }
  }

 private:
  void add(const LatticeCube& cube, const std::array<int64_t, 3>& at, const float* v, Found& out) const {
    const auto [i, j, k] = at;
    const auto within = [](int64_t n) { return static_cast<int8_t>(n % side); };
    SurfaceCell found{{within(i), within(j), within(k)}, {}, 0, 0};
    const float* corner = v + (k * points + j) * points + i;
    for (size_t n = 0; n < 8; ++n)
      found.corner[n] = corner[(n & 1) + (n >> 1 & 1) * points + (n >> 2) * points * points];
    if (!may_lead(found, filter_)) return;
    const auto place = [&](size_t axis) { return static_cast<double>(cube.first[axis] + at[axis]); };
    const Vec3 low = Vec3{place(0), place(1), place(2)} * cell_;
    if (filter_.may && !filter_.may({low, low + Vec3{cell_, cell_, cell_}})) return;
    for (size_t axis = 0; axis < 3; ++axis)
      found.key = mix_bits(found.key + static_cast<uint64_t>(cube.first[axis] + at[axis]));
    out[static_cast<size_t>((k / side * sides + j / side) * sides + i / side)].push_back(found);
  }

  const Solid& solid_;
  const Box3& region_;
  double cell_;
  const SurfaceFilter& filter_;
};

}  // namespace

std::vector<SurfaceBlock> surface_cells(const Volume& volume, const Box3& region, double cell,
                                        const SurfaceFilter& filter, const Context& context) {
  // A cell that the region only touches may hold a place of it.
  const std::vector<BlockIndex> large =
      surface_blocks(volume.root(), region, cell * cells, filter.may, context.stage("looking for the surface", 0, 0.1));
  const CellSearch search(volume.root(), region, cell, filter);
  std::vector<std::vector<SurfaceBlock>> parts(large.size());
  parallel_chunks(
      static_cast<int64_t>(large.size()), 1, context.stage("sampling", 0.1, 1), [&](int64_t begin, int64_t end) {
        std::vector<float> v(static_cast<size_t>(points * points * points));
        for (auto b = static_cast<size_t>(begin); b < static_cast<size_t>(end); ++b) {
          CellSearch::Found found;
          search.list(large[b], v.data(), found);
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

void SurfaceDarts::draw(const SurfaceCell& cell, CellDarts& darts) const {
  for (size_t round = 0; round < rounds; ++round) {
    const uint64_t bits = random_.bits(cell.key, round);
    darts.x[round] = static_cast<double>(bits & 0x1fffff) * 0x1p-21;
    darts.y[round] = static_cast<double>(bits >> 21 & 0x1fffff) * 0x1p-21;
    darts.z[round] = static_cast<double>(bits >> 42 & 0x1fffff) * 0x1p-21;
  }
  find_places(cell.corner, darts);
}

bool SurfaceDarts::place(const SurfaceBlock& block, const SurfaceCell& cell, const CellDarts& darts, uint64_t round,
                         Vec3& at) const {
  if ((darts.found >> round & 1) == 0) return false;
  const auto whole = [&](size_t k) { return static_cast<double>(block.at[k] * side + cell.in[k]); };
  at = Vec3{whole(0) + darts.x[round], whole(1) + darts.y[round], whole(2) + darts.z[round]} * cell_;
  return region_.holds(at);
}

bool SurfaceDarts::lead(const SurfaceCell& cell, const CellDarts& darts, uint64_t round, Vec3& normal) const {
  const Vec3 slope = slope_at(cell.corner, {darts.x[round], darts.y[round], darts.z[round]});
  normal = slope * (-1 / length(slope));
  return normal.z >= least_up_ && normal.z <= most_up_;
}

}  // namespace tepui
