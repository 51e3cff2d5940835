#pragma once  // internal

#include <cstdint>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/cover/snow_drift.h"
#include "tepui/cover/snow_settle.h"
#include "tepui/cover/snow_weather.h"

namespace tepui {

/// Where snow went, in quanta: what fell lies, or has melted, or left the land, blown away or slid over its border.
struct SnowLedger {
  int64_t fell = 0, melted = 0, left = 0;
};

/// What happens to snow, whatever brings it.
struct SnowWork {
  const SnowDrift* drift = nullptr;  ///< null: there is no wind
  SnowSettle* settle = nullptr;      ///< null: it lies where it fell
  const SnowHold* hold = nullptr;    ///< for where water melts it
};

struct SnowResult {
  Grid<int64_t> snow;    ///< quanta, at the end of the month wanted
  Grid<int64_t> passed;  ///< quanta that slid into each sample, in the first twelve months
  SnowLedger ledger;     ///< until the month wanted
  double density = 0;
};

/// The snow at the end of month `last`, counted from October, which is 0: fall, drift, melt and settling each month.
SnowResult snow_year(const SnowWeather& weather, const SnowWork& work, int64_t width, int64_t height, int last,
                     const Context& context);

/// One fall of so much snow (quanta), which drifts as in a winter's month, and settles.
SnowResult snow_once(Grid<int64_t> fall, const SnowWork& work, double density, const Context& context);

}  // namespace tepui
