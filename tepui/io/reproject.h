#pragma once

#include <optional>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct ReprojectParams {
  std::string crs = "utm";  ///< "utm": the zone of the land's centre (WGS 84); else any system
  /// Of the new, square cells; where it is not given, as many samples as before lie on the same ground.
  std::optional<Length> cell{};
};
void describe(Fields<ReprojectParams>&);

/// Land in another reference system: on square cells whose samples lie on whole multiples of the cell, so that
/// neighbouring lands brought to one system and cell share their samples. The new rectangle is the box around the old
/// land.
///
/// Heights and other continuous layers by cubic convolution (Keys 1981, Eq. 4 with a = -1/2), masks linearly, classes
/// from the nearest sample; where new cells are more than half as large again as the old, the old land is brought to
/// cells of their size first, by means of areas (see resample.h). A sample farther outside the old ones than half a
/// cell, the old or the new, is `void` and filled; one nearer repeats the border. Relief and heights are kept: the
/// system's vertical part, if it has one, is left behind.
///
/// Given a geographic system, steps are equal in degrees, and cells are metres at the central latitude, as read gives
/// them. Land already in the system, on square cells and with no cell asked for, is returned as it is.
///
/// Positions come from PROJ, whose sines are libm's, and those differ between machines in their last bits. Positions at
/// every 16th sample are therefore rounded to 1/4096 of an old cell: two machines part only where one lies within a
/// billionth of a cell or so of the border between two such steps. In between, positions are interpolated in plain
/// arithmetic. Where five of PROJ's positions in a square of 32 samples show that to be off by more than 1/256 of a
/// cell, each sample of the square is asked for and rounded.
/// Datums that need grids of shifts use those of PROJ that the machine has; the network is never used.
Terrain reproject(const Terrain& in, const ReprojectParams& params, const Context& context);

}  // namespace tepui
