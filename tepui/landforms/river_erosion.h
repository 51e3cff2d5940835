#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/landforms/sheet_carving.h"
#include "tepui/landforms/where.h"

namespace tepui {

struct RiverErosionParams : WhereParams {
  CarvingForm form = CarvingForm::metres;
  std::optional<double> source{};  ///< square metres
  std::optional<double> sea_level{};
  Length depth = percent(1);  ///< that weak rock loses at the water in a pass, on a straight reach
  int passes = 3;
  double power = 0.1;               ///< share of the strongest stream's from which one carves in full
  std::optional<Length> height{};   ///< 1.75 depths
  std::optional<Length> reach{};    ///< 12 depths
  Interval weak{0.15, 0.5};         ///< resistances of rock that is all weak, and of rock that is not at all
  std::optional<Length> size{};     ///< 1.5 depths; paper: 2.35
  std::optional<Length> spacing{};  ///< 0.4 of the size; paper: 0.25
  Seed seed;
};
void describe(Fields<RiverErosionParams>& f);

/// Rivers undercut the walls of their canyons (Paris et al. 2019, section 6.2). In every pass, points on the walls near
/// a river, on the surface as it is by then, take away rock to a depth of
///
///   depth * g((stage - 0.3 depth) / reach) * (0.35 + 0.65 weak) * (0.55 + 1.1 outer - 0.2 inner) * p
///
/// with g(u) = (1 - u^2)^3, stage the height above the water, outer from 0 to 1 how squarely the wall stands against
/// the current on the outside of a bend, reach = `height` * (1 + 1.2 outer), weak from 0 to 1 by the rock's resistance,
/// and p from 0 to 1 by the power of the stream, sqrt(drainage) * slope. Above that weak beds alone are taken back by a
/// quarter of the depth. Outer banks so retreat more than inner ones, and overhang.
///
/// Rivers are those of `water`, land with or without the layer `drainage`, else of the land that the volume was made
/// of; or lines that run downstream, as `rivers` makes them or drawn by hand, on the port `along`. Bends are those of
/// the line, made smooth over 3.5 depths.
///
/// The paper prints no radius, spacing or energy; those of `paper` are ours: points of energy -2T e(rho, sigma) on all
/// walls where sigma, sqrt(drainage) * slope over what a hundredth of the land exceeds, is above `power`, and up to
/// four samples from there.
///
/// Rock of resistance 1 is never carved, nor are the sides of a block of land. `rock` is the geology to go by, else
/// that of the volume.
Volume river_erosion(const Frame& world, const Volume& in, const Terrain* water, const Lines* along,
                     const Geology* rock, const Terrain* mask, const Lines* region, const RiverErosionParams& params,
                     const Context& context);

}  // namespace tepui
