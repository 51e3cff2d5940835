#pragma once  // internal

#include <optional>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/landforms/percolation.h"
#include "tepui/landforms/where.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// What water meets below a land: rock, its resistance, the open air, and where the volume merely ends.
class CaveGround {
 public:
  /// `margin` metres before the sides and above the floor of land water turns back, and at `base` in any case. `rock`
  /// may be nullptr: then it is the volume's own. Water goes where the weight is at least one half; nullptr:
  /// everywhere.
  CaveGround(const Volume& volume, const Geology* rock, const Where* where, double margin, std::optional<double> base);

  const Volume& volume() const { return volume_; }
  const Geology& rock() const { return rock_; }
  /// Where water may go.
  const Box3& within() const { return within_; }

  /// The field, not a number where water must not go, and the resistance.
  void ask(std::span<const Vec3> at, std::span<float> field, std::span<float> resistance) const;

  /// The highest ground at places, as it was before anything was carved into land; the lowest that there is where there
  /// is none.
  std::vector<double> heights(std::span<const Vec3> at) const;
  /// The same as land, in square cells of about that many metres, within the box.
  Terrain land(double cell, const Context& context) const;

 private:
  void sheet_heights(const Frame& frame, Grid<float>& height, const Context& context) const;

  const Volume& volume_;
  Geology rock_;
  const Where* where_;
  SurfaceSketch sketch_;
  Box3 whole_, within_;
};

}  // namespace tepui
