#pragma once

#include <cstdint>

#include "tepui/core/vec.h"
#include "tepui/planet/fine_land.h"

// How land below the global stage gets its vertices (Mieloszyk 2017, with what it leaves open): each rule is a function
// of the edge on which a vertex is born and of what lies around it, so that the same vertex comes out whatever else is
// refined. Lengths and heights are metres at the Earth's size.

namespace tepui {

/// x^y for x > 0, within 1e-6 of the result; made of sums and products only, so that its bits are the same everywhere.
double quick_power(double x, double y);

/// What is the same for all vertices born at a level.
struct LevelScale {
  int level = 0;                 ///< of the edges that are split
  double length = 0;             ///< of these edges, on average
  double spacing = 0;            ///< of the new vertices
  double cell = 0;               ///< area of their cells, m2
  double source_slope = 0;       ///< cell^-0.45: times steepness, how steep a stream is that begins here
  double steepest = 0;           ///< that it may be: smaller gullies are steeper
  double channel_steepness = 0;  ///< above which cells of this size are channels, not smooth slopes
  double bending = 1;            ///< how much more freely edges bend than deep down
  double unit = 0;               ///< m3 a year of one unit of discharge
  double ice_gradient = 0;       ///< metres of ice a year for every metre above the snow line
  double most_snow = 0;          ///< the most that a year gives, metres; 0: no ice has ever lain
  double snow_line_rise = 0;     ///< metres by which the snow line lies higher now than at the height of glaciation
  bool banks = true;             ///< whether both banks of a river are made equally steep (Eqs. 5-6)
  bool troughs = true;           ///< whether glaciers have shaped their valleys
};
LevelScale level_scale(int level, int global_level);

/// Numbers drawn for one new vertex, uniform in [-1, 1].
struct BirthDraws {
  double along, aside, rough, fall, bed, spare;
};
BirthDraws draws_of(uint64_t key, VertexId id);

/// One of the four vertices around an edge.
struct Corner {
  double height = 0;     ///< of the ground, or of the water's surface
  double depth = 0;      ///< of a lake
  double discharge = 0;  ///< m3 a year
  double ice_flow = 0;   ///< m3 a year
  double inside = 0;     ///< metres inside the floor of a valley; below 0 outside
  bool sea = false;
  double ground() const { return height - depth; }
  /// What water that flows in here falls to.
  double water() const { return sea ? 0 : height; }
};

enum class StreamAlong { none, to_first, to_second };

/// An edge from the first corner to the second, the third left of it, the fourth right, on a plane in metres: the first
/// at 0, the second at (length, 0).
struct Diamond {
  Corner a, b, c, d;
  double length = 0;
  Vec2 at_c{}, at_d{};
  StreamAlong stream = StreamAlong::none;  ///< whether water runs along the edge
  double steepness = 0, hardness = 1;
  double runoff = 0.3;  ///< metres a year
  double bulge = 0;     ///< how far above the middle of the edge a smooth surface through what lies around would pass
};

/// Whether cells of a level, on ground of a steepness, hold channels: 1, or smooth slopes: 0.
double cutting(const LevelScale& scale, double steepness);

/// Whether a new vertex needs `bulge`.
bool needs_bulge(const LevelScale& scale, const Diamond& diamond);

/// Whether a stream is more than the lowest line of a smooth slope, by its discharge in m3 a year.
bool is_crease(const LevelScale& scale, double steepness, double discharge, double runoff);

/// Rule 1 and Eqs. 5-6: where on the diamond's plane the new vertex lies.
Vec2 birthplace(const LevelScale& scale, const Diamond& diamond, const BirthDraws& draws);

/// What is known of a new vertex once its height is.
struct Birth {
  double height = 0, depth = 0;
  bool sea = false;
};

/// Rule 2: on an edge along which water runs: strictly between its ends, the lower part flatter. May lie in the sea or
/// a lake, where the lower end does.
Birth born_on_stream(const LevelScale& scale, const Diamond& diamond, Vec2 place, const ValleyFloor& floor,
                     const GlacialTrough& trough, const BirthDraws& draws);

/// A vertex into which a new one might drain.
struct Outlet {
  double water = 0;     ///< the height to which the water would fall
  double distance = 1;  ///< metres
  double flat = 0;      ///< metres of it that lie on the floor of a valley
  double wet = 0;       ///< metres of these that lie in a river
};

/// Rules 3 and 6: on any other edge. `outlets`: the two ends and the new vertices on streams along the sides of the
/// diamond.
Birth born_on_land(const LevelScale& scale, const Diamond& diamond, const Outlet* outlets, int count,
                   const ValleyFloor& floor, const GlacialTrough& trough, const BirthDraws& draws);

/// Half the width of a river's water, by its discharge in m3 a year; how deep it is in the middle, by that width; and
/// the floor that it makes.
double half_channel(double discharge);
double channel_depth(double half_channel);
ValleyFloor floor_of(double discharge, double steepness);

/// The valley of a glacier through which so many m3 of ice pass a year, its bed at an altitude: walls are high where
/// the land is steep.
GlacialTrough trough_of(double ice_flow, double steepness, double bed);

/// Makes a glacier's trough, between those above and below on its line, wider or narrower than usual.
void vary_width(const LevelScale& scale, GlacialTrough& trough, const GlacialTrough& above, const GlacialTrough& below,
                const BirthDraws& draws);

/// Half the width of that valley; and that of the least into which such a glacier falls as a guest, its own valley
/// hanging above the floor.
double half_trough(double ice_flow);
double least_host(double ice_flow);

/// What lies between two vertices, `share` of the way from a to b, where both lie inside; and what lies `away` metres
/// from a vertex that has it.
ValleyFloor between(const ValleyFloor& a, const ValleyFloor& b, double share);
GlacialTrough between(const GlacialTrough& a, const GlacialTrough& b, double share);
template <class Valley>
Valley beside(Valley valley, double away) {
  valley.away += static_cast<float>(away);
  return valley;
}

}  // namespace tepui
