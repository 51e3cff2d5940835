#pragma once  // internal

#include <cstdint>
#include <limits>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct SnowRest {
  double steepest = 56;  ///< degrees, on which nothing lies
  double rest = 20;      ///< degrees, of deep snow's surface
  double deep = 4;       ///< metres
};

/// What snow can lie on the ground without sliding.
struct SnowHold {
  Grid<int64_t> most;  ///< quanta of water; none on slopes, `unlimited` on gentle ground and in pits, `wet` on water
  Grid<float> stop;    ///< metres that lie on each other before an avalanche goes on
  static constexpr int64_t unlimited = int64_t{1} << 50, wet = -1;
};

/// 12 m of water times u^2, u = (steepest - slope - 3 (1 + n)) / 36 with slopes in degrees over 10 m and a noise n from
/// -1 to 1 (Gruber 2007, Eq. 7, roughly); unlimited on slopes up to 16 degrees and where no neighbour is lower. An
/// avalanche goes on over `deep` metres, three times as much on ground below 8 degrees.
SnowHold snow_hold(const Terrain& ground, const SnowRest& rest, const Context& context);

/// Snow that is no longer on the land, in quanta.
struct SnowLost {
  int64_t melted = 0;  ///< in water
  int64_t left = 0;    ///< over the border
};

/// Lets snow slide, in whole quanta.
///
/// First it falls (Gruber 2007): from the highest sample to the lowest, each gives what it cannot hold to its lower
/// neighbours, in proportion to the squares of their slopes; pits keep all, but at the border it leaves the land, and
/// water melts it. Then deep snow slides: where it is more than `deep` metres deep
/// and its surface rises above a neighbour with room left more steeply than the angle of rest, it comes down to a slope
/// a little gentler, in rounds over all samples, from the lowest to the highest and back in turn. Amounts would bring
/// the surface in balance with the neighbour farthest below, and are divided in proportion to how far each is too low.
class SnowSettle {
 public:
  SnowSettle(const Terrain& ground, SnowHold hold, const SnowRest& rest, const Context& context);

  /// `density` makes depths of water. Adds to `passed` what slid into each sample.
  SnowLost settle(double density, const Context& context, Grid<int64_t>& snow, Grid<int64_t>& passed);

  const SnowHold& hold() const { return hold_; }

 private:
  struct Neighbour {
    int64_t dx, dy, step;
    double distance;
  };

  bool inside(int64_t x, int64_t y) const { return x >= 0 && y >= 0 && x < width_ && y < height_; }
  void fall(int64_t i, double scale, Grid<int64_t>& snow, Grid<int64_t>& passed, SnowLost& lost);
  void slide(int64_t i, double scale, Grid<int64_t>& snow, Grid<int64_t>& passed);
  void wake(int64_t i) { active_[static_cast<size_t>(rank_[static_cast<size_t>(i)] >> 6)] |= bit(i); }
  uint64_t bit(int64_t i) const { return uint64_t{1} << (rank_[static_cast<size_t>(i)] & 63); }
  template <class Visit>
  bool pass(bool down, const Visit& visit);

  int64_t width_, height_;
  const Grid<float>& ground_;
  Terrain land_;  ///< keeps the ground
  SnowHold hold_;
  double deep_, rest_;  ///< metres; the tangent
  Neighbour neighbours_[8];
  std::vector<uint32_t> order_, rank_;  ///< samples from the highest down; a sample's place in it
  std::vector<uint64_t> active_;        ///< a bit for each place: samples that may have too much
};

/// Samples from the highest down; of equals the first one first.
std::vector<uint32_t> from_the_highest(const Grid<float>& ground);

}  // namespace tepui
