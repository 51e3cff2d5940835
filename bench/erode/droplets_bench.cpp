#include "tepui/erode/droplets.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "bench/bench.h"
#include "reference/droplets.h"
#include "tepui/generate/noise.h"

namespace tepui::bench {

namespace {

DropletGround ground_of(int64_t side) {
  NoiseParams params;
  params.height = metres(900);
  const Terrain land = noise(make_world({8000, 8000}, side), params, Context());
  DropletGround ground;
  ground.height = land.height().clone();
  for (float& z : ground.height.cells()) z = std::round((z + 1000) * 8192);
  return ground;
}

Row row_of(int64_t side) {
  const auto first = std::make_shared<DropletGround>(ground_of(side));
  DropletRule rule;
  rule.quanta_a_cell = static_cast<float>(8192 * 8000 / static_cast<double>(side - 1));
  const auto fresh = [=] {
    DropletGround ground;
    ground.height = first->height.clone();
    return ground;
  };
  const auto nothing = [](DropletGround&) {};
  Row row;
  row.size = fmt::format("{}x{}", side, side);
  row.items = rule.amount * rule.steps * static_cast<double>(side * side);
  row.item = "steps";
  row.fast = [=] {
    DropletGround ground = fresh();
    run_droplets(ground, rule, nothing, Context());
  };
  row.reference = [=] {
    DropletGround ground = fresh();
    reference::run_droplets(ground, rule);
  };
  row.hash = [=] {
    DropletGround ground = fresh();
    run_droplets(ground, rule, nothing, Context());
    return cells_hash(ground.height);
  };
  return row;
}

}  // namespace

TEPUI_BENCH("erode/droplets/1025x1025") { return row_of(1025); }

}  // namespace tepui::bench
