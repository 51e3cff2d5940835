#pragma once  // internal

#include <array>
#include <cstdint>
#include <vector>

#include "tepui/core/palette.h"
#include "tepui/core/vec.h"
#include "tepui/render/light/colour.h"

namespace tepui {

/// 0xRRGGBB as sRGB in linear light, with the same bits on every machine.
Rgb paint(uint32_t hex);

/// Two tones that a kind of ground wanders between.
struct Tones {
  Rgb one, other;
};

/// What a palette is made of: colours in linear light, slopes as tangents.
struct Biome {
  struct Stop {
    float level;
    Rgb rock;
  };
  std::array<Stop, 5> sequence;  ///< rock from foot to top before beds vary it
  std::array<Rgb, 3> bed_tints;
  float thinnest = 0.012f, spread = 0.05f;         ///< thickness of beds, as shares of the range
  float massive_from = 0.35f, massive_to = 0.85f;  ///< levels of the thick beds
  float contrast = 1;                              ///< between beds
  float ledges = 1;                                ///< how far hard beds stand out
  Vec2 dip;                                        ///< rise of the beds towards east and north
  Tones soil, grass, sand, scree;
  Rgb snow;
  float scree_of_rock = 0.35f;  ///< how much of the bed's own colour scree keeps
  Rgb flat_rock;                ///< weathered rock on level ground
  Rgb stain;
  float stains = 0.5f;                             ///< streaks on cliffs
  float scree_from, scree_to, rock_from, rock_to;  ///< slopes at which they begin and are all there is
};

const Biome& biome(Palette palette);

/// Rock at a level of the sequence of beds.
struct BedLook {
  Rgb colour;
  float ledge = 0;    ///< slope of the cliff's profile: how fast it steps out on the way up
  float massive = 0;  ///< 1 in thick beds without partings
};

/// The beds of a biome with hashed thickness and colour, and means of them over ever thicker slices, so that bands
/// thinner than a pixel blend instead of sparkling.
class Beds {
 public:
  explicit Beds(const Biome& biome);
  /// The mean over about `extent` around `level`, both as shares of the range. Beds go on in a mirror beyond 0 and 1.
  BedLook at(float level, float extent) const;

 private:
  std::vector<std::vector<BedLook>> slices_;
};

}  // namespace tepui
