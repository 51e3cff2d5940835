#include "tepui/planet/drainage.h"

#include <algorithm>
#include <cmath>

#include "reference/planet_drainage.h"
#include "tepui/planet/sphere_noise.h"
#include "tests/support/support.h"

namespace tepui::drainage_test {

namespace {

const Context quiet;

/// Rough land in a sea, with many hollows.
struct Land {
  SphereMesh mesh = icosphere(5, 0.3, 7, quiet);
  Neighbours around = neighbours(mesh);
  std::vector<double> height;
  std::vector<uint8_t> sea;

  explicit Land(uint64_t key) {
    for (const float h : noise_at(mesh.directions, {.scale = 0.8, .octaves = 6, .gain = 0.6, .key = key}, quiet))
      height.push_back(1500 * static_cast<double>(h));
    sea = find_seas(height, around);
  }
};

}  // namespace

// A hollow's surface may lie a few traces higher than the least that would do: it is filled before other ways in are
// known.
TEST(PlanetDrainage, FillsAndDrainsAsItsPlainTwin) {
  for (uint64_t key = 0; key < 4; ++key) {
    const Land land(key);
    const Drainage fast = drain(land.mesh, land.around, land.height, land.sea, quiet);
    const reference::PlainDrainage plain = reference::drain(land.mesh, land.height, land.sea);
    int64_t flooded = 0, other_way = 0, dry = 0;
    for (size_t v = 0; v < land.height.size(); ++v) {
      EXPECT_GE(fast.surface[v], plain.surface[v] - 1e-9);
      EXPECT_LE(fast.surface[v], plain.surface[v] + 0.02);
      if (land.sea[v] != 0) {
        EXPECT_EQ(fast.receiver[v], -1);
        continue;
      }
      const bool hollow = plain.surface[v] > land.height[v];
      (hollow ? flooded : dry) += 1;
      other_way += !hollow && fast.receiver[v] != plain.receiver[v] ? 1 : 0;
    }
    EXPECT_GT(flooded, 100);
    EXPECT_LE(other_way, dry / 1000);
  }
}

TEST(PlanetDrainage, CutsAsItsPlainTwin) {
  for (uint64_t key = 0; key < 4; ++key) {
    const Land land(key);
    const std::vector<double> area = cell_areas(land.mesh);
    std::vector<double> flow_area;
    std::vector<float> uplift, hardness;
    for (size_t v = 0; v < area.size(); ++v) {
      flow_area.push_back(area[v] * earth_radius * earth_radius);
      uplift.push_back(v % 3 == 0 ? 3e-4f : 0);
      hardness.push_back(v % 2 == 0 ? 0.5f : 2.0f);
    }
    const IncisionSpec spec{.steps = 1};
    std::vector<double> fast = land.height;
    incise(land.mesh, land.around, fast, land.sea, flow_area, uplift, hardness, spec, quiet);
    const std::vector<double> plain =
        reference::incise_once(land.mesh, land.height, land.sea, flow_area, uplift, hardness, spec);
    int64_t unlike = 0, on_land = 0;
    for (size_t v = 0; v < fast.size(); ++v) {
      if (land.sea[v] != 0) {
        EXPECT_EQ(fast[v], land.height[v]);
        continue;
      }
      ++on_land;
      // Where a lake's water takes another of its equal ways, what lies below has another area.
      unlike += std::fabs(fast[v] - plain[v]) > 1e-6 * (1 + std::fabs(plain[v])) ? 1 : 0;
    }
    EXPECT_LE(unlike, on_land / 10);
  }
}

}  // namespace tepui::drainage_test
