// A million trees and more: forest, scrub, meadow and scree of 8 km.
#include "tepui/cover/scatter.h"

#include <fmt/format.h>

#include <memory>

#include "bench/bench.h"
#include "reference/scatter.h"
#include "tepui/generate/noise.h"

namespace tepui::bench {

namespace {

/// Rolling land with shares of plants that patches of noise give.
Terrain wooded(const Frame& world) {
  NoiseParams hills;
  hills.scale = percent(30);
  hills.height = metres(700);
  Terrain out = noise(world, hills, {});
  uint64_t draw = 1;
  for (const auto& [name, most] : {std::pair{"conifer", 1.4f}, {"broadleaf", 0.7f}, {"shrub", 0.5f}, {"grass", 0.6f}}) {
    NoiseParams params;
    params.scale = metres(420);
    params.height = metres(1);
    params.seed.node = static_cast<int64_t>(draw++);
    const Terrain patches = noise(world, params, {});
    Grid<float> share = patches.height().clone();
    for (float& v : share.cells()) v = std::clamp(most * (2.4f * v - 0.7f), 0.0f, 1.0f);
    out = out.with(make_layer(name, "", LayerKind::mask, std::move(share)));
  }
  return out;
}

Row scatter_row(double size, int64_t resolution) {
  const auto land = std::make_shared<const Terrain>(wooded(make_world({size, size}, resolution)));
  const auto out = std::make_shared<Lines>();
  Row row;
  row.fast = [=] { *out = scatter(*land, nullptr, {}, {}); };
  // The plain twin takes a 64th of it.
  const auto part = std::make_shared<const Terrain>(wooded(make_world({size / 8, size / 8}, resolution / 8 + 1)));
  row.reference = [=] { reference::scatter(*part, nullptr, {}); };
  row.fast();
  row.reference_part =
      static_cast<double>(scatter(*part, nullptr, {}, {}).features()) / static_cast<double>(out->features());
  row.hash = [=] { return out->hash(); };
  row.items = static_cast<double>(out->features());
  row.item = "points";
  row.size = fmt::format("{:.0f} points", row.items);
  return row;
}

}  // namespace

TEPUI_BENCH("cover/scatter/8 km of woods") { return scatter_row(8192, 1025); }

}  // namespace tepui::bench
