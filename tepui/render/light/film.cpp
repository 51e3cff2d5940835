#include "tepui/render/light/film.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tepui/core/grid.h"
#include "tepui/core/parallel.h"

namespace tepui {

Film::Film(int w, int h) : width(w), height(h), pixels(static_cast<size_t>(w) * static_cast<size_t>(h)) {}

void Film::add(int x, int y, const FilmSample& sample) {
  Pixel& pixel = pixels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  pixel.direct = pixel.direct + sample.direct;
  pixel.bounced = pixel.bounced + sample.bounced;
  pixel.arriving = pixel.arriving + sample.arriving;
  pixel.reflectance = pixel.reflectance + sample.reflectance;
  pixel.normal = pixel.normal + Rgb{static_cast<float>(sample.normal.x), static_cast<float>(sample.normal.y),
                                    static_cast<float>(sample.normal.z)};
  pixel.depth += sample.depth;
  pixel.solid += sample.solid;
  const float light = luminance(sample.arriving);
  pixel.square += light * light;
}

Rgb Film::radiance(int x, int y) const {
  const Pixel& pixel = pixels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  return samples > 0 ? (pixel.direct + pixel.bounced) * (1 / static_cast<float>(samples)) : Rgb{};
}

float Film::solid(int x, int y) const {
  const Pixel& pixel = pixels[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  return samples > 0 ? pixel.solid / static_cast<float>(samples) : 0;
}

namespace {

constexpr int64_t rows_at_once = 4;

/// What the filter goes by at a pixel, as means.
struct Guide {
  Rgb normal;
  float depth = 0;
};

/// What it smooths.
struct Light {
  Rgb arriving;
  float noise = 0;  ///< standard error of the luminance
};

float dot3(Rgb a, Rgb b) { return a.r * b.r + a.g * b.g + a.b * b.b; }

/// One pass with taps `step` pixels apart.
void pass(const Grid<Guide>& guides, const Grid<Light>& in, Grid<Light>& out, int step, const Context& context) {
  static constexpr std::array<float, 3> kernel{0.375f, 0.25f, 0.0625f};
  const int64_t width = in.width(), height = in.height();
  parallel_chunks(height, rows_at_once, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < width; ++x) {
        const Guide& guide = guides(x, y);
        const Light& centre = in(x, y);
        const float light = luminance(centre.arriving), tolerance = 2.5f * centre.noise + 1e-4f;
        Rgb sum;
        float weights = 0, noise = 0;
        for (int j = -2; j <= 2; ++j)
          for (int i = -2; i <= 2; ++i) {
            const int64_t px = x + i * step, py = y + j * step;
            if (px < 0 || py < 0 || px >= width || py >= height) continue;
            const Guide& other = guides(px, py);
            const Light& there = in(px, py);
            const float apart = std::abs(other.depth - guide.depth) / (0.02f * guide.depth * static_cast<float>(step));
            const float alike = std::max(0.0f, dot3(other.normal, guide.normal));
            const float a2 = alike * alike, a4 = a2 * a2, a8 = a4 * a4;
            const float off = std::abs(luminance(there.arriving) - light) / tolerance;
            // 1 / (1 + v^2)^2 stands for a bell, without exp.
            const auto bell = [](float v) { return 1 / ((1 + v * v) * (1 + v * v)); };
            const float weight = kernel[static_cast<size_t>(std::abs(i))] * kernel[static_cast<size_t>(std::abs(j))] *
                                 a8 * a8 * bell(apart) * bell(off);
            sum = sum + there.arriving * weight;
            noise += weight * weight * there.noise * there.noise;
            weights += weight;
          }
        out(x, y) = weights > 1e-8f ? Light{sum * (1 / weights), std::sqrt(noise) / weights} : centre;
      }
  });
}

/// A pixel that no light has reached does not know how noisy it is; its neighbours do. And one that a rare path has
/// made brighter than all but a few of them is no brighter than those.
void spread_noise(Grid<Light>& light, Grid<Light>& next, const Context& context) {
  constexpr int64_t reach = 3;
  const int64_t width = light.width(), height = light.height();
  parallel_chunks(height, rows_at_once, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < width; ++x) {
        float sum = 0;
        int count = 0;
        std::array<float, 4> brightest{};  // of the neighbours, the lowest of them first
        for (int64_t j = std::max<int64_t>(0, y - reach); j <= std::min(height - 1, y + reach); ++j)
          for (int64_t i = std::max<int64_t>(0, x - reach); i <= std::min(width - 1, x + reach); ++i, ++count) {
            sum += light(i, j).noise;
            const float there = luminance(light(i, j).arriving);
            if ((i == x && j == y) || !(there > brightest[0])) continue;
            brightest[0] = there;
            for (size_t k = 1; k < brightest.size() && brightest[k] < brightest[k - 1]; ++k)
              std::swap(brightest[k], brightest[k - 1]);
          }
        const float here = luminance(light(x, y).arriving), most = brightest[0];
        const Rgb arriving = light(x, y).arriving * (here > most && most > 0 ? most / here : 1.0f);
        next(x, y) = {arriving, std::max(light(x, y).noise, sum / static_cast<float>(count))};
      }
  });
  std::swap(light, next);
}

}  // namespace

Film without_grain(Film film, const Context& context, FilmLight falling) {
  if (film.samples < 2) return film;
  const float per = 1 / static_cast<float>(film.samples);
  const int64_t width = film.width, height = film.height;
  Grid<Guide> guides(width, height);
  Grid<Light> light(width, height), next(width, height);
  const auto each = [&](const auto& work) {
    parallel_chunks(height, rows_at_once, context, [&](int64_t begin, int64_t end) {
      for (int64_t y = begin; y < end; ++y)
        for (int64_t x = 0; x < width; ++x) work(film.pixels[static_cast<size_t>(y * width + x)], x, y);
    });
  };
  each([&](const Film::Pixel& p, int64_t x, int64_t y) {
    const float mean = luminance(p.arriving) * per;
    guides(x, y) = {p.normal * per, std::max(p.depth * per, 1e-6f)};
    light(x, y) = {p.arriving * per, std::sqrt(std::max(0.0f, p.square * per - mean * mean) * per)};
  });
  const bool dim = falling == FilmLight::dim;
  if (dim) spread_noise(light, next, context);
  for (int i = 0; i < (dim ? 5 : 3); ++i) {
    pass(guides, light, next, 1 << i, context);
    std::swap(light, next);
  }
  each([&](Film::Pixel& p, int64_t x, int64_t y) {
    const Rgb before = p.arriving * per, after = light(x, y).arriving;
    if (dim) {
      p.bounced = p.reflectance * after;
      p.arriving = after * static_cast<float>(film.samples);
      return;
    }
    const auto kept = [](float now, float then) { return then > 1e-9f ? std::min(now / then, 8.0f) : 1.0f; };
    p.bounced = p.bounced * Rgb{kept(after.r, before.r), kept(after.g, before.g), kept(after.b, before.b)};
    p.arriving = after * static_cast<float>(film.samples);
  });
  return film;
}

}  // namespace tepui
