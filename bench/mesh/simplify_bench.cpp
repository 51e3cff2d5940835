#include "tepui/mesh/simplify.h"

#include <memory>

#include "bench/bench.h"
#include "tepui/core/math.h"
#include "tepui/mesh/source.h"

namespace tepui {

namespace {

struct Meshes {
  Mesh in, out;
};

/// Waves of several lengths over a world of 2048 m.
Mesh waves(int64_t side) {
  const Frame frame = make_world({2048, 2048}, side);
  Grid<float> z(side, side);
  for (int64_t y = 0; y < side; ++y)
    for (int64_t x = 0; x < side; ++x)
      z(x, y) = static_cast<float>(150 * math::sin(frame.x(x) / 190) * math::sin(frame.y(y) / 230) +
                                   12 * math::sin(frame.x(x) / 17 + frame.y(y) / 23));
  return gather(LandMesh(Terrain(frame, {-200, 200}, std::move(z))));
}

bench::Row row(int64_t side, const SimplifyParams& params) {
  const auto meshes = std::make_shared<Meshes>(Meshes{waves(side), Mesh()});
  bench::Row result;
  result.fast = [meshes, params] { meshes->out = simplify(meshes->in, params, Context()); };
  result.hash = [meshes] { return meshes->out.hash(); };
  result.size = "1024x1024";
  result.items = static_cast<double>(meshes->in.triangles().size());
  result.item = "triangles";
  return result;
}

}  // namespace

TEPUI_BENCH("mesh/simplify_tenth/1024x1024") { return row(1024, {.share = 0.1}); }

TEPUI_BENCH("mesh/simplify_error/1024x1024") { return row(1024, {.error = 1}); }

}  // namespace tepui
