#include "tepui/render/studio.h"

#include <algorithm>
#include <cmath>

namespace tepui {

double Studio::side() const { return std::max(high_.x - low_.x, high_.y - low_.y); }

Rgb Studio::backdrop(double y) const {
  static const Rgb pale = from_hex(0xf3e6d6), middle = from_hex(0xb9d0e0), zenith = from_hex(0x5d8fbe);
  const float t = static_cast<float>(0.5 + 0.5 * y);
  return mix(mix(pale, middle, smooth_step(0.42f, 0.88f, t)), zenith, 0.9f * smooth_step(0.68f, 1.12f, t));
}

Rgb Studio::through_air(Rgb colour, double distance) const {
  const double thick = std::max(0.0, distance - lens_.near) / side();
  const float haze = 1 - static_cast<float>(std::exp(-0.10 * thick * std::sqrt(thick)));
  static const Rgb air{0.66f, 0.74f, 0.84f};
  return mix(colour, air, haze);
}

Rgb Studio::floor(Vec3 at, Rgb light, double y) const {
  static const Rgb plate = from_hex(0xe9ddcd);
  // As bright as the backdrop it fades into, whatever is exposed for.
  const float exposure = colour_ == PictureColour::natural ? 1.0f : 1.5f;
  const Rgb lit = tone_map(plate * light * exposure);
  const double dx = std::max({low_.x - at.x, at.x - high_.x, 0.0}), dy = std::max({low_.y - at.y, at.y - high_.y, 0.0});
  // Fades sooner behind the box, where the sky begins.
  const double behind =
      (at.x - 0.5 * (low_.x + high_.x)) * lens_.forward.x + (at.y - 0.5 * (low_.y + high_.y)) * lens_.forward.y;
  const double reach = 0.5 - 0.38 * static_cast<double>(smooth_step(-0.3f, 0.6f, static_cast<float>(behind / side())));
  const float away = static_cast<float>(std::sqrt(dx * dx + dy * dy) / side());
  return mix(lit, backdrop(y), smooth_step(0.0f, static_cast<float>(reach), away));
}

}  // namespace tepui
