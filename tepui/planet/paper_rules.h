#pragma once

#include <cstdint>

#include "tepui/core/vec.h"

// The equations of Mieloszyk 2017 as mode `paper` works them out. docs/papers/004.md tells how each is read; plain
// twins of all are in reference/mieloszyk.h. Places and heights are metres at the Earth's size.

namespace tepui {

/// What the crust along an edge suffers in a year, as a share of its length: pulled apart (above 0) or pressed
/// together, and sheared.
struct Strain {
  double opening = 0, shear = 0;
};
/// Eqs. 1-2, of a difference of velocities between an edge's ends. One of zero is within a plate.
Strain strain_along(Vec3 velocity, Vec3 edge);

/// Of the strength of crust: it breaks where plates close by 100 mm a year within 50 km.
double stress_of(const Strain& strain);

/// Eqs. 3-4: by how many metres an edge's new vertex stands above its middle: up where the edge is pressed, down where
/// it is pulled, and a quarter as much where it is sheared, up or down as `shear_sign` says. The number of a level is
/// its subdivision of the icosahedron.
double fault_uplift(int level, const Strain& strain, double shear_sign);

/// Whose velocity a new vertex takes (Figure 4).
enum class VelocityOf { first, second, both };
/// That whose direction is nearer to a right angle with the edge; the mean of both where the crust breaks.
VelocityOf velocity_of(Vec3 first, Vec3 second, Vec3 edge, const Strain& strain);

/// Eq. 5: how far between bank A, at 0, and bank B, at 1, the river lies so that both slopes are as steep, by their
/// heights above it, which are above 0. In [0.1, 0.9].
double share_between_banks(double a_height, double b_height);

/// Eqs. 7-8: what an edge adds to P_es of its ends: above 0 where it lies in a hollow, below 0 on a ridge.
double edge_opening(Vec3 normal_0, Vec3 normal_1, bool hollow);
/// P_es starts at 1 and stays within these: below one half, ridges would be as warm as no air is.
inline constexpr double least_stability = 0.5, most_stability = 10;

/// Eq. 12, of directions in which two triangles fall and the sum of the directions of ice around, times how much there
/// is; 0 where all of them cancel.
Vec3 ice_direction(Vec3 fall_a, Vec3 fall_b, Vec3 ice_around);

/// An end of an edge that a glacier has reached, or not.
struct GlacierEnd {
  Vec3 place, normal;
  bool touches = false;
};
/// Eqs. 14-16 with half of their gain, which makes the bed round; with all of it, kinks of every size are left: where
/// ice wears a new vertex at `place` down to. In a `deep` valley, filled to more than half, Eqs. 17-18
/// take the place of 14-15; `a` is then the lower end.
Vec3 glacier_bed(Vec3 place, const GlacierEnd& a, const GlacierEnd& b, bool deep);

}  // namespace tepui
