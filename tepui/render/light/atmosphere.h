#pragma once  // internal

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "tepui/core/math.h"
#include "tepui/render/light/colour.h"

// The air of a planet like the Earth: what a clear sky is computed from, and what its plain twin reads. Lengths are
// kilometres, heights are above the ground of a sphere.

namespace tepui::atmosphere {

/// Light in eight bands of 40 nm from 390 to 710 nm. Three would make a sky too deep a blue and a low sun green.
inline constexpr size_t bands = 8;
using Spectrum = std::array<float, bands>;

inline constexpr double ground_radius = 6360, top_radius = 6420;
/// Share of light that the land around sends back up.
inline constexpr float ground_albedo = 0.25f;

/// How much brighter a picture shows the sky beside the sun than it is. A film's eye for contrast, not the air's: with
/// the true ratio, shadows and the sky of a picture of sunlit ground look too dark.
inline constexpr float sky_lift = 1.5f;

/// What a band of sunlight outside the air adds to linear sRGB, for a luminance of 1 in all: the solar spectrum of
/// ASTM G173 seen through the colour matching functions of Wyman et al. 2013.
inline constexpr std::array<Rgb, bands> sunlight = {{{0.02303f, -0.01976f, 0.14493f},
                                                     {0.04113f, -0.05934f, 0.68464f},
                                                     {-0.18483f, 0.16673f, 0.22143f},
                                                     {-0.26886f, 0.52348f, -0.03785f},
                                                     {0.38613f, 0.37754f, -0.05430f},
                                                     {0.80865f, 0.01315f, -0.01809f},
                                                     {0.27165f, -0.02375f, -0.00255f},
                                                     {0.01750f, 0.00014f, -0.00037f}}};

/// Linear sRGB of light given as a share of the sun's in each band. Colours outside the gamut move towards grey of
/// the same luminance until they are in it. Where blue turns into the warm white of a low sun's horizon, what would be
/// a tint of green in a picture is taken out.
inline Rgb to_rgb(const Spectrum& light) {
  Rgb c;
  for (size_t i = 0; i < bands; ++i) c = c + sunlight[i] * light[i];
  const float grey = luminance(c), least = std::min({c.r, c.g, c.b});
  if (grey <= 0) return {};
  if (least < 0) {
    c = mix(c, {grey, grey, grey}, least / (least - grey));
    c = {std::max(c.r, 0.0f), std::max(c.g, 0.0f), std::max(c.b, 0.0f)};
  }
  const float most_green = 0.96f * std::max(c.r, c.b);
  if (c.g <= most_green) return c;
  c.g = most_green;
  return c * (grey / luminance(c));
}

/// How much of each kind of matter there is at a height: of molecules and haze relative to the ground, of ozone
/// relative to its densest layer.
struct Densities {
  double molecules = 0, haze = 0, ozone = 0;
};
inline Densities densities(double height) {
  return {math::exp(-height / 8), math::exp(-height / 1.2), std::max(0.0, 1 - std::abs(height - 25) / 15)};
}

/// Scattering and extinction per kilometre where each is densest.
struct Matter {
  Spectrum molecules{};  ///< scatter all they take
  Spectrum haze_scatters{}, haze_takes{};
  Spectrum ozone{};  ///< only absorbs

  /// `haze` in [0, 1]: from an optical depth of 0.02 at 550 nm, as on a high desert after rain, to 0.52, milky.
  explicit Matter(double haze) {
    /// Mean cross-sections at 233 K of Serdyuchenko et al. 2014, for 300 Dobson units.
    constexpr Spectrum ozone_bands = {0.000014f, 0.000113f, 0.000490f, 0.001288f,
                                      0.002262f, 0.002387f, 0.001339f, 0.000587f};
    const double depth = 0.02 + 0.5 * haze * haze;
    for (size_t i = 0; i < bands; ++i) {
      const double wavelength = 0.41 + 0.04 * static_cast<double>(i);
      molecules[i] = static_cast<float>(1.24062e-3 / (wavelength * wavelength * wavelength * wavelength));
      // Ångström's law: thin haze is of small droplets and bluish, thick haze of large ones and white.
      const double takes = depth / 1.2 * math::pow(wavelength / 0.55, -1.2 + 0.8 * haze);
      haze_takes[i] = static_cast<float>(takes);
      haze_scatters[i] = static_cast<float>(0.95 * takes);
      ozone[i] = ozone_bands[i];
    }
  }

  float takes(size_t band, const Densities& d) const {
    return molecules[band] * static_cast<float>(d.molecules) + haze_takes[band] * static_cast<float>(d.haze) +
           ozone[band] * static_cast<float>(d.ozone);
  }
};

/// Shares of light scattered into a direction, by the cosine of the angle to the light's; per steradian.
inline float molecules_phase(float cosine) { return static_cast<float>(3 / (16 * math::pi)) * (1 + cosine * cosine); }
/// A lobe of Cornette and Shanks 1992 forward, and a seventh evenly to all sides, without which haze away from the sun
/// would be darker than it is.
inline float haze_phase(float cosine) {
  constexpr float g = 0.8f, forward = 0.85f;
  constexpr float scale = forward * static_cast<float>(3 / (8 * math::pi)) * (1 - g * g) / (2 + g * g);
  constexpr float even = (1 - forward) * static_cast<float>(1 / (4 * math::pi));
  const float v = 1 + g * g - 2 * g * cosine;
  return even + scale * (1 + cosine * cosine) / (v * std::sqrt(v));
}

}  // namespace tepui::atmosphere
