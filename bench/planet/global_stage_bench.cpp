#include "tepui/planet/global_stage.h"

#include <fmt/format.h>

#include <memory>

#include "bench/bench.h"
#include "tepui/planet/planet.h"

namespace tepui {

namespace {

bench::Row whole_row(int level, int steps) {
  const auto made = std::make_shared<std::unique_ptr<Planet>>();
  bench::Row row;
  row.fast = [=] {
    PlanetData data;
    data.land = global_land({.level = level, .steps = steps, .key = 1}, Context());
    *made = std::make_unique<Planet>(std::move(data));
  };
  row.hash = [=] { return (*made)->hash(); };
  row.tells = [=] { return fmt::format("{:.1f} MB", static_cast<double>((*made)->bytes()) / 1e6); };
  row.size = fmt::format("{} vertices", vertices_of_level(level));
  return row;
}

}  // namespace

TEPUI_BENCH("planet/global_stage/level 7") { return whole_row(7, 30); }
TEPUI_BENCH("planet/global_stage/level 8") { return whole_row(8, 20); }

}  // namespace tepui
