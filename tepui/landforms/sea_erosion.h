#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/landforms/sheet_carving.h"
#include "tepui/landforms/where.h"

namespace tepui {

struct SeaErosionParams : WhereParams {
  CarvingForm form = CarvingForm::metres;
  std::optional<double> sea_level{};
  Length depth = percent(1.4);      ///< that open, weak rock at sea level loses in a pass
  std::optional<int> passes{};      ///< 4; paper: 3
  std::optional<Length> height{};   ///< 1.45 depths
  Interval weak{0.15, 0.5};         ///< resistances of rock that is all weak, and of rock that is not at all
  std::optional<Length> thin{};     ///< 3.6 depths
  std::optional<Length> fetch{};    ///< 7.3 depths
  std::optional<Length> size{};     ///< 0.9 depths; paper: 1.45
  std::optional<Length> spacing{};  ///< 0.44 of the size; paper: 0.25
  Seed seed;
};
void describe(Fields<SeaErosionParams>& f);

/// Waves cut notches, caves, arches and stacks into a coast (Paris et al. 2019, section 6.1). In every pass, points on
/// the surface as it is by then, around sea level, take away rock to a depth of
///
///   depth * min(1, alpha / 0.35) * w * (0.12 + 0.88 weak)
///
/// with alpha the share of a hemisphere's rays, `fetch` metres long, that meet no rock; weak from 0 to 1 by the rock's
/// resistance; and w = (1 - (z/reach)^2)^3 by the height z above the sea, reach being `height` in hard rock and 3.2
/// times as much in weak, and `height` below the sea. Hard rock thinner than `thin` loses less: headlands are cut
/// through along their weak rock, and stacks are left standing. Upright sheets of weak rock (`rock_planes`) become
/// caves.
///
/// The paper prints the form e(rho, sigma) of the energies, but neither radius, spacing nor energy; those of `paper`
/// are ours: -2T e in the first of three passes, two thirds of that in the second and 8/15 in the third, sigma = alpha
/// w, on surfaces steeper than 37 degrees. Its points overlap so much that hard and weak rock retreat nearly alike.
///
/// Rock of resistance 1 is never carved. `rock` is the geology to go by, else that of the volume.
Volume sea_erosion(const Frame& world, const Volume& in, const Geology* rock, const Terrain* mask, const Lines* region,
                   const SeaErosionParams& params, const Context& context);

}  // namespace tepui
