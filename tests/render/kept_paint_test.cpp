#include "tepui/render/ground/kept_paint.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tepui/volume/implicitize.h"
#include "tepui/volume/sculpt.h"
#include "tests/support/support.h"

namespace tepui::kept_paint_test {

namespace {

Volume carved(size_t strokes) {
  const Terrain land = test::sample_land(65, 65, 3, 4, {0, 20});
  SculptParams params;
  params.strokes.clear();
  for (size_t i = 0; i < strokes; ++i) {
    SculptStroke stroke;
    stroke.shape = PrimitiveShape::sphere;
    stroke.at = {20 + 15 * static_cast<double>(i), 60, 0};
    params.strokes.push_back(stroke);
  }
  const Volume solid = implicitize(land, nullptr, nullptr, {}, Context());
  return sculpt(land.frame(), &solid, nullptr, params, Context());
}

struct Shown {
  std::shared_ptr<KeptTiles> tiles{};
  std::shared_ptr<const KeptPaint> paint{};

  Mesh show(const Volume& volume, const MeshPaintParams& params) {
    int64_t made = 0;
    const Mesh mesh = polygonize_again(volume, nullptr, {.cell = metres(1)}, tiles, made, Context());
    return painted_again(mesh, parts_of(*tiles), params, paint, Context());
  }
};

MeshPaintParams temperate() {
  MeshPaintParams params;
  params.skin.biome = Biome::temperate;
  return params;
}

}  // namespace

TEST(KeptPaint, IsThatOfAFreshStart) {
  Shown kept;
  for (size_t strokes = 1; strokes < 5; ++strokes)
    EXPECT_EQ(kept.show(carved(strokes), temperate()).hash(), Shown().show(carved(strokes), temperate()).hash())
        << strokes;
  // Another look is painted anew.
  MeshPaintParams winter = temperate();
  winter.skin.season = Season::winter;
  const Mesh cold = kept.show(carved(4), winter);
  EXPECT_EQ(cold.hash(), Shown().show(carved(4), winter).hash());
  EXPECT_NE(cold.hash(), Shown().show(carved(4), temperate()).hash());
  test::expect_same_bits([&] { return Shown().show(carved(2), temperate()).hash(); });
}

TEST(KeptPaint, LooksLikeAMeshThatIsPainted) {
  const Mesh again = Shown().show(carved(3), temperate());
  const Mesh plain = painted(polygonize_volume(carved(3), {.cell = metres(1)}, Context()), temperate(), Context());
  ASSERT_EQ(again.positions().size(), plain.positions().size());
  double away = 0, lighter = 0;
  for (size_t i = 0; i < again.colours().size(); ++i)
    for (size_t k = 0; k < 3; ++k) {
      const int difference = again.colours()[i][k] - plain.colours()[i][k];
      away += std::abs(difference), lighter += difference;
    }
  // The size of detail follows from the lattice, not from the triangles around each vertex: grain differs, tone
  // hardly does.
  const double count = static_cast<double>(3 * again.colours().size());
  EXPECT_LT(away / count, 8);
  EXPECT_LT(std::abs(lighter / count), 4);
}

}  // namespace tepui::kept_paint_test
