#include "reference/rock.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "reference/noise.h"

namespace tepui::reference {

namespace {

const double degree = std::acos(-1.0) / 180;

double g(double u) { return std::abs(u) < 1 ? std::pow(1 - u * u, 3) : 0; }

double noise_at(const NoiseSpec& spec, Vec3 p) { return noise(spec, noise_octaves(spec), p.x, p.y, p.z); }

Vec3 from_middle(const Frame& world, Length x, Length y, Length elevation) {
  return {world.origin.x + world.size.x / 2 + x.in(world), world.origin.y + world.size.y / 2 + y.in(world),
          elevation.in(world)};
}

/// Distance along a direction, clockwise from north.
double along(Angle direction, Vec3 d) {
  return d.x * std::sin(direction.degrees * degree) + d.y * std::cos(direction.degrees * degree);
}

/// Above a dipping plane through a point.
double above(Angle dip, Angle direction, Vec3 d) {
  return d.z * std::cos(dip.degrees * degree) + along(direction, d) * std::sin(dip.degrees * degree);
}

double to_segment(Vec3 a, Vec3 b, Vec3 p) {
  const double square = dot(b - a, b - a);
  const double t = square > 0 ? std::clamp(dot(p - a, b - a) / square, 0.0, 1.0) : 0;
  return length(p - (a + (b - a) * t));
}

double smooth(double u) {
  u = std::clamp(u, 0.0, 1.0);
  return u * u * (3 - 2 * u);
}

/// Bilinear, held within the layer's border.
double weight_at(const Terrain& land, Vec3 p) {
  const Grid<float>& cells = mask_layer(land).grid();
  double sum = 0;
  const Frame& frame = land.frame();
  const double x = std::clamp(p.x, frame.x(0), frame.x(cells.width() - 1)),
               y = std::clamp(p.y, frame.y(0), frame.y(cells.height() - 1));
  for (int64_t j = 0; j < cells.height(); ++j)
    for (int64_t i = 0; i < cells.width(); ++i)
      sum += std::max(0.0, 1 - std::abs(x - frame.x(i)) / frame.cell.x) *
             std::max(0.0, 1 - std::abs(y - frame.y(j)) / frame.cell.y) * static_cast<double>(cells(i, j));
  return sum;
}

}  // namespace

Resistance turbulence(const Frame& world, const TurbulenceParams& params) {
  const NoiseSpec spec = turbulence_noise(world, params);
  return [=](Vec3 p) {
    const double n =
        params.along == TurbulenceAlong::space ? noise_at(spec, p) : noise(spec, noise_octaves(spec), p.z, 0);
    const double c = params.contrast, s = c * n / std::sqrt(1 + (c * c - 1) * n * n);
    return params.resistance.low + (params.resistance.high - params.resistance.low) * (1 + s) / 2;
  };
}

Resistance rock_planes(const Frame& world, const RockPlanesParams& params) {
  return [=](Vec3 p) {
    double rho = params.base + params.roughness * noise_at(roughness_noise(world, params), p);
    for (const RockPlane& plane : params.planes)
      rho += plane.resistance *
             g(above(plane.dip, plane.direction, p - from_middle(world, plane.x, plane.y, plane.elevation)) /
               plane.thickness.in(world));
    return rho;
  };
}

Resistance rock_body(const Frame& world, Resistance in, const Lines* along, const RockBodyParams& params) {
  using Parts = std::vector<std::pair<Vec3, Vec3>>;
  std::map<std::pair<double, double>, Parts> bodies;
  const auto curve = [&](std::span<const Vec3> points, bool closed, Parts& parts) {
    for (size_t i = 0; i < points.size(); ++i) {
      if (i + 1 < points.size()) parts.emplace_back(points[i], points[i + 1]);
      if (i + 1 == points.size()) parts.emplace_back(points[i], closed ? points[0] : points[i]);
    }
  };
  const double radius = params.radius.in(world);
  if (along != nullptr) {
    for_each_feature_curve(*along, [&](size_t f, const LinePart& part) {
      const auto own = [&](const char* name, double usual) { return feature_number(*along, name, f, usual); };
      curve(part.points, part.closed, bodies[{own("radius", radius), own("resistance", params.resistance)}]);
    });
  } else {
    std::vector<Vec3> points;
    for (const BodyPoint& point : params.points)
      points.push_back(from_middle(world, point.x, point.y, point.elevation));
    Parts& parts = bodies[{radius, params.resistance}];
    if (params.shape == BodyShape::curve) curve(points, false, parts);
    if (params.shape == BodyShape::spheres)
      for (const Vec3 point : points) parts.emplace_back(point, point);
  }
  return [=](Vec3 p) {
    double rho = in ? in(p) : 0;
    for (const auto& [numbers, parts] : bodies) {
      double far = numbers.first;
      for (const auto& [a, b] : parts) far = std::min(far, to_segment(a, b, p));
      rho += numbers.second * g(far / numbers.first);
    }
    return rho;
  };
}

Vec3 before_fold(const Frame& world, const FoldParams& params, Vec3 p) {
  const double amplitude = params.amplitude.in(world), wavelength = params.wavelength.in(world);
  if (params.by == FoldBy::waves) {
    const double s = along(params.direction, p - from_middle(world, params.x, params.y, metres(0)));
    return p - Vec3{0, 0, amplitude * std::cos(360 * degree * s / wavelength)};
  }
  const auto specs = fold_noise(world, params);
  for (int step = 0; step < params.steps; ++step)
    p = p + Vec3{noise_at(specs[0], p), noise_at(specs[1], p), noise_at(specs[2], p)} * (amplitude / params.steps);
  return p;
}

Resistance fold(const Frame& world, Resistance in, const FoldParams& params) {
  return [=](Vec3 p) { return in(before_fold(world, params, p)); };
}

double height_before_taper(const Frame& world, const TaperParams& params, Vec3 p) {
  const Vec3 d = p - from_middle(world, params.x, params.y, params.elevation);
  const double far = params.length.in(world), k = 1 / params.scale - 1, e = params.elevation.in(world);
  if (params.along == TaperAlong::direction) return e + d.z * (1 + k * smooth(along(params.direction, d) / far + 0.5));
  if (params.along == TaperAlong::place) return e + d.z * (1 + k * smooth(1 - std::hypot(d.x, d.y) / far));
  const double u = std::clamp(d.z / far, 0.0, 1.0);
  if (u < 1) return p.z + k * far * (u * u * u - u * u * u * u / 2);
  return e + far * (1 + k / 2) + (d.z - far) * (1 + k);
}

Resistance taper(const Frame& world, Resistance in, const TaperParams& params) {
  return [=](Vec3 p) { return in({p.x, p.y, height_before_taper(world, params, p)}); };
}

double inside_fault(const Frame& world, const FaultParams& params, Vec3 p) {
  const Vec3 d = p - from_middle(world, params.x, params.y, params.elevation);
  if (params.shape == FaultShape::plane) return above(params.dip, params.direction, d);
  const double a = std::abs(along(params.direction, d)) / params.width.in(world);
  const double b = std::abs(along({params.direction.degrees + 90}, d)) / params.length.in(world);
  return 0.5 - std::max({a, b, std::abs(d.z) / params.height.in(world)});
}

Resistance fault(const Frame& world, Resistance in, Resistance with, const FaultParams& params) {
  const Vec3 thrown{params.throw_x.in(world), params.throw_y.in(world), params.throw_z.in(world)};
  return [=](Vec3 p) {
    if (!(inside_fault(world, params, p) > 0)) return in(p);
    return with ? with(p - thrown) : in(p - thrown);
  };
}

Resistance rock_blend(Resistance in, const std::vector<Resistance>& with, const Terrain* mask,
                      const RockBlendParams& params) {
  return [=](Vec3 p) {
    const double first = in(p);
    double r = first;
    for (const Resistance& other : with) {
      const double rho = other(p);
      switch (params.mode) {
        case RockBlendMode::sum:
        case RockBlendMode::mean:
          r += rho;
          break;
        case RockBlendMode::max:
          r = std::max(r, rho);
          break;
        case RockBlendMode::min:
          r = std::min(r, rho);
          break;
        case RockBlendMode::mix:
          r = rho;
          break;
      }
    }
    if (params.mode == RockBlendMode::mean) r /= static_cast<double>(with.size() + 1);
    double w = params.mode == RockBlendMode::mix ? params.amount : 1;
    if (mask != nullptr) w *= weight_at(*mask, p);
    return first + w * (r - first);
  };
}

}  // namespace tepui::reference
