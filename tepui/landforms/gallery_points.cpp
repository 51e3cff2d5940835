#include "tepui/landforms/gallery_points.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/landforms/cross_section.h"
#include "tepui/landforms/percolation.h"

namespace tepui {

namespace {

/// Integral of the points' falloff along a line through one, in falloffs.
constexpr double line_integral = 32.0 / 35;

/// The directions across a passage: to its side, level, and the upright one.
struct Across {
  Vec3 side, up;
};
Across across(Vec3 along) {
  const double level = std::sqrt(along.x * along.x + along.y * along.y);
  if (level < 1e-6) return {{1, 0, 0}, {0, 1, 0}};
  const Vec3 side{-along.y / level, along.x / level, 0};
  return {side, cross(along, side)};
}

/// Writes the points of one place after the other.
class PassagePoints {
 public:
  PassagePoints(const GalleryRule& rule, const Stream& stream, std::vector<FieldPoint>& out)
      : rule_(rule), stream_(stream), out_(out) {}

  void add(const AxisPoint& axis, const AxisRock& rock) {
    if (!(static_cast<double>(rock.resistance) < rule_.hardest)) return;
    axis_ = &axis;
    across_ = across(axis.along);
    place_ = percolation_draws::place_bits(axis.at);
    draws_ = 0;
    const double rho = rock.resistance, steep = std::abs(axis.along.z);
    // Near the ground the field is less than deep in rock, and so much less takes it away.
    share_ = std::clamp((static_cast<double>(rock.field) + 0.8 * axis.radius) / rule_.threshold, 0.4, 1.0);
    const double level = 1 - math::smoothstep(0.35, 0.6, steep);
    const double flat = rule_.bedding ? (1 - math::smoothstep(0.3, 0.42, rho)) * level : 0;
    const double cut = rule_.keyholes ? math::smoothstep(0.45, 0.55, rho) * level : 0;
    add_section(SectionShape::tube, 1 - flat);
    add_section(SectionShape::bedding, flat);
    add_section(SectionShape::slot, cut);
    add_lumps(flat);
    if (rule_.breakdown) add_collapse(rock, level, flat);
  }

 private:
  double draw() { return stream_.uniform(place_, draws_++); }
  double draw(double low, double high) { return low + (high - low) * draw(); }

  Vec3 beside(double side, double up) const {
    return axis_->at + across_.side * (side * axis_->radius) + across_.up * (up * axis_->radius);
  }

  void add_section(SectionShape shape, double weight) {
    const double off = 0.16 * rule_.roughness;
    for (const SectionStrand& strand : section_strands(shape)) {
      // Drawn in any case, so that the others stay as they are when the rock changes.
      const double side = strand.side + draw(-off, off), up = strand.up + draw(-off, off);
      const double strength = strand.strength * draw(1 - 0.2 * rule_.roughness, 1 + 0.2 * rule_.roughness);
      if (weight < 0.02) continue;
      const double falloff = strand.falloff * axis_->radius;
      const double energy = -rule_.threshold * share_ * weight * strength * axis_->step / (line_integral * falloff);
      out_.push_back({beside(side, up), falloff, energy});
    }
  }

  /// Hollows and knobs on the wall; those along a bed lie at its height.
  void add_lumps(double flat) {
    if (!(rule_.roughness > 0)) return;
    const double wide = 1 + 0.35 * flat, high = 1 - 0.45 * flat;
    // A large one and two small ones: what varies from step to step all around would be rings.
    constexpr std::array<std::array<double, 2>, 3> sizes{{{0.4, 0.75}, {0.22, 0.42}, {0.22, 0.42}}};
    for (const auto& [smallest, largest] : sizes) {
      const double turn = draw(0, 2 * math::pi), size = draw(smallest, largest), strength = draw(-1, 0.6);
      const double on = draw(-0.5, 0.5) * axis_->step;
      out_.push_back({beside(math::cos(turn) * wide, math::sin(turn) * high) + axis_->along * on, size * axis_->radius,
                      rule_.threshold * share_ * 2.2 * rule_.roughness * strength});
    }
  }

  /// A dome where the roof came down, and what lies on the floor now.
  void add_collapse(const AxisRock& rock, double level, double flat) {
    const double chance = draw(), wide = axis_->radius;
    constexpr double least_radius = 3.6, spots_a_radius = 0.16;
    const double weak = 1 - math::smoothstep(0.35, 0.55, static_cast<double>(rock.roof));
    if (!(wide > least_radius) || !(chance < spots_a_radius * axis_step * weak * level * 2)) return;
    constexpr int dome = 9, blocks = 26;
    for (int i = 0; i < dome; ++i) {
      const double turn = draw(0, 2 * math::pi), away = 0.75 * std::sqrt(draw());
      const double up = 0.45 + 0.75 * (1 - away) * draw();
      out_.push_back({beside(away * math::cos(turn), up) + axis_->along * (away * math::sin(turn) * wide),
                      draw(0.6, 0.9) * wide, -0.5 * rule_.threshold * share_});
    }
    const double floor = -0.95 + 0.38 * flat;
    for (int i = 0; i < blocks; ++i) {
      const double turn = draw(0, 2 * math::pi), away = 1.1 * std::sqrt(draw());
      out_.push_back({beside(away * math::cos(turn), floor) + axis_->along * (away * math::sin(turn) * wide),
                      (0.13 + 0.27 * draw() * draw()) * wide, 2.6 * rule_.threshold * share_ * draw(0.6, 1.2)});
    }
  }

  const GalleryRule& rule_;
  const Stream& stream_;
  std::vector<FieldPoint>& out_;
  const AxisPoint* axis_ = nullptr;
  Across across_;
  uint64_t place_ = 0, draws_ = 0;
  double share_ = 1;
};

/// Calls act(place, points) for all places, chunk by chunk, and puts the points one after the other.
template <class Act>
std::vector<FieldPoint> points_of_all(size_t count, const Context& context, const Act& act) {
  constexpr int64_t grain = 1024;
  const auto places = static_cast<int64_t>(count);
  std::vector<std::vector<FieldPoint>> chunks(static_cast<size_t>((places + grain - 1) / grain));
  parallel_chunks(places, grain, context, [&](int64_t begin, int64_t end) {
    act(static_cast<size_t>(begin), static_cast<size_t>(end), chunks[static_cast<size_t>(begin / grain)]);
  });
  std::vector<FieldPoint> all;
  size_t total = 0;
  for (const auto& chunk : chunks) total += chunk.size();
  all.reserve(total);
  for (const auto& chunk : chunks) all.insert(all.end(), chunk.begin(), chunk.end());
  return all;
}

/// Tries places in a ball around one, and adds those that are far enough from the others.
void add_ball(const AxisPoint& axis, double rho, double threshold, const Stream& stream,
              std::vector<FieldPoint>& points) {
  constexpr int tries = 40;
  constexpr double falloff = 6, spacing = 0.4 * falloff, ball = 0.9 * falloff;
  // e = (1 - rho)(1 - beta) + beta of the paper's section 6.1, with beta = 0.1.
  constexpr double beta = 0.1;
  const uint64_t place = percolation_draws::place_bits(axis.at);
  const double energy = -2 * threshold * ((1 - rho) * (1 - beta) + beta);
  const auto first = static_cast<ptrdiff_t>(points.size());
  uint64_t draws = 0;
  for (int k = 0; k < tries; ++k) {
    Vec3 off;
    for (double* c : {&off.x, &off.y, &off.z}) *c = stream.uniform(place, draws++, -ball, ball);
    const Vec3 at = axis.at + off;
    const auto is_close = [&](const FieldPoint& p) {
      const Vec3 way = p.at - at;
      return dot(way, way) < spacing * spacing;
    };
    if (dot(off, off) > ball * ball || std::any_of(points.begin() + first, points.end(), is_close)) continue;
    points.push_back({at, falloff, energy});
  }
}

}  // namespace

std::vector<FieldPoint> gallery_points(std::span<const AxisPoint> axes, std::span<const AxisRock> rock,
                                       const GalleryRule& rule, const Stream& stream, const Context& context) {
  return points_of_all(axes.size(), context, [&](size_t begin, size_t end, std::vector<FieldPoint>& out) {
    PassagePoints points(rule, stream, out);
    for (size_t i = begin; i < end; ++i) points.add(axes[i], rock[i]);
  });
}

std::vector<FieldPoint> gallery_balls(std::span<const AxisPoint> places, std::span<const AxisRock> rock,
                                      const GalleryRule& rule, const Stream& stream, const Context& context) {
  return points_of_all(places.size(), context, [&](size_t begin, size_t end, std::vector<FieldPoint>& out) {
    for (size_t i = begin; i < end; ++i)
      if (const double rho = rock[i].resistance; rho < rule.hardest)
        add_ball(places[i], rho, rule.threshold, stream, out);
  });
}

}  // namespace tepui
