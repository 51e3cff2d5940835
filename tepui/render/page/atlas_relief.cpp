#include "tepui/render/page/atlas_relief.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/render/page/class_borders.h"
#include "tepui/terrain/derivatives.h"
#include "tepui/terrain/min_max.h"

namespace tepui {

namespace {

/// Red, green and blue as they are printed, 0 to 1.
using Ink = std::array<double, 3>;

constexpr Ink ink_of(uint32_t rgb) {
  return {(rgb >> 16 & 255u) / 255.0, (rgb >> 8 & 255u) / 255.0, (rgb & 255u) / 255.0};
}

Ink mixed(const Ink& a, const Ink& b, double share) {
  return {a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])};
}

/// Of one lightness, and none as blue as water.
constexpr std::array<uint32_t, atlas_tints> tints = {0xe9dcbc, 0xd3ddbb, 0xe9cfb9, 0xddd3df,
                                                     0xf0e5b6, 0xc7dbc6, 0xe7cbc8, 0xdcd7c6};
/// By height, from the lowest land to the highest.
constexpr std::array<uint32_t, 5> levels = {0xcfdcbf, 0xe3e3c3, 0xeee0c0, 0xe8d2b8, 0xf3ece0};
constexpr Ink shadow = ink_of(0x5a6684), light = ink_of(0xfffaf0);
constexpr Ink coast_water = ink_of(0xd4e6ec), deep_water = ink_of(0x9fc3d6);

/// The steepness that slopes have in the mean once they are drawn: gentle land is raised, mountains are lowered.
constexpr double usual_steepness = 0.45;

Ink level_tint(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (levels.size() - 1);
  const auto at = std::min(static_cast<size_t>(place), levels.size() - 2);
  return mixed(ink_of(levels[at]), ink_of(levels[at + 1]), place - static_cast<double>(at));
}

/// Samples around a place and the shares between them.
struct Spot {
  int64_t x[2], y[2];
  double s, t;

  Spot(double u, double v, int64_t width, int64_t height) {
    u = std::clamp(u, 0.0, static_cast<double>(width - 1));
    v = std::clamp(v, 0.0, static_cast<double>(height - 1));
    x[0] = static_cast<int64_t>(u), y[0] = static_cast<int64_t>(v);
    x[1] = std::min(x[0] + 1, width - 1), y[1] = std::min(y[0] + 1, height - 1);
    s = u - static_cast<double>(x[0]), t = v - static_cast<double>(y[0]);
  }
  double between(const Grid<float>& grid) const {
    const auto row = [&](int64_t j) {
      return (1 - s) * static_cast<double>(grid(x[0], j)) + s * static_cast<double>(grid(x[1], j));
    };
    return (1 - t) * row(y[0]) + t * row(y[1]);
  }
  double weight(int i, int j) const { return (i == 0 ? 1 - s : s) * (j == 0 ? 1 - t : t); }
};

/// How much brighter than level ground a slope is, from -1; most light comes from the north-west, some from beside it.
double shade_of(double east, double north) {
  constexpr double height = 0.70710678;  // of the light: 45 degrees
  struct Lamp {
    double x, y, share;
  };
  constexpr Lamp lamps[] = {{-0.5, 0.5, 0.7}, {-0.70710678, 0, 0.15}, {0, 0.70710678, 0.15}};
  const double size = std::sqrt(1 + east * east + north * north);
  double sum = 0;
  for (const Lamp& lamp : lamps) sum += lamp.share * std::max(0.0, height - east * lamp.x - north * lamp.y);
  return sum / (size * height) - 1;
}

class ShadedRelief {
 public:
  ShadedRelief(const Terrain& land, const Grid<float>* classes, std::optional<double> sea, const Context& context)
      : height_(land.height()), slopes_(gradient(land, context)), sea_(sea) {
    const MinMax range = min_max(height_, context);
    low_ = sea ? std::max(static_cast<double>(range.low), *sea) : static_cast<double>(range.low);
    deepest_ = static_cast<double>(range.low);
    span_ = std::max(static_cast<double>(range.high) - low_, 1e-9);
    double square = 0;
    for (int64_t i = 0; i < height_.size(); ++i) {
      const double e = static_cast<double>(slopes_.east.data()[i]), n = static_cast<double>(slopes_.north.data()[i]);
      square += e * e + n * n;
    }
    const double steepness = std::sqrt(square / static_cast<double>(height_.size()));
    raise_ = steepness > 0 ? std::clamp(usual_steepness / steepness, 0.4, 12.0) : 1;
    if (classes == nullptr) return;
    classes_ = numbered_classes(*classes);
    colours_ = colours_of_neighbours(classes_, atlas_tints);
  }

  Ink at(double u, double v) const {
    const Spot spot(u, v, height_.width(), height_.height());
    const double z = spot.between(height_);
    if (sea_ && z < *sea_) {
      const double deep = (*sea_ - z) / std::max(*sea_ - deepest_, 1e-9);
      return mixed(coast_water, deep_water, std::sqrt(deep));
    }
    const double share = (z - low_) / span_;
    const Ink base = tint(spot, share);
    // High ground stands out, low ground lies in haze.
    const double shade =
        shade_of(raise_ * spot.between(slopes_.east), raise_ * spot.between(slopes_.north)) * (0.75 + 0.3 * share);
    if (shade > 0) return mixed(base, light, std::min(1.0, 1.5 * shade));
    const double dark = std::min(0.85, -0.95 * shade);
    Ink out{};
    for (size_t c = 0; c < 3; ++c) out[c] = base[c] * (1 - dark * (1 - shadow[c]));
    return out;
  }

 private:
  Ink tint(const Spot& spot, double share) const {
    if (colours_.empty()) return level_tint(share);
    Ink sum{};
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) {
        const auto own = static_cast<size_t>(classes_(spot.x[i], spot.y[j]));
        const Ink ink = ink_of(atlas_tint(colours_[own]));
        for (size_t c = 0; c < 3; ++c) sum[c] += spot.weight(i, j) * ink[c];
      }
    return mixed(sum, light, 0.25 * share);
  }

  const Grid<float>& height_;
  Gradient slopes_;
  std::optional<double> sea_;
  double low_ = 0, deepest_ = 0, span_ = 1, raise_ = 1;
  Grid<float> classes_;
  std::vector<int> colours_;
};

}  // namespace

uint32_t atlas_tint(int number) { return tints[static_cast<size_t>(number % atlas_tints)]; }

Image paint_atlas_relief(const Terrain& land, const MapShape& shape, const Grid<float>* classes,
                         std::optional<double> sea_level, const Context& context) {
  const Terrain drawn = reduced_land(land, shape, context);
  const ShadedRelief relief(drawn, classes, sea_level, context);
  Image image(static_cast<int>(shape.size.x), static_cast<int>(shape.size.y), 3);
  parallel_chunks(image.height, 8, context, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int x = 0; x < image.width; ++x) {
        const double u = (x + 0.5) / shape.size.x * static_cast<double>(shape.width) - 0.5;
        const double v =
            (shape.size.y - static_cast<double>(row) - 0.5) / shape.size.y * static_cast<double>(shape.height) - 0.5;
        const Ink ink = relief.at(u, v);
        uint8_t* pixel = image.at(x, static_cast<int>(row));
        for (size_t c = 0; c < 3; ++c) pixel[c] = static_cast<uint8_t>(std::clamp(ink[c], 0.0, 1.0) * 255 + 0.5);
      }
  });
  return image;
}

}  // namespace tepui
