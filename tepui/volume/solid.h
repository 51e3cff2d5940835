#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "tepui/core/hash.h"
#include "tepui/core/vec.h"

// The construction tree of a volume. A node tells a field f of space; rock is where f is above the threshold T of the
// whole tree. Nodes tell v = f - T, because T plus little is T in single precision: rock is where v > 0.

namespace tepui {

/// A box in metres of the world, with its faces; empty unless low <= high on every axis.
struct Box3 {
  static constexpr double far = std::numeric_limits<double>::infinity();
  Vec3 low{far, far, far}, high{-far, -far, -far};

  bool empty() const { return !(low.x <= high.x && low.y <= high.y && low.z <= high.z); }
  bool holds(Vec3 p) const {
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z;
  }
  /// The smallest box around both.
  Box3 with(const Box3& other) const;
  Box3 with(Vec3 point) const { return with(Box3{point, point}); }
  /// What both share.
  Box3 within(const Box3& other) const;
  /// Moved outwards by so much on every side.
  Box3 grown(double by) const;
  bool meets(const Box3& other) const { return !within(other).empty(); }
  double longest_side() const;
  friend bool operator==(const Box3&, const Box3&) = default;
};

/// Whether all three are finite: no rock lies where one is not.
inline bool is_place(double x, double y, double z) { return 0 * x == 0 && 0 * y == 0 && 0 * z == 0; }

/// The smallest box around points.
Box3 box_around(const double* x, const double* y, const double* z, int64_t count);

/// The coordinates of a brick of points: all (x[i], y[j], z[k]).
struct FieldLattice {
  const double *x = nullptr, *y = nullptr, *z = nullptr;
  int64_t nx = 0, ny = 0, nz = 0;
};

/// Points in metres of the world at which a field is evaluated, best close together: a field looks once for what lies
/// near all of them.
struct FieldPoints {
  static constexpr int64_t most = 512;

  const double *x = nullptr, *y = nullptr, *z = nullptr;
  int64_t count = 0;  ///< at most `most`
  Box3 box{};         ///< holds all points
  /// Where the points are a brick: the same numbers once more, of which fields may make use. x goes fastest, then y.
  const FieldLattice* lattice = nullptr;
};

/// Of v over a box.
struct FieldRange {
  float low = 0, high = 0;
};

/// Land as a function of the plane.
class HeightSheet {
 public:
  struct Range {
    double low = -Box3::far, high = Box3::far;
  };

  virtual ~HeightSheet() = default;
  /// Metres at (x[i], y[i]). A place's number depends on the place alone, to the last bit.
  virtual void heights(const double* x, const double* y, int64_t count, double* h) const = 0;
  /// All (x[i], y[j]), x fastest, at most FieldPoints::most along x: the same bits.
  virtual void lattice(const double* x, int64_t nx, const double* y, int64_t ny, double* h) const;
  /// Between which heights it lies over a rectangle; may be wider.
  virtual Range range(Vec2 /*low*/, Vec2 /*high*/) const { return {}; }
  /// Certain to give the same heights.
  virtual bool is_same(const HeightSheet& other) const { return this == &other; }
};

/// Where the surface may be, known without evaluating the field. Within and above `ground` and outside the boxes and
/// bands v has the sign of h - z, or is below 0 where there is no sheet; the box of a part that is not known better is
/// all of it.
struct SurfaceSketch {
  /// Around the land: h moves by at most `spread` metres in the plane, and from `below` metres beneath the lowest of
  /// what it meets there to `above` over the highest.
  struct Band {
    Box3 where;
    double below = 0, above = 0, spread = 0;
  };
  std::shared_ptr<const HeightSheet> sheet{};
  Box3 ground{};  ///< of the sheet
  std::vector<Box3> boxes{};
  std::vector<Band> bands{};

  /// Gives up the sheet: all of `ground` becomes a box.
  void forget_sheet();
};

/// A node of the tree. Immutable; shared by all that hold it, from several threads.
class Solid {
 public:
  virtual ~Solid() = default;

  /// v at every point. A point's number depends on the point alone, to the last bit: never on the other points, their
  /// number, the lattice, the SIMD level.
  virtual void values(const FieldPoints& at, float* v) const = 0;
  /// The same v, and the gradient of f, metre by metre. Where f has a crease, that of one of its sides.
  virtual void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const = 0;
  /// Between which numbers v lies in a box; may be wider.
  virtual FieldRange range(const Box3& box) const = 0;

  /// Outside of it f is 0. Finite, or empty.
  virtual Box3 support() const = 0;
  virtual SurfaceSketch sketch() const = 0;

  /// Outside of it v is the same as that of another solid of the same threshold; may be larger.
  virtual Box3 difference_from(const Solid& other) const;

  /// The nodes it is made of, for walks over the tree.
  virtual std::vector<std::shared_ptr<const Solid>> children() const { return {}; }

  /// Adds its kind, its numbers and its children.
  virtual void hash(Hasher& hasher) const = 0;
  /// Of its own; a node that is shared counts wherever it is named.
  virtual size_t bytes() const = 0;
};
using SolidPointer = std::shared_ptr<const Solid>;

/// f = 0 everywhere, for a threshold of T.
SolidPointer empty_solid(double threshold);

}  // namespace tepui
