#pragma once

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"

namespace tepui {

/// Rectangles of cells that work is divided into, and skipped by. No result depends on their size, which is at least 2:
/// what a cell gains depends on cells up to two away, and only tiles next to each other wake each other up.
struct TileSize {
  int64_t width = 64, height = 16;
};

/// The slope at which debris rests.
struct Talus {
  float slope = 0;             ///< quanta a metre; 0: none
  float per_x = 1, per_y = 1;  ///< cells a metre
};

/// Rock with debris on it that slides: heights in whole quanta (height_quanta.h), held as floats of at most 2^24.
///
/// slide() moves debris once, everywhere at the same time: with d_i = max(0, m - m_i) for the eight neighbours, m being
/// the height of the ground, the cell gives away min(debris, f sum d / 8) in proportion to d_i, each neighbour's part
/// cut to whole quanta. f = max(0, 1 - talus / slope), the slope being that down to the lower one of the neighbours
/// along x and of those along y: the same in all directions, so that cones of debris are round. No ground rises above
/// its highest neighbour or sinks below its lowest, the sum over all cells stays exactly what it was, and the border
/// lets nothing through.
///
/// A tile in and around which nothing moved is not looked at again until touch() is called for it.
class Debris {
 public:
  /// Rock and ground are level at 0 until they are written; then touch_all().
  Debris(int64_t width, int64_t height, TileSize tile = {});

  int64_t width() const { return width_; }
  int64_t height() const { return height_; }

  /// Rows of `width` cells. Ground must not lie below rock.
  float* rock(int64_t y) { return rock_.data() + offset(y); }
  const float* rock(int64_t y) const { return rock_.data() + offset(y); }
  const float* ground(int64_t y) const { return ground_.data() + offset(y); }
  /// To be written before the first slide().
  float* first_ground(int64_t y) { return ground_.data() + offset(y); }

  int64_t tiles_across() const { return tiles_across_; }
  int64_t tiles() const { return static_cast<int64_t>(active_.size()); }
  struct Cells {
    int64_t x0, x1, y0, y1;
  };
  Cells cells(int64_t tile) const;
  /// Tiles side by side, that are worked on together.
  struct Run {
    int64_t first, last;
  };
  Cells cells(const Run& run) const;
  /// Lengthens the last run or begins another one; tiles come in order.
  void add_to_runs(int64_t tile, std::vector<Run>& runs) const;
  int64_t tile_width() const { return tile_.width; }
  int64_t tile_at(int64_t x, int64_t y) const { return y / tile_.height * tiles_across_ + x / tile_.width; }

  /// The rock or the debris of the tile has changed.
  void touch(int64_t tile);
  void touch_all();
  /// Whether the next slide() has anything to look at.
  bool is_active() const;

  /// Returns whether anything may have moved. `moved`, one flag a tile, is set where something did and else left alone.
  bool slide(const Talus& talus, std::vector<uint8_t>& moved, const Context& context);

  /// Gives up the memory that only slide() needs, and the ground's and the rock's own, when they are done with.
  void forget_next() { next_ = {}; }
  void forget_ground() { ground_ = {}; }
  void forget_rock() { rock_ = {}; }

 private:
  int64_t offset(int64_t y) const { return (y + 1) * stride_ + left_pad; }
  std::vector<Run> runs_to_slide() const;

  static constexpr int64_t left_pad = 16, right_pad = 48;

  int64_t width_ = 0, height_ = 0, stride_ = 0;
  TileSize tile_;
  int64_t tiles_across_ = 0, tiles_down_ = 0;
  Grid<float> rock_, ground_, next_;  ///< with a high wall around them
  std::vector<uint8_t> active_;       ///< what changed in tiles since they were last looked at
};

}  // namespace tepui
