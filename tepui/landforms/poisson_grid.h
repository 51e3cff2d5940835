#pragma once  // internal

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "tepui/core/vec.h"

namespace tepui {

/// The side of a cell whose diagonal is the spacing, so that it holds one point at most.
inline double poisson_cell(double spacing) { return spacing / std::sqrt(3.0); }

/// A block's cells and those around it, with what is kept in them.
class PoissonGrid {
 public:
  /// Cells along the side of a block.
  static constexpr int64_t side = 8;
  /// How many cells away a point may still be too near.
  static constexpr int64_t around = 2;

  PoissonGrid(Vec3 corner, double spacing)
      : corner_(corner), scale_(std::sqrt(3.0) / spacing), square_(spacing * spacing) {}

  /// Where it lies within reach of the block.
  void add(Vec3 p) {
    const Cell c = cell(p);
    if (!c.inside(0)) return;
    slots_[c.index()] = static_cast<uint16_t>(count_);
    if (count_ < places_.size()) places_[count_++] = p;
    rows_[static_cast<size_t>(c.z * width + c.y)] |= static_cast<uint16_t>(1u << c.x);
  }
  /// Whether a cell of the block, counted from its corner, is surely all too near to some point: one that lies within
  /// half a spacing of its middle, from which no place of the cell is farther than that.
  bool is_full(int64_t x, int64_t y, int64_t z) const {
    const Cell c{x + around, y + around, z + around};
    const double half = 0.5 / scale_;
    const Vec3 middle = corner_ +
                        Vec3{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)} * (1 / scale_) +
                        Vec3{half, half, half};
    const auto mask = static_cast<uint16_t>(7u << (c.x - 1));
    for (int64_t k = c.z - 1; k <= c.z + 1; ++k)
      for (int64_t j = c.y - 1; j <= c.y + 1; ++j) {
        uint32_t row = rows_[static_cast<size_t>(k * width + j)] & mask;
        for (; row != 0; row &= row - 1) {
          const Vec3 away = middle - places_[slots_[Cell{std::countr_zero(row), j, k}.index()]];
          if (dot(away, away) < 0.2499 * square_) return true;
        }
      }
    return false;
  }
  /// Of a place within the block: whether no point is too near.
  bool is_free(Vec3 p) const {
    // On the block's border it may be rounded to a cell beside it, whose neighbours are not all held; from the border
    // these are farther away than the spacing.
    const Cell at = cell(p);
    const auto held = [](int64_t v) { return std::clamp<int64_t>(v, around, width - around - 1); };
    const Cell c{held(at.x), held(at.y), held(at.z)};
    const auto mask = static_cast<uint16_t>(0x1fu << (c.x - around));
    for (int64_t z = c.z - around; z <= c.z + around; ++z)
      for (int64_t y = c.y - around; y <= c.y + around; ++y) {
        uint32_t row = rows_[static_cast<size_t>(z * width + y)] & mask;
        for (; row != 0; row &= row - 1) {
          const Vec3 away = p - places_[slots_[Cell{std::countr_zero(row), y, z}.index()]];
          if (dot(away, away) < square_) return false;
        }
      }
    return true;
  }

 private:
  static constexpr int64_t width = side + 2 * around;
  struct Cell {
    int64_t x, y, z;
    bool inside(int64_t margin) const { return std::min({x, y, z}) >= margin && std::max({x, y, z}) < width - margin; }
    size_t index() const { return static_cast<size_t>((z * width + y) * width + x); }
  };
  Cell cell(Vec3 p) const {
    const Vec3 from = (p - corner_) * scale_;
    const auto whole = [](double v) { return static_cast<int64_t>(std::floor(v)) + around; };
    return {whole(from.x), whole(from.y), whole(from.z)};
  }

  Vec3 corner_;
  double scale_, square_;
  size_t count_ = 0;
  std::array<uint16_t, width * width> rows_{};
  std::array<uint16_t, width * width * width> slots_;
  std::array<Vec3, width * width * width> places_;
};

}  // namespace tepui
