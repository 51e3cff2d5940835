#pragma once  // internal

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tepui/erode/tiles.h"

namespace tepui {

/// How far from a cell the foot of its wall is looked for along an axis: `cells` and a share of one more.
struct FootReach {
  int64_t cells = 1;
  float share = 0;
  /// Right below a step the ground is lower than between the cells. Where `reach` is less than a cell, a share of the
  /// cell stands free there: its foot is then taken to lie lower by `edge` of the step, which makes it sqrt(share) of
  /// the step below the cell, so that the chance of a fall, which goes with the square, is that share. 0 otherwise.
  float edge = 0;

  /// The cell beyond the foot, and the last one that is looked at.
  int64_t next() const { return share > 0 ? cells + 1 : cells; }
  int64_t far() const { return share > 0 ? cells + 2 : cells; }
};

/// How much of the fall from `top` to the cell `next` is a step: beyond it, to the cell `far`, the ground goes on
/// neither down nor up as much.
inline float step_below(float top, float next, float far) {
  return std::max(std::max(top - next, 0.0f) - std::abs(next - far), 0.0f);
}

/// Where the ground is read for feet to one side: at the two cells that a foot lies between and at the last one that is
/// looked at; nullptr outside the land. Without `next` nothing stands free.
struct FootGround {
  const float *near = nullptr, *next = nullptr, *far = nullptr;
};

/// A part of a row whose walls are looked at. Pointers are to the row's first cell. find_falls() and find_exposed() may
/// read 16 cells beyond the end of a row of ground.
struct WallRow {
  const float *rock = nullptr, *ground = nullptr;
  FootGround south{}, north{};
  int64_t width = 0;  ///< of the whole row
  FootReach along{}, across{};
  int64_t begin = 0, end = 0;
  /// Cells that can be read beyond both ends of `ground`, and stand higher than any rock by far.
  int64_t walls = 0;
};

/// All of row y of a land whose rows are rock(y) and ground(y), `height` of them.
template <class Rock, class Ground>
WallRow wall_row(const Rock& rock, const Ground& ground, int64_t y, int64_t width, int64_t height, FootReach along,
                 FootReach across) {
  const auto row = [&](int64_t v) -> const float* { return v >= 0 && v < height ? ground(v) : nullptr; };
  return {.rock = rock(y),
          .ground = ground(y),
          .south = {row(y - across.cells), row(y - across.next()), row(y - across.far())},
          .north = {row(y + across.cells), row(y + across.next()), row(y + across.far())},
          .width = width,
          .along = along,
          .across = across,
          .begin = 0,
          .end = width,
          .walls = 0};
}

/// What stands free on the four sides of a cell.
struct Exposure {
  float sum = 0, largest = 0;
  /// The ground at the foot of the largest, as `share` of the cell sees it and as the rest does. On a slope, and where
  /// `reach` is whole cells, that is the same; but where the foot lies between the cells before and after a step, part
  /// of the cell sees the one and part the other.
  float low = 0, high = 0, share = 1;
};
Exposure exposure(const WallRow& row, int64_t x);

/// Boxes of the tiles of a row, from that of column row.begin on.
struct RowBoxes {
  TileCells* first;
  int64_t first_end, tile_width;  ///< in columns

  TileCells& at(int64_t x) const { return x < first_end ? *first : first[1 + (x - first_end) / tile_width]; }
};

/// Where walls fall: a chance of `scale` E^2, E the largest exposure; and where draw(the cell's key + step_key) is at
/// most that, it happens.
struct FallRule {
  float scale;
  const uint32_t* keys;  ///< of the row's cells
  uint32_t step_key;
};

/// Appends the columns where walls fall. Adds to `can` the cells that can ever do so, and perhaps some around them.
void find_falls(const WallRow& row, int64_t y, const FallRule& rule, const RowBoxes& can,
                std::vector<int64_t>& columns);

/// Of 24 bits, in (0, 1]: what has a smaller chance than 2^-24 never happens.
float draw(uint32_t key);

/// Appends the columns where the sum of exposures is at least `least`, which is above 0.
void find_exposed(const WallRow& row, float least, std::vector<int64_t>& columns);

}  // namespace tepui
