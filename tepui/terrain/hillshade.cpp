#include "tepui/terrain/hillshade.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

namespace {

/// A direction towards the light: a bearing of length 1, and how high it stands.
struct Light {
  double east, north;
  double level, up;  ///< cosine and sine of the altitude

  Light(double azimuth, double altitude)
      : east(math::sin(math::radians(azimuth))),
        north(math::cos(math::radians(azimuth))),
        level(math::cos(math::radians(altitude))),
        up(math::sin(math::radians(altitude))) {}

  /// On ground with these slopes.
  double falls(double p, double q) const {
    const double towards = up - level * (east * p + north * q);
    return std::max(towards, 0.0) / std::sqrt(1 + p * p + q * q);
  }
  /// The square of the sine between it and the gradient, times that of the gradient's length.
  double aside(double p, double q) const {
    const double across = p * north - q * east;
    return across * across;
  }
};

double light_on(const std::vector<Light>& lights, double p, double q) {
  const double steep = p * p + q * q;
  if (lights.size() == 1 || !(steep > 0)) return lights.front().falls(p, q);
  double sum = 0;
  for (const Light& light : lights) sum += light.aside(p, q) * light.falls(p, q);
  // Of four lights that stand 45 degrees apart the squared sines add up to 2.
  return sum / (2 * steep);
}

}  // namespace

void describe(Fields<HillshadeParams>& f) {
  f.about("Shade the land as maps do, by a light far away: the layer 'hillshade', from 0 to 1");
  f.window(
      [](const HillshadeParams& p, const Frame& frame) { return gradient_halo(frame, distance_in(p.distance, frame)); },
      "distance");
  f.example("circular_faults | {}");
  f("azimuth", &HillshadeParams::azimuth, Range{-720, 720}, "whence the light comes, clockwise from north")
      .slider(0, 360)
      .sweep("315", "45", "180");
  f("altitude", &HillshadeParams::altitude, Range{0, 90}, "how high the light stands above the horizon")
      .sweep("15", "45", "75");
  f("exaggeration", &HillshadeParams::exaggeration, Range{0, 1000}, "heights count so many times").slider(0, 10);
  f("multidirectional", &HillshadeParams::multidirectional,
    "four lights around the azimuth, weighted so that slopes along the light show, too");
  f("distance", &HillshadeParams::distance, open_range(0, 1e9),
    "from a sample to those on each side that its slope is measured with, rounded to cells; auto: the next samples")
      .slider(0, 1000);
}

Terrain hillshade(const Terrain& in, const HillshadeParams& params, const Context& context) {
  Gradient slopes = gradient(in, distance_in(params.distance, in.frame()), context.stage("measure", 0, 0.4));
  const double azimuth = params.azimuth.degrees, altitude = params.altitude.degrees;
  std::vector<Light> lights;
  if (params.multidirectional)
    for (const double turn : {-90.0, -45.0, 0.0, 45.0}) lights.emplace_back(azimuth + turn, altitude);
  else
    lights.emplace_back(azimuth, altitude);
  Grid<float>& values = slopes.east;
  parallel_chunks(values.size(), 65536, context.stage("shade", 0.4, 1), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double p = params.exaggeration * static_cast<double>(values.data()[i]);
      const double q = params.exaggeration * static_cast<double>(slopes.north.data()[i]);
      values.data()[i] = static_cast<float>(std::clamp(light_on(lights, p, q), 0.0, 1.0));
    }
  });
  return in.with(make_layer("hillshade", "", LayerKind::continuous, std::move(values)));
}

}  // namespace tepui
