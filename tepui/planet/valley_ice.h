#pragma once  // internal

#include <cstdint>

#include "tepui/planet/fine_land.h"
#include "tepui/planet/refine_rules.h"

// Ice below the global stage, in valleys that are narrower than its cells: every finer level shares the balance of a
// vertex among those of its cell, so that what flows through old vertices stays what it was (after Mieloszyk 2017,
// Eq. 13).

namespace tepui {

/// A vertex and the new ones that share its cell: those whose water reaches it first.
struct IceCell {
  int64_t supply = 0;  ///< of the vertex before, m3 a year: snow less what melts
  double members = 1;  ///< the vertex and the new ones
  double height = 0;   ///< the mean of theirs, metres
};

/// Where a new vertex lies, and the ice that arrives there from above, m3 a year.
struct IceSite {
  double height = 0;
  double snow_line = 0;  ///< altitude at which ice neither grows nor melts
  double rain = 0;       ///< metres a year
  int64_t inflow = 0;
};

/// The supply of a new vertex: its share of its cell's, and more the higher it lies in it; no more than snow gives
/// there, no less than what melts of ice as wide as arrives, and never more melts than there is. The vertex whose
/// cell it was keeps what is left.
int64_t supply_of_child(const LevelScale& scale, const IceCell& cell, const IceSite& site);

/// Fills a trough with the ice that flows in it now, m3 a year.
void fill_with_ice(GlacialTrough& trough, double flow);

/// How far the surface of a valley's ice lies above the ground or the lake of a vertex: below 0 where the ground rises
/// out of it, and `no_ice` where there is none.
inline constexpr double no_ice = -100;
double ice_above(const FineVertices& vertices, size_t v);

}  // namespace tepui
