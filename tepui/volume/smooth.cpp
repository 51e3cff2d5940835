#include "tepui/volume/smooth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "tepui/core/error.h"
#include "tepui/volume/smoothed_solid.h"
#include "tepui/volume/tree.h"

namespace tepui {

namespace {

/// The largest power of two that is no more.
double power_within(double metres) { return std::exp2(std::floor(std::log2(metres))); }

double checked_strength(double strength, const char* whose) {
  if (!(strength >= 0 && strength <= most_smoothing))
    refuse(fmt::format("the strength {:g} of {} is none", strength, whose), fmt::format("use 0 to {}", most_smoothing));
  return strength;
}

/// The lattice is numbered in 64 bits, and its places are to be told apart.
void check_cell(double cell, const Box3& box) {
  double farthest = 0;
  for (const Vec3 p : {box.low, box.high}) farthest = std::max({farthest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  if (!(cell > 1e-3) || farthest / cell > 1e12)
    refuse(fmt::format("rounding over {:g} m is too fine here", cell), "use a larger size or radius");
}

Volume along_lines(const Volume& in, const Lines& lines, double usual_radius, double usual_strength) {
  // By the cell, the widest first.
  std::map<double, std::vector<SpaceStroke>, std::greater<>> strokes;
  for_each_feature_curve(lines, [&](size_t feature, const LinePart& part) {
    const double radius = feature_number(lines, "radius", feature, usual_radius);
    const double strength = checked_strength(feature_number(lines, "strength", feature, usual_strength), "a line");
    if (!(radius > 0 && std::isfinite(radius)))
      refuse(fmt::format("line {} has a radius of {:g} m", feature, radius), "use more than 0");
    SpaceStroke stroke{{part.points.begin(), part.points.end()}, radius, strength};
    if (part.closed && !part.points.empty()) stroke.points.push_back(part.points.front());
    strokes[power_within(radius / 2)].push_back(std::move(stroke));
  });
  SolidPointer root = in.share();
  for (auto& [cell, list] : strokes) {
    auto brush = std::make_shared<const SpaceStrokes>(std::move(list));
    if (brush->empty()) continue;
    check_cell(cell, brush->box());
    root = smoothed_solid(root, SmoothingWeight(std::move(brush)), cell, in.threshold());
  }
  return in.with_root(modest_tree(root));
}

}  // namespace

void describe(Fields<SmoothParams>& f) {
  f.about("Round the rock of a volume: everywhere, within a region or along brush strokes");
  f.reach(Reach::point);
  f.example("circular_faults | implicitize | {}");
  f("size", &SmoothParams::size, open_range(0, 1e9),
    "distance over which rock is rounded, taken as the next smaller power of two in metres; along lines it is half "
    "their radius")
      .slider(0.1, 10)
      .sweep("0.5%", "1%", "3%");
  f("strength", &SmoothParams::strength, Range{0, most_smoothing},
    "how much: below 1 a part of it, above 1 so many times over; a line's own number goes first")
      .slider(0, 4);
  describe_region(f);
}

Volume smooth(const Frame& world, const Volume& in, const Lines* along, const SmoothParams& params, const Context&) {
  const Placing placing(world, &in, params.positions, params.heights);
  const double strength = checked_strength(params.strength, "'strength'");
  if (in.support().empty()) return in;
  if (along != nullptr) return along_lines(in, *along, placing.length(params.radius), strength);
  const double size = params.size.in(world);
  if (!(size > 0 && std::isfinite(size))) refuse("'size' must be above 0", "give some metres");
  if (strength == 0) return in;
  const double cell = power_within(size);
  check_cell(cell, in.support());
  // Where it is everywhere the air around has to be rounded, too.
  const Region region(params, placing, in.support().grown(4 * cell));
  return in.with_root(modest_tree(smoothed_solid(in.share(), SmoothingWeight(region, strength), cell, in.threshold())));
}

}  // namespace tepui
