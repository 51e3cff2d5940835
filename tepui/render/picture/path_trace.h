#pragma once  // internal

#include "tepui/render/light/film.h"
#include "tepui/render/light/sky.h"
#include "tepui/render/picture/lens.h"
#include "tepui/render/picture/planting.h"
#include "tepui/render/picture/subject.h"

namespace tepui {

/// What is around the subject.
enum class Surroundings {
  none,     ///< a backdrop beyond it
  floor,    ///< a pale floor that fades into the backdrop
  country,  ///< level ground like its own, and the sky
};

/// A small lamp, whose light falls off with the square of the distance.
struct Lamp {
  Vec3 at;
  Rgb strength;        ///< what falls on a surface that faces it a unit away
  double radius = 0;   ///< of its globe, for soft shadows
  double nearest = 0;  ///< what is nearer gets no more light than there
};

struct TraceSettings {
  Surroundings surroundings = Surroundings::floor;
  bool plain = false;     ///< the map maker's light: the sun alone, no shadows
  double haze = 0;        ///< share of the light that the air takes over the length of the subject
  double saturation = 1;  ///< of sun and sky; less where colours mean something
  std::optional<Lamp> lamp{};
};

/// Follows light backwards from the eye (Kajiya 1986): the sun is looked for from every point, the sky is found by the
/// rays that leave in proportion to the cosine, and paths end by chance once they carry little. The same bits for any
/// number of threads, and for any split of the samples into calls.
class PathTracer {
 public:
  /// All must outlive it.
  PathTracer(const Subject& subject, const RayScene& rays, const Lens& lens, const Sky& sky,
             const TraceSettings& settings, const Planting* planting = nullptr);

  /// Adds the next `count` samples to every pixel.
  void trace(Film& film, int count, const Context& context) const;

  /// The light that one path brings to a point of the picture, x and y in [-1, 1].
  FilmSample look(double x, double y, int rows, uint64_t pixel, uint64_t sample) const;

 private:
  struct Meeting;
  class Path;

  bool blocked(Vec3 from, Vec3 direction, double far = RayScene::no_end) const {
    return (planting_ != nullptr && planting_->blocked(from, direction, far)) || rays_.blocked(from, direction, far);
  }

  const Subject& subject_;
  const RayScene& rays_;
  const Lens& lens_;
  const Sky& sky_;
  const Planting* planting_;  ///< what stands on the subject, if anything
  TraceSettings settings_;
  Vec3 sun_right_, sun_up_;
  Rgb sun_;
};

}  // namespace tepui
