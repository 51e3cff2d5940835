#pragma once

#include <cstdint>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/erode/tiles.h"

namespace tepui {

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
/// Cells around which nothing moved are not looked at again until touch() is called for one of them.
class Debris {
 public:
  /// Rock and ground are level at 0 until they are written; then touch_all().
  Debris(int64_t width, int64_t height, TileSize tile = {});

  const Tiling& tiling() const { return tiling_; }
  int64_t width() const { return tiling_.width(); }
  int64_t height() const { return tiling_.height(); }

  /// Rows of `width` cells, and beyond both ends of each so many more that can be read and stand higher than anything.
  /// Ground must not lie below rock.
  static constexpr int64_t walls = 16;
  float* rock(int64_t y) { return rock_.data() + offset(y); }
  const float* rock(int64_t y) const { return rock_.data() + offset(y); }
  const float* ground(int64_t y) const { return ground_.data() + offset(y); }
  /// To be written before the first slide().
  float* first_ground(int64_t y) { return ground_.data() + offset(y); }

  /// The rock or the debris of the cell has changed; of several cells at once, if they are in different tiles.
  void touch(int64_t x, int64_t y) { active_.add(x, y); }
  void touch_all() { active_.add_all(); }
  /// Whether the next slide() has anything to look at.
  bool is_active() const { return !active_.empty(); }

  /// Returns whether anything may have moved, and adds to `moved` what did.
  bool slide(const Talus& talus, TileBoxes& moved, const Context& context);

  /// Gives up the memory that only slide() needs, and the ground's and the rock's own, when they are done with.
  void forget_next() { next_ = {}; }
  void forget_ground() { ground_ = {}; }
  void forget_rock() { rock_ = {}; }

 private:
  int64_t offset(int64_t y) const { return (y + 1) * stride_ + left_pad; }

  static constexpr int64_t left_pad = walls, right_pad = walls + 32;

  Tiling tiling_;
  int64_t stride_ = 0;
  Grid<float> rock_, ground_, next_;  ///< with a high wall around them
  TileBoxes active_, awake_;          ///< what changed since it was last looked at, and what that may move
  std::vector<TileRun> list_;         ///< of a slide
};

}  // namespace tepui
