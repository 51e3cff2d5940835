#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "tepui/render/picture/land_subject.h"
#include "tepui/render/picture/path_trace.h"
#include "tests/support/support.h"

namespace tepui::test {

inline Terrain land_of(int64_t w, int64_t h, const std::function<double(int64_t, int64_t)>& z, Vec2 cell = {10, 10}) {
  Frame frame = sample_land(w, h, 1).frame();
  frame.cell = cell;
  frame.size = {cell.x * static_cast<double>(std::max<int64_t>(w - 1, 1)),
                cell.y * static_cast<double>(std::max<int64_t>(h - 1, 1))};
  Grid<float> heights(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) heights(x, y) = static_cast<float>(z(x, y));
  const auto [low, high] = std::ranges::minmax_element(heights.cells());
  const Relief relief{static_cast<double>(*low), static_cast<double>(*high)};
  return Terrain(frame, relief, std::move(heights));
}

inline Terrain flat_land(int64_t w, int64_t h, double height = 120) {
  return land_of(w, h, [&](int64_t, int64_t) { return height; });
}

/// One reflectance everywhere, or one for each place, with normals of its own if asked for.
class TestPaint : public LandPaint {
 public:
  using Colour = std::function<Rgb(double u, double v)>;
  using Normal = std::function<Vec3(double u, double v, Vec3 normal)>;

  explicit TestPaint(Colour colour, Normal normal = {}) : colour_(std::move(colour)), normal_(std::move(normal)) {}
  explicit TestPaint(float albedo) : TestPaint([=](double, double) { return Rgb{albedo, albedo, albedo}; }) {}

  GroundLook look(double u, double v, Vec3 normal, double) const override {
    GroundLook look;
    look.albedo = colour_(u, v);
    look.normal = normal_ ? normal_(u, v, normal) : normal;
    return look;
  }
  Rgb rough(double u, double v) const override { return colour_(u, v); }
  Rgb cut(double u, double v, Vec3, double) const override { return colour_(u, v); }

 private:
  Colour colour_;
  Normal normal_;
};

/// A subject that rays can meet.
template <class S>
struct Stage {
  template <class... Arguments>
  explicit Stage(Arguments&&... arguments) : subject(std::forward<Arguments>(arguments)...) {
    subject.add_to(rays);
    rays.commit(Context());
  }

  Lens lens(Camera camera, double aspect = 1) const {
    PictureParams params;
    params.camera = camera;
    return make_lens(subject, params, aspect, {});
  }
  /// From above, within the land.
  Lens inside() const {
    PictureParams params;
    params.camera = Camera::top;
    return make_lens(subject, params, 1, {-0.1, -0.1});
  }
  Film film(const Lens& lens, const Sky& sky, const TraceSettings& settings, int width, int height, int samples) const {
    Film film(width, height);
    PathTracer(subject, rays, lens, sky, settings).trace(film, samples, Context());
    return film;
  }

  S subject;
  RayScene rays;
};

struct LandStage : Stage<LandSubject> {
  LandStage(const Terrain& land, const LandPaint& paint, Base base = Base::block, std::optional<double> sea = {})
      : Stage(land, paint, base, PictureParams(), sea, Context()) {}
};

inline TraceSettings around_it(Surroundings surroundings) {
  TraceSettings settings;
  settings.surroundings = surroundings;
  return settings;
}

inline double brightness(const Image& image, int x, int y) {
  const uint8_t* p = image.at(x, y);
  return (p[0] + p[1] + p[2]) / (3.0 * 255);
}

inline double mean_brightness(const Image& image, int x0, int x1, int y0, int y1) {
  double sum = 0;
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) sum += brightness(image, x, y);
  return sum / ((x1 - x0) * (y1 - y0));
}

inline double mean_brightness(const Image& image) { return mean_brightness(image, 0, image.width, 0, image.height); }

/// Parameters of a small picture with few samples and nothing written on it.
inline PictureParams small_picture(Camera camera, PictureColour colour, Vec2 size = {}, int samples = 4) {
  PictureParams params;
  params.camera = camera;
  params.colour = colour;
  params.size = size;
  params.samples = samples;
  params.legend = false;
  return params;
}

}  // namespace tepui::test
