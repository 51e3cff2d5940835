#include "reference/plants.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reference/noise.h"
#include "reference/soil.h"
#include "tepui/core/math.h"
#include "tepui/cover/plant_niches.h"
#include "tepui/terrain/derivatives.h"

namespace tepui::reference {

namespace {

double logistic(double x) { return 1 / (1 + math::exp(-x)); }

double limit(const PlantLimit& l, double x) {
  return -static_cast<double>(l.weight) * logistic(static_cast<double>(l.per) * (x - static_cast<double>(l.at)));
}

class PlantPlaces {
 public:
  PlantPlaces(const Terrain& in, const PlantsParams& params)
      : in_(in), params_(params), slope_(slope_over(in, 20, {})), smooth_(smoothed(in.height(), in.frame(), 250)) {
    const Frame& frame = in.frame();
    if (const Layer* drainage = in.find("drainage")) {
      Grid<float> areas = drainage->grid().clone();
      for (float& a : areas.cells()) a /= static_cast<float>(std::sqrt(frame.cell.x * frame.cell.y));
      areas_ = smoothed(areas, frame, 40);
    }
    if (const Layer* water = in.find("water")) {
      Grid<float> wet = water->grid().clone();
      for (float& w : wet.cells()) w = w > 0.05f ? 1.0f : 0.0f;
      beside_ = smoothed(wet, frame, 40);
    }
    const Stream stream = params.seed.stream("plants");
    for (uint64_t i = 0; i < 4; ++i) {
      specs_[i] = {
          .scale = params.stands.in(frame), .octaves = 2, .lacunarity = 6, .gain = 0.55, .key = stream.bits(i)};
      octaves_[i] = noise_octaves(specs_[i]);
    }
  }

  std::array<float, 4> shares(int64_t x, int64_t y) const {
    if (value("water", x, y) >= 0.05) return {};
    const auto noise_at = [&](size_t i) { return noise(specs_[i], octaves_[i], in_.frame().x(x), in_.frame().y(y)); };
    const Place place = look(x, y, noise_at(0));
    const double loose = value("talus", x, y) + value("gravel", x, y) + value("mud", x, y) + value("sand", x, y);
    double e[4];
    const double bare =
        math::exp(2 * (2.2 * math::smoothstep(0.1, 0.8, loose) + 3 * math::smoothstep(0.9, 1.4, place.slope)));
    const double favour[4] = {params_.grass, params_.shrub, params_.conifer, params_.broadleaf};
    for (size_t k = 0; k < 4; ++k) {
      const double chance = noise_at(std::max<size_t>(k, 1)) * params_.variety;
      e[k] = math::exp(
          2 * (score(plant_niches[k], place) + favour[k] + static_cast<double>(plant_niches[k].chance) * chance));
    }
    // With trees where they root, without them elsewhere.
    const double rooted = 0.03 + 0.97 * math::smoothstep(0, 0.2, place.soil);
    const double low = bare + e[0] + e[1], all = low + e[2] + e[3];
    std::array<float, 4> result{};
    for (size_t k = 0; k < 4; ++k)
      result[k] = static_cast<float>(rooted * e[k] / all + (k < 2 ? (1 - rooted) * e[k] / low : 0));
    return result;
  }

 private:
  struct Place {
    double soil, slope, summer, winter, warmth, moisture, wet, avalanche, line, chaparral, savanna;
  };

  double value(const char* name, int64_t x, int64_t y) const {
    const Layer* layer = in_.find(name);
    return layer != nullptr ? static_cast<double>(layer->grid()(x, y)) : 0;
  }

  /// Area a metre of contour, where no layer tells: more in hollows.
  double area(int64_t x, int64_t y, double position) const {
    if (!areas_.empty()) return areas_(x, y);
    const double low = std::clamp(-position / 15, -2.0, 3.0);
    return 100 * (low >= 0 ? 1 + low * (1 + low * 1.5) : 1 / (1 - low * (1 - low * 0.75)));
  }

  Place look(int64_t x, int64_t y, double chance) const {
    const double position = static_cast<double>(in_.height()(x, y)) - smooth_(x, y);
    const double beside = beside_.empty() ? 0 : beside_(x, y), summer = value("temperature_summer", x, y);
    Place p{};
    p.soil = value("soil", x, y), p.slope = static_cast<double>(slope_(x, y));
    p.summer = summer, p.winter = value("temperature_winter", x, y);
    p.avalanche = std::clamp(value("avalanches", x, y), 0.0, 4.0);
    p.warmth = summer + 0.012 * std::clamp(value("sun_summer", x, y) - 330, -200.0, 100.0) -
               0.02 * std::clamp(position, 0.0, 60.0) + 1.4 * params_.variety * chance;
    const double index =
        std::clamp(math::log(std::max(area(x, y, position), 1.0) / std::max(p.slope, 0.02)), 2.0, 14.0);
    const double season = (value("temperature", x, y) + summer) / 2;
    const double could = 1.26 * static_cast<double>(net_radiation) * static_cast<double>(evaporated) *
                         std::max(value("sun", x, y), 1.0) * logistic(0.0565 * season - 0.405);
    const double climate = std::clamp(math::log(std::max(value("rain", x, y), 1.0) / std::max(could, 1.0)), -4.0, 4.0);
    p.moisture =
        climate + 0.22 * (index - 6.5) + 0.35 * math::log(2 * (std::clamp(p.soil, 0.0, 1.0) + 0.05)) + 2 * beside;
    p.wet = (1 - math::smoothstep(0.04, 0.12, p.slope)) * logistic(1.5 * (index - 10.8 + 1.2 * climate + 3 * beside));
    const double off = 0.8 * (p.warmth - params_.tree_line), dry = -p.moisture;
    p.line = math::exp(-off * off);
    p.chaparral = logistic(p.winter - 3) * logistic(0.8 * (15 - p.winter)) * logistic(4 * (dry - 0.15)) *
                  logistic(4 * (1.3 - dry));
    p.savanna = logistic(0.7 * (p.winter - 14)) * logistic(4 * (dry + 0.05));
    return p;
  }

  double score(const PlantNiche& n, const Place& p) const {
    const auto weight = [](float w) { return static_cast<double>(w); };
    return weight(n.base) + weight(n.moist) * std::clamp(p.moisture, -1.0, 1.0) +
           limit(n.cold, params_.tree_line - p.warmth) + limit(n.dry, -p.moisture) + limit(n.thin, -p.soil) +
           limit(n.hot, p.summer) + limit(n.mild, p.winter) + limit(n.frost, -p.winter) + limit(n.steep, p.slope) +
           weight(n.avalanche) * p.avalanche + weight(n.wet) * p.wet + weight(n.line) * p.line +
           weight(n.chaparral) * p.chaparral + weight(n.savanna) * p.savanna;
  }

  const Terrain& in_;
  const PlantsParams& params_;
  Grid<float> slope_;
  Grid<double> smooth_, areas_, beside_;
  NoiseSpec specs_[4];
  std::vector<NoiseOctave> octaves_[4];
};

}  // namespace

Terrain plants(const Terrain& in, const PlantsParams& params) {
  const PlantPlaces places(in, params);
  const int64_t w = in.frame().width, h = in.frame().height;
  std::array<Grid<float>, 4> shares;
  for (Grid<float>& share : shares) share = Grid<float>(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      const std::array<float, 4> at = places.shares(x, y);
      for (size_t k = 0; k < 4; ++k) shares[k](x, y) = at[k];
    }
  Terrain out = in;
  for (size_t k = 0; k < 4; ++k)
    out = out.with(make_layer(plant_niches[k].name, "", LayerKind::mask, std::move(shares[k])));
  return out;
}

}  // namespace tepui::reference
