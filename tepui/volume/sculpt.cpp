#include "tepui/volume/sculpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/volume/tree.h"

namespace tepui {

namespace {

constexpr size_t most_dabs = 10'000'000;

/// In the place of one stroke.
[[noreturn]] void refuse_stroke(size_t index, std::string_view field, std::string what, std::string hint) {
  refuse(fmt::format("'strokes[{}].{}' {}", index, field, what), std::move(hint));
}

Primitive brush_of(const SculptStroke& stroke, const Placing& placing, const SculptParams& params, size_t index) {
  Primitive p;
  p.shape = stroke.shape;
  p.radius = placing.length(stroke.radius);
  p.end_radius = placing.length(stroke.end_radius);
  p.half = placing.size(stroke.half);
  p.turn = math::radians(stroke.turn.degrees);
  p.falloff = placing.length(stroke.falloff);
  p.energy = stroke.energy * params.strength;
  p.noise = placing.length(stroke.noise);
  p.noise_scale = placing.length(stroke.noise_scale);
  p.noise_key = params.seed.stream("sculpt").bits(index);
  return p;
}

bool has_two_ends(PrimitiveShape shape) {
  return shape == PrimitiveShape::segment || shape == PrimitiveShape::cone || shape == PrimitiveShape::cylinder;
}

std::vector<Vec3> points_of(const SculptStroke& stroke, size_t index) {
  if (stroke.points.size() % 3 != 0 || stroke.points.size() < 6)
    refuse_stroke(index, "points", fmt::format("has {} numbers", stroke.points.size()),
                  "a curve has two points or more, each x, y, z");
  std::vector<Vec3> points;
  for (size_t i = 0; i + 2 < stroke.points.size(); i += 3)
    points.push_back({stroke.points[i], stroke.points[i + 1], stroke.points[i + 2]});
  return points;
}

/// A smooth curve through the points (Catmull and Rom 1974), as short pieces.
std::vector<Vec3> smooth_curve(const std::vector<Vec3>& points) {
  constexpr int pieces = 6;
  if (points.size() < 3) return points;
  const auto at = [&](size_t i) { return points[std::min(i, points.size() - 1)]; };
  std::vector<Vec3> smooth;
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3 before = at(i > 0 ? i - 1 : 0), from = at(i), to = at(i + 1), after = at(i + 2);
    for (int k = 0; k < pieces; ++k) {
      const double t = static_cast<double>(k) / pieces, t2 = t * t, t3 = t2 * t;
      smooth.push_back(before * (0.5 * (2 * t2 - t3 - t)) + from * (0.5 * (3 * t3 - 5 * t2 + 2)) +
                       to * (0.5 * (4 * t2 - 3 * t3 + t)) + after * (0.5 * (t3 - t2)));
    }
  }
  smooth.push_back(points.back());
  return smooth;
}

/// The brush with the numbers that a feature has of its own; the energies are those of a stroke and of all strokes.
struct LineBrush {
  const Lines& along;
  const Primitive& brush;
  double energy, strength;

  Primitive of(size_t feature) const {
    const auto own = [&](const char* name, double usual) { return feature_number(along, name, feature, usual); };
    Primitive p = brush;
    p.falloff = own("falloff", brush.falloff);
    p.radius = own("radius", brush.radius);
    p.noise = own("noise", brush.noise);
    p.noise_scale = own("noise_scale", brush.noise_scale);
    p.energy = own("energy", energy) * strength;
    return p;
  }
};

/// The lines, in metres; a closed one comes back to its first point, and a single point is a dab.
void add_lines(const LineBrush& brushes, const Placing& in_metres, std::vector<Primitive>& list) {
  for_each_feature_curve(brushes.along, [&](size_t feature, const LinePart& line) {
    if (line.points.empty()) return;
    Primitive p = brushes.of(feature);
    p.noise_key = mix_bits(brushes.brush.noise_key + list.size());
    for (const Vec3& point : line.points) p.skeleton.push_back(in_metres.place(point));
    if (p.skeleton.size() == 1)
      p.shape = PrimitiveShape::point;
    else if (line.closed)
      p.skeleton.push_back(p.skeleton.front());
    list.push_back(std::move(p));
  });
}

/// A dab of the brush at the first point of every line and every so many metres further on.
void add_dabs(const LineBrush& brushes, double spacing, const Placing& in_metres, std::vector<Primitive>& list) {
  const Lines& along = brushes.along;
  for (size_t f = 0; f < along.features(); ++f) {
    const LineFeature feature = along.feature(f);
    Primitive dab = brushes.of(f);
    const auto add = [&](Vec3 at) {
      dab.skeleton = {in_metres.place(at)};
      dab.noise_key = mix_bits(brushes.brush.noise_key + list.size());
      list.push_back(dab);
    };
    if (feature.shape == FeatureShape::point) {
      for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v) add(along.vertices()[v]);
      continue;
    }
    for (size_t p = feature.first_part; p < feature.end_part; ++p) {
      const LinePart line = along.part(feature, p);
      std::vector<Vec3> way(line.points.begin(), line.points.end());
      if (line.closed) way.push_back(way.front());
      if (!way.empty()) add(way.front());
      double done = 0, next = spacing;
      for (size_t i = 1; i < way.size(); ++i) {
        const double size = length(way[i] - way[i - 1]);
        for (; next <= done + size; next += spacing) {
          if (list.size() >= most_dabs)
            refuse(fmt::format("the lines have more than {} dabs", most_dabs), "a larger spacing");
          add(way[i - 1] + (way[i] - way[i - 1]) * ((next - done) / size));
        }
        done += size;
      }
    }
  }
}

}  // namespace

std::vector<SculptStroke> SculptParams::default_strokes() {
  SculptStroke hollow;
  hollow.radius = percent(8);
  hollow.falloff = percent(8);
  SculptStroke bridge;
  bridge.shape = PrimitiveShape::curve;
  bridge.points = {32, 50, -2, 37, 50, 2, 43, 50, 5, 50, 50, 6, 57, 50, 5, 63, 50, 2, 68, 50, -2};
  bridge.falloff = percent(5);
  bridge.energy = 40;  // also where the hollow takes some of it
  bridge.noise = percent(1);
  return {hollow, bridge};
}

void describe(Fields<SculptStroke>& f) {
  f("shape", &SculptStroke::shape, {"point", "segment", "curve", "sphere", "cone", "cylinder", "box", "ellipsoid"},
    "kind of shape: points, segments and curves are thin, the others solid");
  f("at", &SculptStroke::at, Range{-1e9, 1e9}, "middle of the shape, or the first end of a segment, cone or cylinder");
  f("to", &SculptStroke::to, Range{-1e9, 1e9}, "the other end of a segment, cone or cylinder");
  f("points", &SculptStroke::points, Range{-1e9, 1e9},
    "points of a smooth curve: x, y, z of the first, of the second, and so on");
  f("radius", &SculptStroke::radius, Range{0, 1e9}, "radius of a sphere, a cylinder or a cone's first end");
  f("end_radius", &SculptStroke::end_radius, Range{0, 1e9}, "radius of a cone's other end");
  f("half", &SculptStroke::half, Range{0, 1e9}, "half the sides of a box, or the radii of an ellipsoid");
  f("turn", &SculptStroke::turn, Range{-360, 360}, "rotation of a box or an ellipsoid, counter-clockwise from above");
  f("falloff", &SculptStroke::falloff, open_range(0, 1e9), "distance from the shape at which its effect ends");
  f("energy", &SculptStroke::energy, Range{-1e4, 1e4}, "strength: positive adds rock, negative carves; 15 is strong");
  f("noise", &SculptStroke::noise, Range{0, 1e9},
    "amount by which the falloff varies, less than the falloff; makes the shape rugged");
  f("noise_scale", &SculptStroke::noise_scale, open_range(0, 1e9), "distance between lumps of the noise");
  f("spacing", &SculptStroke::spacing, open_range(0, 1e9),
    "points and spheres: one of them every so far along the lines; auto: a single one");
}

void describe(Fields<SculptParams>& f) {
  f.about("Add rock to a volume or carve it with strokes: arches, caves, pillars");
  f.reach(Reach::point);
  f.example("circular_faults | implicitize | {}");
  f("strokes", &SculptParams::strokes,
    "shapes that add or carve, in any order; curves without points run along the lines, as do dabs with a spacing, "
    "and numbers of a line (falloff, radius, energy, noise, noise_scale) go before the shape's own");
  describe_placing(f);
  f("strength", &SculptParams::strength, Range{-100, 100}, "factor of all energies")
      .slider(-2, 2)
      .sweep("0.5", "1", "2");
  f("threshold", &SculptParams::threshold, open_range(0, 1e6),
    "threshold of new rock; ignored if a volume is given, which has its own");
  f.seed(&SculptParams::seed);
}

Volume sculpt(const Frame& world, const Volume* in, const Lines* along, const SculptParams& params,
              const Context& context) {
  const Placing placing(world, in, params.positions, params.heights);
  const Placing in_metres(world, in, Positions::metres, params.heights);
  std::vector<Primitive> list;
  bool ran_along = false;
  for (size_t i = 0; i < params.strokes.size(); ++i) {
    context.check();
    const SculptStroke& stroke = params.strokes[i];
    Primitive p = brush_of(stroke, placing, params, i);
    const size_t first = list.size();
    if (stroke.shape == PrimitiveShape::curve && stroke.points.empty()) {
      if (along == nullptr)
        refuse_stroke(i, "points", "is empty, and there are no lines to run along", "give points, or lines in 'along'");
      add_lines({*along, p, stroke.energy, params.strength}, in_metres, list);
      ran_along = true;
    } else if (stroke.spacing) {
      if (stroke.shape != PrimitiveShape::point && stroke.shape != PrimitiveShape::sphere)
        refuse_stroke(i, "spacing", "is for points and spheres", "leave it out");
      if (along == nullptr) refuse_stroke(i, "spacing", "is along lines, and there are none", "give lines in 'along'");
      add_dabs({*along, p, stroke.energy, params.strength}, placing.length(*stroke.spacing), in_metres, list);
      ran_along = true;
    } else if (stroke.shape == PrimitiveShape::curve) {
      for (const Vec3& point : points_of(stroke, i)) p.skeleton.push_back(placing.place(point));
      p.skeleton = smooth_curve(p.skeleton);
      list.push_back(std::move(p));
    } else {
      p.skeleton.push_back(placing.place(stroke.at));
      if (has_two_ends(stroke.shape)) p.skeleton.push_back(placing.place(stroke.to));
      list.push_back(std::move(p));
    }
    for (size_t n = first; n < list.size(); ++n) check_primitive(list[n], i);
  }
  if (along != nullptr && !ran_along)
    refuse("there are lines to run along, but no stroke uses them",
           "give a stroke of shape 'curve' without points, or one with a spacing");
  const Volume from = in != nullptr ? *in : Volume(empty_solid(params.threshold), params.threshold);
  if (list.empty()) return from;
  return from.with_root(modest_tree(with_primitives(from.share(), list, from.threshold())));
}

}  // namespace tepui
