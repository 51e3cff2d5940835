#pragma once

#include <memory>
#include <optional>

#include "tepui/core/params.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/region.h"
#include "tepui/volume/volume.h"

// Where a landform operator works, and how strongly: the same for all of them.
//
//   parameters  within, at, half, radius, falloff, positions, heights   a box or a sphere (volume/region.h)
//               levels, levels_falloff                                  a range of heights
//               intensity                                               a number from 0 to 1 for all of it
//   ports       mask    land with a layer from 0 to 1: the intensity at every place of the map
//               region  lines; their polygons and closed lines are where it works, and as far around other lines and
//                       points as their number `radius` says
//
// An operator's own parameters must not have these names.
//
// All of them hold at once: the intensity at a place is their product. Every border is soft.

namespace tepui {

class DrawnRegion;

struct WhereParams : RegionParams {
  std::optional<Interval> levels{};  ///< metres above the sea's zero; all
  Length levels_falloff = metres(5);
  double intensity = 1;
};

class Where {
 public:
  /// `mask` and `region` may be nullptr. Refuses a mask whose samples are not those of the land that the volume was
  /// made of, or of the world where it was not made of land, and a region that marks nothing.
  Where(const WhereParams& params, const Frame& world, const Volume& in, const Terrain* mask, const Lines* region);

  /// From 0 to 1; 0 outside of the box.
  double weight(Vec3 at) const;
  const Box3& box() const { return box_; }
  /// False where the weight is surely 0 in all of a box.
  bool may(const Box3& box) const;

 private:
  double mask_at(double x, double y) const;

  Region region_;
  double intensity_ = 1;
  std::optional<Interval> levels_;
  double levels_falloff_ = 1, falloff_ = 1;
  std::shared_ptr<const DrawnRegion> drawn_;
  Frame mask_frame_;
  std::shared_ptr<const Grid<float>> mask_;
  Box3 box_;
};

template <class P>
void describe_where(Fields<P>& f) {
  f("intensity", static_cast<double P::*>(&P::intensity), Range{0, 1},
    "strength everywhere; a mask makes it less from place to place");
  describe_region(f);
  f("levels", static_cast<std::optional<Interval> P::*>(&P::levels), Range{-1e6, 1e6},
    "heights between which it works; auto: all")
      .unit("m");
  f("levels_falloff", static_cast<Length P::*>(&P::levels_falloff), open_range(0, 1e9),
    "distance above and below these heights at which the effect ends")
      .slider(0.1, 50);
}

}  // namespace tepui
