#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tepui/core/vec.h"

// The equations of Mieloszyk 2017, "Terrain generation using glacial and tectonic models", in the paper's own symbols.
// Where a printed equation cannot be meant as it stands, it is here twice: `..._as_printed`, and as we read it. Lengths
// and heights are in any one unit unless it is said; vectors named N have length 1.

namespace tepui::reference {

/// Eqs. 1 and 2 as printed: with N_E and N_V the directions of edge and velocity, both are |V| / |E|, whatever the
/// angle between them.
double normal_stress_as_printed(Vec3 v, Vec3 e);
double shear_stress_as_printed(Vec3 v, Vec3 e);

/// Eqs. 1 and 2 as we read them: the part of the velocity difference along the edge, which opens (above 0) or closes
/// it, and the part across, each for a length of the edge.
double normal_stress(Vec3 v, Vec3 e);
double shear_stress(Vec3 v, Vec3 e);

/// V_dif of an edge whose ends turn about the planet's centre with omega_0 and omega_1. The paper subtracts velocities
/// at the ends; a rigid plate that turns would then shear. We subtract the turns, and take the velocity in the middle.
Vec3 velocity_difference_as_printed(Vec3 omega_0, Vec3 p_0, Vec3 omega_1, Vec3 p_1);
Vec3 velocity_difference(Vec3 omega_0, Vec3 p_0, Vec3 omega_1, Vec3 p_1);

/// Eqs. 3 and 4 as printed, in radii of the planet, for edges of a subdivision: the least stress lifts most in the
/// first.
double uplift_as_printed(int subdivision, double stress);
/// As we read them, S being stress over the strength of the crust, at most 1: 0.0005 sqrt(S) / n up to the tenth
/// subdivision, 0.00005 sqrt(S) / 2^(n - 10) beyond.
double uplift(int subdivision, double s);

/// Eq. 5: how far from bank A, of banks L apart that stand A_h and B_h above the river, the river lies if both slopes
/// are as steep.
double distance_from_bank(double l, double a_h, double b_h);
/// Eq. 6: P moved along N_AB, the direction from A to B projected on the plane whose normal is `up`.
Vec3 moved_between_banks(Vec3 p, Vec3 a, Vec3 b, Vec3 up, double l_a);

/// Eqs. 7 and 8: the opening of an edge between triangles of normals N_T0 and N_T1, concave or convex.
double edge_opening(Vec3 n_t0, Vec3 n_t1, bool concave);
/// P_es of a new vertex: the mean of its edge's ends, plus the openings of all edges around it, in [0.5, 10].
double environment_stability(double p_es_0, double p_es_1, std::span<const double> openings);

/// What is constant in Eqs. 9-11.
struct SnowClimate {
  double t_base = 0;       ///< degrees Celsius at sea level
  double t_heat = 5;       ///< kelvin
  double gradient = 2500;  ///< kelvin for a unit of height; the paper's unit is the planet's radius
};
/// Eq. 11, without anything on slopes of more than 60 degrees. `slope` in radians.
double snow_cover(double slope, double p_snow_mass);
/// Eq. 9.
double temperature(const SnowClimate& climate, double p_height, double p_es, double p_snow_cover);
/// Eq. 10.
double height_to_0(const SnowClimate& climate, double p_es, double p_snow_cover);

/// Eq. 12: the direction of ice at a new vertex, from the directions in which the two triangles of its edge fall and
/// the ice of the vertices around. As printed, numerator and denominator are the same; the denominator is its length.
struct IceAt {
  Vec3 n_ice;
  double ice_sum = 0;
};
Vec3 ice_direction(Vec3 n_ta, Vec3 n_tb, std::span<const IceAt> around);

/// Eq. 13 over a graph of triangles: `balance` is T_surface times what a year leaves or takes there, `order` goes down
/// the flow, and shares of an outflow sum to 1 at most. What is printed as P_height_to_0 is the height above it.
struct IceGraph {
  std::vector<double> balance;
  std::vector<std::vector<std::pair<int32_t, double>>> outflow;
  std::vector<int32_t> order;
};
struct IceFlow {
  std::vector<double> sum;                         ///< what leaves a triangle
  double gained = 0, melted = 0, carried_off = 0;  ///< the last: what leaves the graph
};
IceFlow ice_flow(const IceGraph& graph);

/// An end of an edge on a glacier.
struct OnGlacier {
  Vec3 place, normal;
  bool touches = true;  ///< whether the glacier reaches it
};
/// Eqs. 14-16: P lowered towards the planes at both ends, by `gain` of it. The paper's is 1, which leaves kinks of
/// every size; with 1/2 the bed becomes a circle. An end pulls only where P lies above its plane, so that ice wears
/// down and lays nothing.
Vec3 glacier_bed(Vec3 p, const OnGlacier& a, const OnGlacier& b, double gain = 1);
/// Eqs. 17, 18 and 16: the same in a deep valley, A being the lower end.
Vec3 deep_glacier_bed(Vec3 p, const OnGlacier& a, const OnGlacier& b, double gain = 1);

}  // namespace tepui::reference
