#pragma once  // internal

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tepui/core/vec.h"
#include "tepui/terrain/terrain.h"

// What lies on the rock of a land, for figures and pictures alike.

namespace tepui {

/// A layer of thickness in metres, with its colour in diagrams.
struct CoverKind {
  const char* name;
  uint32_t rgb;
};
inline constexpr size_t most_covers = 7;
/// From below: the last one lies on top of all.
std::span<const CoverKind, most_covers> cover_kinds();
/// The colour of what they lie on.
inline constexpr uint32_t bare_rock_rgb = 0xada398;

/// How many metres of a cover hide what is below: half a metre, less on land of little relief (metres).
float hiding_thickness(double relief);

/// The covers that a land has. Positions are in samples, clamped to the land.
class Covers {
 public:
  /// Thickness of each, metres, never below 0; those that there are come first.
  using Depths = std::array<float, most_covers>;
  struct Cover {
    CoverKind kind;
    std::shared_ptr<const Grid<float>> thickness;
  };

  Covers() = default;
  explicit Covers(const Terrain& land);

  const std::vector<Cover>& list() const { return list_; }
  /// The number of one in the list, or the list's size.
  size_t index_of(std::string_view name) const;

  /// Between the samples. Water, which stands over the ground rather than under it, is 0.
  Depths lying(double u, double v) const;
  /// What a surface with this normal shows. On a face, which falls from one sample to the next, that is the column of
  /// the higher one: rock as far up as its rock reaches, however much has gathered at the foot. Water is that over the
  /// place itself.
  Depths seen(double u, double v, Vec3 normal) const;

 private:
  std::shared_ptr<const Grid<float>> heights_;
  std::vector<Cover> list_;
  size_t water_ = 0;  ///< in the list; its size where there is none
};

}  // namespace tepui
