#pragma once  // internal

#include <memory>
#include <optional>
#include <vector>

#include "tepui/core/noise.h"
#include "tepui/volume/curve_pieces.h"
#include "tepui/volume/primitive.h"

namespace tepui {

/// Centres of plain points, and where they are asked, are whole multiples of this many metres: differences are then
/// exact, whatever they are measured from, and a field has the same bits in every batch.
inline constexpr double place_quantum = 0x1p-13;

/// The nearest of those places, in multiples of place_quantum. Below 10^11 m.
inline double nearest_place(double metres) { return (metres * (1 / place_quantum) + 0x1.8p52) - 0x1.8p52; }

/// A point without noise whose numbers are of the usual size: all heaps keep those in compact form.
bool is_plain_point(const Primitive& primitive);
bool is_plain_point(const FieldPoint& point);

/// A plain point as it is kept: place and radius in place quanta of the world, and the cube root of its energy over
/// primitive_quantum.
struct PlacedPoint {
  int64_t x = 0, y = 0, z = 0;
  float radius = 0, root = 0;

  double energy() const {
    const auto r = static_cast<double>(root);
    return r * r * r * primitive_quantum;
  }
  Box3 box() const;
};
PlacedPoint placed(const Primitive& point);
PlacedPoint placed(const FieldPoint& point);

/// A primitive of any shape, made ready. Its field is told at places relative to its own origin, so that it is as fine
/// far from the world's origin as at it.
class ShapeRecord {
 public:
  explicit ShapeRecord(const Primitive& primitive);
  /// A plain point that lies too far from its heap; its field has the very bits that it would have there.
  explicit ShapeRecord(const PlacedPoint& point);

  /// Adds round(energy g / primitive_quantum) at every point.
  void add(const FieldPoints& at, double* sums) const;
  /// The same, and the gradient of the field in multiples of gradient_quantum; that of t is by central differences.
  void add_gradients(const FieldPoints& at, double* sums, double* dx, double* dy, double* dz) const;
  /// Widens the bounds of the sum over a box by its own.
  void widen(const Box3& box, double& low, double& high) const;

  const Box3& box() const { return box_; }
  /// Of the primitive: records of the same one tell the same field.
  const Hash& hash() const { return hash_; }
  /// Outside of which its field is 0: its box, or several along a curve.
  void list_boxes(std::vector<Box3>& boxes) const;
  size_t bytes() const { return sizeof *this + curve_.bytes() + (noise_ ? sizeof *noise_ : 0); }

 private:
  struct Nearest {
    double distance = 0;
    Vec3 foot{};  ///< on the shape; not of an ellipsoid
  };
  /// Of curves no farther than `limit`; `piece` is where to begin and becomes the one that was found.
  Nearest nearest(Vec3 p, double limit, uint32_t& piece) const;
  Nearest nearest_cone(Vec3 p) const;
  Nearest nearest_box(Vec3 p) const;
  Nearest nearest_ellipsoid(Vec3 p) const;
  static Nearest toward(Vec3 p, Vec3 foot) { return {length(p - foot), foot}; }
  /// Of a ball of radius 1 in space drawn out, where an ellipsoid is one.
  Vec3 in_ball(Vec3 p) const;
  /// Of the distance; not on the shape.
  Vec3 gradient(Vec3 p, const Nearest& near) const;
  /// The place at distance R in the same direction.
  Vec3 rim(Vec3 p, const Nearest& near) const;
  /// Beyond this distance there is nothing.
  double most_reach() const { return falloff_ + noise_size_; }
  struct Rims;
  void find_reach(Rims& rims) const;
  /// Its field over primitive_quantum, `reach` being R + t.
  double quanta(double distance, double reach) const;
  void add_plain(const FieldPoints& at, double* sums) const;
  void add_plain_gradients(const FieldPoints& at, double* sums, double* dx, double* dy, double* dz) const;
  /// Between places of the differences that make up the gradient of t.
  double noise_step(double distance) const;

  PrimitiveShape shape_ = PrimitiveShape::point;
  Vec3 origin_{};
  Vec3 axis_{};        ///< of a cone or cylinder
  CurvePieces curve_;  ///< or a segment, from the origin
  double radius_ = 0, end_radius_ = 0;
  Vec3 half_{};
  double cosine_ = 1, sine_ = 0;
  double falloff_ = 0, energy_ = 0, noise_size_ = 0, noise_scale_ = 1;
  std::shared_ptr<const Noise> noise_;
  Box3 box_;
  std::optional<PlacedPoint> plain_;
  Hash hash_;
};

inline constexpr double gradient_quantum = 0x1p-20;

/// To a whole multiple of gradient_quantum, so that sums of gradients are exact, too.
inline double to_gradient_quanta(double g) {
  constexpr double magic = 0x1.8p52 * gradient_quantum;
  return (g + magic) - magic;
}

}  // namespace tepui
