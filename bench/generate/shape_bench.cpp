#include "tepui/generate/shape.h"

#include <memory>

#include "bench/bench.h"
#include "reference/shape.h"

namespace tepui::bench {

TEPUI_BENCH("generate/shape/4097x4097") {
  const Frame world = make_world({4096, 4096}, 4097);
  ShapeParams params;
  params.kind = ShapeKind::cone;
  params.rotation = {30};
  const auto land = std::make_shared<Terrain>();
  Row row;
  row.size = "4097x4097";
  row.items = 4097.0 * 4097.0;
  row.fast = [=] { *land = shape(world, params, {}); };
  row.reference = [=] { reference::shape(world, params); };
  row.hash = [=] { return land->hash(); };
  return row;
}

}  // namespace tepui::bench
