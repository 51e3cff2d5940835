#pragma once  // internal

#include <bit>
#include <cstdint>
#include <vector>

#include "tepui/mesh/surface_features.h"

namespace tepui {

/// Which points of a tile's columns are rock, and the field where it was asked. One is filled over and over, so that
/// its memory stays warm.
class TileField {
 public:
  /// `full` asks every point.
  TileField(const Solid& solid, const SurfaceFeatures& features, const SurfaceTiling& tiling, bool full);

  void fill(int64_t tile);

  /// Columns, the first ones of the next tiles among them; told from `low` on.
  LatticeRange columns_x() const { return x_; }
  LatticeRange columns_y() const { return y_; }
  int32_t across() const { return x_.high - x_.low + 1; }
  int32_t along() const { return y_.high - y_.low + 1; }

  /// Rock as bits, from the margin's lowest point up: bit (k + margin) % 64 of word (k + margin) / 64. Columns are the
  /// same below word first(), and air from word last() on.
  int32_t first() const { return first_; }
  int32_t last() const { return last_; }
  const uint64_t* rock(int32_t column) const { return rock_.data() + int64_t{column} * (last_ - first_); }

  /// Whether a point's sign and place are those of the sheet.
  bool on_sheet(int32_t i, int32_t j, int32_t k) const { return plain_ || is_on_sheet(i, j, k); }
  /// Height of the sheet above the point.
  double above(int32_t i, int32_t j, int32_t k) const {
    return height_[static_cast<size_t>((j - y_.low) * across() + i - x_.low)] - tiling_->lattice.z(k);
  }
  /// f - T where it was asked.
  const float* value(int32_t i, int32_t j, int32_t k) const;

  /// Points asked since it was made.
  int64_t asked() const { return asked_; }

 private:
  struct Brick {
    uint8_t low[3] = {8, 8, 8}, high[3] = {0, 0, 0};  ///< of the points with features
    int32_t slot = -1;                                ///< of its values
    bool featured() const { return low[0] < 8; }
  };

  bool is_on_sheet(int32_t i, int32_t j, int32_t k) const;
  void find_heights();
  void mark_features(int64_t tile);
  void mark(const IndexBox& box);
  void mark_bands();
  void choose_words();
  void raise_sheet();
  void ask();
  void ask(Brick& brick, const IndexBox& points);
  void settle(const IndexBox& points, bool rock);
  void set_bits(int32_t i, int32_t j, int32_t from, int32_t to, bool rock);
  void put_bits(int32_t i, int32_t j, LatticeRange z, uint64_t rock);
  IndexBox points_of(int32_t bx, int32_t by, int32_t bz, const Brick& brick) const;
  Brick& brick(int32_t bx, int32_t by, int32_t bz) {
    return bricks_[static_cast<size_t>(((by - brick_y_.low) * bricks_across_ + bx - brick_x_.low) * bricks_up_ + bz)];
  }
  const Brick* brick_at(int32_t i, int32_t j, int32_t k) const {
    if (bricks_.empty()) return nullptr;
    return &bricks_[static_cast<size_t>(
        (((j >> 3) - brick_y_.low) * bricks_across_ + (i >> 3) - brick_x_.low) * bricks_up_ + (k >> 3))];
  }

  const Solid* solid_;
  const SurfaceFeatures* features_;
  const SurfaceTiling* tiling_;
  bool full_;
  bool plain_ = false;  ///< whether all points are on the sheet

  LatticeRange x_, y_;              ///< columns with margin
  IndexBox points_;                 ///< of the lattice, within
  LatticeRange brick_x_, brick_y_;  ///< bricks of 8 x 8 x 8 points that these lie in
  int32_t bricks_across_ = 0, bricks_up_ = 0;
  int32_t first_ = 0, last_ = 0;
  int32_t lowest_feature_ = 0, highest_feature_ = -1;
  std::vector<double> height_, found_;
  std::vector<int32_t> below_;  ///< points of a column that lie below the sheet
  std::vector<uint64_t> rock_;
  std::vector<Brick> bricks_;  ///< empty where nothing is to be asked
  std::vector<float> values_;
  int64_t asked_ = 0;
};

}  // namespace tepui
