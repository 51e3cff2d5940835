#include "tepui/render/picture/cave_light.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/math.h"

namespace tepui {

namespace {

/// Of those pixels that show no sky, from dark to light.
std::vector<float> rock_light(const Film& film) {
  std::vector<float> list;
  const auto samples = static_cast<float>(film.samples);
  for (int y = 0; y < film.height; ++y)
    for (int x = 0; x < film.width; ++x) {
      const Film::Pixel& pixel =
          film.pixels[static_cast<size_t>(y) * static_cast<size_t>(film.width) + static_cast<size_t>(x)];
      if (pixel.depth < 100 * samples) list.push_back(luminance(film.radiance(x, y)));
    }
  std::ranges::sort(list);
  return list;
}

}  // namespace

Lamp lamp_beside(const Lens& lens, const RayScene& rays, double room, double daylight, double brightness) {
  const double aside = 0.3 * room;
  Lamp lamp;
  double farthest = 0;
  lamp.at = lens.eye;
  for (const double side : {1.0, -1.0}) {
    const Vec3 way = lens.right * (0.8 * side) + lens.up * 0.5 + lens.forward * 0.12;
    const auto wall = rays.hit(lens.eye, way, aside);
    const double free = wall ? 0.6 * wall->distance : aside;
    if (free > 1.3 * farthest) farthest = free, lamp.at = lens.eye + way * free;
  }
  const double plate = std::max(0.05, 0.5 * daylight) * brightness;
  const Rgb warm{1.15f, 0.99f, 0.80f};
  lamp.strength = warm * static_cast<float>(plate * math::pi * room * room);
  lamp.radius = 0.02 * room;
  lamp.nearest = 0.35 * room;
  return lamp;
}

double usual_light(const Film& film) {
  const std::vector<float> list = rock_light(film);
  return list.empty() ? 1 : static_cast<double>(list[list.size() / 2]);
}

float own_exposure(const Film& film) {
  const std::vector<float> list = rock_light(film);
  if (list.empty()) return 1;
  const auto share = [&](double part) {
    return list[static_cast<size_t>(part * static_cast<double>(list.size() - 1))];
  };
  // Rock reflects about a fifth: what is lit is shown as that, and the glare around a mouth may be lost.
  const float lit = std::sqrt(std::max(share(0.45), 1e-6f) * std::max(share(0.78), 1e-6f));
  // A patch of sunlight keeps its detail, for up to a stop.
  const float wanted = 0.19f / lit, bright = 1.5f / std::max(share(0.96), 1e-6f);
  return std::clamp(std::clamp(bright, 0.5f * wanted, wanted), 0.25f, 400.0f);
}

}  // namespace tepui
