#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

#include "tepui/core/palette.h"
#include "tepui/core/vec.h"
#include "tepui/render/light/colour.h"

namespace tepui {

/// Kinds of ground, as the weight maps of an engine blend them.
enum class GroundKind { rock, scree, soil, grass, sand, snow };
inline constexpr size_t ground_kinds = 6;
std::string_view ground_kind_name(GroundKind kind);

/// What the look of a place depends on. Lengths are metres.
struct GroundPoint {
  Vec3 at;                   ///< from the land's south-west corner; z above the datum
  Vec3 normal{0, 0, 1};      ///< of the surface at the scale of its samples, unit length; below horizontal in overhangs
  float level = 0;           ///< height within the land's range, 0 to 1; below and beyond on walls
  float rise = 0;            ///< height above the surroundings, as a share of the range
  float above_water = 1e9f;  ///< height above the sea; below 0 under it
  float material = -1;       ///< class as a share of the highest class; below 0 where unknown
  float hardness = -1;       ///< 0 to 1; below 0 where unknown
  /// Depth of what lies on the rock; below 0 where no layer says.
  float soil = -1, sand = -1, snow = -1;
  float sediment = -1;  ///< the same of loose debris right on the rock, below the others
  float depth = 0;      ///< below the ground, for cuts
  float bed = -1;       ///< where its rock belongs in the biome's sequence, 0 to 1; below 0: by its height
  float shelter = 0;    ///< share of the sky above it that rock hides: nothing grows in caves
  float footprint = 0;  ///< size of the picture's pixel there: smaller detail is left out
};

/// The look of a place.
struct GroundLook {
  Rgb albedo;
  Vec3 normal{0, 0, 1};                       ///< with the small relief that the samples do not hold
  std::array<float, ground_kinds> weights{};  ///< shares of the kinds of ground; their sum is 1
  float roughness = 1;  ///< perceptual, as glTF means it: 0 is a mirror, 1 is matt; less where wet
};

class Beds;
struct BedLook;

/// The natural look of ground, by slope, height, layers and hardness. The same place always looks the same, on every
/// machine. Everything smaller than a hundredth of the side is noise in space, so nothing is stretched on cliffs and
/// under overhangs, in octaves that fade out where the picture's pixels cannot show them.
class Ground {
 public:
  /// `side` is the longer side of the land and `relief` its range of heights, metres: what detail is scaled by.
  Ground(Palette palette, double side, double relief);

  GroundLook look(const GroundPoint& point) const;
  /// A cut through the beds and what lies on them, as on a block's walls; `point.level` may be below 0.
  Rgb cut(const GroundPoint& point) const;

 private:
  struct Spot;
  using Shares = std::array<float, ground_kinds>;
  Shares shares(const GroundPoint& point, const Spot& spot) const;
  /// The bed at a level, or the one that the point's rock belongs to.
  BedLook bed_of(const GroundPoint& point, float level, float extent, float wave) const;
  /// The rock's colour; adds what tilts its surface to the spot.
  Rgb rock(const GroundPoint& point, Spot& spot, float share) const;
  /// Slabs between two sets of joints, as level rock without cover shows them: a factor of its colour. `share` is of
  /// the ground.
  float pavement(Spot& spot, float share) const;
  void add_ripples(Spot& spot, float share) const;
  /// Blocks in fines without beds, as a cut shows debris.
  Rgb fill(Vec3 at, float broad, float footprint) const;

  Palette palette_;
  double unit_ = 1;    ///< the size of the largest detail, metres
  double relief_ = 1;  ///< metres
  float hiding_ = 1;   ///< thickness of debris that hides the rock, metres
  std::shared_ptr<const Beds> beds_;
};

}  // namespace tepui
