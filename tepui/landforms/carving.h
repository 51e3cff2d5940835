#pragma once

#include "tepui/volume/volume.h"

// How strong points must be for the surface to lie where a user wants it, in metres. T is the volume's threshold, and
// deep in rock its field is 2T. All of this is for the falloff g(u) = (1 - u^2)^3 of `Primitive`.

namespace tepui {

/// Points on a surface, `spacing` metres apart as `sample_surface` places them, that together move it inwards by
/// `depth`: the energy of each, below 0. Within 2 % on average for depths of 0.25 to 0.7 of the falloff; shallower ones
/// are patchy.
double sheet_energy(double threshold, double depth, double falloff, double spacing);

/// Points along a line, `step` metres apart, that hollow out a tube of `radius` metres in deep rock: the energy of
/// each, below 0. Its negative makes such a tube of rock in the air.
double chain_energy(double threshold, double radius, double falloff, double step);

/// Points on a cubic lattice, `spacing` metres apart, that fill a body: the energy of each, below 0, at which the
/// surface lies at the outermost points in deep rock. Its negative makes such a body of rock in the air.
double body_energy(double threshold, double falloff, double spacing);

}  // namespace tepui
