#pragma once

#include <functional>
#include <vector>

#include "tepui/volume/csg.h"
#include "tepui/volume/instances.h"
#include "tepui/volume/region.h"
#include "tepui/volume/warp.h"

// The operators on volumes from their definitions: a function of a point, made of functions of a point, in double.

namespace tepui::reference {

/// v of a point.
using Field = std::function<double(Vec3)>;
/// The weight of a region, or the resistance of rock.
using Share = std::function<double(Vec3)>;

Field csg(Csg kind, std::vector<Field> parts, double smooth, double threshold);
/// in + strength (others).
Field blend(Field in, std::vector<Field> others, double strength, double threshold);

/// Of a box or sphere in metres of the world.
Share region(RegionShape shape, Vec3 centre, Vec3 half, double radius, double falloff);

/// delta of `warp` at a point, without the weight.
Vec3 warp_displacement(double amplitude, double scale, int octaves, Seed seed, Vec3 at);
Field warp(Field in, Share weight, double amplitude, double scale, int octaves, Seed seed);

/// Of form = paper.
Field field_erosion(Field in, Share weight, Share resistance, double depth, double threshold);
/// Of form = metres, of volumes that are no land.
Field exposed_erosion(Field in, Share weight, Share resistance, double depth, double threshold);

/// Undoes the motion's steps one by one.
Field transform(Field in, const Motion& motion);

/// All copies, one by one.
Field instances(Field in, Vec3 pivot, std::vector<Placement> places, CopyJoin join, double threshold);

}  // namespace tepui::reference
