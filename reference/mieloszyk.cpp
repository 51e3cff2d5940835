#include "reference/mieloszyk.h"

#include <algorithm>
#include <cmath>

namespace tepui::reference {

namespace {

Vec3 direction_of(Vec3 v) { return v * (1 / length(v)); }

constexpr double steepest_snow = 60 * 0.017453292519943295;

}  // namespace

double normal_stress_as_printed(Vec3 v, Vec3 e) { return dot(v, direction_of(e)) / dot(direction_of(v), e); }

double shear_stress_as_printed(Vec3 v, Vec3 e) {
  return length(cross(v, direction_of(e))) / length(cross(direction_of(v), e));
}

double normal_stress(Vec3 v, Vec3 e) { return dot(v, direction_of(e)) / length(e); }

double shear_stress(Vec3 v, Vec3 e) { return length(cross(v, direction_of(e))) / length(e); }

Vec3 velocity_difference_as_printed(Vec3 omega_0, Vec3 p_0, Vec3 omega_1, Vec3 p_1) {
  return cross(omega_1, p_1) - cross(omega_0, p_0);
}

Vec3 velocity_difference(Vec3 omega_0, Vec3 p_0, Vec3 omega_1, Vec3 p_1) {
  return cross(omega_1 - omega_0, (p_0 + p_1) * 0.5);
}

double uplift_as_printed(int subdivision, double stress) {
  return subdivision <= 10 ? subdivision / std::sqrt(stress) * 0.0005 : stress * 0.001 / std::pow(2.0, subdivision);
}

double uplift(int subdivision, double s) {
  return subdivision <= 10 ? 0.0005 * std::sqrt(s) / subdivision
                           : 0.00005 * std::sqrt(s) / std::pow(2.0, subdivision - 10);
}

double distance_from_bank(double l, double a_h, double b_h) { return l * (a_h / b_h) / (1 + a_h / b_h); }

Vec3 moved_between_banks(Vec3 p, Vec3 a, Vec3 b, Vec3 up, double l_a) {
  const Vec3 ab = b - a, n_ab = direction_of(ab - up * dot(ab, up));
  return p + n_ab * (l_a - dot(p - a, n_ab));
}

double edge_opening(Vec3 n_t0, Vec3 n_t1, bool concave) { return concave ? 1 - dot(n_t0, n_t1) : dot(n_t0, n_t1) - 1; }

double environment_stability(double p_es_0, double p_es_1, std::span<const double> openings) {
  double sum = (p_es_0 + p_es_1) / 2;
  for (const double opening : openings) sum += opening;
  return std::clamp(sum, 0.5, 10.0);
}

double snow_cover(double slope, double p_snow_mass) {
  const double p_aspect = slope > steepest_snow ? 0 : std::cos(slope);
  return 3.8 * p_aspect * p_snow_mass;
}

double temperature(const SnowClimate& climate, double p_height, double p_es, double p_snow_cover) {
  return climate.t_base - climate.gradient * p_height + climate.t_heat / p_es - p_snow_cover;
}

double height_to_0(const SnowClimate& climate, double p_es, double p_snow_cover) {
  return (climate.t_base + climate.t_heat / p_es - p_snow_cover) / climate.gradient;
}

Vec3 ice_direction(Vec3 n_ta, Vec3 n_tb, std::span<const IceAt> around) {
  const Vec3 falling = n_ta + n_tb;
  Vec3 sum = length(falling) > 0 ? direction_of(falling) : Vec3{};
  for (const IceAt& ice : around) sum = sum + ice.n_ice * ice.ice_sum;
  return length(sum) > 0 ? direction_of(sum) : Vec3{};
}

IceFlow ice_flow(const IceGraph& graph) {
  std::vector<double> in(graph.balance.size(), 0);
  IceFlow flow;
  flow.sum.assign(graph.balance.size(), 0);
  for (const int32_t t : graph.order) {
    const auto at = static_cast<size_t>(t);
    flow.sum[at] = std::max(0.0, in[at] + graph.balance[at]);
    flow.gained += std::max(graph.balance[at], 0.0);
    flow.melted += std::min(in[at], std::max(-graph.balance[at], 0.0));
    double kept = flow.sum[at];
    for (const auto& [to, share] : graph.outflow[at]) {
      in[static_cast<size_t>(to)] += flow.sum[at] * share;
      kept -= flow.sum[at] * share;
    }
    flow.carried_off += kept;
  }
  return flow;
}

namespace {

Vec3 above_plane(Vec3 p, const OnGlacier& end) {
  const double above = dot(p - end.place, end.normal);
  return end.touches && above > 0 ? end.normal * above : Vec3{};
}

}  // namespace

Vec3 glacier_bed(Vec3 p, const OnGlacier& a, const OnGlacier& b, double gain) {
  const Vec3 p_a = above_plane(p, a), p_b = above_plane(p, b);
  return p - (p_b + p_a) * (gain / 2);
}

Vec3 deep_glacier_bed(Vec3 p, const OnGlacier& a, const OnGlacier& b, double gain) {
  const double alike = dot(a.normal, b.normal) * dot(a.normal, b.normal);
  const Vec3 p_a = above_plane(p, a) * (1 + alike), p_b = above_plane(p, b) * (1 - alike);
  return p - (p_b + p_a) * (gain / 2);
}

}  // namespace tepui::reference
