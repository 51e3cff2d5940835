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
  int level = 0;            ///< of the edges that are split
  double length = 0;        ///< of these edges, on average
  double spacing = 0;       ///< of the new vertices
  double cell = 0;          ///< area of their cells, m2
  double source_slope = 0;  ///< cell^-0.45: times steepness, how steep a stream is that begins here
  double bending = 1;       ///< how much more freely edges bend than deep down
  double unit = 0;          ///< m3 a year of one unit of discharge
  bool banks = true;        ///< whether both banks of a river are made equally steep (Eqs. 5-6)
  bool troughs = true;      ///< whether glaciers have shaped their valleys
};
LevelScale level_scale(int level, int global_level);

/// Numbers drawn for one new vertex, uniform in [-1, 1].
struct Draws {
  double along, aside, rough, fall, bed, spare;
};
Draws draws_of(uint64_t key, VertexId id);

/// One of the four vertices around an edge.
struct Corner {
  double height = 0;     ///< of the ground or a lake's surface
  double depth = 0;      ///< of a lake or river
  double discharge = 0;  ///< m3 a year
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
  double steepness = 0;
};

/// Rule 1 and Eqs. 5-6: where on the diamond's plane the new vertex lies.
Vec2 birthplace(const LevelScale& scale, const Diamond& diamond, const Draws& draws);

/// What is known of a new vertex once its height is.
struct Birth {
  double height = 0, depth = 0;
  bool sea = false;
};

/// Rule 2: on an edge along which water runs: strictly between its ends, the lower part flatter. May lie in the sea or
/// a lake, where the lower end does.
Birth born_on_stream(const LevelScale& scale, const Diamond& diamond, Vec2 place, const Draws& draws);

/// A vertex into which a new one might drain.
struct Outlet {
  double water = 0;     ///< the height to which the water would fall
  double distance = 1;  ///< metres
};

/// Rule 3: on any other edge. `outlets`: the two ends and the new vertices on streams along the sides of the diamond.
Birth born_on_land(const LevelScale& scale, const Diamond& diamond, Vec2 place, const Outlet* outlets, int count,
                   const Draws& draws);

}  // namespace tepui
