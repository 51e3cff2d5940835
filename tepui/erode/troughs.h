#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/vec.h"
#include "tepui/erode/lattice_ladder.h"

namespace tepui {

/// An end of a piece of trough.
struct TroughEnd {
  Vec2 at;            ///< Metres of the world.
  double floor = 0;   ///< Metres.
  double depth = 1;   ///< Of the floor below the trimline, metres; above 0.
  double half = 1;    ///< Of the width at the trimline, metres; above 0.
  double flux = 0;    ///< Ice, m3 a year.
  double margin = 0;  ///< Height of the moraine beside the ice, metres.
};

/// A straight piece of trough, or of a bowl, which has a floor that is nearly flat and a steep wall.
struct Trough {
  TroughEnd from, to;
  bool bowl = false;
};

/// A place as a trough has it: how far from its middle line, and what the trough is there.
struct TroughPlace {
  double distance = 0;
  TroughEnd there;
};
TroughPlace place_in(const Trough& trough, Vec2 at);

/// The wall at a distance from the middle line, over the depth: the distance over half the width to the power 1.75,
/// for real troughs have 1.7 to 1.8 (Graf 1970), and of a bowl 2.5; a V has 1.
double trough_wall(double distance, bool bowl);

/// Above the trimline a wall goes on in a straight line that is so steep, metres a metre, or as steep as there.
inline constexpr double wall_above_trimline = 1.5;

/// The height of the surface that the ice wants at a place: that of one trough.
double trough_height(const Trough& trough, Vec2 at);

/// What makes walls ragged: noise moves every place by up to so many metres along each axis before it is looked up.
struct Raggedness {
  double metres = 0;
  uint64_t key = 0;
};

/// What troughs make of a land.
struct TroughLand {
  Grid<float> height;  ///< The lowest of all troughs' surfaces where that is below the land, else the land.
  Grid<float> floor;   ///< Of the trough that is lowest there, within its width; else far below all land.
};
/// Exactly the minimum over all troughs; each is asked only where it may be the lowest and below the land. `fill` is
/// added to floors as a share of the depth.
TroughLand troughs_under(const Grid<float>& land, const Lattice& lattice, const std::vector<Trough>& troughs,
                         const Raggedness& ragged, double fill, const Context& context);

/// The ice that fills troughs up to their trimlines.
struct TroughIce {
  Grid<float> top;   ///< Metres, of the ice's surface; far below all land where no trough is.
  Grid<float> flux;  ///< m3 a year.
};
TroughIce ice_in_troughs(const Lattice& lattice, const std::vector<Trough>& troughs, const Context& context);

/// What is far below all land.
inline constexpr float no_trough = -1e30f;

}  // namespace tepui
