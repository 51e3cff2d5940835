#include "tepui/landforms/field_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// A cube of 2^level blocks a side.
struct Cube {
  BlockIndex low;
  int level;
};

class BlockSearch {
 public:
  BlockSearch(const Solid& solid, const Box3& region, double side, const std::function<bool(const Box3&)>& may)
      : solid_(solid), region_(region), side_(side), may_(may) {}

  void search(const Cube& cube, std::vector<BlockIndex>& found) const {
    const Box3 box = box_of(cube).within(region_);
    if (box.empty() || (may_ && !may_(box))) return;
    const FieldRange range = solid_.range(box);
    if (range.low > 0 || range.high <= 0) return;
    if (cube.level == 0) return found.push_back(cube.low);
    const int32_t half = 1 << (cube.level - 1);
    for (int i = 0; i < 8; ++i)
      search({{cube.low[0] + (i & 1) * half, cube.low[1] + (i >> 1 & 1) * half, cube.low[2] + (i >> 2) * half},
              cube.level - 1},
             found);
  }

 private:
  Box3 box_of(const Cube& cube) const {
    const double size = side_ * (1 << cube.level);
    const Vec3 low =
        Vec3{static_cast<double>(cube.low[0]), static_cast<double>(cube.low[1]), static_cast<double>(cube.low[2])} *
        side_;
    return {low, low + Vec3{size, size, size}};
  }

  const Solid& solid_;
  const Box3& region_;
  double side_;
  const std::function<bool(const Box3&)>& may_;
};

}  // namespace

std::vector<BlockIndex> surface_blocks(const Solid& solid, const Box3& region, double side,
                                       const std::function<bool(const Box3&)>& may, const Context& context) {
  const Box3 box = region.within(solid.support());
  if (box.empty()) return {};
  constexpr int level = 3;
  const double large = side * (1 << level);
  const double low[] = {std::floor(box.low.x / large), std::floor(box.low.y / large), std::floor(box.low.z / large)};
  const double high[] = {std::floor(box.high.x / large), std::floor(box.high.y / large),
                         std::floor(box.high.z / large)};
  int64_t count[3];
  double all = 1;
  for (int k = 0; k < 3; ++k) {
    all *= high[k] - low[k] + 1;
    if (!(all < 1e8) || !(std::abs(low[k]) < 1e8) || !(std::abs(high[k]) < 1e8))
      refuse(fmt::format("a spacing of {:.3g} m is too fine for so large a volume", side / 32),
             "use a wider spacing, or a smaller region");
    count[k] = static_cast<int64_t>(high[k] - low[k]) + 1;
  }
  const BlockSearch search(solid, box, side, may);
  constexpr int64_t grain = 4;
  const int64_t cubes = count[0] * count[1] * count[2];
  std::vector<std::vector<BlockIndex>> parts(static_cast<size_t>((cubes + grain - 1) / grain));
  parallel_chunks(cubes, grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t at[] = {i % count[0], i / count[0] % count[1], i / count[0] / count[1]};
      Cube cube{{}, level};
      for (size_t k = 0; k < 3; ++k)
        cube.low[k] = static_cast<int32_t>((static_cast<int64_t>(low[k]) + at[k]) * (1 << level));
      search.search(cube, parts[static_cast<size_t>(begin / grain)]);
    }
  });
  std::vector<BlockIndex> blocks;
  for (const auto& part : parts) blocks.insert(blocks.end(), part.begin(), part.end());
  std::ranges::sort(blocks, {}, [](const BlockIndex& b) { return BlockIndex{b[2], b[1], b[0]}; });
  return blocks;
}

BlockRock fill_cube(const Solid& solid, const LatticeCube& cube, double margin, float* v,
                    const std::function<bool(const Box3&)>& wanted) {
  const int64_t n = cube.count;
  double axis[3][LatticeCube::most];
  for (size_t k = 0; k < 3; ++k)
    for (int64_t i = 0; i < n; ++i) axis[k][i] = (static_cast<double>(cube.first[k] + i) + cube.offset) * cube.cell;
  const auto sign_in = [&](const Box3& box) {
    const FieldRange range = solid.range(box.grown(margin * cube.cell));
    return range.low > 0 ? BlockRock::all : range.high <= 0 ? BlockRock::none : BlockRock::some;
  };
  const BlockRock whole =
      sign_in({{axis[0][0], axis[1][0], axis[2][0]}, {axis[0][n - 1], axis[1][n - 1], axis[2][n - 1]}});
  if (whole != BlockRock::some) return whole;
  bool rock = false, air = false;
  double x[FieldPoints::most], y[FieldPoints::most], z[FieldPoints::most];
  float told[FieldPoints::most];
  // Bricks of 8 x 8 x 6 points; one point that is left over goes with the last of them.
  constexpr int64_t side = 8, thick = 6;
  static_assert((side + 1) * (side + 1) * thick <= FieldPoints::most);
  const auto more = [n](int64_t from) { return n - from <= side + 1 ? n - from : side; };
  for (int64_t k0 = 0; k0 < n; k0 += thick)
    for (int64_t j0 = 0; j0 < n; j0 += more(j0))
      for (int64_t i0 = 0; i0 < n; i0 += more(i0)) {
        const FieldLattice lattice{axis[0] + i0, axis[1] + j0, axis[2] + k0,
                                   more(i0),     more(j0),     std::min(thick, n - k0)};
        const Box3 box{{axis[0][i0], axis[1][j0], axis[2][k0]},
                       {axis[0][i0 + lattice.nx - 1], axis[1][j0 + lattice.ny - 1], axis[2][k0 + lattice.nz - 1]}};
        if (wanted && !wanted(box.grown(margin * cube.cell))) {
          for (int64_t k = 0; k < lattice.nz; ++k)
            for (int64_t j = 0; j < lattice.ny; ++j) std::fill_n(v + ((k0 + k) * n + j0 + j) * n + i0, lattice.nx, -1);
          continue;
        }
        const BlockRock sign = sign_in(box);
        int64_t count = 0;
        if (sign == BlockRock::some) {
          for (int64_t k = 0; k < lattice.nz; ++k)
            for (int64_t j = 0; j < lattice.ny; ++j)
              for (int64_t i = 0; i < lattice.nx; ++i, ++count)
                x[count] = lattice.x[i], y[count] = lattice.y[j], z[count] = lattice.z[k];
          solid.values({x, y, z, count, box, &lattice}, told);
        } else {
          count = lattice.nx * lattice.ny * lattice.nz;
          std::fill_n(told, count, sign == BlockRock::all ? 1.0f : -1.0f);
        }
        int64_t above = 0;
        for (int64_t i = 0; i < count; ++i) above += told[i] > 0 ? 1 : 0;
        rock |= above > 0;
        air |= above < count;
        const float* from = told;
        for (int64_t k = 0; k < lattice.nz; ++k)
          for (int64_t j = 0; j < lattice.ny; ++j, from += lattice.nx)
            std::copy_n(from, lattice.nx, v + ((k0 + k) * n + j0 + j) * n + i0);
      }
  return rock ? (air ? BlockRock::some : BlockRock::all) : BlockRock::none;
}

}  // namespace tepui
