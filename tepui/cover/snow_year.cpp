#include "tepui/cover/snow_year.h"

#include <algorithm>
#include <utility>

namespace tepui {

namespace {

/// What comes to rest on water melts; the rest slides to where it can lie.
void settle(const SnowWork& work, double density, const Context& context, SnowResult& at) {
  for (int64_t i = 0; i < at.snow.size(); ++i)
    if (work.hold->most.data()[i] == SnowHold::wet) at.ledger.melted += std::exchange(at.snow.data()[i], 0);
  if (work.settle != nullptr) {
    const SnowLost lost = work.settle->settle(density, context, at.snow, at.passed);
    at.ledger.melted += lost.melted;
    at.ledger.left += lost.left;
  }
  at.density = density;
}

}  // namespace

SnowResult snow_year(const SnowWeather& weather, const SnowWork& work, int64_t width, int64_t height, int last,
                     const Context& context) {
  SnowResult now{Grid<int64_t>(width, height, 0), Grid<int64_t>(width, height, 0), {}, 0}, wanted;
  const Context quiet = context.told_to(nullptr);
  const int months = std::max(12, last + 1);
  for (int index = 0; index < months; ++index) {
    const SnowMonth month = snow_month(index);
    now.ledger.fell += let_snow_fall(weather, month, quiet, now.snow);
    if (work.drift != nullptr && month.wind > 0) now.ledger.left += work.drift->blow(month.wind, quiet, now.snow);
    now.ledger.melted += melt_snow(weather, month, quiet, now.snow);
    settle(work, month.density, quiet, now);
    if (index == last) wanted.snow = now.snow.clone(), wanted.ledger = now.ledger, wanted.density = now.density;
    if (index == 11) wanted.passed = now.passed.clone();
    context.progress(static_cast<double>(index + 1) / months);
  }
  return wanted;
}

SnowResult snow_once(Grid<int64_t> fall, const SnowWork& work, double density, const Context& context) {
  SnowResult now{std::move(fall), {}, {}, 0};
  now.passed = Grid<int64_t>(now.snow.width(), now.snow.height(), 0);
  for (const int64_t quanta : now.snow.cells()) now.ledger.fell += quanta;
  if (work.drift != nullptr) now.ledger.left += work.drift->blow(1, context, now.snow);
  settle(work, density, context, now);
  return now;
}

}  // namespace tepui
