// Worlds that continue each other.
#include <fmt/format.h>

#include "tepui/graph/evaluate.h"
#include "tepui/output/plan.h"
#include "tests/support/support.h"

namespace tepui::endless_test {

namespace {

Terrain world_at(int64_t x, int64_t y) {
  const Plan recipe = plan(load_recipe(
      "recipes/endless.json", {.set = {fmt::format("corner=[{},{}]", 4096 * x, 4096 * y)}, .test_size = true}));
  ValueCache cache(0);
  return get<Terrain>(evaluate(recipe, {recipe.find_node("land")}, cache, {}).values[0]);
}

}  // namespace

RC_GTEST_PROP(Endless, NeighbouringWorldsMeetToTheBit, ()) {
  const auto x = *rc::gen::inRange<int64_t>(-100, 100), y = *rc::gen::inRange<int64_t>(-100, 100);
  const Terrain here = world_at(x, y), east = world_at(x + 1, y), north = world_at(x, y + 1);
  const int64_t last = here.frame().width - 1;
  RC_ASSERT(here.frame().height - 1 == last);
  RC_ASSERT(here.relief() == east.relief());
  for (const Layer& layer : here.layers())
    for (int64_t i = 0; i <= last; ++i) {
      RC_ASSERT(layer.grid()(last, i) == east.layer(layer.name).grid()(0, i));
      RC_ASSERT(layer.grid()(i, last) == north.layer(layer.name).grid()(i, 0));
    }
  RC_ASSERT(!test::same_cells(here.height(), east.height()));
}

}  // namespace tepui::endless_test
