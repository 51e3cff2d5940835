#include "tepui/geology/rock_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

#include "tepui/core/error.h"
#include "tepui/geology/rock_tree.h"

namespace tepui {

namespace {

constexpr size_t most_segments = 1000000;
constexpr size_t leaf_segments = 4;
constexpr double most_resistance = 10;

/// From `a` to `a + along`; a point where that is zero.
struct Segment {
  Vec3 a, along;
  double inverse_square = 0;  ///< 1 / |along|^2, or 0

  double square_distance(Vec3 p) const {
    const Vec3 d = p - a;
    const double t = std::clamp(dot(d, along) * inverse_square, 0.0, 1.0);
    const Vec3 rest = d - along * t;
    return dot(rest, rest);
  }
};

double coordinate(Vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/// Finds the nearest of many segments: a binary tree of boxes, split at the median.
class SegmentTree {
 public:
  explicit SegmentTree(std::vector<Segment> segments) : segments_(std::move(segments)) {
    if (!segments_.empty()) split(0, segments_.size());
  }

  /// The square of the distance to the nearest, or `limit` where that is farther.
  double nearest(Vec3 p, double limit) const {
    if (nodes_.empty()) return limit;
    uint32_t open[64];
    int count = 0;
    open[count++] = 0;
    while (count > 0) {
      const Node& node = nodes_[open[--count]];
      if (node.square_distance(p) >= limit) continue;
      if (node.right == 0) {
        for (size_t i = node.first; i < node.first + node.count; ++i)
          limit = std::min(limit, segments_[i].square_distance(p));
        continue;
      }
      open[count++] = node.right;
      open[count++] = static_cast<uint32_t>(&node - nodes_.data()) + 1;
    }
    return limit;
  }

  const std::vector<Segment>& segments() const { return segments_; }
  size_t bytes() const { return segments_.size() * sizeof(Segment) + nodes_.size() * sizeof(Node); }

 private:
  struct Node {
    Vec3 low, high;
    uint32_t first = 0, count = 0, right = 0;  ///< the left child comes next

    double square_distance(Vec3 p) const {
      const double x = std::max({low.x - p.x, p.x - high.x, 0.0}), y = std::max({low.y - p.y, p.y - high.y, 0.0}),
                   z = std::max({low.z - p.z, p.z - high.z, 0.0});
      return (x * x + y * y + z * z) * (1 - 0x1p-40);  // never farther than what is inside, whatever rounding does
    }
  };

  static Vec3 middle(const Segment& s) { return s.a + s.along * 0.5; }

  void split(size_t begin, size_t end) {
    const size_t at = nodes_.size();
    Node node;
    node.first = static_cast<uint32_t>(begin);
    node.count = static_cast<uint32_t>(end - begin);
    node.low = node.high = segments_[begin].a;
    for (size_t i = begin; i < end; ++i)
      for (const Vec3 p : {segments_[i].a, segments_[i].a + segments_[i].along}) {
        node.low = {std::min(node.low.x, p.x), std::min(node.low.y, p.y), std::min(node.low.z, p.z)};
        node.high = {std::max(node.high.x, p.x), std::max(node.high.y, p.y), std::max(node.high.z, p.z)};
      }
    nodes_.push_back(node);
    if (end - begin <= leaf_segments) return;
    const Vec3 size = node.high - node.low;
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const size_t half = begin + (end - begin) / 2;
    std::nth_element(
        segments_.begin() + static_cast<std::ptrdiff_t>(begin), segments_.begin() + static_cast<std::ptrdiff_t>(half),
        segments_.begin() + static_cast<std::ptrdiff_t>(end),
        [&](const Segment& a, const Segment& b) { return coordinate(middle(a), axis) < coordinate(middle(b), axis); });
    split(begin, half);
    nodes_[at].right = static_cast<uint32_t>(nodes_.size());
    split(half, end);
  }

  std::vector<Segment> segments_;
  std::vector<Node> nodes_;
};

/// Lines of one radius and resistance.
struct Body {
  SegmentTree tree;
  double radius, resistance;

  Interval levels() const {
    Interval levels;
    for (const Segment& s : tree.segments())
      for (const double z : {s.a.z, s.a.z + s.along.z}) levels = hull_of(levels, {z - radius, z + radius});
    return levels;
  }
};

class BodyRock : public Rock {
 public:
  BodyRock(RockPointer in, std::vector<Body> bodies)
      : in_(std::move(in)), tree_size_(in_ != nullptr ? tree_over({in_}) : RockTreeSize{}), bodies_(std::move(bodies)) {
    for (const Body& body : bodies_) {
      Hasher told;
      for (const Segment& s : body.tree.segments())
        for (const double number : {s.a.x, s.a.y, s.a.z, s.along.x, s.along.y, s.along.z}) told.add(number);
      skeletons_.push_back(told.finish());
      levels_ = hull_of(levels_, body.levels());
    }
  }

  void resistance(const RockPoints& at, float* rho) const override {
    if (in_ != nullptr)
      in_->resistance(at, rho);
    else
      std::fill_n(rho, at.count, 0.0f);
    for (const Body& body : bodies_) {
      const double square = body.radius * body.radius;
      for (int64_t i = 0; i < at.count; ++i) {
        const double far = body.tree.nearest({at.x[i], at.y[i], at.z[i]}, square);
        if (far < square)
          rho[i] = static_cast<float>(static_cast<double>(rho[i]) + body.resistance * falloff_of_square(far / square));
      }
    }
  }
  void rocks(const RockPoints& at, int32_t* which) const override {
    if (in_ != nullptr)
      in_->rocks(at, which);
    else
      Rock::rocks(at, which);
  }
  std::vector<NamedRock> names() const override { return in_ != nullptr ? in_->names() : std::vector<NamedRock>{}; }
  Interval levels() const override { return in_ != nullptr ? hull_of(in_->levels(), levels_) : levels_; }
  RockTreeSize tree() const override { return tree_size_; }

  void hash(Hasher& hasher) const override {
    for (size_t i = 0; i < bodies_.size(); ++i) {
      hasher.add("body").add(skeletons_[i]).add(static_cast<int64_t>(bodies_[i].tree.segments().size()));
      hasher.add(bodies_[i].radius).add(bodies_[i].resistance);
    }
    hasher.add(in_ != nullptr);
    if (in_ != nullptr) in_->hash(hasher);
  }
  size_t bytes() const override {
    size_t bytes = sizeof *this + (in_ != nullptr ? in_->bytes() : 0);
    for (const Body& body : bodies_) bytes += sizeof body + body.tree.bytes();
    return bytes;
  }

 private:
  RockPointer in_;
  RockTreeSize tree_size_;
  std::vector<Body> bodies_;
  std::vector<Hash> skeletons_;
  Interval levels_;
};

Segment segment(Vec3 a, Vec3 b) {
  const Vec3 along = b - a;
  const double square = dot(along, along);
  return {a, along, square > 0 ? 1 / square : 0};
}

void add_curve(std::span<const Vec3> points, bool closed, std::vector<Segment>& body) {
  if (points.size() == 1) body.push_back(segment(points[0], points[0]));
  for (size_t i = 1; i < points.size(); ++i) body.push_back(segment(points[i - 1], points[i]));
  if (closed && points.size() > 2) body.push_back(segment(points.back(), points.front()));
}

double checked_radius(double radius) {
  if (!(radius > 0 && radius * radius > 0)) refuse("'radius' must be above 0");
  return radius;
}

/// Features that have the same numbers are one body, which is nowhere stronger where they touch; others add up.
std::vector<Body> bodies_along(const Lines& along, double radius, double resistance) {
  const size_t points = extent_of(along).points;
  if (points > most_segments)
    refuse(fmt::format("'along' has {} points, but a body has at most {}", points, most_segments));
  std::map<std::pair<double, double>, std::vector<Segment>> bodies;
  for_each_feature_curve(along, [&](size_t feature, const LinePart& part) {
    const double own = feature_number(along, "resistance", feature, resistance);
    if (!(std::abs(own) <= most_resistance))
      refuse(fmt::format("the resistance {:g} of line {} is too large", own, feature),
             fmt::format("use {:g} to {:g}", -most_resistance, most_resistance));
    add_curve(part.points, part.closed,
              bodies[{checked_radius(feature_number(along, "radius", feature, radius)), own}]);
  });
  std::vector<Body> list;
  for (auto& [numbers, segments] : bodies)
    list.push_back({SegmentTree(std::move(segments)), numbers.first, numbers.second});
  if (list.empty()) list.push_back({SegmentTree({}), radius, resistance});
  return list;
}

std::vector<Body> bodies_of(const Frame& world, const Lines* along, const RockBodyParams& params) {
  const double radius = checked_radius(params.radius.in(world));
  if (along != nullptr) return bodies_along(*along, radius, params.resistance);
  std::vector<Segment> body;
  std::vector<Vec3> points;
  for (const BodyPoint& point : params.points) points.push_back(place_in(world, point.x, point.y, point.elevation));
  if (params.shape == BodyShape::curve) {
    add_curve(points, false, body);
  } else {
    for (const Vec3 point : points) body.push_back(segment(point, point));
  }
  std::vector<Body> list;
  list.push_back({SegmentTree(std::move(body)), radius, params.resistance});
  return list;
}

}  // namespace

std::vector<BodyPoint> sample_points() {
  std::vector<BodyPoint> points(3);
  const double numbers[3][2] = {{-22, 6}, {4, 9}, {26, 4}};
  for (size_t i = 0; i < points.size(); ++i) {
    points[i].x = percent(numbers[i][0]);
    points[i].elevation = percent(numbers[i][1]);
  }
  return points;
}

void describe(Fields<BodyPoint>& f) {
  f("x", &BodyPoint::x, Range{-1e9, 1e9}, "east of the world's middle");
  f("y", &BodyPoint::y, Range{-1e9, 1e9}, "north of the world's middle");
  f("elevation", &BodyPoint::elevation, Range{-1e9, 1e9}, "its height");
}

void describe(Fields<RockBodyParams>& f) {
  f.about("Harden or weaken rock around points or along a curve");
  f.reach(Reach::point);
  f.example("strata | {}");
  f("shape", &RockBodyParams::shape, {"spheres", "curve"},
    "a sphere around every point, or one body along a curve through them");
  f("points", &RockBodyParams::points, Range{0, 1000}, "positions");
  f("radius", &RockBodyParams::radius, open_range(0, 1e9),
    "distance at which its effect ends; at 0.454 of it half is left")
      .slider(1, 40)
      .sweep("4%", "8%", "16%");
  f("resistance", &RockBodyParams::resistance, Range{-most_resistance, most_resistance},
    "resistance that it adds; negative: it weakens the rock")
      .slider(-1, 1)
      .sweep("-0.6", "0.3", "0.6");
}

Geology rock_body(const Frame& world, const Geology* in, const Lines* along, const RockBodyParams& params,
                  const Context&) {
  check_params(params);
  return Geology(
      std::make_shared<const BodyRock>(in != nullptr ? in->share() : nullptr, bodies_of(world, along, params)));
}

}  // namespace tepui
