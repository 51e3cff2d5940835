#pragma once

#include "tepui/core/vec.h"
#include "tepui/render/light/colour.h"

namespace tepui::reference {

/// The light of a clear sky with the sun due north, integrated directly: no tables, every optical depth by its own sum.
/// In units of the sun's light outside the air; neither lifted, balanced nor scaled.
class SkyLight {
 public:
  /// Elevation of the sun in radians.
  SkyLight(double elevation, double haze);

  /// What falls on a surface that faces the sun.
  Rgb sun() const;
  /// Radiance from a direction not below the horizon: light scattered once, and with `later` also what was scattered
  /// before, taken as equal from all sides (Hillaire 2020, Eqs 5-10).
  Rgb radiance(Vec3 direction, bool later) const;

 private:
  double elevation_, haze_;
};

}  // namespace tepui::reference
