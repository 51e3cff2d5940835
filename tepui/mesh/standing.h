#pragma once

#include <span>
#include <vector>

#include "tepui/mesh/forms.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// A plant or a rock that stands somewhere, as a point of scattered lines tells of it.
struct Standing {
  Vec3 foot;  ///< metres of the world
  Species species = Species::broadleaf;
  int form = 0;                  ///< from 0 on; forms repeat
  double height = 0, crown = 0;  ///< metres; the crown's radius is 0 where it is not known
  double turn = 0, lean = 0;     ///< degrees, clockwise from north; it leans that way
};

/// What stands at the points of lines, in their order. Numbers of the features are read: `height` and `crown` in
/// metres, `turn` and `lean` in degrees, `form`; and the text `species`, one of species_names. Where one is missing, a
/// broadleaf of the usual height stands upright, its form and its turn drawn by its place. Refuses lines and polygons,
/// species that are not known, and numbers beyond sense.
std::vector<Standing> standing_at(const Lines& points);

/// Where a form's axes come to lie and how long they are, in metres.
struct StandingAxes {
  Vec3 x, y, z;
};
StandingAxes axes_of(const Standing& standing);
/// The same of a model of height 1 with this radius.
StandingAxes axes_of(const Standing& standing, double radius);

/// The point of the world that is the origin of a file of these points alone: the middle of the box around them in
/// plan, in whole metres, at height 0.
Vec3 standing_centre(std::span<const Lines> points);

/// A number in [0, 1) of the place, for what differs from one to the next.
double chance_at(Vec3 foot, uint64_t channel);

}  // namespace tepui
