#include "tepui/landforms/galleries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/landforms/feature.h"
#include "tepui/landforms/gallery_cover.h"
#include "tepui/landforms/gallery_mouths.h"
#include "tepui/landforms/gallery_points.h"
#include "tepui/volume/tree.h"

namespace tepui {

namespace {

/// Field and resistances at all places, put in order once for each.
std::vector<AxisRock> rock_along(const Volume& volume, const Geology& rock, std::span<const AxisPoint> axes,
                                 const Context& context) {
  const size_t count = axes.size();
  std::vector<double> x(count), y(count), z(count), above(count);
  for (size_t i = 0; i < count; ++i) {
    x[i] = axes[i].at.x;
    y[i] = axes[i].at.y;
    z[i] = axes[i].at.z;
    above[i] = z[i] + 1.3 * axes[i].radius;
  }
  std::vector<float> field(count), rho(count), roof(count);
  volume.values(x, y, z, field, context);
  const Volume asked(volume.share(), volume.threshold(), rock);
  asked.resistances(x, y, z, rho, context);
  asked.resistances(x, y, above, roof, context);
  std::vector<AxisRock> all(count);
  for (size_t i = 0; i < count; ++i) all[i] = {field[i], rho[i], roof[i]};
  return all;
}

/// A cast has no air around it to come to: what lies outside the rock is left out, and all of it counts as deep.
void make_cast(std::vector<AxisPoint>& axes, std::vector<AxisRock>& rock, double threshold) {
  size_t kept = 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (!(rock[i].field > 0)) continue;
    axes[kept] = axes[i];
    rock[kept] = rock[i];
    rock[kept++].field = static_cast<float>(threshold);
  }
  axes.resize(kept);
  rock.resize(kept);
}

double length_of(const Lines& lines) {
  double sum = 0;
  for_each_curve(lines, [&](const LinePart& part) {
    for (size_t i = 1; i < part.points.size(); ++i) sum += length(part.points[i] - part.points[i - 1]);
    if (part.closed && part.points.size() > 1) sum += length(part.points.front() - part.points.back());
  });
  return sum;
}

}  // namespace

void describe(Fields<GalleriesParams>& f) {
  using P = GalleriesParams;
  f.about("Carve passages along lines into a volume, shaped by its rock: caves from karst or drawn by hand");
  f.example("strata | circular_faults | implicitize | karst width=8m step=20m | {}");
  f("form", &P::form, {"natural", "paper"},
    "natural: smooth passages that follow the rock; paper: a cluster of spheres at every vertex (Paris et al. 2019)");
  f("give", &P::give, {"hollow", "cast"}, "the volume with the passages in it, or a cast of the passages alone");
  f("radius", &P::radius, open_range(0, 1e6), "radius of passages whose lines have no number 'radius'").slider(0.5, 20);
  f("width", &P::width, open_range(0, 100), "factor of all radii").slider(0.25, 4).sweep("0.5", "1", "2");
  f("heights", &P::heights, {"ground", "sea_level"}, "where the heights of the lines are measured from");
  f("raise", &P::raise, Range{-1e6, 1e6},
    "metres added to the heights of the lines: below 0 for lines drawn on a map, with heights from the ground")
      .slider(-100, 100);
  f("bedding", &P::bedding, "wide and low passages along weak beds");
  f("keyholes", &P::keyholes, "a slot below level passages in hard rock");
  f("breakdown", &P::breakdown, "domes and broken rock where a wide roof is weak");
  f("roughness", &P::roughness, Range{0, 1}, "how uneven the walls are");
  f("hardest", &P::hardest, Range{0, 1}, "resistance at and above which rock stays");
  f.seed(&P::seed);
}

Volume galleries(const Frame& world, const Volume& in, const Lines& along, const Geology* rock,
                 const GalleriesParams& params, const Context& context) {
  check_params(params);
  const bool paper = params.form == GalleryForm::paper, cast = params.give == GalleryResult::cast;
  const Placing placing(world, &in, Positions::metres, params.heights);
  const AxisRule axis{params.radius.in(world), params.width, params.raise.in(world)};
  std::vector<AxisPoint> axes;
  std::vector<GalleryCourse> courses;
  if (paper) {
    axes = gallery_vertices(along, placing, axis);
  } else {
    courses = gallery_courses(along, placing, axis);
    keep_cover(courses, in, context.stage("cover", 0, 0.3));
    axes = gallery_axes(courses);
  }
  std::vector<AxisRock> rocks = rock_along(in, rock != nullptr ? *rock : in.rock(), axes, context);
  if (cast) make_cast(axes, rocks, in.threshold());
  const GalleryRule rule{in.threshold(),   params.bedding,   params.keyholes,
                         params.breakdown, params.roughness, params.hardest};
  const Stream stream = params.seed.stream("galleries");
  const Context carving = context.stage("passages", 0.3, 1);
  std::vector<FieldPoint> points =
      paper ? gallery_balls(axes, rocks, rule, stream, carving) : gallery_points(axes, rocks, rule, stream, carving);
  if (points.empty()) {
    context.warn("galleries: there is nothing to carve: no lines, or only rock that is too hard");
    return cast ? in.with_root(empty_solid(in.threshold())) : in;
  }
  if (cast) {
    for (FieldPoint& p : points) p.energy = -p.energy;
    return in.with_root(with_points(empty_solid(in.threshold()), points, in.threshold()));
  }
  const Volume carved = in.with_root(with_points(in.share(), points, in.threshold()));
  Made made{"galleries", {{"points", static_cast<double>(points.size())}, {"length", length_of(along)}}};
  if (!paper) made.numbers.push_back({"mouths", static_cast<double>(count_mouths(courses, in, carved, context))});
  return made_by(in.with_root(modest_tree(carved.share())), std::move(made), context);
}

}  // namespace tepui
