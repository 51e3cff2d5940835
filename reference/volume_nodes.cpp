#include "reference/volume_nodes.h"

#include <algorithm>
#include <cmath>

#include "reference/noise.h"

namespace tepui::reference {

namespace {

double seam(double a, double compared, double f_a, double f_b, double smooth, double threshold) {
  if (smooth == 0 || f_a <= 0 || f_b <= 0) return 0;
  const double near = std::max(0.0, 1 - std::abs(a - compared) / smooth);
  return smooth / 4 * near * near * std::min({1.0, f_a / threshold, f_b / threshold});
}

double ramp(double u) {
  u = std::clamp(u, 0.0, 1.0);
  return 1 - u * u * u * (6 * u * u - 15 * u + 10);
}

Vec3 turned(Vec3 p, double angle) {
  return {std::cos(angle) * p.x - std::sin(angle) * p.y, std::sin(angle) * p.x + std::cos(angle) * p.y, p.z};
}

}  // namespace

Field csg(Csg kind, std::vector<Field> parts, double smooth, double threshold) {
  return [=](Vec3 p) {
    double a = parts[0](p);
    if (kind == Csg::subtracted && parts.size() > 1) a = std::min(a, threshold);
    for (size_t i = 1; i < parts.size(); ++i) {
      const double b = parts[i](p), compared = kind == Csg::subtracted ? -b : b;
      const double q = seam(a, compared, a + threshold, b + threshold, smooth, threshold);
      a = kind == Csg::united ? std::max(a, compared) + q : std::min(a, compared) - q;
    }
    return a;
  };
}

Field blend(Field in, std::vector<Field> others, double strength, double threshold) {
  return [=](Vec3 p) {
    double f = in(p) + threshold;
    for (const Field& other : others) f += strength * (other(p) + threshold);
    return f - threshold;
  };
}

Share region(RegionShape shape, Vec3 centre, Vec3 half, double radius, double falloff) {
  return [=](Vec3 p) -> double {
    const Vec3 d = p - centre;
    if (shape == RegionShape::everywhere) return 1;
    if (shape == RegionShape::sphere) return ramp((length(d) - radius) / falloff);
    return ramp((std::abs(d.x) - half.x) / falloff) * ramp((std::abs(d.y) - half.y) / falloff) *
           ramp((std::abs(d.z) - half.z) / falloff);
  };
}

Vec3 warp_displacement(double amplitude, double scale, int octaves, Seed seed, Vec3 at) {
  double d[3];
  for (uint64_t c = 0; c < 3; ++c) {
    NoiseSpec spec;
    spec.scale = scale;
    spec.octaves = octaves;
    spec.key = seed.stream("warp").bits(c);
    d[c] = amplitude * noise(spec, noise_octaves(spec), at.x, at.y, at.z);
  }
  return {d[0], d[1], d[2]};
}

Field warp(Field in, Share weight, double amplitude, double scale, int octaves, Seed seed) {
  return [=](Vec3 p) { return in(p + warp_displacement(amplitude, scale, octaves, seed, p) * weight(p)); };
}

Field field_erosion(Field in, Share weight, Share resistance, double depth, double threshold) {
  const double most = depth - depth * depth / (4 * threshold);
  return [=](Vec3 p) {
    const double f = in(p) + threshold;
    return std::max(f - most * weight(p) * (1 - resistance(p)), std::min(f, 0.0)) - threshold;
  };
}

namespace {

/// The least v on the way from p along u, as far as weathering comes in from the air at the end of it.
double worn_along(const Field& in, const Share& resistance, Vec3 p, Vec3 u, const std::vector<double>& stops,
                  double budget) {
  const double rho = resistance(p);
  std::vector<double> v;
  for (const double stop : stops) v.push_back(in(p + u * stop));
  size_t air = 0;
  while (air < v.size() && v[air] > 0) ++air;
  if (air == v.size()) return *std::min_element(v.begin(), v.end());
  const double exit = stops[air - 1] + (stops[air] - stops[air - 1]) * v[air - 1] / (v[air - 1] - v[air]);
  double time = budget, metres = 0;
  for (int k = 0; k < 6; ++k) {
    const double speed = 1 - std::max(rho, resistance(p + u * (exit * (k + 0.5) / 6)));
    if (time * speed < exit / 6) {
      metres += time * speed;
      time = 0;
      break;
    }
    metres += exit / 6;
    time -= exit / 6 / speed;
  }
  metres += time * (1 - rho);
  double least = v[0];
  for (size_t i = 1; i < v.size(); ++i) {
    const double share = std::clamp((metres - stops[i - 1]) / (stops[i] - stops[i - 1]), 0.0, 1.0);
    least = std::min(least, v[i - 1] + (v[i] - v[i - 1]) * share);
  }
  return least;
}

}  // namespace

Field exposed_erosion(Field in, Share weight, Share resistance, double depth, double threshold) {
  return [=](Vec3 p) {
    const double v = in(p), budget = depth * weight(p), reach = budget * (1 - resistance(p));
    if (v <= -threshold || reach <= 0) return v;
    if (v <= 0) {
      const double faded = reach < 2 * threshold ? reach - reach * reach / (4 * threshold) : threshold;
      return std::max(v - faded, -threshold);
    }
    // The way out: all neighbours of a cube but its corners, and the six of a smaller one.
    Vec3 out{};
    const auto lean = [&](Vec3 u, double metres) {
      out = out - u * std::clamp(in(p + u * metres), -threshold, threshold);
    };
    std::vector<Vec3> axes;
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          const int steps = x * x + y * y + z * z;
          if (steps == 0 || steps == 3) continue;
          const Vec3 u = Vec3{1.0 * x, 1.0 * y, 1.0 * z} * (1 / std::sqrt(steps));
          lean(u, reach);
          if (steps == 1) lean(u, reach / 3);
          if (steps == 1) axes.push_back(u);
        }
    double left = v;
    const auto look = [&](Vec3 u, const std::vector<double>& stops) {
      if (left > 0) left = std::min(left, worn_along(in, resistance, p, u, stops, budget));
    };
    const double size = length(out), level = std::hypot(out.x, out.y);
    const std::vector<double> thirds{0, reach / 3, 2 * reach / 3, reach};
    if (size > 1e-6 * threshold) {
      look(out * (1 / size), thirds);
      if (level >= 0.2 * size && std::abs(out.z) >= 0.05 * size) look(Vec3{out.x, out.y, 0} * (1 / level), thirds);
    }
    for (const Vec3 axis : axes) look(axis, {0, reach / 3, reach});
    return std::max(left, -threshold);
  };
}

Field transform(Field in, const Motion& motion) {
  return [=](Vec3 p) {
    Vec3 q = p - motion.move - motion.pivot;
    q = turned(q * (1 / motion.scale), -motion.turn);
    // Turn what the tilt looks towards to the north, raise the north, turn back.
    q = turned(q, motion.tilt_towards);
    q = {q.x, std::cos(motion.tilt) * q.y - std::sin(motion.tilt) * q.z,
         std::sin(motion.tilt) * q.y + std::cos(motion.tilt) * q.z};
    q = turned(q, -motion.tilt_towards);
    if (motion.flip) q.z = -q.z;
    return in(q + motion.pivot);
  };
}

Field instances(Field in, Vec3 pivot, std::vector<Placement> places, CopyJoin join, double threshold) {
  return [=](Vec3 p) {
    double most = 0, sum = 0;
    for (const Placement& place : places) {
      const double f = in(turned((p - place.at) * (1 / place.scale), -place.turn) + pivot) + threshold;
      most = std::max(most, f);
      sum += f;
    }
    return (join == CopyJoin::unite ? most : sum) - threshold;
  };
}

}  // namespace tepui::reference
