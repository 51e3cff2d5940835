#include "tepui/erode/weathering.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <vector>

#include "bench/erode/weathering_scenes.h"
#include "reference/weathering.h"
#include "tepui/erode/thermal.h"
#include "tepui/generate/noise.h"
#include "tepui/generate/shape.h"

namespace tepui::bench {

namespace {

Frame world_of(int64_t side) {
  return make_world({static_cast<double>(side - 1), static_cast<double>(side - 1)}, side);
}

/// Deep loose ground, rough where `is_rough(x, y)`, and walls of bare rock where the noise is high; all other land is
/// high and bare, so that nothing spreads over it.
template <class Where>
Terrain loose_land(const Frame& world, const Where& is_rough) {
  const Terrain noisy = noise(world, {}, Context());
  const double span = noisy.relief().span();
  Grid<float> height(world.width, world.height), sediment(world.width, world.height);
  for (int64_t y = 0; y < world.height; ++y)
    for (int64_t x = 0; x < world.width; ++x) {
      const double share = (static_cast<double>(noisy.height()(x, y)) - noisy.relief().base) / span;
      const bool rough = is_rough(x, y), bare = !rough || share > 0.85;
      height(x, y) = static_cast<float>(span * (!rough ? 1.4 : bare ? share + 0.3 : share));
      sediment(x, y) = bare ? 0.0f : std::max(height(x, y), 0.0f);
    }
  return Terrain(world, noisy.relief(), std::move(height))
      .with(make_layer("sediment", "m", LayerKind::continuous, std::move(sediment)));
}

Terrain first_land(WeatheringScene scene, const Frame& world) {
  if (scene == WeatheringScene::mesa) return shape(world, {}, Context());
  if (scene == WeatheringScene::all_moving) return loose_land(world, [](int64_t, int64_t) { return true; });
  // Nine squares that are together a twentieth of the land, or a little less, because they grow.
  const auto third = static_cast<double>(world.width) / 3, square = std::floor(third * std::sqrt(0.05));
  const auto is_inside = [=](int64_t i) { return std::fmod(static_cast<double>(i), third) < square; };
  return loose_land(world, [=](int64_t x, int64_t y) { return is_inside(x) && is_inside(y); });
}

WeatheringParams paper_params() {
  WeatheringParams p;
  p.reach = metres(0);
  p.talus = {0};
  return p;
}

/// From step `first` on, `count` steps.
WeatheringParams some_steps(int64_t first, int64_t count) {
  WeatheringParams p = paper_params();
  p.from = static_cast<double>(first);
  p.steps = first + count;
  return p;
}

/// The paper's steps on a land that is prepared: from step `first` on, `count` steps.
struct Run {
  Terrain land;
  int64_t first, count;

  Run(WeatheringScene scene, int64_t side)
      : land(first_land(scene, world_of(side))),
        first(scene == WeatheringScene::mesa ? 300 : 1),
        // So many that what a run begins and ends with counts for little.
        count(scene == WeatheringScene::all_moving ? 200 : 600) {
    WeatheringParams prepare = paper_params();
    prepare.steps = first;
    land = weathering(land, nullptr, prepare, Context());
  }

  Terrain steps(int64_t how_many) const { return weathering(land, nullptr, some_steps(first, how_many), Context()); }

  double seconds(int64_t how_many) const {
    const auto began = std::chrono::steady_clock::now();
    steps(how_many);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }
  /// Without what a run begins and ends with.
  double seconds_a_step() const { return (seconds(count) - seconds(0)) / static_cast<double>(count); }
};

/// How many times as much a step of `scene` costs as one of `other`: the median of some pairs of runs, one right after
/// the other, so that both find the machine as busy.
double step_cost(const Run& scene, const Run& other) {
  std::vector<double> ratios;
  const auto began = std::chrono::steady_clock::now();
  while (ratios.size() < 5 ||
         (ratios.size() < 51 && std::chrono::steady_clock::now() - began < std::chrono::seconds(2)))
    ratios.push_back(scene.seconds_a_step() / other.seconds_a_step());
  std::ranges::nth_element(ratios, ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2));
  return ratios[ratios.size() / 2];
}

}  // namespace

Row weathering_row(WeatheringScene scene, int64_t side) {
  const int64_t plain_count = 2;
  const auto run = std::make_shared<Run>(scene, side);
  const auto twin = std::make_shared<reference::Weathering>(run->land, nullptr, some_steps(run->first, run->count));
  const auto step = std::make_shared<int64_t>(run->first);
  Row row;
  row.size = fmt::format("{}x{}", side, side);
  row.items = static_cast<double>(run->count);
  row.item = "steps";
  row.fast = [=] { run->steps(run->count); };
  row.reference = [=] {
    for (int64_t i = 0; i < plain_count; ++i) twin->step((*step)++);
  };
  row.reference_part = static_cast<double>(plain_count) / row.items;
  row.hash = [=] { return run->steps(run->count).hash(); };
  if (scene == WeatheringScene::few_moving)
    row.tells = [=] {
      return fmt::format("a step {:.1f} times cheaper than with all moving",
                         step_cost(Run(WeatheringScene::all_moving, side), *run));
    };
  return row;
}

TEPUI_BENCH("erode/weathering/1000x1000/all moving") { return weathering_row(WeatheringScene::all_moving, 1000); }
TEPUI_BENCH("erode/weathering/1000x1000/mesa") { return weathering_row(WeatheringScene::mesa, 1000); }
TEPUI_BENCH("erode/weathering/1000x1000/few moving") { return weathering_row(WeatheringScene::few_moving, 1000); }

TEPUI_BENCH("erode/weathering/500x500/defaults") {
  const Terrain land = shape(world_of(500), {}, Context());
  const WeatheringParams params;
  Row row;
  row.size = "500x500";
  row.fast = [=] { weathering(land, nullptr, params, Context()); };
  row.reference = [=] { reference::weathering(land, nullptr, params); };
  row.hash = [=] { return weathering(land, nullptr, params, Context()).hash(); };
  return row;
}

TEPUI_BENCH("erode/thermal/1000x1000") {
  const Terrain land = noise(world_of(1000), {.height = percent(60), .seed = {}}, Context());
  const ThermalParams params{.steps = 100}, plain{.steps = 4};
  Row row;
  row.size = "1000x1000";
  row.items = 100;
  row.item = "steps";
  row.fast = [=] { thermal(land, params, Context()); };
  row.reference = [=] { reference::thermal(land, plain); };
  row.reference_part = 0.04;
  row.hash = [=] { return thermal(land, params, Context()).hash(); };
  return row;
}

}  // namespace tepui::bench
