#include "tepui/volume/shape_record.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"

namespace tepui {

namespace {

/// The whole number nearest to x, of two the even one; |x| < 2^51.
double nearest_whole(double x) { return (x + 0x1.8p52) - 0x1.8p52; }

double falloff_share(double square) {
  const double u = 1 - square;
  return u > 0 ? u * u * u : 0;
}

/// Indices of the points that lie in a box.
struct HeldPoints {
  int64_t which[FieldPoints::most], count = 0;

  HeldPoints(const FieldPoints& at, const Box3& box) {
    if (at.lattice != nullptr)
      hold_brick(*at.lattice, box);
    else
      hold(at, box);
  }

 private:
  static int64_t within(double a, double low, double high) { return (a >= low) & (a <= high); }

  void hold(const FieldPoints& at, const Box3& box) {
    for (int64_t i = 0; i < at.count; ++i) {
      which[count] = i;
      count += within(at.x[i], box.low.x, box.high.x) & within(at.y[i], box.low.y, box.high.y) &
               within(at.z[i], box.low.z, box.high.z);
    }
  }

  void hold_brick(const FieldLattice& brick, const Box3& box) {
    int64_t along[FieldPoints::most], row = 0;
    for (int64_t i = 0; i < brick.nx; ++i) {
      along[row] = i;
      row += within(brick.x[i], box.low.x, box.high.x);
    }
    for (int64_t k = 0; k < brick.nz; ++k)
      for (int64_t j = 0; j < brick.ny; ++j)
        if (within(brick.z[k], box.low.z, box.high.z) & within(brick.y[j], box.low.y, box.high.y))
          for (int64_t i = 0; i < row; ++i) which[count++] = (k * brick.ny + j) * brick.nx + along[i];
  }
};

/// The very numbers of the heaps' kernels.
struct PlainShare {
  float dx, dy, dz, scale, u;
  bool negative;

  PlainShare(const PlacedPoint& point, Vec3 at)
      : dx(static_cast<float>(nearest_place(at.x) - static_cast<double>(point.x))),
        dy(static_cast<float>(nearest_place(at.y) - static_cast<double>(point.y))),
        dz(static_cast<float>(nearest_place(at.z) - static_cast<double>(point.z))),
        scale(std::sqrt(std::abs(point.root)) / point.radius),
        negative(point.root < 0) {
    const float sx = dx * scale, sy = dy * scale, sz = dz * scale;
    u = std::max(std::abs(point.root) - sx * sx - sy * sy - sz * sz, 0.0f);
  }
  double quanta() const {
    const double whole = nearest_whole(static_cast<double>(u * u * u));
    return negative ? -whole : whole;
  }
  float steepness() const { return (negative ? 1.5f : -1.5f) * (scale * scale) * (u * u); }
};

}  // namespace

bool is_plain_point(const FieldPoint& p) { return std::abs(p.energy) < 127 && p.falloff <= 4096; }

bool is_plain_point(const Primitive& p) {
  return p.shape == PrimitiveShape::point && p.noise == 0 && is_plain_point(FieldPoint{{}, p.falloff, p.energy});
}

PlacedPoint placed(const FieldPoint& point) {
  const Vec3 at = point.at;
  const double root = math::pow(std::abs(point.energy) / primitive_quantum, 1.0 / 3);
  return {static_cast<int64_t>(nearest_place(at.x)), static_cast<int64_t>(nearest_place(at.y)),
          static_cast<int64_t>(nearest_place(at.z)), static_cast<float>(point.falloff / place_quantum),
          static_cast<float>(point.energy < 0 ? -root : root)};
}

PlacedPoint placed(const Primitive& point) { return placed({point.skeleton.front(), point.falloff, point.energy}); }

Box3 PlacedPoint::box() const {
  const Vec3 at = Vec3{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)} * place_quantum;
  // Places are rounded by up to half a quantum: some from beyond the radius are felt as within it.
  return Box3{at, at}.grown((static_cast<double>(radius) + 0.5) * place_quantum);
}

ShapeRecord::ShapeRecord(const PlacedPoint& point) : energy_(point.energy()), box_(point.box()), plain_(point) {
  Hasher hasher;
  hasher.add("point").add(point.x).add(point.y).add(point.z);
  hash_ = hasher.add(static_cast<double>(point.radius)).add(static_cast<double>(point.root)).finish();
}

ShapeRecord::ShapeRecord(const Primitive& primitive)
    : shape_(primitive.shape),
      origin_(primitive.skeleton.front()),
      radius_(primitive.radius),
      end_radius_(primitive.end_radius),
      half_(primitive.half),
      cosine_(primitive.turn != 0 ? math::cos(primitive.turn) : 1),
      sine_(primitive.turn != 0 ? math::sin(primitive.turn) : 0),
      falloff_(primitive.falloff),
      energy_(primitive.energy),
      noise_size_(primitive.noise),
      noise_scale_(primitive.noise_scale),
      box_(primitive_box(primitive)),
      hash_(primitive_hash(primitive)) {
  if (shape_ == PrimitiveShape::cone || shape_ == PrimitiveShape::cylinder) axis_ = primitive.skeleton[1] - origin_;
  if (shape_ == PrimitiveShape::segment || shape_ == PrimitiveShape::curve) {
    std::vector<Vec3> points = primitive.skeleton;
    for (Vec3& p : points) p = p - origin_;
    curve_ = CurvePieces(std::move(points));
  }
  if (noise_size_ > 0)
    noise_ = std::make_shared<const Noise>(
        NoiseSpec{.scale = primitive.noise_scale, .octaves = 2, .key = primitive.noise_key});
}

Vec3 ShapeRecord::gradient(Vec3 p, const Nearest& near) const {
  if (shape_ != PrimitiveShape::ellipsoid) return (p - near.foot) * (1 / near.distance);
  const double shortest = std::min({half_.x, half_.y, half_.z});
  const Vec3 scaled = in_ball(p);
  const Vec3 g = Vec3{scaled.x / half_.x, scaled.y / half_.y, scaled.z / half_.z} * (shortest / length(scaled));
  return {g.x * cosine_ - g.y * sine_, g.x * sine_ + g.y * cosine_, g.z};
}

Vec3 ShapeRecord::rim(Vec3 p, const Nearest& near) const {
  if (!(near.distance > 0)) return p;
  if (shape_ != PrimitiveShape::ellipsoid) return near.foot + gradient(p, near) * falloff_;
  const double shortest = std::min({half_.x, half_.y, half_.z});
  return p * ((1 + falloff_ / shortest) / length(in_ball(p)));
}

/// In the half-plane through the axis: x along it, y away from it. The cone is what lies between the ends and below the
/// line from (0, radius) to (height, end radius).
ShapeRecord::Nearest ShapeRecord::nearest_cone(Vec3 p) const {
  const double height = length(axis_);
  const Vec3 unit = axis_ * (1 / height);
  const double x = dot(p, unit);
  const Vec3 off = p - unit * x;
  const double y = length(off);
  const double end = shape_ == PrimitiveShape::cylinder ? radius_ : end_radius_;
  const double slant_x = height, slant_y = end - radius_;
  double fx = 0, fy = 0, best = std::numeric_limits<double>::infinity();
  const auto offer = [&](double u, double v) {
    const double square = (x - u) * (x - u) + (y - v) * (y - v);
    if (square < best) best = square, fx = u, fy = v;
  };
  if (x >= 0 && x <= height && y * height <= radius_ * height + slant_y * x) return {0, p};
  offer(0, std::min(y, radius_));
  offer(height, std::min(y, end));
  const double t =
      std::clamp((x * slant_x + (y - radius_) * slant_y) / (slant_x * slant_x + slant_y * slant_y), 0.0, 1.0);
  offer(t * slant_x, radius_ + t * slant_y);
  return toward(p, unit * fx + (y > 0 ? off * (fy / y) : Vec3{}));
}

ShapeRecord::Nearest ShapeRecord::nearest_box(Vec3 p) const {
  const Vec3 turned{p.x * cosine_ + p.y * sine_, p.y * cosine_ - p.x * sine_, p.z};
  const Vec3 foot{std::clamp(turned.x, -half_.x, half_.x), std::clamp(turned.y, -half_.y, half_.y),
                  std::clamp(turned.z, -half_.z, half_.z)};
  if (foot == turned) return {0, p};
  return toward(p, {foot.x * cosine_ - foot.y * sine_, foot.x * sine_ + foot.y * cosine_, foot.z});
}

Vec3 ShapeRecord::in_ball(Vec3 p) const {
  const Vec3 turned{p.x * cosine_ + p.y * sine_, p.y * cosine_ - p.x * sine_, p.z};
  return {turned.x / half_.x, turned.y / half_.y, turned.z / half_.z};
}

/// d = (|p/a| - 1) min(a), so that distances grow with the axes.
ShapeRecord::Nearest ShapeRecord::nearest_ellipsoid(Vec3 p) const {
  const double norm = length(in_ball(p));
  return {norm <= 1 ? 0 : (norm - 1) * std::min({half_.x, half_.y, half_.z}), {}};
}

ShapeRecord::Nearest ShapeRecord::nearest(Vec3 p, double limit, uint32_t& piece) const {
  switch (shape_) {
    case PrimitiveShape::point:
      return toward(p, {});
    case PrimitiveShape::segment:
    case PrimitiveShape::curve: {
      const CurvePieces::Foot foot = curve_.nearest(p, limit, piece);
      if (foot.piece == CurvePieces::none) return {std::numeric_limits<double>::infinity(), p};
      piece = foot.piece;
      return {foot.distance, foot.at};
    }
    case PrimitiveShape::sphere: {
      const double d = length(p);
      return d <= radius_ ? Nearest{0, p} : toward(p, p * (radius_ / d));
    }
    case PrimitiveShape::cone:
    case PrimitiveShape::cylinder:
      return nearest_cone(p);
    case PrimitiveShape::box:
      return nearest_box(p);
    case PrimitiveShape::ellipsoid:
      return nearest_ellipsoid(p);
  }
  return {};
}

/// Places of which t is asked at once, and R + t there.
struct ShapeRecord::Rims {
  static constexpr int64_t most = FieldPoints::most;
  double x[most], y[most], z[most], reach[most];
  int64_t count = 0;

  void push(Vec3 place) {
    x[count] = place.x;
    y[count] = place.y;
    z[count] = place.z;
    ++count;
  }
};

void ShapeRecord::find_reach(Rims& rims) const {
  std::fill_n(rims.reach, rims.count, falloff_);
  if (!noise_) return;
  float t[Rims::most];
  const auto count = static_cast<size_t>(rims.count);
  noise_->points({rims.x, count}, {rims.y, count}, {rims.z, count}, {t, count});
  for (size_t i = 0; i < count; ++i) rims.reach[i] += noise_size_ * static_cast<double>(t[i]);
}

double ShapeRecord::quanta(double distance, double reach) const {
  const double u = distance / reach;
  return nearest_whole(energy_ * falloff_share(u * u) / primitive_quantum);
}

void ShapeRecord::add_plain(const FieldPoints& at, double* sums) const {
  const HeldPoints held(at, box_);
  for (int64_t n = 0; n < held.count; ++n) {
    const int64_t i = held.which[n];
    sums[i] += PlainShare(*plain_, {at.x[i], at.y[i], at.z[i]}).quanta();
  }
}

void ShapeRecord::add(const FieldPoints& at, double* sums) const {
  if (plain_) return add_plain(at, sums);
  const HeldPoints held(at, box_);
  Rims rims;
  int64_t which[Rims::most];
  double distance[Rims::most];
  uint32_t piece = CurvePieces::none;
  for (int64_t n = 0; n < held.count; ++n) {
    const int64_t i = held.which[n];
    const Vec3 p = Vec3{at.x[i], at.y[i], at.z[i]} - origin_;
    const Nearest near = nearest(p, most_reach(), piece);
    if (near.distance >= most_reach()) continue;
    if (!noise_ || !(near.distance > 0)) {
      sums[i] += quanta(near.distance, falloff_);
      continue;
    }
    which[rims.count] = i;
    distance[rims.count] = near.distance;
    rims.push(rim(p, near) + origin_);
  }
  find_reach(rims);
  for (int64_t k = 0; k < rims.count; ++k) sums[which[k]] += quanta(distance[k], rims.reach[k]);
}

void ShapeRecord::add_plain_gradients(const FieldPoints& at, double* sums, double* dx, double* dy, double* dz) const {
  const HeldPoints held(at, box_);
  for (int64_t n = 0; n < held.count; ++n) {
    const int64_t i = held.which[n];
    const PlainShare point(*plain_, {at.x[i], at.y[i], at.z[i]});
    sums[i] += point.quanta();
    dx[i] += to_gradient_quanta(static_cast<double>(point.steepness() * point.dx));
    dy[i] += to_gradient_quanta(static_cast<double>(point.steepness() * point.dy));
    dz[i] += to_gradient_quanta(static_cast<double>(point.steepness() * point.dz));
  }
}

/// Small beside the lumps; and beside the distance, because near a skeleton or the middle of an ellipsoid the rim moves
/// faster than the place.
double ShapeRecord::noise_step(double distance) const {
  const double inside = shape_ == PrimitiveShape::ellipsoid ? std::min({half_.x, half_.y, half_.z}) : 0;
  const double slowness = std::clamp((inside + distance) / (inside + falloff_), 0x1p-10, 1.0);
  return std::min(noise_scale_, falloff_) * 0x1p-11 * slowness;
}

void ShapeRecord::add_gradients(const FieldPoints& at, double* sums, double* dx, double* dy, double* dz) const {
  if (plain_) return add_plain_gradients(at, sums, dx, dy, dz);
  // A place, and with noise two more along every axis.
  const int64_t each = noise_ ? 7 : 1;
  Rims rims;
  int64_t which[Rims::most];
  double distance[Rims::most], ways[3][Rims::most];
  const auto finish = [&] {
    find_reach(rims);
    for (int64_t k = 0; k * each < rims.count; ++k) {
      const double* reach = rims.reach + k * each;
      const int64_t i = which[k];
      sums[i] += quanta(distance[k], reach[0]);
      // Of (1 - u^2)^3, u = d/R; with noise R has a slope, too.
      const double u = distance[k] / reach[0], rest = 1 - u * u;
      if (rest <= 0) continue;
      const double by_reach = 6 * energy_ * rest * rest * u * u / reach[0];
      Vec3 slope = Vec3{ways[0][k], ways[1][k], ways[2][k]} * (-6 * energy_ * rest * rest * u * u / distance[k]);
      if (noise_)
        slope = slope + Vec3{reach[1] - reach[2], reach[3] - reach[4], reach[5] - reach[6]} *
                            (by_reach / (2 * noise_step(distance[k])));
      dx[i] += to_gradient_quanta(slope.x);
      dy[i] += to_gradient_quanta(slope.y);
      dz[i] += to_gradient_quanta(slope.z);
    }
    rims.count = 0;
  };
  constexpr double anywhere = std::numeric_limits<double>::infinity();
  uint32_t piece = CurvePieces::none;
  const HeldPoints held(at, box_);
  for (int64_t n = 0; n < held.count; ++n) {
    const int64_t i = held.which[n];
    const Vec3 p = Vec3{at.x[i], at.y[i], at.z[i]} - origin_;
    const Nearest near = nearest(p, most_reach(), piece);
    if (near.distance >= most_reach()) continue;
    if (!(near.distance > 0)) {
      sums[i] += quanta(0, falloff_);
      continue;
    }
    if (rims.count + each > Rims::most) finish();
    const int64_t k = rims.count / each;
    which[k] = i;
    distance[k] = near.distance;
    const Vec3 way = gradient(p, near);
    ways[0][k] = way.x, ways[1][k] = way.y, ways[2][k] = way.z;
    rims.push(rim(p, near) + origin_);
    if (!noise_) continue;
    const double h = noise_step(near.distance);
    for (const Vec3 step : {Vec3{h, 0, 0}, Vec3{0, h, 0}, Vec3{0, 0, h}})
      for (const Vec3 q : {p + step, p - step}) rims.push(rim(q, nearest(q, anywhere, piece)) + origin_);
  }
  finish();
}

void ShapeRecord::list_boxes(std::vector<Box3>& boxes) const {
  if (curve_.empty()) return boxes.push_back(box_);
  const size_t first = boxes.size();
  curve_.list_boxes(most_reach(), boxes);
  const double farthest = std::max({-box_.low.x, -box_.low.y, -box_.low.z, box_.high.x, box_.high.y, box_.high.z});
  // Also what rounding adds, far from the world's origin.
  const double more = most_reach() + (farthest + most_reach()) * 0x1p-44;
  for (size_t i = first; i < boxes.size(); ++i)
    boxes[i] = Box3{boxes[i].low + origin_, boxes[i].high + origin_}.grown(more).within(box_);
}

void ShapeRecord::widen(const Box3& box, double& low, double& high) const {
  const Box3 met = box.within(box_);
  if (met.empty()) return;
  double strong = energy_, weak = 0;
  if (!plain_) {
    // No distance grows faster than the way: what it is in the middle tells what it is nearly everywhere.
    const Vec3 middle = (met.low + met.high) * 0.5;
    const double way = length(met.high - met.low) * 0.5;
    uint32_t piece = CurvePieces::none;
    const double d = nearest(middle - origin_, most_reach() + way, piece).distance;
    double least = std::max(d - way, 0.0);
    if (!curve_.empty())
      least = std::max(least, curve_.distance_from({met.low - origin_, met.high - origin_}, most_reach()));
    const double near = least / most_reach(), far = (d + way) / (falloff_ - noise_size_);
    strong = energy_ * falloff_share(near * near);
    weak = energy_ * falloff_share(far * far);
    // Part of the box lies where the field is cut off.
    if (!(met == box)) weak = 0;
  }
  const double more = primitive_quantum + std::abs(energy_) * 1e-6;
  low += std::min(strong, weak) - more;
  high += std::max(strong, weak) + more;
}

}  // namespace tepui
