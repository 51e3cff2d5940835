#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "bench/bench.h"
#include "reference/dunes.h"
#include "tepui/core/context.h"

namespace tepui::bench {

namespace {

constexpr int64_t side = 512;
constexpr int64_t rounds = 100;
/// Slabs of a third of a cell; a round lifts a tenth of a cell from level sand.
constexpr double picks_a_cell = DuneRule::lift * 3 * static_cast<double>(rounds);

/// Sand of mean depth 1 cell, with waves so that there are shadows and slopes.
Grid<int32_t> sand_of() {
  Grid<int32_t> sand(side, side);
  const Stream draws(3);
  for (int64_t i = 0; i < sand.size(); ++i) {
    const double wave = std::abs(static_cast<double>((i % side + i / side / 4) % 64) - 20) / 20;
    sand.data()[i] =
        static_cast<int32_t>(1024 * (std::max(0.0, 4 - 4 * wave) + 0.4 * draws.uniform(static_cast<uint64_t>(i))));
  }
  return sand;
}

}  // namespace

TEPUI_BENCH("cover/dunes/512x512") {
  const auto first = std::make_shared<Grid<int32_t>>(sand_of());
  const auto blown = [=] {
    DuneRule rule;
    rule.border = DuneBorder::repeats;
    DuneField field({Grid<int32_t>(side, side, 0), first->clone(), Grid<int32_t>(side, side, 0), {}, 0}, rule);
    field.blow({{1, 0}, 0, rounds, false}, Context());
    return field.finish();
  };
  Row row;
  row.size = fmt::format("{0}x{0}", side);
  row.items = picks_a_cell * static_cast<double>(side * side);
  row.item = "picks";
  row.fast = [=] { blown(); };
  row.reference = [=] {
    Grid<int32_t> sand = first->clone();
    reference::werner(sand, {}, static_cast<int64_t>(picks_a_cell * static_cast<double>(side * side)), Stream(5));
  };
  row.hash = [=] {
    const DuneGround ground = blown();
    Hasher hasher;
    for (const int32_t q : ground.sand.cells()) hasher.add(static_cast<int64_t>(q));
    return hasher.finish();
  };
  return row;
}

}  // namespace tepui::bench
