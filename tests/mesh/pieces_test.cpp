#include "tepui/mesh/pieces.h"

#include "tepui/mesh/checks.h"
#include "tepui/mesh/land_attributes.h"
#include "tests/support/support.h"

namespace tepui::pieces_test {

namespace {

/// Squares of these sides, one beside the other.
Mesh squares(const std::vector<float>& sides) {
  MeshData data;
  float x = 0;
  for (const float side : sides) {
    const auto first = static_cast<uint32_t>(data.positions.size());
    for (const MeshPoint& p : {MeshPoint{x, 0, 0}, {x + side, 0, 0}, {x + side, side, 0}, {x, side, 0}})
      data.positions.push_back(p);
    data.triangles.push_back({first, first + 1, first + 2});
    data.triangles.push_back({first, first + 2, first + 3});
    x += side + 1;
  }
  return Mesh(std::move(data));
}

}  // namespace

RC_GTEST_PROP(Pieces, ThoseWithLessSurfaceAreLeftOutAndOthersStay, ()) {
  const auto sides = *rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 9));
  const int limit = *rc::gen::inRange(0, 70);
  std::vector<float> all, kept;
  for (const int side : sides) {
    all.push_back(static_cast<float>(side));
    if (side * side >= limit) kept.push_back(static_cast<float>(side));
  }
  const Mesh left = without_crumbs(squares(all), limit, {});
  const MeshChecks checks = check_mesh(left, {});
  RC_ASSERT(checks.components == static_cast<int64_t>(kept.size()));
  RC_ASSERT(checks.area == check_mesh(squares(kept), {}).area);
  if (kept.size() == all.size()) RC_ASSERT(left.hash() == squares(all).hash());
}

TEST(LandAttributes, LayersAreReadAtThePlacesOfVertices) {
  const Frame frame = make_world({4, 4}, 3, {10, 20});
  Grid<float> height(3, 3, 0.0f), wet(3, 3), kind(3, 3);
  for (int64_t y = 0; y < 3; ++y)
    for (int64_t x = 0; x < 3; ++x) wet(x, y) = kind(x, y) = static_cast<float>(x + 10 * y);
  const Terrain land = Terrain(frame, {0, 1})
                           .with(make_layer("height", "m", LayerKind::continuous, std::move(height)))
                           .with(make_layer("wetness", "", LayerKind::continuous, std::move(wet)))
                           .with(make_layer("kind", "", LayerKind::category, std::move(kind)));
  MeshData data;
  data.centre = {10, 20, 0};
  data.positions = {{1, 0, 5}, {3, 2, -7}, {-50, 100, 0}};
  const Mesh mesh = with_layers(Mesh(std::move(data)), land, {});
  ASSERT_EQ(mesh.attributes().size(), 2u);
  EXPECT_EQ(mesh.attribute("wetness")->values, (std::vector<float>{0.5f, 11.5f, 20}));
  EXPECT_EQ(mesh.attribute("kind")->values, (std::vector<float>{1, 12, 20}));
}

}  // namespace tepui::pieces_test
