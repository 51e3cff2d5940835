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
    fill_around(c, p);
  }
  /// Whether a cell of the block, counted from its corner, is surely all too near to some point: one from which no
  /// corner of the cell is as far as the spacing.
  bool is_full(int64_t x, int64_t y, int64_t z) const {
    return (full_[static_cast<size_t>((z + around) * width + y + around)] >> (x + around) & 1) != 0;
  }
  /// Of a place within the block: whether no point is too near.
  bool is_free(Vec3 p) const {
    // On the block's border it may be rounded to a cell beside it, whose neighbours are not all held; from the border
    // these are farther away than the spacing.
    const Cell at = cell(p);
    const auto held = [](int64_t v) { return std::clamp<int64_t>(v, around, width - around - 1); };
    const Cell c{held(at.x), held(at.y), held(at.z)};
    const auto mask = static_cast<uint16_t>(0x1fu << (c.x - around));
    // The nearest rows first, where a point is most likely.
    constexpr int8_t order[] = {0,
                                -1,
                                1,
                                -width,
                                width,
                                -width - 1,
                                -width + 1,
                                width - 1,
                                width + 1,
                                -2,
                                2,
                                -2 * width,
                                2 * width,
                                -width - 2,
                                -width + 2,
                                width - 2,
                                width + 2,
                                -2 * width - 1,
                                -2 * width + 1,
                                2 * width - 1,
                                2 * width + 1,
                                -2 * width - 2,
                                -2 * width + 2,
                                2 * width - 2,
                                2 * width + 2};
    const int64_t middle = c.z * width + c.y;
    for (const int8_t away_row : order) {
      const int64_t at_row = middle + away_row;
      uint32_t row = rows_[static_cast<size_t>(at_row)] & mask;
      for (; row != 0; row &= row - 1) {
        const Vec3 away = p - places_[slots_[static_cast<size_t>(at_row * width + std::countr_zero(row))]];
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

  /// Marks the cells that a point leaves no room in.
  void fill_around(const Cell& c, Vec3 p) {
    const double step = 1 / scale_, least = 0.9999 * square_;
    // Squares of how far the farther side of each cell is along an axis.
    const auto farthest = [&](int64_t middle, double at, double corner, double(&out)[2 * around + 1]) {
      for (int64_t i = -around; i <= around; ++i) {
        const double low = corner + static_cast<double>(middle + i - around) * step;
        const double away = std::max(at - low, low + step - at);
        out[i + around] = away * away;
      }
    };
    double x[2 * around + 1], y[2 * around + 1], z[2 * around + 1];
    farthest(c.x, p.x, corner_.x, x);
    farthest(c.y, p.y, corner_.y, y);
    farthest(c.z, p.z, corner_.z, z);
    for (int64_t k = std::max<int64_t>(c.z - around, 0); k <= std::min(c.z + around, width - 1); ++k)
      for (int64_t j = std::max<int64_t>(c.y - around, 0); j <= std::min(c.y + around, width - 1); ++j) {
        const double left = least - z[k - c.z + around] - y[j - c.y + around];
        uint32_t bits = 0;
        for (size_t i = 0; i < 2 * around + 1; ++i) bits |= static_cast<uint32_t>(x[i] < left) << i;
        full_[static_cast<size_t>(k * width + j)] |=
            static_cast<uint16_t>(static_cast<uint64_t>(bits) << c.x >> around);
      }
  }

  Vec3 corner_;
  double scale_, square_;
  size_t count_ = 0;
  std::array<uint16_t, width * width> rows_{}, full_{};
  std::array<uint16_t, width * width * width> slots_;
  std::array<Vec3, width * width * width> places_;
};

}  // namespace tepui
