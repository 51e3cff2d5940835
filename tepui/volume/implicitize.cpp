#include "tepui/volume/implicitize.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/volume/land_solid.h"
#include "tepui/volume/loose_ground.h"

namespace tepui {

namespace {

std::shared_ptr<const PlanRegion> region_of(const Terrain& in, const Terrain* mask, const ImplicitizeParams& params,
                                            double falloff) {
  const Frame& frame = in.frame();
  if (mask != nullptr) {
    if (!params.polygon.empty()) refuse("'implicitize' has two regions: a mask and a polygon", "give one of them");
    require_same_frame(frame, "the land", mask->frame(), "the mask");
    return std::make_shared<const PlanRegion>(mask_border(frame, mask_layer(*mask).grid()), falloff);
  }
  if (params.polygon.empty())
    return std::make_shared<const PlanRegion>(Vec2{frame.x(0), frame.y(0)},
                                              Vec2{frame.x(frame.width - 1), frame.y(frame.height - 1)}, falloff);
  std::vector<Vec2> corners;
  for (const PlanCorner& corner : params.polygon)
    corners.push_back(frame.origin + Vec2{corner.x.in(frame), corner.y.in(frame)});
  return std::make_shared<const PlanRegion>(polygon_border(corners), falloff);
}

}  // namespace

void describe(Fields<PlanCorner>& f) {
  f("x", &PlanCorner::x, Range{-1e9, 1e9}, "from the world's west side");
  f("y", &PlanCorner::y, Range{-1e9, 1e9}, "from the world's south side");
}

void describe(Fields<ImplicitizeParams>& f) {
  f.about("Turn land into a solid that can be carved: rock from the ground down to a floor");
  // Land between two samples is a curve through four.
  f.window([](const ImplicitizeParams&, const Frame&) { return Halo{2, 2}; });
  f("threshold", &ImplicitizeParams::threshold, open_range(0, 1e6), "T: there is rock where the field is above this")
      .slider(1, 50);
  f("radius", &ImplicitizeParams::radius, open_range(0, 1e6),
    "R: metres above and below the ground at which the field reaches 0 and 2T; at most 3T")
      .unit("m")
      .slider(1, 50);
  f("floor", &ImplicitizeParams::floor, not_negative, "depth of the floor below the lowest land")
      .slider(0, 50)
      .sweep("2%", "10%", "40%");
  f("falloff", &ImplicitizeParams::falloff, open_range(0, 1e9),
    "distance over which the field fades beyond walls and floor, which stand 0.454 of it outside the region")
      .slider(0, 5);
  f("loose", &ImplicitizeParams::loose, Range{0, 1},
    "resistance to erosion of the loose ground above the land's layer 'bedrock', if there is a rock: one for all of "
    "it, "
    "since beds end where they have fallen apart");
  f("polygon", &ImplicitizeParams::polygon, Range{0, 1000},
    "corners of the region that becomes solid, in order; none: all of the land");
}

Volume implicitize(const Terrain& in, const Terrain* mask, const Geology* rock, const ImplicitizeParams& params,
                   const Context&) {
  const Frame& frame = in.frame();
  if (frame.width == 0 || frame.height == 0) refuse("land without samples cannot become a solid");
  const double t = params.threshold, r = params.radius, falloff = params.falloff.in(frame);
  if (!(t > 0 && r > 0)) refuse(fmt::format("a threshold of {:g} and a radius of {:g} m: both must be above 0", t, r));
  if (!(r <= 3 * t))
    refuse(fmt::format("a radius of {:g} m is more than three times the threshold of {:g}: the field would not rise "
                       "everywhere",
                       r, t),
           fmt::format("use at most {:g} m", 3 * t));
  if (!(falloff > 0)) refuse("walls need a falloff", "give a 'falloff' above 0");
  const double depth = params.floor.in(frame);
  if (!(depth >= 0)) refuse(fmt::format("the floor must be below the lowest land, not {:g} m below it", depth));
  auto land = std::make_shared<const LandSheet>(in);
  auto region = region_of(in, mask, params, falloff);
  const double floor = land->samples().low - depth;
  const Geology beds = rock != nullptr ? with_loose_ground(*rock, in, land, params.loose) : Geology();
  const Volume solid(land_solid(std::move(land), std::move(region), {t, r, floor, falloff}), t, beds);
  return in.layers().size() > 1 ? solid.with_land(in) : solid;
}

}  // namespace tepui
