#pragma once  // internal

#include <vector>

#include "tepui/core/vec.h"
#include "tepui/render/light/colour.h"

namespace tepui {

/// Gains of a camera that makes up for most of the colour of the light that falls on level ground, without a change of
/// luminance; for less of it when the sun is low (degrees), as people expect of an evening.
Rgb white_balance(Rgb light, double elevation);

/// The light of a clear day over a round planet with air: a sun with a disc and a sky, from the scattering of molecules
/// and of haze and the absorption of ozone, in linear light. Scaled so that open level ground that reflects all of it
/// has a luminance of 1; a sun lower than 7 degrees is not fully made up for, so dusk is dark. Balanced as by a
/// camera, so that such ground stays close to white; the lower the sun the warmer.
///
/// Single scattering is integrated along each ray (transmittance as tabled by Bruneton and Neyret 2008, Sec. 4), later
/// scattering is taken as equal from all sides (Hillaire 2020, Sec. 5.5). The same bits for any number of threads.
class Sky {
 public:
  /// Azimuth clockwise from north (any finite number; a full turn changes nothing) and elevation of the sun (1 to 90
  /// degrees), in radians. `haze` in [0, 1] from the clearest air to a milky day.
  Sky(double azimuth, double elevation, double haze);
  /// The same radiance from everywhere, also from below, and no sun.
  static Sky uniform(Rgb radiance);

  /// Radiance from a direction of unit length, without the sun's disc. Below the horizon: the air in front of the
  /// distant ground.
  Rgb radiance(Vec3 direction) const;
  /// Radiance of the distance in that direction: what land far away fades into. That of the sky at the horizon there,
  /// and alike all round for steep directions.
  Rgb air(Vec3 direction) const;

  Vec3 to_sun() const { return to_sun_; }
  /// Half the width of the sun's disc, radians: twice the real one, for shadows with the soft edge of a photograph.
  double sun_radius() const { return sun_radius_; }
  /// What falls on a surface that faces the sun; 0 where there is none.
  Rgb sun() const { return sun_; }
  /// What falls on open level ground from sun and sky together, divided by pi: the radiance of a white plate.
  Rgb falling() const { return falling_; }

 private:
  /// A direction's light: all but what haze scatters once, and that before its phase function, which is too sharp
  /// around the sun for a table.
  struct alignas(32) Cell {
    float part[8] = {};  ///< r, g, b, 0 of the one, then of the other
  };
  struct Builder;

  Sky() = default;
  void balance(double elevation);
  Rgb sky_on_level() const;
  /// Sine of the elevation, parts along and across the sun's azimuth, cosine to the sun.
  Rgb looked_up(float height, float along, float across, float cosine) const;

  Vec3 to_sun_{0, 0, 1};
  double sun_radius_ = 0;
  Rgb sun_, falling_;
  /// Unit vector towards the sun on the level.
  double sun_x_ = 0, sun_y_ = 1;
  float level_ = 0;          ///< cosine of the sun's elevation
  std::vector<Cell> cells_;  ///< empty for a uniform sky
  Rgb ring_mean_;            ///< the air of all azimuths
  Rgb below_;                ///< straight down
};

}  // namespace tepui
