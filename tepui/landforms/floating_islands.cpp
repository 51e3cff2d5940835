#include "tepui/landforms/floating_islands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/landforms/island_relief.h"
#include "tepui/volume/affine.h"
#include "tepui/volume/csg.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/strata_erosion.h"

namespace tepui {

namespace {

/// An island that is still a disc.
struct Placed {
  Vec2 at;
  double width = 0;
};

/// The first in the middle, the others where there is room.
std::vector<Placed> placed(const Frame& world, const FloatingIslandsParams& params, const Stream& stream,
                           const Context& context) {
  std::vector<Placed> all;
  const double low = params.size.low.in(world), high = params.size.high.in(world), spacing = params.spacing.in(world);
  if (!(low > 0) || !(high >= low))
    refuse(fmt::format("islands of {:g} to {:g} m", low, high), "give a 'size' above 0 m, the smaller number first");
  constexpr uint64_t tries = 200;
  for (int i = 0; i < params.islands; ++i) {
    const auto n = static_cast<uint64_t>(i);
    // The largest first, so that they find room.
    const double share = params.islands > 1 ? static_cast<double>(i) / (params.islands - 1) : 0.5;
    const double width = high + (low - high) * share;
    bool found = false;
    for (uint64_t t = 0; t < tries && !found; ++t) {
      const double room_x = std::max(0.5 * (world.size.x - width), 0.0),
                   room_y = std::max(0.5 * (world.size.y - width), 0.0);
      Vec2 at = world.origin + world.size * 0.5;
      if (i > 0)
        at = at +
             Vec2{stream.uniform(n * tries + t, 1, -room_x, room_x), stream.uniform(n * tries + t, 2, -room_y, room_y)};
      found = std::ranges::all_of(all, [&](const Placed& other) {
        return std::hypot(at.x - other.at.x, at.y - other.at.y) >= 0.5 * (width + other.width) + spacing;
      });
      if (found) all.push_back({at, width});
    }
  }
  if (static_cast<int>(all.size()) < params.islands)
    context.warn(fmt::format("there is room for {} of {} islands", all.size(), params.islands));
  return all;
}

/// The rings of every closed line and polygon.
std::vector<IslandRings> rings_of(const Lines& lines) {
  std::vector<IslandRings> all;
  for (size_t f = 0; f < lines.features(); ++f) {
    const LineFeature feature = lines.feature(f);
    IslandRings rings;
    for (size_t p = feature.first_part; feature.shape != FeatureShape::point && p < feature.end_part; ++p) {
      const LinePart part = lines.part(feature, p);
      if (!part.closed && feature.shape != FeatureShape::polygon) continue;
      std::vector<Vec2> ring;
      for (const Vec3 at : part.points) ring.push_back({at.x, at.y});
      if (ring.size() >= 3) rings.push_back(std::move(ring));
    }
    if (!rings.empty()) all.push_back(std::move(rings));
  }
  if (all.empty()) refuse("no line of 'outline' is closed", "give polygons, or lines that end where they begin");
  return all;
}

SolidPointer island(const IslandOutline& outline, double height, const FloatingIslandsParams& params,
                    const Stream& stream, const Context& context) {
  const IslandShape shape{params.thickness, params.relief, params.roughness, params.roots,
                          params.joints.degrees * (math::pi / 180)};
  const IslandRelief relief = island_relief(outline, shape, stream, context);
  const auto lifted = [&](const Terrain& land, double sign) {
    Grid<float> out(land.frame().width, land.frame().height);
    for (int64_t y = 0; y < out.height(); ++y)
      for (int64_t x = 0; x < out.width(); ++x)
        out(x, y) = static_cast<float>(sign * (static_cast<double>(land.height()(x, y)) + height));
    const auto [low, high] = std::ranges::minmax(out.cells());
    return Terrain(land.frame(), {static_cast<double>(low), static_cast<double>(high) + 1}, std::move(out));
  };
  const Terrain top = lifted(relief.top, 1), bottom = lifted(relief.bottom, -1);
  // Floors lie just beyond the other land's rock, so that the island's box is a small one.
  constexpr double beyond = 20;
  const auto solid = [&](const Terrain& land, double depth) {
    ImplicitizeParams p;
    p.floor = metres(std::max(depth, 0.0) + beyond);
    return implicitize(land, nullptr, nullptr, p, context);
  };
  const auto lowest = [](const Terrain& land) { return static_cast<double>(std::ranges::min(land.height().cells())); };
  const auto highest = [](const Terrain& land) { return static_cast<double>(std::ranges::max(land.height().cells())); };
  const Volume upright = solid(top, lowest(top) + highest(bottom)),
               inverted = solid(bottom, lowest(bottom) + highest(top));
  Motion flip;
  flip.flip = true;
  const double t = upright.threshold();
  return csg(Csg::intersected, {upright.share(), moved(inverted.share(), forward(flip), backward(flip), t)},
             std::min(3.0, 0.01 * outline.width), t);
}

}  // namespace

void describe(Fields<FloatingIslandsParams>& f) {
  f.about("Islands that float in the air: hills above, a craggy underside with hanging roots below");
  f.reach(Reach::whole);
  f.example("strata | {} size=400");
  f("islands", &FloatingIslandsParams::islands, Range{1, 1000}, "how many, where no outline is given").slider(1, 12);
  f("size", &FloatingIslandsParams::size, open_range(0, 1e9), "width of the smallest and the largest").slider(50, 1000);
  f("heights", &FloatingIslandsParams::heights, Range{-1e9, 1e9}, "lowest and highest level of a shore")
      .slider(0, 1000);
  f("spacing", &FloatingIslandsParams::spacing, not_negative, "least distance between two").slider(0, 500);
  f("thickness", &FloatingIslandsParams::thickness, Range{0.01, 5}, "depth below the shore, as a share of the width")
      .slider(0.1, 1.5)
      .sweep("0.2", "0.5", "0.9");
  f("relief", &FloatingIslandsParams::relief, Range{0, 5}, "height of the hills, as a share of the width")
      .slider(0, 0.5)
      .sweep("0.03", "0.15", "0.35");
  f("roughness", &FloatingIslandsParams::roughness, Range{0, 1}, "strength of bays, crags and hills");
  f("roots", &FloatingIslandsParams::roots, Range{0, 1}, "number and length of the spires that hang below");
  f("joints", &FloatingIslandsParams::joints, Range{-360, 360},
    "direction of the cracks that roots follow, counter-clockwise from east");
  f("wear", &FloatingIslandsParams::wear, not_negative, "depth that beds without resistance lose, if there is a rock")
      .slider(0, 14);
  f("seed", &FloatingIslandsParams::seed, "another seed gives other islands");
}

Volume floating_islands(const Frame& world, const Terrain* mask, const Lines* outline, const Geology* rock,
                        const FloatingIslandsParams& params, const Context& context) {
  if (mask != nullptr && outline != nullptr)
    refuse("both 'mask' and 'outline' are given", "connect one of them: either is the outline of the islands");
  const Stream stream = params.seed.stream("floating_islands");
  std::vector<IslandOutline> outlines;
  if (mask != nullptr)
    outlines.push_back(outline_of_mask(mask->frame(), mask_layer(*mask).grid(), context));
  else if (outline != nullptr)
    for (const IslandRings& rings : rings_of(*outline)) outlines.push_back(outline_of_rings(rings, context));
  else
    for (const Placed& one : placed(world, params, stream, context))
      outlines.push_back(
          noisy_disc(one.at, one.width, params.roughness, Stream(stream.bits(outlines.size(), 3)), context));
  const double low = params.heights.low.in(world), high = params.heights.high.in(world);
  std::vector<SolidPointer> all;
  for (size_t i = 0; i < outlines.size(); ++i) {
    const double done = static_cast<double>(i) / static_cast<double>(outlines.size()),
                 next = static_cast<double>(i + 1) / static_cast<double>(outlines.size());
    all.push_back(island(outlines[i], stream.uniform(i, 4, low, high), params, Stream(stream.bits(i, 5)),
                         context.stage("islands", done, next)));
  }
  const double t = Volume::usual_threshold;
  const Volume islands(csg(Csg::united, std::move(all), 0, t), t, rock != nullptr ? *rock : Geology());
  context.tell("islands", static_cast<double>(outlines.size()));
  if (rock == nullptr || params.wear.value == 0) return islands;
  StrataErosionParams worn;
  worn.depth = params.wear;
  return strata_erosion(world, islands, rock, nullptr, worn, context);
}

}  // namespace tepui
