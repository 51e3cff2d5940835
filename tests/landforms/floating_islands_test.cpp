#include "tepui/landforms/floating_islands.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tepui/geology/strata.h"
#include "tepui/landforms/fall.h"
#include "tepui/mesh/checks.h"
#include "tepui/mesh/polygonize.h"
#include "tests/support/support.h"

namespace tepui::floating_islands_test {

namespace {

const Context quiet;
const Frame world = make_world({800, 800}, 9);

Volume islands(const FloatingIslandsParams& params, const Terrain* mask = nullptr, const Lines* outline = nullptr) {
  return floating_islands(world, mask, outline, nullptr, params, quiet);
}

/// An island takes a while: a few of them, drawn alike every time.
constexpr uint64_t cases = 8;

FloatingIslandsParams any_params(uint64_t n) {
  const Stream stream(77);
  FloatingIslandsParams p;
  const double size = stream.uniform(n, 0, 50, 650);
  p.size = {metres(size), metres(size)};
  p.thickness = stream.uniform(n, 1, 0.1, 1.1);
  p.relief = stream.uniform(n, 2, 0, 0.4);
  p.roughness = n == 0 ? 0 : stream.uniform(n, 3);
  p.roots = n == 1 ? 0 : stream.uniform(n, 4);
  p.joints = {stream.uniform(n, 5, 0, 360)};
  p.seed.node = static_cast<int64_t>(n);
  return p;
}

Lines ring(std::vector<Vec3> points, bool closed = true) { return Lines({{"shore", std::move(points), closed, {}}}); }

Terrain mask_of(float value) {
  Grid<float> grid(world.width, world.height);
  std::ranges::fill(grid.cells(), value);
  return Terrain(world, {0, 1}, Grid<float>(world.width, world.height))
      .with(make_layer("mask", "", LayerKind::mask, std::move(grid)));
}

}  // namespace

TEST(FloatingIslands, HangFreelyAndHaveTheirSize) {
  for (uint64_t n = 0; n < cases; ++n) {
    const FloatingIslandsParams p = any_params(n);
    const Volume one = islands(p);
    const double width = p.size.high.value;
    // All around there is air, and rock in the middle.
    const Box3 box = one.support();
    int rock = 0;
    Box3 around;
    constexpr int side = 24;
    for (int k = 0; k < side; ++k)
      for (int j = 0; j < side; ++j)
        for (int i = 0; i < side; ++i) {
          const Vec3 size = box.high - box.low;
          const Vec3 at = box.low + Vec3{size.x * i, size.y * j, size.z * k} * (1.0 / (side - 1));
          if (!one.inside(at)) continue;
          ++rock;
          around = around.with(at);
          EXPECT_TRUE(i > 0 && j > 0 && k > 0 && i < side - 1 && j < side - 1 && k < side - 1);
        }
    EXPECT_GT(rock, 5);
    const double wide = std::max(around.high.x - around.low.x, around.high.y - around.low.y);
    EXPECT_LT(wide, 1.3 * width);
    EXPECT_GT(wide, 0.5 * width);
    EXPECT_LT(around.high.z - around.low.z, (2.5 * p.thickness + 2 * p.relief) * width + 10);
  }
}

TEST(FloatingIslands, LieWithinTheirOutline) {
  for (uint64_t n = 0; n < cases; ++n) {
    FloatingIslandsParams p = any_params(n);
    p.heights = {metres(100), metres(100)};
    // A shore with a bay.
    const std::vector<Vec3> shore{{100, 100, 0}, {700, 120, 0}, {650, 680, 0}, {400, 300, 0}, {150, 600, 0}};
    const Lines line = ring(shore);
    const Volume one = islands(p, nullptr, &line);
    const auto column = [&](double x, double y) {
      for (double z = -900; z < 700; z += 2)
        if (one.inside({x, y, z})) return true;
      return false;
    };
    EXPECT_TRUE(column(400, 200));
    EXPECT_TRUE(column(200, 400));
    EXPECT_FALSE(column(400, 380));
    EXPECT_FALSE(column(90, 90));
    EXPECT_FALSE(column(760, 400));
  }
}

TEST(FloatingIslands, FollowAMask) {
  Grid<float> grid(world.width, world.height);
  for (int64_t y = 0; y < world.height; ++y)
    for (int64_t x = 0; x < world.width; ++x) grid(x, y) = x >= 1 && x <= 4 && y >= 2 && y <= 6 ? 1.0f : 0.0f;
  const Terrain mask = Terrain(world, {0, 1}, Grid<float>(world.width, world.height))
                           .with(make_layer("mask", "", LayerKind::mask, std::move(grid)));
  FloatingIslandsParams p;
  p.heights = {metres(0), metres(0)};
  const Volume one = islands(p, &mask);
  EXPECT_TRUE(one.inside({250, 400, -5}));
  EXPECT_FALSE(one.inside({550, 400, -5}));
}

TEST(FloatingIslands, SeveralLieApartAtDifferentHeights) {
  FloatingIslandsParams p;
  p.islands = 3;
  p.size = {metres(120), metres(220)};
  p.heights = {metres(0), metres(300)};
  p.roughness = 0.3;
  p.roots = 0.2;
  PolygonizeParams mesh;
  mesh.cell = metres(5);
  FallParams keep;
  keep.cell = metres(5);
  keep.pieces = 3;
  const Volume three = fall(world, islands(p), keep, quiet);
  EXPECT_EQ(check_mesh(polygonize_volume(three, mesh, quiet), quiet).components, 3);
  // Where there is no room there are fewer.
  p.islands = 40;
  EXPECT_LT(islands(p).bytes(), 40 * islands({}).bytes());
}

TEST(FloatingIslands, AreWornByTheirRockAlone) {
  FloatingIslandsParams p;
  p.size = {metres(200), metres(200)};
  const Geology rock = strata(world, {}, quiet);
  const Volume plain = islands(p), worn = floating_islands(world, nullptr, nullptr, &rock, p, quiet);
  EXPECT_NE(plain.hash(), worn.hash());
  EXPECT_EQ(worn.rock().hash(), rock.hash());
  p.wear = metres(0);
  EXPECT_EQ(floating_islands(world, nullptr, nullptr, &rock, p, quiet).root().children().size(),
            plain.root().children().size());
}

TEST(FloatingIslands, AnotherSeedGivesOthersAndTheSameSeedTheSame) {
  FloatingIslandsParams p;
  const Hash first = islands(p).hash();
  p.seed.node = 1;
  EXPECT_NE(islands(p).hash(), first);
  p.seed.node = 0;
  test::expect_same_bits([&] { return islands(p).hash(); });
}

TEST(FloatingIslands, RefuseWhatEnclosesNothing) {
  const Terrain nothing = mask_of(0);
  const Lines open = ring({{0, 0, 0}, {9, 0, 0}, {9, 9, 0}}, false), flat = ring({{0, 0, 0}, {9, 0, 0}, {4, 0, 0}});
  const auto error = [&](const Terrain* mask, const Lines* line) {
    return test::error_of([&] { islands({}, mask, line); });
  };
  EXPECT_NE(error(&nothing, nullptr).find("above one half"), std::string::npos);
  EXPECT_NE(error(nullptr, &open).find("closed"), std::string::npos);
  EXPECT_NE(error(nullptr, &flat).find("encloses nothing"), std::string::npos);
  EXPECT_NE(error(&nothing, &flat).find("connect one of them"), std::string::npos);
  FloatingIslandsParams p;
  p.size = {metres(500), metres(100)};
  EXPECT_FALSE(test::error_of([&] { islands(p); }).empty());
}

}  // namespace tepui::floating_islands_test
