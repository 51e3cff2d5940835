#pragma once  // internal

#include <memory>

#include "tepui/volume/region.h"
#include "tepui/volume/solid.h"
#include "tepui/volume/space_strokes.h"

namespace tepui {

/// At most so strong: every whole one above the first is one more pass of the mean.
inline constexpr int most_smoothing = 8;

/// How much a place is smoothed: by strokes, or within a region.
class SmoothingWeight {
 public:
  explicit SmoothingWeight(std::shared_ptr<const SpaceStrokes> strokes) : strokes_(std::move(strokes)) {}
  SmoothingWeight(const Region& region, double strength)
      : region_(std::make_shared<const Region>(region)), strength_(strength) {}

  struct Told {
    double share = 0;  ///< W
    double times = 0;  ///< the strengths that add up, at most `most_smoothing`
  };
  Told at(Vec3 p) const;
  /// Of all places.
  double most_times() const;
  const Box3& box() const { return strokes_ != nullptr ? strokes_->box() : region_->box(); }
  bool is_drawn() const { return strokes_ != nullptr; }
  bool may(const Box3& box) const { return strokes_ != nullptr ? strokes_->may(box) : box.meets(region_->box()); }
  std::vector<Box3> boxes() const {
    return strokes_ != nullptr ? strokes_->boxes() : std::vector<Box3>{region_->box()};
  }
  Box3 difference_from(const SmoothingWeight& other) const;
  void hash(Hasher& hasher) const;
  size_t bytes() const { return sizeof *this + (strokes_ != nullptr ? strokes_->bytes() : 0); }

 private:
  std::shared_ptr<const SpaceStrokes> strokes_;
  std::shared_ptr<const Region> region_;
  double strength_ = 1;
};

/// `smooth` on a lattice of this cell.
SolidPointer smoothed_solid(SolidPointer part, SmoothingWeight weight, double cell, double threshold);

}  // namespace tepui
