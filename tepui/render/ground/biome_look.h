#pragma once  // internal

#include <array>
#include <cstdint>
#include <vector>

#include "tepui/core/skin.h"
#include "tepui/core/vec.h"
#include "tepui/render/ground/cover_table.h"
#include "tepui/render/light/colour.h"

namespace tepui {

/// 0xRRGGBB as sRGB in linear light, with the same bits on every machine.
Rgb paint(uint32_t hex);

/// Two tones that a kind of ground wanders between.
struct Tones {
  Rgb one, other;
};

/// Where on the mountain something lies, by metres from the lines of snow and trees.
enum class Zone {
  all,
  woods,  ///< below the tree line
  turf,   ///< below where turf gives out
  bare,   ///< above that
  cap,    ///< level ground at the top of the land's relief
};

/// What lies on open ground that no layer tells of: laid over what is there, in patches.
struct Patch {
  GroundKind kind;
  float amount = 1;  ///< where its pattern is at its fullest
  Zone zone = Zone::all;
  float from = -2, to = -1;  ///< of the pattern, whose parts follow
  float broad = 0, fine = 0, pebbles = 0, slope = 0;
  float flat = 0.9f, steep = 1.4f;  ///< slopes up to which all of it lies, and from which none does
};

/// What a biome is made of: colours in linear light, slopes as tangents.
struct BiomeLook {
  struct Stop {
    float level;
    Rgb rock;
  };
  std::array<Stop, 5> sequence;  ///< rock from foot to top before beds vary it
  std::array<Rgb, 3> bed_tints;
  float thinnest = 0.012f, spread = 0.05f;         ///< thickness of beds, as shares of the land's relief
  float massive_from = 0.35f, massive_to = 0.85f;  ///< levels of the thick beds
  float contrast = 1;                              ///< between beds
  float ledges = 1;                                ///< how far hard beds stand out
  Vec2 dip;                                        ///< rise of the beds towards east and north
  std::array<Tones, ground_kinds> tones;           ///< of all but rock
  float seasons = 1;                               ///< how much the plants' tones follow the season
  float scree_of_rock = 0.35f;                     ///< how much of the bed's own colour scree keeps
  Rgb flat_rock;                                   ///< weathered rock on level ground
  Rgb stain;
  float stains = 0.5f;                             ///< streaks on cliffs
  float scree_from, scree_to, rock_from, rock_to;  ///< slopes at which they begin and are all there is
  bool arid = false;        ///< ground that debris leaves bare is rock, and little grows on debris
  float snow_line = 9;      ///< as a share of the land's relief, where nobody says it in metres
  std::vector<Patch> open;  ///< the first is all there is

  const Tones& of(GroundKind kind) const { return tones[static_cast<size_t>(kind)]; }
};

const BiomeLook& biome_look(Biome biome);

/// The tones of a kind of ground at a time of year.
Tones tones_of(const BiomeLook& look, GroundKind kind, Season season);

/// Rock at a level of the sequence of beds.
struct BedLook {
  Rgb colour;
  float ledge = 0;    ///< slope of the cliff's profile: how fast it steps out on the way up
  float massive = 0;  ///< 1 in thick beds without partings
};

/// Where a known rock belongs in a biome's sequence of beds. Rocks of one resistance are yet several.
float bed_of_rock(float resistance, int which);

/// The beds of a biome with hashed thickness and colour, and means of them over ever thicker slices, so that bands
/// thinner than a pixel blend instead of sparkling.
class Beds {
 public:
  explicit Beds(const BiomeLook& biome);
  /// The mean over about `extent` around `level`, both as shares of the relief. Beds go on in a mirror beyond 0 and 1.
  BedLook at(float level, float extent) const;

 private:
  std::vector<std::vector<BedLook>> slices_;
};

}  // namespace tepui
