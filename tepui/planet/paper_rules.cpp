#include "tepui/planet/paper_rules.h"

#include <algorithm>
#include <cmath>

#include "tepui/planet/sphere_mesh.h"

namespace tepui {

Strain strain_along(Vec3 velocity, Vec3 edge) {
  const double squared = dot(edge, edge);
  return {dot(velocity, edge) / squared, length(cross(velocity, edge)) / squared};
}

double stress_of(const Strain& strain) {
  constexpr double strength = 0.1 / 5e4;
  return std::sqrt(strain.opening * strain.opening + strain.shear * strain.shear) / strength;
}

double fault_uplift(int level, const Strain& strain, double shear_sign) {
  const double stress = stress_of(strain);
  if (!(stress > 0)) return 0;
  const double rise = level <= 10 ? 5e-4 / level : std::ldexp(5e-5, 10 - level);
  // What part of the stress presses, pulls or shears.
  const double all = std::fabs(strain.opening) + strain.shear;
  const double sign = (-strain.opening + 0.25 * shear_sign * strain.shear) / all;
  return earth_radius * rise * sign * std::sqrt(std::min(stress, 1.0));
}

VelocityOf velocity_of(Vec3 first, Vec3 second, Vec3 edge, const Strain& strain) {
  if (stress_of(strain) > 1) return VelocityOf::both;
  // Squares of the cosines with the edge, each times both squared speeds.
  const double along_first = dot(first, edge), along_second = dot(second, edge);
  return along_first * along_first * dot(second, second) <= along_second * along_second * dot(first, first)
             ? VelocityOf::first
             : VelocityOf::second;
}

double share_between_banks(double a_height, double b_height) {
  return std::clamp(a_height / (a_height + b_height), 0.1, 0.9);
}

double edge_opening(Vec3 normal_0, Vec3 normal_1, bool hollow) {
  const double opening = 1 - dot(normal_0, normal_1);
  return hollow ? opening : -opening;
}

Vec3 ice_direction(Vec3 fall_a, Vec3 fall_b, Vec3 ice_around) {
  const Vec3 fall = fall_a + fall_b;
  const double far = length(fall);
  const Vec3 sum = (far > 0 ? fall * (1 / far) : Vec3{}) + ice_around;
  const double all = length(sum);
  return all > 0 ? sum * (1 / all) : Vec3{};
}

Vec3 glacier_bed(Vec3 place, const GlacierEnd& a, const GlacierEnd& b, bool deep) {
  constexpr double gain = 0.5;
  double of_a = 0.5 * gain, of_b = 0.5 * gain;
  if (deep) {
    const double cosine = dot(a.normal, b.normal);
    of_a *= 1 + cosine * cosine;
    of_b *= 1 - cosine * cosine;
  }
  const auto down = [&](const GlacierEnd& end) {
    return end.touches ? std::max(dot(place - end.place, end.normal), 0.0) : 0;
  };
  return place - a.normal * (of_a * down(a)) - b.normal * (of_b * down(b));
}

}  // namespace tepui
