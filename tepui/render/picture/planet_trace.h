#pragma once  // internal

#include "tepui/core/season.h"
#include "tepui/render/light/air.h"
#include "tepui/render/light/film.h"
#include "tepui/render/picture/lens.h"
#include "tepui/render/picture/planet_scene.h"

namespace tepui {

/// Follows rays from an eye anywhere around a planet: through its air to its land, sea or ice, which the sun and the
/// sky light, or past it into the dark. The same bits for any number of threads.
class PlanetTracer {
 public:
  /// All must outlive it. Lengths of the lens are metres from the planet's centre. `gains` are those of the camera.
  PlanetTracer(const PlanetScene& scene, const Lens& lens, const Air& air, Vec3 to_sun, Season season, Rgb gains);

  /// Adds the next `count` samples to every pixel.
  void trace(Film& film, int count, const Context& context) const;

 private:
  /// What the air does changes little within a pixel: rays that end about where the one before ended share its way.
  struct Shared {
    std::optional<Air::Way> way{};
    double far = 0;
    std::optional<Air::Spectrum> mirrored{};
  };

  FilmSample look(double x, double y, int rows, double shift, Shared& shared) const;
  Rgb ground(const PlanetPoint& point, Vec3 direction, Shared& shared) const;
  Rgb mirrored(const PlanetPoint& point, Vec3 direction, float roughness, const Air::Spectrum& sun,
               Shared& shared) const;
  Rgb disc(Vec3 direction) const;

  const PlanetScene& scene_;
  const Lens& lens_;
  const Air& air_;
  Vec3 to_sun_;
  Season season_;
  Rgb gains_;
  double radius_;
};

}  // namespace tepui
