#pragma once

#include "tepui/render/light/air.h"

namespace tepui::reference {

/// The light of a planet's air, integrated directly: no tables, every optical depth by its own sum, and a sun without
/// width. In metres from the planet's centre and shares of the sun's light outside the air.
class AirLight {
 public:
  explicit AirLight(const AirSpec& spec) : spec_(spec) {}

  atmosphere::Spectrum transmittance(Vec3 from, Vec3 to) const;
  atmosphere::Spectrum sunlight(Vec3 at, Vec3 to_sun) const;
  /// The light that a ray of unit length gathers, up to the ground where it meets it: scattered once, and with `later`
  /// also what was scattered before, taken as equal from all sides (Hillaire 2020, Eqs 5-10).
  atmosphere::Spectrum along(Vec3 from, Vec3 direction, Vec3 to_sun, bool later) const;

 private:
  AirSpec spec_;
};

}  // namespace tepui::reference
