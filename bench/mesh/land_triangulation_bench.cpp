#include "tepui/mesh/land_triangulation.h"

#include <memory>

#include "bench/bench.h"
#include "reference/land_triangulation.h"
#include "tepui/core/hash.h"
#include "tepui/core/math.h"

namespace tepui {

namespace {

Grid<float> hills(int64_t side) {
  Grid<float> z(side, side);
  for (int64_t y = 0; y < side; ++y)
    for (int64_t x = 0; x < side; ++x) {
      const auto u = static_cast<double>(x), v = static_cast<double>(y);
      z(x, y) = static_cast<float>(60 * math::sin(u / 47) * math::sin(v / 61) + 7 * math::sin(u / 9 + v / 11) +
                                   0.8 * math::sin(u / 1.7) * math::sin(v / 2.3));
    }
  return z;
}

bench::Row row(int64_t side, double error, bool plain) {
  const auto z = std::make_shared<Grid<float>>(hills(side));
  const auto out = std::make_shared<LandTriangulation>();
  bench::Row result;
  result.fast = [z, out, error] { *out = triangulate_land(*z, {.error = error}, Context()); };
  if (plain) result.reference = [z, error] { reference::triangulate_land(*z, error); };
  result.hash = [out] { return hash_large(out->triangles.data(), out->triangles.size() * sizeof(MeshTriangle)); };
  result.size = std::to_string(side) + "x" + std::to_string(side);
  result.items = static_cast<double>(z->size());
  result.item = "samples";
  return result;
}

}  // namespace

TEPUI_BENCH("mesh/land_triangulation/65x65") { return row(65, 1, true); }

TEPUI_BENCH("mesh/land_triangulation/1025x1025") { return row(1025, 0.2, false); }

}  // namespace tepui
