#include "reference/snow.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tepui/core/math.h"

namespace tepui::reference {

namespace {

double at(const Grid<float>& z, int64_t x, int64_t y) { return static_cast<double>(z(x, y)); }
bool inside(const Grid<float>& z, int64_t x, int64_t y) { return x >= 0 && y >= 0 && x < z.width() && y < z.height(); }

/// How far the steepest line upwind falls; 0 where none is on the land.
double fall_upwind(const Terrain& ground, int64_t x, int64_t y, double azimuth) {
  const Grid<float>& z = ground.height();
  const Vec2 cell = ground.frame().cell;
  double steepest = 0;
  bool any = false;
  const double last = std::max(300.0, 2 * std::max(cell.x, cell.y));
  for (double way = std::max(10.0, std::min(cell.x, cell.y)); way <= last; way *= 1.3) {
    const auto dx = static_cast<int64_t>(std::floor(way * math::sin(azimuth) / cell.x + 0.5));
    const auto dy = static_cast<int64_t>(std::floor(way * math::cos(azimuth) / cell.y + 0.5));
    if ((dx == 0 && dy == 0) || !inside(z, x + dx, y + dy)) continue;
    const double mx = static_cast<double>(dx) * cell.x, my = static_cast<double>(dy) * cell.y;
    const double rise = (at(z, x + dx, y + dy) - at(z, x, y)) / std::sqrt(mx * mx + my * my);
    steepest = any ? std::max(steepest, rise) : rise;
    any = true;
  }
  return -steepest;
}

double above_surroundings(const Terrain& ground, int64_t x, int64_t y) {
  const Grid<float>& z = ground.height();
  const Vec2 cell = ground.frame().cell;
  const auto reach = [](double metres) { return std::max<int64_t>(1, static_cast<int64_t>(std::floor(metres + 0.5))); };
  const int64_t rx = reach(70 / cell.x), ry = reach(70 / cell.y);
  double sum = 0, count = 0;
  for (int64_t v = y - ry; v <= y + ry; ++v)
    for (int64_t u = x - rx; u <= x + rx; ++u)
      if (inside(z, u, v)) sum += at(z, u, v), ++count;
  return at(z, x, y) - sum / count;
}

/// Where snow may go from a sample, and how far it is.
struct Way {
  int64_t x, y;
  double distance;
};
std::vector<Way> ways(const Terrain& ground, int64_t x, int64_t y) {
  std::vector<Way> list;
  const Vec2 cell = ground.frame().cell;
  for (int64_t dy = -1; dy <= 1; ++dy)
    for (int64_t dx = -1; dx <= 1; ++dx)
      if ((dx != 0 || dy != 0) && inside(ground.height(), x + dx, y + dy)) {
        const double mx = static_cast<double>(dx) * cell.x, my = static_cast<double>(dy) * cell.y;
        list.push_back({x + dx, y + dy, std::sqrt(mx * mx + my * my)});
      }
  return list;
}

void fall(const Terrain& ground, const SnowHold& hold, double scale, int64_t x, int64_t y, Grid<int64_t>& snow,
          Grid<int64_t>& passed, SnowLost& lost) {
  const Grid<float>& z = ground.height();
  if (hold.most(x, y) == SnowHold::wet) {
    lost.melted += snow(x, y);
    snow(x, y) = 0;
    return;
  }
  const int64_t kept = std::min(hold.most(x, y), static_cast<int64_t>(static_cast<double>(hold.stop(x, y)) * scale));
  const int64_t excess = snow(x, y) - kept;
  if (excess <= 0) return;
  const std::vector<Way> all = ways(ground, x, y);
  std::vector<double> weight;
  double sum = 0;
  for (const Way& way : all) {
    const double slope = std::max(0.0, (at(z, x, y) - at(z, way.x, way.y)) / way.distance);
    weight.push_back(slope * slope);
    sum += weight.back();
  }
  const bool border = x == 0 || y == 0 || x == z.width() - 1 || y == z.height() - 1;
  if (!(sum > 0)) {
    if (border) lost.left += excess, snow(x, y) = kept;
    return;
  }
  snow(x, y) = kept;
  const auto steepest = static_cast<size_t>(std::ranges::max_element(weight) - weight.begin());
  int64_t left = excess;
  const auto give = [&](size_t k, int64_t part) {
    snow(all[k].x, all[k].y) += part;
    passed(all[k].x, all[k].y) += part;
    left -= part;
  };
  for (size_t k = 0; k < all.size(); ++k)
    if (k != steepest) give(k, static_cast<int64_t>(static_cast<double>(excess) * (weight[k] / sum)));
  give(steepest, left);
}

bool slide(const Terrain& ground, const SnowHold& hold, const SnowRest& rest, double scale, int64_t x, int64_t y,
           Grid<int64_t>& snow, Grid<int64_t>& passed) {
  const Grid<float>& z = ground.height();
  if (snow(x, y) <= static_cast<int64_t>(rest.deep * scale) || hold.most(x, y) == SnowHold::wet) return false;
  const auto least = static_cast<int64_t>(0.95 * rest.deep * scale);
  const double steepest = math::tan(math::radians(rest.rest)), wanted_slope = std::max(steepest - 0.03, 0.0);
  const std::vector<Way> all = ways(ground, x, y);
  std::vector<int64_t> over;
  double sum = 0, largest = 0;
  bool steep = false;
  for (const Way& way : all) {
    const double rise =
        (at(z, x, y) - at(z, way.x, way.y)) * scale + static_cast<double>(snow(x, y) - snow(way.x, way.y));
    const double excess = rise - wanted_slope * way.distance * scale;
    const bool room = hold.most(way.x, way.y) > snow(way.x, way.y);
    steep = steep || (room && rise >= steepest * way.distance * scale + 1);
    over.push_back(room && excess >= 1 ? static_cast<int64_t>(std::min(excess, 0x1p50)) : 0);
    sum += static_cast<double>(over.back());
    largest = std::max(largest, static_cast<double>(over.back()));
  }
  if (!steep) return false;
  const double moved = std::min(static_cast<double>(snow(x, y) - least), largest * sum / (sum + largest));
  bool any = false;
  for (size_t k = 0; k < all.size(); ++k) {
    if (over[k] == 0) continue;
    int64_t& there = snow(all[k].x, all[k].y);
    const int64_t wanted = static_cast<int64_t>(std::ceil(moved * (static_cast<double>(over[k]) / sum)));
    const int64_t part = std::min({wanted, hold.most(all[k].x, all[k].y) - there, snow(x, y) - least});
    if (part <= 0) continue;
    any = true;
    snow(x, y) -= part;
    there += part;
    passed(all[k].x, all[k].y) += part;
  }
  return any;
}

double ramp(double from, double to, double x) { return std::clamp((x - from) / (to - from), 0.0, 1.0); }

}  // namespace

Grid<double> wind_exposure(const Terrain& ground, double wind_from) {
  const Grid<float>& z = ground.height();
  Grid<double> exposure(z.width(), z.height());
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      double fall = 0;
      for (const double turn : {-20.0, 0.0, 20.0})
        fall += fall_upwind(ground, x, y, wind_from + math::radians(turn)) / 3;
      exposure(x, y) = 1.2 * fall + 0.09 * above_surroundings(ground, x, y);
    }
  return exposure;
}

int64_t blow(const Terrain& ground, const Grid<double>& exposure, double wind_from, double drift, double wind,
             Grid<int64_t>& snow) {
  const Vec2 cell = ground.frame().cell;
  const double sx = -math::sin(wind_from) / cell.x, sy = -math::cos(wind_from) / cell.y;
  const bool along_x = std::abs(sx) > std::abs(sy);
  const double major = along_x ? sx : sy, across = (along_x ? sy : sx) / std::abs(major);
  const auto shift = static_cast<int64_t>(std::floor(across));
  const auto split = static_cast<int64_t>((across - std::floor(across)) * 65536 + 0.5);
  const int64_t steps = along_x ? snow.width() : snow.height(), lines = along_x ? snow.height() : snow.width();
  Grid<int64_t> flux(snow.width(), snow.height(), 0);
  int64_t left = 0;
  for (int64_t n = 0; n < steps; ++n)
    for (int64_t line = 0; line < lines; ++line) {
      const int64_t step = major > 0 ? n : steps - 1 - n, x = along_x ? step : line, y = along_x ? line : step;
      const double e = exposure(x, y);
      const auto loss = static_cast<int64_t>(std::clamp(2.2 * drift * e, 0.0, 0.85) * 65536);
      const double reach = 25 * math::pow(160, std::clamp((e + 0.1) / 0.2, 0.0, 1.0));
      const auto caught =
          static_cast<int64_t>(std::min(65536 * (1 - math::exp(-1 / std::abs(major) / reach)), 65535.0));
      const int64_t taken = snow(x, y) * (loss * static_cast<int64_t>(wind * 65536) / 65536) / 65536;
      const int64_t kept = flux(x, y) * caught / 65536, on = flux(x, y) - kept + taken, farther = on * split / 65536;
      snow(x, y) += kept - taken;
      const auto carry = [&](int64_t to, int64_t part) {
        if (n + 1 == steps || to < 0 || to >= lines)
          left += part;
        else if (along_x)
          flux(major > 0 ? x + 1 : x - 1, to) += part;
        else
          flux(to, major > 0 ? y + 1 : y - 1) += part;
      };
      carry(line + shift, on - farther);
      carry(line + shift + 1, farther);
    }
  return left;
}

SnowLost settle(const Terrain& ground, const SnowHold& hold, const SnowRest& rest, double density, Grid<int64_t>& snow,
                Grid<int64_t>& passed) {
  const Grid<float>& z = ground.height();
  std::vector<int64_t> order(static_cast<size_t>(z.size()));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int64_t a, int64_t b) { return z.data()[a] > z.data()[b]; });
  const double scale = density * snow_quanta;
  SnowLost lost;
  for (const int64_t i : order) fall(ground, hold, scale, i % z.width(), i / z.width(), snow, passed, lost);
  for (bool any = true; any;) {
    any = false;
    std::ranges::reverse(order);
    for (const int64_t i : order)
      any = slide(ground, hold, rest, scale, i % z.width(), i / z.width(), snow, passed) || any;
  }
  return lost;
}

SnowResult snow_year(const Terrain& ground, const SnowWeather& w, const SnowHold& hold, const SnowRest& rest,
                     double wind_from, double drift, int last) {
  const Grid<float>& z = ground.height();
  SnowResult now{Grid<int64_t>(z.width(), z.height(), 0), Grid<int64_t>(z.width(), z.height(), 0), {}, 0}, wanted;
  const Grid<double> exposure = wind_exposure(ground, wind_from);
  for (int index = 0; index < std::max(12, last + 1); ++index) {
    const SnowMonth month = snow_month(index);
    const auto temperature = [&](int64_t i) {
      return static_cast<double>(w.mean[i]) +
             month.warm * (static_cast<double>(w.summer[i]) - static_cast<double>(w.winter[i])) / 2 +
             static_cast<double>(w.warmer);
    };
    for (int64_t i = 0; i < z.size(); ++i) {
      const double share = 1 - ramp(-1, 3.5, temperature(i));
      const double mask = w.mask != nullptr ? std::clamp(static_cast<double>(w.mask[i]), 0.0, 1.0) : 1;
      const double water = static_cast<double>(w.rain[i]) / 12000 * share * mask * static_cast<double>(w.snowfall);
      const auto quanta = static_cast<int64_t>(water * snow_quanta + 0.5);
      now.snow.data()[i] += quanta;
      now.ledger.fell += quanta;
    }
    if (month.wind > 0) now.ledger.left += blow(ground, exposure, wind_from, drift, month.wind, now.snow);
    for (int64_t i = 0; i < z.size(); ++i) {
      const double t = temperature(i), mean = static_cast<double>(w.sun[i]);
      const double longest = static_cast<double>(w.sun_summer[i]), shortest = static_cast<double>(w.sun_winter[i]);
      const double sun =
          mean + month.sun_1 * (longest - shortest) / 2 + month.sun_2 * ((longest + shortest) / 2 - mean);
      const double mm = 1.2 * std::max(t + 1, 0.0) + 0.079 * std::max(sun, 0.0) * ramp(-4, 6, t);
      const int64_t lies = now.snow.data()[i];
      const int64_t melts = std::min(static_cast<int64_t>(30.4375 * mm / 1000 * snow_quanta + 0.5), lies);
      const int64_t gone = hold.most.data()[i] == SnowHold::wet ? lies : melts;
      now.snow.data()[i] -= gone;
      now.ledger.melted += gone;
    }
    const SnowLost lost = settle(ground, hold, rest, month.density, now.snow, now.passed);
    now.ledger.melted += lost.melted;
    now.ledger.left += lost.left;
    if (index == last) wanted.snow = now.snow.clone(), wanted.ledger = now.ledger, wanted.density = month.density;
    if (index == 11) wanted.passed = now.passed.clone();
  }
  return wanted;
}

}  // namespace tepui::reference
