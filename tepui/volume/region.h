#pragma once

#include <memory>
#include <vector>

#include "tepui/core/params.h"
#include "tepui/volume/placing.h"

namespace tepui {

class DrawnRegion;

enum class RegionShape { everywhere, box, sphere };

/// Where an operator works.
struct RegionParams {
  RegionShape within = RegionShape::everywhere;
  Vec3 at{50, 50, 0};
  Vec3 half{20, 20, 20};
  Length radius = percent(20);
  Length falloff = percent(10);
  Positions positions = Positions::percent;
  Heights heights = Heights::ground;
};

/// A weight of places: 1 within a shape, 0 beyond its falloff, and between them 1 - u^3 (6u^2 - 15u + 10), u from 0 to
/// 1, so that it has two continuous derivatives. Of a box: the product of that along its axes.
class Region {
 public:
  /// All of `box`, without a falloff; 0 outside.
  explicit Region(const Box3& box) : everywhere_(true), box_(box) {}
  /// Everywhere is all of `whole`.
  Region(const RegionParams& params, const Placing& placing, const Box3& whole);

  /// Only where it was drawn, too: the weight is the product of both.
  Region within(std::shared_ptr<const DrawnRegion> drawn) const;

  /// Outside of it the weight is 0.
  const Box3& box() const { return box_; }
  /// Boxes that hold all places where the weight is not 0; close ones where it was drawn.
  std::vector<Box3> boxes() const;
  bool is_drawn() const { return drawn_ != nullptr; }
  /// Outside of it the weight is that of another region.
  Box3 difference_from(const Region& other) const;
  double weight(Vec3 p) const;
  /// By how much the weight changes at most, metre by metre.
  double steepest() const;
  void hash(Hasher& hasher) const;

 private:
  double own_weight(Vec3 p) const;
  void hash_own(Hasher& hasher) const;

  bool everywhere_ = false, sphere_ = false;
  Vec3 centre_, half_;
  double radius_ = 0, falloff_ = 1;
  Box3 box_;
  std::shared_ptr<const DrawnRegion> drawn_;
};

template <class P>
void describe_region(Fields<P>& f) {
  f("within", static_cast<RegionShape P::*>(&P::within), {"everywhere", "box", "sphere"},
    "where it applies: everywhere, or inside a box or sphere");
  f("at", static_cast<Vec3 P::*>(&P::at), Range{-1e9, 1e9}, "middle of the box or sphere");
  f("half", static_cast<Vec3 P::*>(&P::half), Range{0, 1e9}, "half the sides of the box");
  f("radius", static_cast<Length P::*>(&P::radius), Range{0, 1e9}, "radius of the sphere").slider(0, 50);
  f("falloff", static_cast<Length P::*>(&P::falloff), open_range(0, 1e9),
    "distance from the box or sphere at which the effect ends")
      .slider(0.1, 50);
  describe_placing(f);
}

}  // namespace tepui
