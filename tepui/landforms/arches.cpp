#include "tepui/landforms/arches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/landforms/arch_places.h"
#include "tepui/landforms/feature.h"

namespace tepui {

namespace {

/// Metres between the walls that are looked at, and of a bit of rock: more for thick fins, which are large ones.
double wall_spacing(const ArchNeeds& needs) { return std::max(3.0, needs.thickness / 5); }
double bit_size(const ArchNeeds& needs) { return std::max(0.7, needs.thickness / 22); }
/// A wall is steeper than this: the normal's z.
constexpr double steep = 0.6;

ArchNeeds needs_of(const Frame& world, const ArchesParams& params) {
  ArchNeeds needs;
  needs.thickness = params.thickness.in(world);
  needs.air = params.air.in(world);
  needs.roof = params.roof.in(world);
  needs.width = {params.width.low.in(world), params.width.high.in(world)};
  needs.noise = params.roughness;
  needs.key = params.seed.stream("arches").key();
  if (needs.width.low > needs.width.high) refuse("'width' runs from wide to narrow");
  return needs;
}

/// How far from a place an arch looks, metres.
double reach_of(const ArchNeeds& needs) { return needs.thickness + needs.air + needs.width.high + 2 * needs.roof + 10; }

std::vector<ArchChoice> found_arches(const Volume& in, const Geology& rock, const Where& where, const ArchNeeds& needs,
                                     double spacing, const Context& context) {
  SurfaceFilter filter;
  filter.accept = [&](Vec3 at, Vec3 normal) { return std::abs(normal.z) < steep && where.weight(at) >= 0.5; };
  filter.may = [&](const Box3& box) { return where.may(box); };
  const std::vector<SurfaceSample> walls = sample_surface(in, where.box(), wall_spacing(needs), Stream(needs.key),
                                                          filter, context.stage("walls", 0, 0.3), &rock);
  if (walls.empty()) return {};
  std::vector<Vec3> places;
  places.reserve(walls.size());
  for (const SurfaceSample& wall : walls) places.push_back(wall.at);
  const RockBits bits(in, places, reach_of(needs), bit_size(needs), context.stage("rock", 0.3, 0.8));
  return find_arches(bits, rock, walls, needs, spacing, context.stage("arches", 0.8, 0.9));
}

std::vector<ArchChoice> placed_arches(const Volume& in, const Geology& rock, const Lines& places,
                                      const ArchNeeds& needs, const Context& context) {
  std::vector<ArchChoice> list;
  int without = 0;
  for_each_curve(places, [&](const LinePart& part) {
    context.check();
    const RockBits bits(in, part.points, reach_of(needs), bit_size(needs), context);
    if (part.points.size() == 1) {
      if (auto arch = arch_at(bits, rock, part.points.front(), needs))
        list.push_back(std::move(*arch));
      else
        ++without;
      return;
    }
    std::vector<Vec3> line(part.points.begin(), part.points.end());
    if (part.closed) line.push_back(line.front());
    std::vector<ArchChoice> bridges = bridges_along(bits, rock, line, needs);
    if (bridges.empty()) ++without;
    std::ranges::move(bridges, std::back_inserter(list));
  });
  if (without > 0)
    context.warn(
        fmt::format("{} of the places of arches have no rock that would hold one: none was made there", without));
  return list;
}

}  // namespace

void describe(Fields<ArchesParams>& f) {
  f.about("Open arches through thin, weak fins of rock, or bridges over streams");
  f.example(
      "strata | shape width=76% depth=5% height=15% rotation=-32 | levelling radius=1% | implicitize | {} thickness=6% "
      "air=3% spacing=20% "
      "width=5%..11%");
  f("spacing", &ArchesParams::spacing, open_range(0, 1e6), "least distance from one arch to the next").slider(10, 300);
  f("most", &ArchesParams::most, Range{1, 100000}, "number of arches at most, the best places first").slider(1, 50);
  f("width", &ArchesParams::width, open_range(0, 1e4), "narrowest and widest opening")
      .slider(3, 60)
      .sweep("2%..4%", "5%..11%", "13%..18%");
  f("thickness", &ArchesParams::thickness, open_range(0, 1e4), "thickest fin that an arch goes through").slider(3, 50);
  f("air", &ArchesParams::air, Range{0, 1e4}, "open air there must be on both sides of the fin").slider(0, 50);
  f("roof", &ArchesParams::roof, open_range(0, 1e4), "thinnest rock above an opening; wide ones leave more")
      .slider(1, 20);
  f("roughness", &ArchesParams::roughness, Range{0, 0.6}, "how rough the opening is, as a share of its size");
  describe_where(f);
  f.seed(&ArchesParams::seed);
}

Volume arches(const Frame& world, const Volume& in, const Geology* rock, const Lines* places, const Terrain* mask,
              const Lines* region, const ArchesParams& params, const Context& context) {
  const Geology& beds = rock != nullptr ? *rock : in.rock();
  const ArchNeeds needs = needs_of(world, params);
  const Where where(params, world, in, mask, region);
  std::vector<ArchChoice> list = places != nullptr
                                     ? placed_arches(in, beds, *places, needs, context)
                                     : found_arches(in, beds, where, needs, params.spacing.in(world), context);
  if (list.size() > static_cast<size_t>(params.most)) list.resize(static_cast<size_t>(params.most));
  std::vector<FieldPoint> points;
  double widest = 0;
  int64_t arches = 0;
  for (const ArchChoice& arch : list) {
    if (places != nullptr && where.weight(arch.at) < 0.5) continue;
    const std::vector<FieldPoint> body = arch_points(arch.shape, beds, in.threshold(), context);
    points.insert(points.end(), body.begin(), body.end());
    widest = std::max(widest, arch.shape.width);
    ++arches;
  }
  if (arches == 0 && places == nullptr)
    context.warn("no fin is thin and free enough for an arch; give a larger 'thickness', or less 'air' and 'width'");
  return with_feature(in, points, {"arches", {{"arches", static_cast<double>(arches)}, {"widest", widest}}}, context);
}

}  // namespace tepui
