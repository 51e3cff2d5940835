#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/hash.h"
#include "tepui/core/vec.h"
#include "tepui/volume/solid.h"

namespace tepui {

/// A point, segment or curve is a thin skeleton; the others are bodies, within which the field is all of `energy`.
enum class PrimitiveShape { point, segment, curve, sphere, cone, cylinder, box, ellipsoid };

/// A sculpting primitive (Paris et al. 2019, section 5.2): f = energy g(d / R), g(u) = (1 - u^2)^3 for u < 1 and 0
/// beyond, d the distance to the shape and R the falloff. With noise R becomes R + t(v), where v is the point at
/// distance R from the shape in the direction of p and t the noise, in metres: the shape is rugged, yet star-shaped.
struct Primitive {
  PrimitiveShape shape = PrimitiveShape::point;
  std::vector<Vec3>
      skeleton{};          ///< the centre; both ends of a segment, cone or cylinder; a curve's points, two or more
  double radius = 0;       ///< of a sphere, cylinder or a cone's first end
  double end_radius = 0;   ///< of a cone's second end
  Vec3 half{};             ///< of a box along its axes, and the half axes of an ellipsoid
  double turn = 0;         ///< of a box or an ellipsoid around the vertical, counter-clockwise from above, radians
  double falloff = 1;      ///< R in metres; an ellipsoid's grows with its axes, this being along the shortest
  double energy = 1;       ///< above 0 adds rock, below takes it away
  double noise = 0;        ///< largest |t|, metres; below the falloff
  double noise_scale = 1;  ///< metres between the lumps
  uint64_t noise_key = 0;
};

/// Refuses what is not finite, has no falloff or lacks points. Says which, counted from 0.
void check_primitive(const Primitive& primitive, size_t index);

/// Outside of it the primitive's field is 0.
Box3 primitive_box(const Primitive& primitive);

/// Of all of a primitive's numbers.
Hash primitive_hash(const Primitive& primitive);

/// Many primitives whose fields add up: an immutable heap, with its box tree.
class Primitives;

/// The sum of the fields of children and primitives: f = sum f_i + sum of primitives. Primitives count in whole
/// multiples of primitive_quantum, so that their sum is exact and the same in any order and grouping; with no child f
/// begins at 0. A child that is such a sum itself is taken apart, so that one by one makes no deeper tree.
SolidPointer blended(std::vector<SolidPointer> children, const std::vector<Primitive>& primitives, double threshold);

/// How many primitives a node holds itself, those of its children not among them.
int64_t primitives_in(const Solid& node);

/// One more heap of primitives upon a field; cheap: what is there is shared.
inline SolidPointer with_primitives(SolidPointer field, const std::vector<Primitive>& primitives, double threshold) {
  return blended({std::move(field)}, primitives, threshold);
}

/// A point primitive without noise, of which features have tens of thousands.
struct FieldPoint {
  Vec3 at;
  double falloff = 1;
  double energy = -1;
};

/// Refuses what check_primitive() would.
void check_points(std::span<const FieldPoint> points);

/// One more heap, of points alone: the same field and the same hash as with_primitives() of the same points, and made
/// in parallel.
SolidPointer with_points(SolidPointer field, std::span<const FieldPoint> points, double threshold);

inline constexpr double primitive_quantum = 0x1p-15;

}  // namespace tepui
