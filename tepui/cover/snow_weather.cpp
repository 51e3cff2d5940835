#include "tepui/cover/snow_weather.h"

#include <algorithm>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr float days = 30.4375f;

/// 0 up to `from`, 1 from `to` on; unlike smooth ramps, it never falls, to the last bit.
float ramp(float from, float to, float x) { return std::clamp((x - from) / (to - from), 0.0f, 1.0f); }

float temperature(const SnowWeather& w, float warm, int64_t i) {
  return w.mean[i] + 0.5f * warm * (w.summer[i] - w.winter[i]) + w.warmer;
}

/// quanta(i) of every sample, summed.
template <class Quanta>
int64_t over_samples(const Grid<int64_t>& snow, const Context& context, const Quanta& quanta) {
  return parallel_reduce<int64_t>(
      snow.size(), 65536, context, 0,
      [&](int64_t begin, int64_t end) {
        int64_t sum = 0;
        for (int64_t i = begin; i < end; ++i) sum += quanta(i);
        return sum;
      },
      [](int64_t a, int64_t b) { return a + b; });
}

}  // namespace

SnowMonth snow_month(int index) {
  constexpr double wind[12] = {0.6, 1, 1, 1, 1, 1, 0.6, 0.3, 0, 0, 0, 0};
  // The second winter begins on the first one's firn.
  constexpr double density[15] = {0.25, 0.28, 0.30, 0.32, 0.35, 0.38, 0.42, 0.47,
                                  0.52, 0.55, 0.55, 0.55, 0.40, 0.38, 0.38};
  SnowMonth month;
  const double number = index + 10;  // of the middle of a month, January being 1
  month.warm = math::cos(2 * math::pi * (number - 7.2) / 12);
  const double sun = 2 * math::pi * (number - 6.2) / 12;
  month.sun_1 = math::cos(sun), month.sun_2 = math::cos(2 * sun);
  month.wind = wind[index % 12];
  month.density = density[std::clamp(index, 0, 14)];
  return month;
}

int64_t let_snow_fall(const SnowWeather& weather, const SnowMonth& month, const Context& context, Grid<int64_t>& snow) {
  const float warm = static_cast<float>(month.warm), scale = weather.snowfall * static_cast<float>(snow_quanta / 12000);
  int64_t* lies = snow.data();
  return over_samples(snow, context, [&](int64_t i) {
    const float share = 1 - ramp(-1, 3.5f, temperature(weather, warm, i));
    float amount = scale * weather.rain[i] * share;
    if (weather.mask != nullptr) amount *= std::clamp(weather.mask[i], 0.0f, 1.0f);
    const auto quanta = static_cast<int64_t>(std::clamp(amount, 0.0f, 0x1p30f) + 0.5f);
    lies[i] += quanta;
    return quanta;
  });
}

int64_t melt_snow(const SnowWeather& weather, const SnowMonth& month, const Context& context, Grid<int64_t>& snow) {
  const float warm = static_cast<float>(month.warm), scale = days * static_cast<float>(snow_quanta / 1000);
  const float sun_1 = static_cast<float>(month.sun_1), sun_2 = static_cast<float>(month.sun_2);
  int64_t* lies = snow.data();
  return over_samples(snow, context, [&](int64_t i) {
    const float t = temperature(weather, warm, i);
    const float half = 0.5f * (weather.sun_summer[i] + weather.sun_winter[i]);
    const float swing = 0.5f * (weather.sun_summer[i] - weather.sun_winter[i]);
    const float sun = std::max(weather.sun[i] + sun_1 * swing + sun_2 * (half - weather.sun[i]), 0.0f);
    const float a_day = 1.2f * std::max(t + 1, 0.0f) + 0.079f * sun * ramp(-4, 6, t);
    const auto quanta = std::min(static_cast<int64_t>(std::min(scale * a_day, 0x1p30f) + 0.5f), lies[i]);
    lies[i] -= quanta;
    return quanta;
  });
}

}  // namespace tepui
