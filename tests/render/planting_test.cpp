// Plants and rocks in pictures.
#include "tepui/render/picture/planting.h"

#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/io/mesh/glb.h"
#include "tepui/render/picture/picture.h"
#include "tests/io/files.h"
#include "tests/mesh/shapes.h"
#include "tests/render/scenes.h"
#include "tests/support/contains.h"

namespace tepui::planting_test {

namespace {

using test::flat_land;
using test::land_of;
using test::mean_brightness;
using test::small_picture;

/// A tree every so many metres, from this point on.
Lines wood(Vec2 from, Vec2 to, double apart, double z = 0) {
  LinesColumns columns;
  columns.shapes.push_back(FeatureShape::point);
  columns.names.add("wood");
  for (double y = from.y; y <= to.y; y += apart)
    for (double x = from.x; x <= to.x; x += apart) columns.vertices.push_back({x, y, z});
  columns.part_starts.push_back(columns.vertices.size());
  columns.part_closed.push_back(0);
  columns.feature_starts.push_back(1);
  return Lines(std::move(columns));
}

Vec2 at(const Terrain& land, double u, double v) {
  const Frame& f = land.frame();
  return {f.x(0) + u * static_cast<double>(f.width - 1) * f.cell.x,
          f.y(0) + v * static_cast<double>(f.height - 1) * f.cell.y};
}

Image draw(const Terrain& land, const PictureParams& params, const std::vector<Lines>& scatter) {
  return draw_picture(land, params, {}, Context(), nullptr, scatter).image;
}

/// A lens and what the planting is on it.
struct Planted {
  Planted(const Terrain& land, std::vector<Standing> standing, PlantingLook look = {})
      : paint(0.5f), stage(land, paint), planting(std::move(standing), look, &land) {
    planting.stand(stage.subject, stage.lens(Camera::three_quarter), 200, Context());
  }
  test::TestPaint paint;
  test::LandStage stage;
  Planting planting;
};

}  // namespace

TEST(Planting, NoPointsAndPointsBeyondTheLandChangeNothing) {
  const Terrain land = land_of(17, 17, [](int64_t x, int64_t y) { return 3.0 * static_cast<double>((x * y) % 7); });
  const PictureParams params = small_picture(Camera::three_quarter, PictureColour::clay, {48, 32});
  const Image bare = draw(land, params, {});
  EXPECT_EQ(draw(land, params, {Lines()}).pixels, bare.pixels);
  const Vec2 away = at(land, 3, 3);
  EXPECT_EQ(draw(land, params, {wood(away, {away.x + 50, away.y + 50}, 10)}).pixels, bare.pixels);
  EXPECT_NE(draw(land, params, {wood(at(land, 0.2, 0.2), at(land, 0.8, 0.8), 10)}).pixels, bare.pixels);
}

TEST(Planting, SameBitsForAnyNumberOfThreads) {
  const Terrain land = land_of(17, 17, [](int64_t x, int64_t) { return static_cast<double>(x); });
  const std::vector<Lines> scatter{wood(at(land, 0, 0), at(land, 1, 1), 8)};
  const PictureParams params = small_picture(Camera::ground, PictureColour::natural, {40, 24}, 2);
  test::expect_same_bits([&] { return hash_bytes(draw(land, params, scatter).pixels.data(), 40 * 24 * 3); });
}

TEST(Planting, TreesDarkenAndShadeTheGroundBesideThem) {
  const Terrain land = flat_land(33, 33);
  PictureParams params = small_picture(Camera::top, PictureColour::clay, {64, 64}, 8);
  params.sun_azimuth = {270};
  params.sun_elevation = {20};
  const Vec2 low = at(land, 0.45, 0.1), high = at(land, 0.5, 0.9);
  const Image bare = draw(land, params, {}), with = draw(land, params, {wood(low, high, 6)});
  // The sun is in the west: shadows fall to the east of the row, and nothing to the west.
  EXPECT_LT(mean_brightness(with, 34, 38, 16, 48), 0.85 * mean_brightness(bare, 34, 38, 16, 48));
  EXPECT_NEAR(mean_brightness(with, 4, 20, 16, 48), mean_brightness(bare, 4, 20, 16, 48), 0.02);
}

TEST(Planting, StandOnLandWhateverTheirHeightsSay) {
  const Terrain land = land_of(9, 9, [](int64_t x, int64_t) { return 10.0 * static_cast<double>(x); });
  for (const double z : {-500.0, 0.0, 9000.0}) {
    Standing tree;
    const Vec2 place = at(land, 0.5, 0.5);
    tree.foot = {place.x, place.y, z};
    tree.height = 12;
    const Planted planted(land, {tree});
    const Vec3 foot = planted.stage.subject.placed({place.x, place.y, 40});
    const auto hit = planted.planting.hit(foot + Vec3{0, 0, 1}, {0, 0, -1}, RayScene::no_end);
    ASSERT_TRUE(hit);
    const double top = 1 - hit->distance;
    EXPECT_GT(top, 0.3 * 12 / planted.stage.subject.metres);
    EXPECT_LE(top, 12.01 / planted.stage.subject.metres);
  }
}

TEST(Planting, SnowLiesOnThemWhereItLiesOnTheLand) {
  Grid<float> snow(9, 9, 0.0f);
  for (int64_t y = 0; y < 9; ++y)
    for (int64_t x = 5; x < 9; ++x) snow(x, y) = 1;
  const Terrain land = flat_land(9, 9).with(make_layer("snow", "m", LayerKind::continuous, std::move(snow)));
  std::vector<Standing> two(2);
  for (size_t i = 0; i < 2; ++i) {
    const Vec2 place = at(land, i == 0 ? 0.2 : 0.85, 0.5);
    two[i] = {{place.x, place.y, 0}, Species::rock, 0, 8, 6, 0, 0};
  }
  const Planted planted(land, two, {Season::winter, PictureColour::natural});
  const auto brightness_at = [&](size_t i) {
    const Vec3 from = planted.stage.subject.placed({two[i].foot.x, two[i].foot.y, 1000}), down{0, 0, -1};
    const auto hit = planted.planting.hit(from, down, RayScene::no_end);
    return hit ? luminance(planted.planting.seen(*hit, down).albedo) : 0;
  };
  EXPECT_GT(brightness_at(1), 0.7f);
  EXPECT_LT(brightness_at(0), 0.6f);
  EXPECT_GT(brightness_at(0), 0.01f);
}

TEST(Planting, EveryPointSeenHasDirectionsOfUnitLength) {
  const Terrain land = flat_land(9, 9);
  std::vector<Standing> all;
  for (size_t s = 0; s < species_names.size(); ++s) {
    const Vec2 place = at(land, 0.05 + 0.1 * static_cast<double>(s), 0.5);
    all.push_back({{place.x, place.y, 0}, static_cast<Species>(s), static_cast<int>(s) % species_forms, 9, 4, 30, 8});
  }
  const Planted planted(land, all);
  const Stream stream(4);
  int met = 0;
  for (uint64_t ray = 0; ray < 4000; ++ray) {
    const Vec3 from{stream.uniform(ray, 0, -0.6, 0.6), stream.uniform(ray, 1, -0.3, 0.3), 1.7};
    const Vec3 to{stream.uniform(ray, 2, -0.5, 0.5), stream.uniform(ray, 3, -0.04, 0.04), 1.55};
    const Vec3 way = (to - from) * (1 / length(to - from));
    const auto hit = planted.planting.hit(from, way, RayScene::no_end);
    if (!hit) continue;
    ++met;
    const SurfacePoint point = planted.planting.seen(*hit, way);
    ASSERT_NEAR(length(point.normal), 1, 1e-6);
    ASSERT_NEAR(length(point.facet), 1, 1e-6);
    ASSERT_LT(length(point.at - (from + way * hit->distance)), 1e-5);
    for (const float c : {point.albedo.r, point.albedo.g, point.albedo.b}) ASSERT_TRUE(c >= 0 && c < 1);
  }
  EXPECT_GT(met, 20);
}

TEST(Planting, VolumesAndMeshesCarryThemAtTheirOwnHeights) {
  MeshData plate;
  plate.positions = {{-50, -50, 0}, {50, -50, 0}, {50, 50, 0}, {-50, 50, 0}};
  plate.triangles = {{0, 1, 2}, {0, 2, 3}};
  const Mesh mesh(plate);
  const PictureParams params = small_picture(Camera::three_quarter, PictureColour::clay, {48, 32});
  const auto drawn = [&](const std::vector<Lines>& scatter) {
    return draw_picture(mesh, params, {}, Context(), scatter).image.pixels;
  };
  EXPECT_NE(drawn({wood({-20, -20}, {20, 20}, 10)}), drawn({}));
  EXPECT_NE(drawn({wood({-20, -20}, {20, 20}, 10, 9)}), drawn({wood({-20, -20}, {20, 20}, 10)}));
}

/// A folder of GLBs takes the place of the models built in: what is drawn has their shape and their colour.
TEST(Planting, ModelsOfAFolderStandInThePicture) {
  const test::TemporaryFolder folder;
  const auto write = [&](float wide, MeshColour colour) {
    MeshData block = test::cube();
    float low = 1e9f, top = -1e9f;
    for (const MeshPoint& p : block.positions) low = std::min(low, p[2]), top = std::max(top, p[2]);
    for (MeshPoint& p : block.positions) p = {p[0] * wide, p[1] * wide, (p[2] - low) / (top - low)};
    block.colours.assign(block.positions.size(), colour);
    write_glb(folder / "broadleaf_0.glb", StoredMesh(Mesh(std::move(block))), {}, Context());
  };
  const Terrain land = flat_land(33, 33);
  const std::vector<Lines> scatter{wood(at(land, 0.2, 0.2), at(land, 0.8, 0.8), 8)};
  PictureParams params = small_picture(Camera::three_quarter, PictureColour::natural, {64, 48}, 4);
  const Image built_in = draw(land, params, scatter), bare = draw(land, params, {});
  params.models = {folder / ""};
  // How much redder than green it is against the bare land.
  const auto redness = [&](const Image& image) {
    double sum = 0;
    for (size_t i = 0; i < image.pixels.size(); i += 3)
      sum += (image.pixels[i] - image.pixels[i + 1]) - (bare.pixels[i] - bare.pixels[i + 1]);
    return sum / static_cast<double>(image.pixels.size() / 3);
  };
  write(0.05f, {220, 20, 20, 255});
  const Image narrow = draw(land, params, scatter);
  write(0.2f, {220, 20, 20, 255});
  const Image wide = draw(land, params, scatter);
  EXPECT_NE(narrow.pixels, built_in.pixels);
  EXPECT_GT(redness(narrow), 1);
  EXPECT_GT(redness(wide), 1.5 * redness(narrow));
  EXPECT_LT(redness(built_in), 0.5);
  EXPECT_EQ(draw(land, params, {}).pixels, bare.pixels);
}

}  // namespace tepui::planting_test
