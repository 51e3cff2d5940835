#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/skin.h"
#include "tepui/core/vec.h"
#include "tepui/render/ground/cover_table.h"
#include "tepui/render/light/colour.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Nothing that a layer tells of a kind of ground.
inline constexpr float untold = -1;

/// What the look of a place depends on. Lengths are metres.
struct GroundPoint {
  GroundPoint() { laid.fill(untold); }

  Vec3 at;                   ///< from the land's south-west corner; z above the datum
  Vec3 normal{0, 0, 1};      ///< of the surface at the scale of its samples, unit length; below horizontal in overhangs
  float above_water = 1e9f;  ///< height above the sea or the lake; below 0 under it
  float material = -1;       ///< class as a share of the highest class; below 0 where unknown
  int material_class = -1;   ///< below 0 where unknown
  float hardness = -1;       ///< 0 to 1; below 0 where unknown
  /// Of every kind of ground that a layer tells of: depth, or of plants their share of the ground.
  std::array<float, ground_kinds> laid;
  float sediment = untold;         ///< depth of loose debris right on the rock, below the others
  std::optional<float> warmest{};  ///< mean of the warmest month, degrees Celsius, where a layer tells it
  float depth = 0;                 ///< below the ground, for cuts
  float bed = -1;                  ///< where its rock belongs in the biome's sequence, 0 to 1; below 0: by its height
  int rock = -1;                   ///< which of the ground's named rocks it is; below 0 where unknown
  float shelter = 0;               ///< share of the sky above it that rock hides: nothing grows in caves
  float footprint = 0;             ///< size of the picture's pixel there: smaller detail is left out

  float& of(GroundKind kind) { return laid[static_cast<size_t>(kind)]; }
  float of(GroundKind kind) const { return laid[static_cast<size_t>(kind)]; }
};

/// The look of a place.
struct GroundLook {
  Rgb albedo;
  Vec3 normal{0, 0, 1};                       ///< with the small relief that the samples do not hold
  std::array<float, ground_kinds> weights{};  ///< shares of the kinds of ground; their sum is 1
  float roughness = 1;  ///< perceptual, as glTF means it: 0 is a mirror, 1 is matt; less where wet
};

/// What a Ground is the look of.
struct GroundSetting {
  Biome biome = Biome::desert;
  double side = 1;  ///< metres: the longer side of the world, what the size of detail follows from
  Relief relief{};  ///< metres above the datum: of the whole land, so that a part of it has the same beds and lines
  Season season = Season::summer;
  std::optional<double> snow_line{};  ///< metres above the datum
  std::vector<OwnColour> colours{};
  std::vector<std::string> rocks{};  ///< names, by GroundPoint::rock
};

class Beds;
struct BedLook;
struct BiomeLook;
struct Patch;
struct Tones;
struct OwnTones;
struct GroundSpot;

/// The natural look of ground, by layers, slope, height and hardness: what a layer tells always counts for more than
/// what follows from slope or height. The same place always looks the same, on every machine, in a part of the land as
/// in the whole. Everything smaller than a hundredth of the side is noise in space, so nothing is stretched on cliffs
/// and under overhangs, in octaves that fade out where the picture's pixels cannot show them; plants have the sizes
/// that they have in nature.
class Ground {
 public:
  explicit Ground(const GroundSetting& setting);

  GroundLook look(const GroundPoint& point) const;
  /// A cut through the beds and what lies on them, as on a block's walls.
  Rgb cut(const GroundPoint& point) const;

 private:
  /// Without layers: by rules.
  GroundShares open_ground(const GroundPoint& point, const GroundSpot& spot) const;
  float zone_share(const GroundPoint& point, const GroundSpot& spot, const Patch& patch) const;
  GroundShares debris(float deep, const GroundSpot& spot, const GroundShares& open) const;
  GroundShares shares(const GroundPoint& point, GroundSpot& spot) const;
  void lay_soil(GroundShares& shares, const GroundPoint& point, const GroundSpot& spot, const GroundShares& open) const;
  static void lay_plants(GroundShares& shares, const GroundPoint& point, GroundSpot& spot);
  void lay_snow(GroundShares& shares, const GroundPoint& point, const GroundSpot& spot) const;
  void lay_shore(GroundShares& shares, const GroundPoint& point, const GroundSpot& spot, float loose) const;
  static void shade_caves(GroundShares& shares, const GroundPoint& point, const GroundSpot& spot);
  /// How much of the ground a depth of a kind hides.
  float hidden(GroundKind kind, float metres, const GroundSpot& spot) const;

  float level(const GroundPoint& point) const;
  /// Height above a line that the warmest month draws where it is known, and a height otherwise; metres.
  float above_line(const GroundPoint& point, float line, float warmest) const;
  /// The bed at a level, or the one that the point's rock belongs to.
  BedLook bed_of(const GroundPoint& point, float level, float extent, float wave) const;
  /// The rock's colour; adds what tilts its surface to the spot.
  Rgb rock(const GroundPoint& point, GroundSpot& spot, float share) const;
  /// The face of a cliff, and how dark its joints are.
  Rgb cliff_face(GroundSpot& spot, const BedLook& bed, float massive, float strength, float& joints) const;
  /// Slabs between two sets of joints, as level rock without cover shows them: a factor of its colour. `share` is of
  /// the ground.
  float pavement(GroundSpot& spot, float share) const;
  static void add_ripples(GroundSpot& spot, float share);
  /// The colour of a kind of ground; adds what tilts its surface to the spot.
  Rgb colour_of(GroundKind kind, const GroundPoint& point, GroundSpot& spot, float share) const;
  Rgb canopy(GroundKind kind, GroundSpot& spot, float share) const;
  Rgb turf(GroundKind kind, GroundSpot& spot, float share) const;
  /// Blocks in fines without beds, as a cut shows debris.
  Rgb fill(Vec3 at, float broad, float footprint) const;
  const Tones& tones(GroundKind kind) const;

  const BiomeLook* biome_;
  Biome which_;
  double unit_ = 1;  ///< the size of the largest detail, metres
  Relief relief_;
  double span_ = 1;                        ///< of the relief
  float hiding_ = 1;                       ///< thickness of debris that hides the rock, metres
  float thin_ = 1;                         ///< factor of the covers' own thickness, on land of little relief
  float snow_ = 0, bare_ = 0, woods_ = 0;  ///< metres: lines of snow, turf and trees
  bool snows_ = false;                     ///< whether snow lies above its line at all
  std::shared_ptr<const Beds> beds_;
  std::shared_ptr<const OwnTones> own_;
};

}  // namespace tepui
