// Benes and Arriaga 2005 took "about ten minutes to one hour" for ten thousand steps on 300 x 300 to 2000 x 2000 cells,
// on a 3 GHz Intel CPU.
#include <fmt/format.h>

#include "bench/erode/weathering_scenes.h"

namespace tepui::bench {

namespace {

[[maybe_unused]] const bool listed = [] {
  struct Scene {
    const char* name;
    WeatheringScene scene;
  };
  for (const Scene& s : {Scene{"all moving", WeatheringScene::all_moving}, Scene{"mesa", WeatheringScene::mesa},
                         Scene{"few moving", WeatheringScene::few_moving}})
    for (const int64_t side : {300, 1000, 2000})
      Registrar(fmt::format("paper-002/{}/{:04}", s.name, side), [scene = s.scene, side] {
        Row row = weathering_row(scene, side);
        // The paper tells of its smallest and its largest land.
        if (side != 1000) row.paper_seconds = (side == 300 ? 600 : 3600) / 1e4 * row.items;
        return row;
      });
  return true;
}();

}  // namespace

}  // namespace tepui::bench
