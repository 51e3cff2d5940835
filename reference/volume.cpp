#include "reference/volume.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tepui::reference {

namespace {

double g(double u) {
  const double rest = 1 - u * u;
  return u < 1 ? rest * rest * rest : 0;
}

Vec3 foot_on_segment(Vec3 p, Vec3 a, Vec3 b) {
  const Vec3 along = b - a;
  const double square = dot(along, along);
  return a + along * (square > 0 ? std::clamp(dot(p - a, along) / square, 0.0, 1.0) : 0.0);
}

Vec3 turned(Vec3 p, double angle) {
  return {p.x * std::cos(angle) - p.y * std::sin(angle), p.x * std::sin(angle) + p.y * std::cos(angle), p.z};
}

/// Found by searching: the nearest of discs along the axis, first coarsely, then between the neighbours.
Vec3 foot_on_cone(Vec3 p, Vec3 a, Vec3 b, double ra, double rb) {
  const Vec3 axis = b - a;
  const Vec3 unit = axis * (1 / length(axis));
  const auto foot = [&](double t) {
    const Vec3 centre = a + axis * t;
    const Vec3 off = (p - centre) - unit * dot(p - centre, unit);
    const double away = length(off), r = ra + (rb - ra) * t;
    return away <= r ? centre + off : centre + off * (r / away);
  };
  const auto distance = [&](double t) { return length(p - foot(t)); };
  // The distance from a convex body's slice is convex in t.
  double low = 0, high = 1;
  for (int i = 0; i < 200; ++i) {
    const double u = low + (high - low) / 3, v = high - (high - low) / 3;
    if (distance(u) <= distance(v))
      high = v;
    else
      low = u;
  }
  return foot((low + high) / 2);
}

Vec3 foot_on_shape(const Primitive& s, Vec3 p) {
  const Vec3 c = s.skeleton.front();
  switch (s.shape) {
    case PrimitiveShape::segment:
    case PrimitiveShape::curve: {
      Vec3 best = c;
      for (size_t i = 1; i < s.skeleton.size(); ++i) {
        const Vec3 foot = foot_on_segment(p, s.skeleton[i - 1], s.skeleton[i]);
        if (length(p - foot) < length(p - best)) best = foot;
      }
      return best;
    }
    case PrimitiveShape::sphere: {
      const double d = length(p - c);
      return d <= s.radius ? p : c + (p - c) * (s.radius / d);
    }
    case PrimitiveShape::cone:
      return foot_on_cone(p, c, s.skeleton[1], s.radius, s.end_radius);
    case PrimitiveShape::cylinder:
      return foot_on_cone(p, c, s.skeleton[1], s.radius, s.radius);
    case PrimitiveShape::box: {
      const Vec3 own = turned(p - c, -s.turn);
      const Vec3 foot{std::clamp(own.x, -s.half.x, s.half.x), std::clamp(own.y, -s.half.y, s.half.y),
                      std::clamp(own.z, -s.half.z, s.half.z)};
      return c + turned(foot, s.turn);
    }
    default:
      return c;
  }
}

double noise_at(const Primitive& s, Vec3 p) {
  float t = 0;
  Noise({.scale = s.noise_scale, .octaves = 2, .key = s.noise_key}).points({&p.x, 1}, {&p.y, 1}, {&p.z, 1}, {&t, 1});
  return s.noise * static_cast<double>(t);
}

double keys(double s) {
  const double a = std::abs(s);
  if (a < 1) return 1.5 * a * a * a - 2.5 * a * a + 1;
  if (a < 2) return -0.5 * a * a * a + 2.5 * a * a - 4 * a + 2;
  return 0;
}

/// A sample; those beyond a side lie on the line through the two at it.
double sample(const Grid<float>& grid, int64_t x, int64_t y) {
  if (x < 0 && grid.width() > 1) return 2 * sample(grid, 0, y) - sample(grid, 1, y);
  if (x >= grid.width() && grid.width() > 1)
    return 2 * sample(grid, grid.width() - 1, y) - sample(grid, grid.width() - 2, y);
  if (y < 0 && grid.height() > 1) return 2 * sample(grid, x, 0) - sample(grid, x, 1);
  if (y >= grid.height() && grid.height() > 1)
    return 2 * sample(grid, x, grid.height() - 1) - sample(grid, x, grid.height() - 2);
  return static_cast<double>(
      grid(std::clamp<int64_t>(x, 0, grid.width() - 1), std::clamp<int64_t>(y, 0, grid.height() - 1)));
}

}  // namespace

double primitive_field(const Primitive& s, Vec3 p) {
  const Vec3 c = s.skeleton.front();
  double d = 0;
  Vec3 rim{};
  if (s.shape == PrimitiveShape::ellipsoid) {
    const Vec3 own = turned(p - c, -s.turn);
    const double shortest = std::min({s.half.x, s.half.y, s.half.z});
    const double norm = length({own.x / s.half.x, own.y / s.half.y, own.z / s.half.z});
    d = std::max((norm - 1) * shortest, 0.0);
    if (d > 0) rim = c + (p - c) * ((1 + s.falloff / shortest) / norm);
  } else {
    const Vec3 foot = foot_on_shape(s, p);
    d = length(p - foot);
    if (d > 0) rim = foot + (p - foot) * (s.falloff / d);
  }
  if (d <= 0) return s.energy;
  if (s.noise == 0) return s.energy * g(d / s.falloff);
  return s.energy * g(d / (s.falloff + noise_at(s, rim)));
}

LandField::LandField(const Terrain& land, const Terrain* mask, const ImplicitizeParams& params)
    : land_(land), params_(params), falloff_(params.falloff.in(land.frame())) {
  const Grid<float>& grid = land.height();
  double low = std::numeric_limits<double>::infinity();
  for (const float h : grid.cells()) low = std::min(low, static_cast<double>(h));
  floor_ = low - params.floor.in(land.frame());
  std::vector<Vec2> corners;
  for (const PlanCorner& corner : params.polygon)
    corners.push_back(land.frame().origin + Vec2{corner.x.in(land.frame()), corner.y.in(land.frame())});
  if (mask != nullptr)
    border_ = mask_border(land.frame(), mask_layer(*mask).grid());
  else if (!corners.empty())
    border_ = polygon_border(corners);
}

double LandField::height(double x, double y) const {
  const Frame& f = land_.frame();
  const double u = std::clamp((x - f.x(0)) / f.cell.x, 0.0, static_cast<double>(f.width - 1));
  const double v = std::clamp((y - f.y(0)) / f.cell.y, 0.0, static_cast<double>(f.height - 1));
  const auto i = static_cast<int64_t>(u), j = static_cast<int64_t>(v);
  double h = 0;
  for (int64_t l = j - 1; l <= j + 2; ++l)
    for (int64_t k = i - 1; k <= i + 2; ++k)
      h += keys(u - static_cast<double>(k)) * keys(v - static_cast<double>(l)) * sample(land_.height(), k, l);
  return h;
}

double LandField::distance_in_plan(double x, double y) const {
  const Frame& f = land_.frame();
  if (border_.empty())
    return std::hypot(std::max({f.x(0) - x, x - f.x(f.width - 1), 0.0}),
                      std::max({f.y(0) - y, y - f.y(f.height - 1), 0.0}));
  bool inside = false;
  double nearest = std::numeric_limits<double>::infinity();
  for (const PlanRegion::Edge& e : border_) {
    if ((e.a.y > y) != (e.b.y > y) && x < e.a.x + (y - e.a.y) / (e.b.y - e.a.y) * (e.b.x - e.a.x)) inside = !inside;
    const Vec3 foot = foot_on_segment({x, y, 0}, {e.a.x, e.a.y, 0}, {e.b.x, e.b.y, 0});
    nearest = std::min(nearest, std::hypot(x - foot.x, y - foot.y));
  }
  return inside ? 0 : nearest;
}

double LandField::value(Vec3 at) const {
  const double t = params_.threshold, r = params_.radius;
  const double x = height(at.x, at.y) - at.z, a = std::abs(x);
  const double s = a >= r ? t : a + (3 * t - 2 * r) / (r * r) * a * a + (r - 2 * t) / (r * r * r) * a * a * a;
  const double d = std::hypot(distance_in_plan(at.x, at.y), std::max(floor_ - at.z, 0.0));
  return std::min(x < 0 ? -s : s, 2 * t * g(d / falloff_) - t);
}

StrokedLand::StrokedLand(const LandField* land, std::vector<Primitive> strokes, double threshold)
    : land_(land), strokes_(std::move(strokes)), threshold_(threshold) {
  for (size_t i = 0; i < strokes_.size(); ++i) {
    boxes_.push_back(primitive_box(strokes_[i]));
    order_.push_back(i);
  }
  if (!strokes_.empty()) build(0, strokes_.size());
}

size_t StrokedLand::build(size_t first, size_t count) {
  const size_t self = nodes_.size();
  nodes_.emplace_back();
  Box3 box, centres;
  const auto centre = [&](size_t i) { return (boxes_[i].low + boxes_[i].high) * 0.5; };
  for (size_t i = first; i < first + count; ++i) {
    box = box.with(boxes_[order_[i]]);
    centres = centres.with(centre(order_[i]));
  }
  nodes_[self].box = box;
  if (count <= 4) {
    nodes_[self].first = first;
    nodes_[self].count = count;
    return self;
  }
  const Vec3 size = centres.high - centres.low;
  const auto along = [&](size_t i) {
    return size.x >= size.y && size.x >= size.z ? centre(i).x : size.y >= size.z ? centre(i).y : centre(i).z;
  };
  const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
  std::nth_element(begin, begin + static_cast<std::ptrdiff_t>(count / 2), begin + static_cast<std::ptrdiff_t>(count),
                   [&](size_t a, size_t b) { return along(a) < along(b); });
  const size_t left = build(first, count / 2), right = build(first + count / 2, count - count / 2);
  nodes_[self].left = left;
  nodes_[self].right = right;
  return self;
}

double StrokedLand::sum(size_t node, Vec3 at) const {
  const Node& n = nodes_[node];
  if (!n.box.holds(at)) return 0;
  if (n.count == 0) return sum(n.left, at) + sum(n.right, at);
  double f = 0;
  for (size_t i = n.first; i < n.first + n.count; ++i)
    if (boxes_[order_[i]].holds(at)) f += primitive_field(strokes_[order_[i]], at);
  return f;
}

double StrokedLand::value(Vec3 at) const {
  const double v = land_ != nullptr ? land_->value(at) : -threshold_;
  return nodes_.empty() ? v : v + sum(0, at);
}

}  // namespace tepui::reference
