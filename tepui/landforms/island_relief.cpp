#include "tepui/landforms/island_relief.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/noise.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// Two sets of joints at right angles, of one spacing.
struct Joints {
  double cosine, sine, spacing;

  Vec2 turned(Vec2 p) const { return {p.x * cosine + p.y * sine, p.y * cosine - p.x * sine}; }
  /// 1 on a joint, 0 away from it; of a turned place.
  double cut(Vec2 p) const {
    const auto near = [&](double a) {
      const double share = a / spacing, away = std::abs(share - std::round(share));
      return std::max(1 - away / 0.12, 0.0);
    };
    return std::max(near(p.x), near(p.y));
  }
};

/// A spire that hangs where joints cross, drawn out along one of them.
struct Root {
  Vec2 at;  ///< turned into the joints
  double length = 0;
  Vec2 half;  ///< its widths at the foot
};

/// In rows of the joints' lattice, so that a place asks few of them.
class Roots {
 public:
  Roots(const IslandOutline& outline, const IslandShape& shape, const Joints& joints, const Stream& stream)
      : joints_(joints) {
    const Frame& frame = outline.frame;
    const double metres = shape.roots * shape.thickness * outline.width;
    Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
    for (const int64_t x : {int64_t{0}, frame.width - 1})
      for (const int64_t y : {int64_t{0}, frame.height - 1}) {
        const Vec2 p = joints.turned({frame.x(x), frame.y(y)});
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
      }
    low_ = low;
    across_ = static_cast<int64_t>((high.x - low.x) / joints.spacing) + 1;
    along_ = static_cast<int64_t>((high.y - low.y) / joints.spacing) + 1;
    roots_.resize(static_cast<size_t>(across_ * along_));
    if (!(metres > 0)) return;
    for (int64_t j = 0; j < along_; ++j)
      for (int64_t i = 0; i < across_; ++i) {
        const auto n = static_cast<uint64_t>(j * across_ + i);
        Root& root = roots_[n];
        root.at = low + Vec2{static_cast<double>(i) + stream.uniform(n, 1, 0.2, 0.8),
                             static_cast<double>(j) + stream.uniform(n, 2, 0.2, 0.8)} *
                            joints.spacing;
        const double deep = depth_at(outline, root.at);
        const double draw = stream.uniform(n, 3);
        // Most are short; long ones hang far from the shore.
        const double share =
            (0.15 + 0.85 * draw * draw * draw) * math::smoothstep(0, 1, deep / (0.5 * outline.deepest));
        if (!(deep > 0) || stream.uniform(n, 4) > 0.35 + 0.65 * shape.roots) continue;
        root.length = 1.1 * metres * share;
        const double wide =
            std::min(joints.spacing * stream.uniform(n, 5, 0.45, 0.8), 0.1 * joints.spacing + 0.4 * root.length);
        const double thin = wide * stream.uniform(n, 6, 0.45, 0.75);
        root.half = stream.uniform(n, 7) < 0.6 ? Vec2{wide, thin} : Vec2{thin, wide};
      }
  }

  /// How far they hang down at a place, turned into the joints.
  double below(Vec2 p) const {
    const auto i = static_cast<int64_t>(std::floor((p.x - low_.x) / joints_.spacing)),
               j = static_cast<int64_t>(std::floor((p.y - low_.y) / joints_.spacing));
    double most = 0;
    for (int64_t b = std::max<int64_t>(j - 1, 0); b <= std::min(j + 1, along_ - 1); ++b)
      for (int64_t a = std::max<int64_t>(i - 1, 0); a <= std::min(i + 1, across_ - 1); ++a) {
        const Root& root = roots_[static_cast<size_t>(b * across_ + a)];
        if (!(root.length > 0)) continue;
        const Vec2 d{(p.x - root.at.x) / root.half.x, (p.y - root.at.y) / root.half.y};
        const double u = 1 - std::sqrt(d.x * d.x + d.y * d.y);
        // Wide where it leaves the rock, and a blunt tip.
        if (u > 0) most = std::max(most, root.length * u * std::sqrt(u) * (1.35 - 0.35 * u));
      }
    return most;
  }

 private:
  double depth_at(const IslandOutline& outline, Vec2 turned) const {
    const Vec2 p{turned.x * joints_.cosine - turned.y * joints_.sine,
                 turned.x * joints_.sine + turned.y * joints_.cosine};
    const Frame& frame = outline.frame;
    const auto x = static_cast<int64_t>(std::round((p.x - frame.x(0)) / frame.cell.x)),
               y = static_cast<int64_t>(std::round((p.y - frame.y(0)) / frame.cell.y));
    if (x < 0 || y < 0 || x >= frame.width || y >= frame.height) return -1;
    return static_cast<double>(outline.inside(x, y));
  }

  Joints joints_;
  Vec2 low_;
  int64_t across_ = 0, along_ = 0;
  std::vector<Root> roots_;
};

Terrain land_of(const Frame& frame, Grid<float> height) {
  const auto [low, high] = std::ranges::minmax(height.cells());
  return Terrain(frame, {static_cast<double>(low), std::max(static_cast<double>(high), static_cast<double>(low) + 1)},
                 std::move(height));
}

}  // namespace

IslandRelief island_relief(const IslandOutline& outline, const IslandShape& shape, const Stream& stream,
                           const Context& context) {
  const Frame& frame = outline.frame;
  const double width = outline.width, rough = shape.roughness;
  const auto noise = [&](double scale, int octaves, double gain, uint64_t draw, NoiseSum sum = NoiseSum::fbm) {
    return Noise({.sum = sum, .scale = scale * width, .octaves = octaves, .gain = gain, .key = stream.bits(draw)});
  };
  const Noise swell = noise(0.5, 2, 0.5, 1), hills = noise(0.22, 7, 0.45, 2), bowl = noise(0.45, 2, 0.5, 3),
              crags = noise(0.2, 5, 0.5, 4, NoiseSum::ridged), grain = noise(0.05, 5, 0.55, 5),
              bend_x = noise(0.12, 3, 0.5, 6), bend_y = noise(0.12, 3, 0.5, 7);
  const Joints joints{math::cos(shape.joints), math::sin(shape.joints), 0.085 * width};
  const Roots roots(outline, shape, joints, Stream(stream.bits(8)));
  Grid<float> top(frame.width, frame.height), bottom(frame.width, frame.height);
  parallel_chunks(frame.height, 8, context, [&](int64_t begin, int64_t end) {
    const auto count = static_cast<size_t>(frame.width);
    std::vector<double> x(count);
    for (size_t i = 0; i < count; ++i) x[i] = frame.x(static_cast<int64_t>(i));
    const Noise* const all[] = {&swell, &hills, &bowl, &crags, &grain, &bend_x, &bend_y};
    std::vector<std::vector<float>> told(std::size(all), std::vector<float>(count));
    for (int64_t row = begin; row < end; ++row) {
      for (size_t n = 0; n < std::size(all); ++n) all[n]->row(x, frame.y(row), told[n]);
      for (size_t i = 0; i < count; ++i) {
        const auto of = [&](size_t n) { return static_cast<double>(told[n][i]); };
        const double d = static_cast<double>(outline.inside(static_cast<int64_t>(i), row));
        const double e = std::clamp(d / outline.deepest, 0.0, 1.0), edge = math::smoothstep(0, 1, d / (0.08 * width));
        // The shore rises and falls; hills rise from it to the middle.
        const double shore = 0.22 * shape.relief * width * of(2);
        const double hill = shape.relief * width * (e * (0.55 + 0.6 * of(0)) + edge * (0.25 + rough) * 0.45 * of(1)) +
                            0.004 * width * rough * of(4);
        const double ground = shore + hill, deep = shape.thickness * width;
        // Below, bays reach further in than above, and buttresses stand between them.
        const double in = d - 0.09 * width * rough * (0.5 - 0.5 * of(3)) * math::smoothstep(0, 1, d / (0.03 * width));
        const double inner = std::clamp(in / outline.deepest, 0.0, 1.0);
        double under = 2.0 * d;
        if (d > 0) {
          const Vec2 bent{x[i] + 0.03 * width * of(5), frame.y(row) + 0.03 * width * of(6)};
          const Vec2 turned = joints.turned(bent);
          const double cliff = 0.1 * deep * (1 + 0.6 * of(2)) * (1 - math::exp(-d / (0.01 * width)));
          const double shoulder = 0.22 * deep * (1 - math::exp(-std::max(in, 0.0) / (0.05 * width)));
          const double body = 0.5 * deep * math::pow(inner, 1.2) * (1 + 0.5 * of(0));
          const double crag = 0.2 * rough * deep * math::smoothstep(0, 1, in / (0.12 * width)) * (0.5 + 0.5 * of(3));
          const double cut = 0.09 * deep * rough * math::smoothstep(0, 1, d / (0.05 * width)) * joints.cut(turned);
          under = cliff + shoulder + body + crag - cut + roots.below(turned) +
                  0.02 * width * rough * math::smoothstep(0, 1, d / (0.05 * width)) * of(4);
          under = std::max(under, 0.5 * cliff);
        }
        top(static_cast<int64_t>(i), row) = static_cast<float>(ground);
        bottom(static_cast<int64_t>(i), row) = static_cast<float>(d > 0 ? shore - under : ground - under);
      }
    }
  });
  return {land_of(frame, std::move(top)), land_of(frame, std::move(bottom))};
}

}  // namespace tepui
