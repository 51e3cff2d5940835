#include "reference/soil.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/terrain/derivatives.h"

namespace tepui::reference {

namespace {

constexpr double shield = 0.5;

/// The mean of value(-n..n) around the sample `at` of `count`, over as much as there is on both sides.
template <class Value>
double mean_along(int64_t at, int64_t count, double cells, const Value& value) {
  // At most 24 samples each way.
  const auto step = std::max<int64_t>(static_cast<int64_t>(std::ceil(cells / 25)), 1);
  double sum = value(at), weights = 1;
  for (int64_t k = step; static_cast<double>(k) < cells; k += step) {
    const double d = static_cast<double>(k) / cells, weight = (1 - d * d) * (1 - d * d);
    const int64_t off = std::min({k, at, count - 1 - at});
    sum += weight * (value(at - off) + value(at + off));
    weights += 2 * weight;
  }
  return sum / weights;
}

/// -div q at the middle of nine samples.
class Creep {
 public:
  Creep(const Grid<double>& z, const Frame& frame, const SoilParams& params)
      : z_(z),
        cell_(frame.cell),
        x_(step(params.smoothing.in(frame), cell_.x, z.width())),
        y_(step(params.smoothing.in(frame), cell_.y, z.height())),
        d_(params.creep / 1000),
        steepest_(math::tan(math::radians(params.steepest.degrees))) {}

  double gathered(int64_t x, int64_t y) const {
    x = std::clamp(x, x_, z_.width() - 1 - x_);
    y = std::clamp(y, y_, z_.height() - 1 - y_);
    const double dx = cell_.x * static_cast<double>(x_), dy = cell_.y * static_cast<double>(y_);
    const auto z = [&](int64_t i, int64_t j) { return z_(x + i * x_, y + j * y_); };
    const auto rise = [](double up, double run) { return run > 0 ? up / run : 0; };
    double sum = 0;
    for (const int64_t side : {-1, 1}) {
      const double north = (z(0, 1) - z(0, -1) + z(side, 1) - z(side, -1)) / 4;
      const double east = (z(1, 0) - z(-1, 0) + z(1, side) - z(-1, side)) / 4;
      sum += rise(moved(rise(z(side, 0) - z(0, 0), dx), rise(north, dy)), dx);
      sum += rise(moved(rise(z(0, side) - z(0, 0), dy), rise(east, dx)), dy);
    }
    return sum;
  }

 private:
  static int64_t step(double smoothing, double cell, int64_t count) {
    return std::min(std::max<int64_t>(static_cast<int64_t>(std::round(smoothing / 5 / cell)), 1), (count - 1) / 2);
  }
  double moved(double along, double across) const {
    const double share = (along * along + across * across) / (steepest_ * steepest_);
    return d_ * along / (1 - std::min(share, 0.6));
  }

  const Grid<double>& z_;
  Vec2 cell_;
  int64_t x_, y_;
  double d_, steepest_;
};

/// H from H(0) = 0 where rock becomes soil at p e^(-H/h*) and c creeps in.
double depth_of(double p, double c, double years) {
  const double x = c * years / shield;
  // As far as doubles go.
  if (x < -600) return 0;
  const double grown = math::exp(x), made = std::abs(x) < 1e-9 ? p * years / shield : p * (grown - 1) / c;
  const double u = grown + made, kept = 1 - math::exp(-2 * p * years / shield);
  // For as far as doubles go.
  return u > 1e100 ? shield * math::log(u) : std::max(shield / 2 * math::log(std::max(u * u + kept, 1e-30)), 0.0);
}

}  // namespace

Grid<double> smoothed(const Grid<float>& map, const Frame& frame, double radius) {
  Grid<double> along(map.width(), map.height()), result(map.width(), map.height());
  for (int64_t y = 0; y < map.height(); ++y)
    for (int64_t x = 0; x < map.width(); ++x)
      along(x, y) =
          mean_along(y, map.height(), radius / frame.cell.y, [&](int64_t v) { return static_cast<double>(map(x, v)); });
  for (int64_t y = 0; y < map.height(); ++y)
    for (int64_t x = 0; x < map.width(); ++x)
      result(x, y) = mean_along(x, map.width(), radius / frame.cell.x, [&](int64_t u) { return along(u, y); });
  return result;
}

Terrain soil(const Terrain& in, const Geology* rock, const SoilParams& params) {
  const Frame& frame = in.frame();
  const Context context;
  const Grid<double> smooth = smoothed(in.height(), frame, params.smoothing.in(frame));
  const Grid<float> slope = slope_grid(in, 0.3 * params.smoothing.in(frame), context);
  const Creep creep(smooth, frame, params);
  const double p0 = params.production / 1000, steepest = math::tan(math::radians(params.steepest.degrees));
  Grid<float> soil(frame.width, frame.height), talus(frame.width, frame.height);
  const auto value = [&](const char* name, int64_t x, int64_t y, double otherwise) {
    const Layer* layer = in.find(name);
    return layer != nullptr ? static_cast<double>(layer->grid()(x, y)) : otherwise;
  };
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x) {
      const double z = static_cast<double>(in.height()(x, y)), s = static_cast<double>(slope(x, y));
      const double rho = rock != nullptr ? static_cast<double>(rock->resistance({frame.x(x), frame.y(y), z}))
                                         : value("hardness", x, y, 0.5);
      const double c = std::min(creep.gathered(x, y), p0);
      const double rests = std::max(1 - math::pow(s / steepest, 4), 0.0);
      const double weathered = depth_of(p0 * 2 * std::max(1 - rho, 0.0), c, params.age) * rests;
      const double sediment = std::max(value("sediment", x, y, 0), 0.0), steep = math::smoothstep(0.25, 0.5, s);
      const double blocks = std::max(std::max(value("talus", x, y, 0), 0.0), sediment * steep);
      const double between = 1 - std::min(blocks / 0.6, 1.0);
      soil(x, y) = static_cast<float>(between * std::max(weathered, std::min(sediment * (1 - steep), 1.5)));
      talus(x, y) = static_cast<float>(blocks);
    }
  return in.with(make_layer("soil", "m", LayerKind::continuous, std::move(soil)))
      .with(make_layer("talus", "m", LayerKind::continuous, std::move(talus)));
}

}  // namespace tepui::reference
