#pragma once  // internal

#include "tepui/geology/geology.h"
#include "tepui/volume/region.h"
#include "tepui/volume/solid.h"

namespace tepui {

/// Takes weak rock within so many metres of the air, whatever the field is like.
///
/// Of rock at p, `reach` = depth f_D(p) (1 - rho(p)) metres are worn, f_D being the weight of the region. The field is
/// asked at that distance along the axes and the diagonals of their planes, and at a third of it along the axes; held
/// within [-T, T] and summed as vectors, these values tell the way out, also where the field itself is level. Then
///
///   v'(p) = the least v on the way from p to p + reach n,
///
/// n being the way out, what is level of it, and the six axes, one after the other until the air is met. Walls and
/// caves, spheres and thin fins lose the same metres.
///
/// Weathering comes from the air: it passes through rock at a speed of 1 - max(rho, rho(p)) and has the time that
/// depth f_D(p) takes at a speed of one. So a hard bed keeps the weak rock beneath, except where a way through weak
/// rock leads to its face.
///
/// Where land has a border, what lies outside is taken to be as the border is: the sides of a block of land, and its
/// floor, are no cliffs. Air loses field by the formula of `field_erosion`, so that later features meet a smooth one.
///
/// Gradients are central differences over a tenth of the depth.
SolidPointer exposed_erosion(SolidPointer part, Geology rock, const Region& region, double depth, double threshold);

}  // namespace tepui
