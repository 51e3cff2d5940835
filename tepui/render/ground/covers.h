#pragma once  // internal

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "tepui/core/vec.h"
#include "tepui/render/ground/cover_table.h"
#include "tepui/terrain/terrain.h"

// What lies on the rock of a land, for figures and pictures alike.

namespace tepui {

/// The colour of rock in diagrams, on which all covers lie.
inline constexpr uint32_t bare_rock_rgb = 0xada398;

/// The covers that a land has. Positions are in samples, clamped to the land.
class Covers {
 public:
  /// Thickness of each in metres, or its share of the ground, never below 0; those that there are come first.
  using Depths = std::array<float, cover_row_count>;
  struct Cover {
    const CoverRow* row;
    std::shared_ptr<const Grid<float>> thickness;
  };

  Covers() = default;
  explicit Covers(const Terrain& land);

  const std::vector<Cover>& list() const { return list_; }
  /// The number of a layer's cover in the list, or the list's size.
  size_t index_of(std::string_view layer) const;

  /// Between the samples. Water, which stands over the ground rather than under it, and plants are 0.
  Depths lying(double u, double v) const;
  /// What a surface with this normal shows. On a face, which falls from one sample to the next, that is the column of
  /// the higher one: rock as far up as its rock reaches, however much has gathered at the foot. Soil, sand, ice
  /// and snow lie on faces, too; water and plants are those of the place itself.
  Depths seen(double u, double v, Vec3 normal) const;
  /// Snow as wind and its own creep leave it: without the corners of the samples (a cubic B-spline over 4 x 4 of them).
  float rounded_snow(double u, double v) const;
  bool has_snow() const { return snow_ < list_.size(); }
  size_t snow() const { return snow_; }

 private:
  std::shared_ptr<const Grid<float>> heights_;
  std::vector<Cover> list_;
  size_t snow_ = 0;
};

}  // namespace tepui
