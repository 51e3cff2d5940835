#pragma once

#include <string>
#include <vector>

#include "tepui/mesh/surface_lattice.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/primitive.h"
#include "tepui/volume/volume.h"

// Made-up scenes as large as those of Table 1 of Paris et al. 2019, until the landforms themselves exist.

namespace tepui::bench {

struct VolumeScene {
  std::string name;
  Terrain land;
  std::vector<Primitive> primitives;
  Volume bare;    ///< the land alone
  Volume volume;  ///< carved
  SurfaceLattice lattice;
  double paper_seconds = 0;  ///< to mesh it
};

/// Cliffs along a coast: 2000^2 x 33 points of 3 m, 50,693 strokes of 8 m in three passes, over 1 % of the plan.
VolumeScene sea_scene();
/// Passages deep in a mountain: 1520^2 x 447 points of 3.42 m, 165,773 strokes in clusters of about 12.
VolumeScene karst_scene();
/// The walls of a winding canyon: 1000^2 x 546 points of 1.1 m, 137,043 strokes over 20 % of the plan.
VolumeScene canyon_scene();
/// Where its middle is, metres north.
double canyon_axis(double x);
/// A small coast with a sea cave, sculpted by hand: 550^2 x 87 points of 0.73 m, 13,264 dabs of 551 strokes of a brush,
/// over 35 % of the plan.
VolumeScene benagil_scene();

/// Columns on a slope between a plateau and a valley: 650^2 x 245 points of 0.54 m, 55,619 points of rock in about
/// 1,100 features, three around the axis of each.
VolumeScene hoodoo_scene();

}  // namespace tepui::bench
