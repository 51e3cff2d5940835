#include "tepui/render/picture/picture_frame.h"

#include <fmt/format.h>

#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/core/parallel.h"
#include "tepui/core/pool.h"
#include "tepui/core/random.h"

namespace tepui {

namespace {

constexpr double largest_area = 1.0e8;
/// While its light is smoothed, and of the finished picture.
constexpr double bytes_per_pixel = sizeof(Film::Pixel) + 60;
/// A draft has at most as many pixels, and so many samples of each.
constexpr double draft_area = 640.0 * 360;
constexpr int draft_samples = 8;

int whole_pixels(double value, const char* which) {
  if (!(value >= 0) || value > largest_picture_side || value != std::floor(value))
    refuse(fmt::format("the picture's {} of {} is not a whole number of pixels from 0 to {}", which, value,
                       largest_picture_side),
           "for example size = [1280, 720]; auto lets the land decide");
  return static_cast<int>(value);
}

}  // namespace

PixelSize resolve_size(const PictureParams& params, double width, double height) {
  const Vec2 asked = params.wanted_size();
  double w = whole_pixels(asked.x, "width"), h = whole_pixels(asked.y, "height");
  if (w == 0 && h == 0)
    w = width, h = height;
  else if (w == 0)
    w = h * width / height;
  else if (h == 0)
    h = w * height / width;
  if (params.draft) {
    const double shrink = std::min(1.0, std::sqrt(draft_area / (w * h)));
    w *= shrink, h *= shrink;
  }
  const auto pixels = [](double v) {
    return static_cast<int>(std::clamp<double>(std::round(v), 1, largest_picture_side));
  };
  const PixelSize size{pixels(w), pixels(h)};
  if (static_cast<double>(size.width) * size.height > largest_area)
    refuse(fmt::format("a picture of {} x {} has more than {:.0f} million pixels", size.width, size.height,
                       largest_area / 1e6),
           "ask for a smaller size");
  const double bytes = bytes_per_pixel * size.width * size.height, memory = static_cast<double>(physical_memory());
  if (bytes > memory)
    refuse(fmt::format("a picture of {} x {} needs {} of memory; this machine has {}", size.width, size.height,
                       bytes_text(bytes), bytes_text(memory)),
           "ask for a smaller size");
  return size;
}

int samples_of(const PictureParams& params) {
  return params.draft ? std::min(params.samples, draft_samples) : params.samples;
}

Image develop(const Film& film, float gain, const std::function<Rgb(float)>& behind, const Context& context) {
  Image image(film.width, film.height, 3);
  const Stream dither(0x6469'7468u);
  parallel_chunks(film.height, 16, context, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int x = 0; x < film.width; ++x) {
        const int y = static_cast<int>(row);
        const float solid = film.solid(x, y);
        const Rgb back = behind(1 - (static_cast<float>(y) + 0.5f) / static_cast<float>(film.height));
        Rgb colour = back;
        if (solid > 0) colour = mix(back, tone_map(film.radiance(x, y) * (gain / solid)), std::min(solid, 1.0f));
        const auto index = static_cast<uint64_t>(row) * static_cast<uint64_t>(film.width) + static_cast<uint64_t>(x);
        store_srgb(colour, static_cast<float>(dither.uniform(index)), image.at(x, y));
      }
  });
  return image;
}

void refuse_planet_settings(const PictureParams& params, const char* what) {
  const auto refuse_given = [&](bool given, const char* name) {
    if (given) refuse(fmt::format("'{}' only applies to a planet, and this is {}", name, what), "leave it out");
  };
  refuse_given(params.latitude.has_value(), "latitude");
  refuse_given(params.longitude.has_value(), "longitude");
  refuse_given(params.altitude.has_value(), "altitude");
  refuse_given(params.heading.has_value(), "heading");
  refuse_given(params.pitch.has_value(), "pitch");
}

}  // namespace tepui
