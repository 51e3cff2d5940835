#pragma once  // internal

#include "tepui/render/picture/picture_params.h"
#include "tepui/render/picture/subject.h"

namespace tepui {

/// Where the eye is and what it sees. Points of the picture have x and y in [-1, 1], up positive.
struct Lens {
  Vec3 eye, forward, right, up;
  double half_x = 1, half_y = 1;    ///< half the picture: tangents of angles, or lengths where rays are parallel
  double shift_x = 0, shift_y = 0;  ///< of the picture's middle
  bool parallel = false;
  Vec2 margin;      ///< of a map beyond the outermost samples, which are drawn that much wider
  double near = 0;  ///< distance of the nearest part of what is drawn

  struct Ray {
    Vec3 from, direction;  ///< unit length
  };
  Ray ray(double x, double y) const;
  /// Where a point appears; nothing for one behind the eye.
  std::optional<Vec2> seen(Vec3 point) const;
  /// Size of a pixel of a picture with this many rows, at a distance.
  double footprint(double distance, int rows) const { return 2 * half_y / rows * (parallel ? 1 : distance); }
};

/// The direction in plan from which a camera outside looks; 0 for the others.
Vec2 viewer_of(const PictureParams& params);

/// The lens of a preset, which frames the whole of the subject at any aspect (width over height), or the free one.
/// Refuses an eye inside the rock. `margin` is how far a map reaches beyond the outermost samples.
Lens make_lens(const Subject& subject, const PictureParams& params, double aspect, Vec2 margin);

}  // namespace tepui
