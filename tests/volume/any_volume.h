#pragma once

#include "reference/volume_nodes.h"
#include "tepui/core/random.h"
#include "tepui/volume/volume.h"

// Small solids to build trees of, and random trees of all operators beside their plain twins.

namespace tepui::test {

/// Even draws from one number of rapidcheck's, whose own grow with the size of the case.
class Dice {
 public:
  Dice();
  double real(double low, double high) { return stream_.uniform(next_++, 0, low, high); }
  int below(int count) { return static_cast<int>(real(0, count)); }
  /// Any double rather than the usual, which is a float, too.
  void draw_threshold();
  double threshold = Volume::usual_threshold;
  /// Whether erosion may be in metres, which jumps where a way out comes into sight: too much for comparing numbers.
  bool in_metres = false;
  bool coin() { return below(2) == 0; }
  /// Where something is to be found in most volumes.
  Vec3 place() {
    const double x = real(-130, 130), y = real(-130, 130);
    return {x, y, real(-90, 60)};
  }

 private:
  Stream stream_;
  uint64_t next_ = 0;
};

/// A ball of field: f = energy (1 - (d/R)^2)^3 around a place.
SolidPointer ball(Vec3 centre, double radius, double energy, double threshold = Volume::usual_threshold);

/// Hills on a square from (-100, -100) to (100, 100), between -14 m and 14 m, down to -80 m; with a sheet. f is that of
/// `implicitize` with R = 2T.
SolidPointer hills(double threshold = Volume::usual_threshold);
inline constexpr double steepest_hill = 14 * 0.05 * 1.4143;

/// Harder and softer with the height, and a little with the place.
Geology wavy_rock();
double wavy_resistance(Vec3 at);

/// A volume, and its twin.
struct Grown {
  Volume volume;
  reference::Field field;
};
/// Of up to so many levels of operators.
Grown any_volume(Dice& dice, int levels);

/// Whether the sketch tells the sign at a place: it lies outside of boxes and bands (given that no sheet is steeper
/// than `slope`), and within or above the ground where there is a sheet.
bool is_told(const SurfaceSketch& sketch, Vec3 at, double slope = steepest_hill);

}  // namespace tepui::test
