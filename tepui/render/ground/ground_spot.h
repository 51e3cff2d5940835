#pragma once  // internal

#include <array>
#include <optional>
#include <vector>

#include "tepui/render/ground/biome_look.h"
#include "tepui/render/ground/crowns.h"
#include "tepui/render/ground/solid_grain.h"

namespace tepui {

/// What many parts of a look need.
struct GroundSpot {
  Vec3 at;              ///< in units of the largest detail
  float footprint = 0;  ///< the same
  Vec3 metres;
  float pixel = 0;  ///< the footprint in metres
  float slope = 0;  ///< tangent
  float broad = 0;  ///< patches of a few to a side of the land
  SolidGrain grain;
  float tilt[3] = {};  ///< slopes of the small relief, gathered
  std::array<Crown, ground_kinds> crowns{};

  void add(const float (&slopes)[3], float amount) {
    for (int i = 0; i < 3; ++i) tilt[i] += amount * slopes[i];
  }
};

/// Colours that the biome's give way to.
struct OwnTones {
  std::array<Tones, ground_kinds> tones;      ///< all of them, those of the season included
  std::optional<Rgb> rock{};                  ///< of any rock
  std::vector<std::optional<Rgb>> rocks{};    ///< by the number of a named rock
  std::vector<std::optional<Rgb>> classes{};  ///< by material
};

/// Metres between the crowns of a kind; 0: it has none.
float crown_spacing(GroundKind kind);

inline float& share_of(GroundShares& shares, GroundKind kind) { return shares[static_cast<size_t>(kind)]; }
inline float share_of(const GroundShares& shares, GroundKind kind) { return shares[static_cast<size_t>(kind)]; }

/// Lays `amount` of a kind over what is there.
inline void cover(GroundShares& shares, GroundKind kind, float amount) {
  for (float& share : shares) share *= 1 - amount;
  share_of(shares, kind) += amount;
}

}  // namespace tepui
