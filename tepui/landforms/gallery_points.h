#pragma once  // internal

#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/random.h"
#include "tepui/landforms/gallery_axis.h"
#include "tepui/volume/primitive.h"

namespace tepui {

struct GalleryRule {
  double threshold = 7.5;
  bool bedding = true, keyholes = true, breakdown = true;
  double roughness = 0.5;  ///< From 0 to 1.
  double hardest = 1;
};

/// The rock around a place on the axis.
struct AxisRock {
  float field = 0;       ///< f - T as it was before.
  float resistance = 0;  ///< At the place itself,
  float roof = 0;        ///< and above its roof.
};

/// The points that hollow out the passages, the draws of each following from its place. `rock` has an entry for every
/// place. Of a cast the field counts as deep rock everywhere.
std::vector<FieldPoint> gallery_points(std::span<const AxisPoint> axes, std::span<const AxisRock> rock,
                                       const GalleryRule& rule, const Stream& stream, const Context& context);

/// The printed way (Paris et al. 2019, section 6.3): about a dozen spheres in a ball around every place, of at most 40
/// that are tried, none closer to another than 0.4 falloffs; the weaker the rock, the stronger they are.
std::vector<FieldPoint> gallery_balls(std::span<const AxisPoint> places, std::span<const AxisRock> rock,
                                      const GalleryRule& rule, const Stream& stream, const Context& context);

}  // namespace tepui
