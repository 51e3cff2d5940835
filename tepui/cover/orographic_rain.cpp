#include "tepui/cover/orographic_rain.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr double water_height = 2500, growth = 3.5;

/// What air carries over a sample.
struct Air {
  double ground = 0;           ///< below it
  double cloud = 0, rain = 0;  ///< rise, metres a metre, delayed once and twice
  double crest = 0;            ///< the highest ground that it remembers
  double dry = 0;              ///< shares of the water height below the crest, delayed
};

double between(double a, double b, double t) { return a + t * (b - a); }

Air between(const Air& a, const Air& b, double t) {
  return {between(a.ground, b.ground, t), between(a.cloud, b.cloud, t), between(a.rain, b.rain, t),
          between(a.crest, b.crest, t), between(a.dry, b.dry, t)};
}

/// Rows across the wind's main axis, swept downwind.
class Sweep {
 public:
  Sweep(const Grid<float>& surface, Vec2 cell, double from) : surface_(surface) {
    const double sx = -math::sin(from) / cell.x, sy = -math::cos(from) / cell.y;
    along_x_ = std::abs(sx) > std::abs(sy);
    const double major = along_x_ ? sx : sy, minor = along_x_ ? sy : sx;
    forward_ = major > 0;
    drift_ = minor / std::abs(major);
    step_ = 1 / std::abs(major);
    steps = along_x_ ? surface.width() : surface.height();
    across = along_x_ ? surface.height() : surface.width();
  }

  int64_t cell(int64_t step, int64_t line) const {
    const int64_t at = forward_ ? step : steps - 1 - step;
    return along_x_ ? line * surface_.width() + at : at * surface_.width() + line;
  }
  double ground(int64_t step, int64_t line) const { return static_cast<double>(surface_.data()[cell(step, line)]); }
  double metres() const { return step_; }

  /// The air that comes to a line, out of that over the row before; nothing from outside the land.
  bool arriving(const std::vector<Air>& before, int64_t line, Air& air) const {
    const double at = static_cast<double>(line) - drift_;
    if (at < 0 || at > static_cast<double>(across - 1)) return false;
    const auto low = static_cast<int64_t>(at);
    const int64_t high = std::min(low + 1, across - 1);
    air = between(before[static_cast<size_t>(low)], before[static_cast<size_t>(high)], at - static_cast<double>(low));
    return true;
  }

  int64_t steps = 0, across = 0;

 private:
  const Grid<float>& surface_;
  bool along_x_ = true, forward_ = true;
  double drift_ = 0, step_ = 1;
};

/// Adds the logarithm of how much rain there is, by `weight`.
void add_wind(const Sweep& sweep, const OrographicRain& params, double weight, const Context& context,
              Grid<double>& sum) {
  std::vector<Air> row(static_cast<size_t>(sweep.across)), before(row.size());
  const double kept = math::exp(-sweep.metres() / params.carry),
               remembered = math::exp(-sweep.metres() / params.carry / 10);
  for (int64_t step = 0; step < sweep.steps; ++step) {
    context.check();
    std::swap(row, before);
    for (int64_t line = 0; line < sweep.across; ++line) {
      const double z = sweep.ground(step, line);
      Air& air = row[static_cast<size_t>(line)];
      if (step == 0 || !sweep.arriving(before, line, air)) {
        air = {z, 0, 0, z, 0};
      } else {
        const double rise = (z - air.ground) / sweep.metres();
        air.ground = z;
        air.cloud = between(rise, air.cloud, kept);
        air.rain = between(air.cloud, air.rain, kept);
        air.crest = std::max(z, between(z, air.crest, remembered));
        air.dry = between((air.crest - z) / water_height, air.dry, kept);
      }
      sum.data()[sweep.cell(step, line)] += weight * (growth * air.rain - air.dry);
    }
  }
}

}  // namespace

Grid<float> orographic_rain(const Grid<float>& surface, Vec2 cell, const OrographicRain& params,
                            const Context& context) {
  constexpr double turns[] = {-30, -15, 0, 15, 30}, weights[] = {0.125, 0.225, 0.3, 0.225, 0.125};
  Grid<double> sum(surface.width(), surface.height(), 0.0);
  for (size_t k = 0; k < std::size(turns); ++k) {
    const Sweep sweep(surface, cell, params.from + math::radians(turns[k]));
    add_wind(sweep, params, weights[k], context, sum);
    context.progress(static_cast<double>(k + 1) / static_cast<double>(std::size(turns)));
  }
  // A land in which everything is steep may have no more than a thousandfold.
  double total = 0;
  for (double& v : sum.cells()) total += v = math::exp(std::clamp(params.strength * v, -6.9, 6.9));
  const double scale = params.mean * static_cast<double>(sum.size()) / total;
  Grid<float> rain(surface.width(), surface.height());
  for (int64_t i = 0; i < rain.size(); ++i) rain.data()[i] = to_cell(scale * sum.data()[i]);
  return rain;
}

}  // namespace tepui
