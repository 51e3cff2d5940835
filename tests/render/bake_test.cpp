#include "tepui/render/ground/bake.h"

#include <algorithm>
#include <filesystem>

#include "tepui/core/srgb.h"
#include "tepui/mesh/source.h"
#include "tepui/render/ground/land_ground.h"
#include "tepui/render/picture/land_subject.h"
#include "tests/support/support.h"

namespace tepui::bake_test {
namespace {

Terrain flat_land(int64_t width, int64_t height) {
  const Frame frame = test::sample_land(width, height, 1).frame();
  return {frame, {100, 500}, Grid<float>(width, height, 200.0f)};
}

Terrain with_layers(const Terrain& land, uint64_t seed) {
  const int64_t w = land.frame().width, h = land.frame().height;
  const Stream stream(seed);
  const auto grid = [&](uint64_t channel, double high, bool whole) {
    Grid<float> g(w, h);
    for (int64_t i = 0; i < g.size(); ++i) {
      const double v = stream.uniform(static_cast<uint64_t>(i), channel, 0, high);
      g.data()[i] = static_cast<float>(whole ? std::floor(v) : v);
    }
    return g;
  };
  Layer material = make_layer("material", "", LayerKind::category, grid(0, 4, true));
  material.classes = 4;
  return land.with(material)
      .with(make_layer("hardness", "", LayerKind::continuous, grid(1, 1, false)))
      .with(make_layer("soil", "m", LayerKind::continuous, grid(2, 0.5, false)))
      .with(make_layer("sand", "m", LayerKind::continuous, grid(3, 0.2, false)))
      .with(make_layer("snow", "m", LayerKind::mask, grid(4, 0.1, false)));
}

/// Up to a metre of it on half of the samples.
Terrain with_debris(const Terrain& land, uint64_t seed) {
  const Stream stream(seed);
  Grid<float> thickness(land.frame().width, land.frame().height);
  for (int64_t i = 0; i < thickness.size(); ++i)
    thickness.data()[i] = std::max(0.0f, static_cast<float>(stream.uniform(static_cast<uint64_t>(i), 5, -1, 1)));
  return land.with(make_layer("sediment", "m", LayerKind::continuous, std::move(thickness)));
}

/// Texel (i, j) from the south-west.
const uint8_t* texel(const Image& image, int64_t i, int64_t j) {
  return image.at(static_cast<int>(i), image.height - 1 - static_cast<int>(j));
}

Vec3 decoded(const uint8_t* rgb) { return {rgb[0] / 255.0 * 2 - 1, rgb[1] / 255.0 * 2 - 1, rgb[2] / 255.0 * 2 - 1}; }

RC_GTEST_PROP(LandMaps, OfAWindowAreThoseOfTheWholeThere, (uint64_t seed)) {
  const auto w = *rc::gen::inRange<int64_t>(2, 30), h = *rc::gen::inRange<int64_t>(2, 30);
  const Terrain land = with_debris(with_layers(test::sample_land(w, h, seed, 7), seed), seed);
  BakeParams params;
  params.normal = *rc::gen::element(NormalMap::plan, NormalMap::mesh);
  const Bake all = bake(land, params, 150.0, Context());
  TileWindow window;
  window.width = *rc::gen::inRange<int64_t>(1, w + 1), window.height = *rc::gen::inRange<int64_t>(1, h + 1);
  window.first_x = *rc::gen::inRange<int64_t>(0, w - window.width + 1);
  window.first_y = *rc::gen::inRange<int64_t>(0, h - window.height + 1);
  const Bake part = LandMaps(land, params, 150.0, Context()).bake(window, nullptr, Context());
  RC_ASSERT(part.maps.size() == all.maps.size());
  for (size_t m = 0; m < all.maps.size(); ++m) {
    const Image &whole = all.maps[m].image, &own = part.maps[m].image;
    RC_ASSERT(own.width == window.width && own.height == window.height);
    for (int64_t j = 0; j < window.height; ++j)
      for (int64_t i = 0; i < window.width; ++i)
        RC_ASSERT(std::equal(texel(own, i, j), texel(own, i, j) + own.channels,
                             texel(whole, window.first_x + i, window.first_y + j)));
  }
  // Of fewer texels each window has its share.
  params.size = std::max(1, static_cast<int>(std::max(w, h) / 2));
  const Image small = *LandMaps(land, params, {}, Context()).bake(window, nullptr, Context()).find("colour");
  RC_ASSERT(small.width >= 1 && small.width <= window.width && small.height <= window.height);
}

RC_GTEST_PROP(Bake, IsWhatLandGroundShows, (uint64_t seed)) {
  const auto w = *rc::gen::inRange<int64_t>(1, 24), h = *rc::gen::inRange<int64_t>(1, 24);
  Terrain land = test::sample_land(w, h, seed, 7);
  if (*rc::gen::arbitrary<bool>()) land = with_layers(land, seed);
  if (*rc::gen::arbitrary<bool>()) land = with_debris(land, seed);
  BakeParams params;
  params.biome = static_cast<Biome>(*rc::gen::inRange(0, static_cast<int>(biome_count)));
  std::optional<double> sea;
  if (*rc::gen::arbitrary<bool>()) sea = 220;
  const Bake maps = bake(land, params, sea, Context());
  const LandGround ground(land, params, sea, Context());
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      const auto u = static_cast<double>(x), v = static_cast<double>(y);
      const Vec3 own = ground.normal_at(u, v);
      const GroundLook look = ground.look(u, v, own, 7);
      const uint8_t* colour = texel(*maps.find("colour"), x, y);
      const float albedo[3] = {look.albedo.r, look.albedo.g, look.albedo.b};
      for (int k = 0; k < 3; ++k)
        RC_ASSERT(std::abs(255 * srgb_from_linear(static_cast<double>(albedo[k])) - colour[k]) < 0.51);
      RC_ASSERT(length(decoded(texel(*maps.find("normal"), x, y)) - look.normal) < 0.01);
      const double slope = std::acos(std::min(1.0, own.z)) * 180 / 3.14159265358979;
      RC_ASSERT(std::abs(slope / 90 * 255 - *texel(*maps.find("slope"), x, y)) < 0.51);
      int sum = 0;
      for (size_t k = 0; k < ground_kinds; ++k) {
        const int byte = texel(*maps.find("weights_" + std::to_string(k / 4)), x, y)[k % 4];
        sum += byte;
        RC_ASSERT(std::abs(byte - 255.0 * static_cast<double>(look.weights[k])) <= 1.01);
      }
      RC_ASSERT(sum == 255);
    }
}

TEST(Bake, ColoursAreTheAlbedoOfPictures) {
  const Terrain land = with_layers(test::sample_land(40, 30, 3, 7), 3);
  PictureParams picture;
  picture.biome = Biome::alpine;
  BakeParams params;
  params.biome = Biome::alpine;
  const Bake maps = bake(land, params, 220.0, Context());
  const LandPaint paint(land, picture, 220.0, Context());
  LandSubject subject(land, paint, Base::block, picture, 220.0, Context());
  RayScene rays;
  subject.add_to(rays);
  rays.commit(Context());
  for (int64_t y = 1; y < 29; ++y)
    for (int64_t x = 1; x < 39; ++x) {
      // Straight down onto a sample, with the texel as the pixel.
      const Vec3 from{(static_cast<double>(x) - 19.5) / 39, (static_cast<double>(y) - 14.5) / 39, 10}, down{0, 0, -1};
      const auto hit = rays.hit(from, down);
      ASSERT_TRUE(hit);
      uint8_t seen[3];
      store_srgb(subject.seen(*hit, from, down, 7 / subject.metres).albedo, 0.5f, seen);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(texel(*maps.find("colour"), x, y)[k], seen[k], 1) << x << ' ' << y;
    }
}

TEST(Bake, SameBytesForAnyThreads) {
  const Terrain land = with_layers(test::sample_land(70, 51, 5), 2);
  test::expect_same_bits([&] {
    Hasher hash;
    for (const BakedMap& map : bake(land, {}, 220.0, Context()).maps)
      hash.add(hash_bytes(map.image.pixels.data(), map.image.pixels.size()));
    return hash.finish();
  });
}

TEST(Bake, LevelLandIsOpenAndLevel) {
  for (const auto& [w, h] : {std::pair<int64_t, int64_t>{1, 1}, {1, 9}, {9, 1}, {6, 4}}) {
    BakeParams params;
    params.biome = Biome::alpine;
    const Bake maps = bake(flat_land(w, h), params, {}, Context());
    EXPECT_EQ(maps.find("colour")->width, w);
    EXPECT_EQ(maps.find("colour")->height, h);
    for (const uint8_t v : maps.find("slope")->pixels) EXPECT_EQ(v, 0);
    for (const uint8_t v : maps.find("occlusion")->pixels) EXPECT_GE(v, 253);
  }
}

TEST(Bake, LandWithoutHeightsIsLevel) {
  const Terrain rock = with_layers(flat_land(5, 4), 1).without("height");
  const Bake maps = bake(rock, {}, {}, Context());
  for (const uint8_t v : maps.find("slope")->pixels) EXPECT_EQ(v, 0);
  for (const uint8_t v : maps.find("colour")->pixels) EXPECT_GT(v, 0);
}

TEST(Bake, HollowsAreDarkerThanCrests) {
  Grid<float> z(41, 41, 200.0f);
  for (int64_t y = 0; y < 41; ++y)
    for (int64_t x = 18; x < 23; ++x) z(x, y) = 100;
  const Terrain land(test::sample_land(41, 41, 1).frame(), {100, 200}, std::move(z));
  const Bake maps = bake(land, {}, {}, Context());
  EXPECT_LT(*texel(*maps.find("occlusion"), 20, 20), 128);
  EXPECT_GT(*texel(*maps.find("occlusion"), 5, 20), 250);
  // Under water nothing is in the shade.
  EXPECT_GT(*texel(*bake(land, {}, 300.0, Context()).find("occlusion"), 20, 20), 250);
}

TEST(Bake, GreenIsNorth) {
  Grid<float> z(9, 9);
  for (int64_t y = 0; y < 9; ++y)
    for (int64_t x = 0; x < 9; ++x) z(x, y) = static_cast<float>(20 * y);  // rises northward, so it faces south
  Frame frame = test::sample_land(9, 9, 1).frame();
  frame.cell = {10, 10};
  BakeParams params;
  params.size = 9;
  const Bake maps = bake(Terrain(frame, {0, 160}, std::move(z)), params, {}, Context());
  Vec3 mean{0, 0, 0};
  for (int64_t y = 0; y < 9; ++y)
    for (int64_t x = 0; x < 9; ++x) mean = mean + decoded(texel(*maps.find("normal"), x, y)) * (1.0 / 81);
  EXPECT_LT(mean.y, -0.6);
  EXPECT_NEAR(mean.x, 0, 0.15);
}

/// The normal that a viewer gets from the mesh's normals and the map.
RC_GTEST_PROP(Bake, TheMeshsNormalsAndItsMapGiveTheLook, (uint64_t seed)) {
  const Terrain land = test::sample_land(*rc::gen::inRange(2, 12), *rc::gen::inRange(2, 12), seed, 100);
  BakeParams params;
  params.normal = NormalMap::mesh;
  const Bake maps = bake(land, params, {}, Context());
  const LandGround ground(land, params, {}, Context());
  const Mesh mesh = gather(LandMesh(land));
  const int64_t w = land.frame().width;
  for (int64_t i = 0; i < w * land.frame().height; ++i) {
    const MeshPoint n = mesh.normals()[static_cast<size_t>(i)];
    const Vec3 normal{static_cast<double>(n[0]), static_cast<double>(n[1]), static_cast<double>(n[2])};
    // u runs along the surface eastwards; y of the map is up the picture, to the left of u.
    Vec3 tangent{1, 0, -normal.x / normal.z};
    tangent = tangent * (1 / length(tangent));
    const Vec3 bitangent = cross(normal, tangent);
    const Vec3 map = decoded(texel(*maps.find("normal"), i % w, i / w));
    const Vec3 shown = tangent * map.x + bitangent * map.y + normal * map.z;
    const auto u = static_cast<double>(i % w), v = static_cast<double>(i / w);
    RC_ASSERT(length(shown - ground.look(u, v, ground.normal_at(u, v), 100).normal) < 0.02);
  }
}

TEST(Bake, SizesKeepTheLandsShape) {
  const Terrain land = test::sample_land(64, 32, 4);
  for (const int size : {1, 7, 32, 128}) {
    BakeParams params;
    params.size = size;
    const Bake maps = bake(land, params, {}, Context());
    EXPECT_EQ(maps.find("colour")->width, size);
    EXPECT_EQ(maps.find("colour")->height, std::max(1, (size + 1) / 2));
  }
  BakeParams params;
  params.size = -1;
  EXPECT_FALSE(test::error_of([&] { bake(land, params, {}, Context()); }).empty());
  params.size = 8193;
  EXPECT_NE(test::error_of([&] { bake(land, params, {}, Context()); }).find("8192"), std::string::npos);
  EXPECT_FALSE(test::error_of([&] { bake(Terrain(), {}, {}, Context()); }).empty());
}

TEST(Bake, OnlyWhatIsAskedForIsMade) {
  BakeParams params;
  params.colour = params.occlusion = params.roughness = params.slope = false;
  params.normal = NormalMap::none;
  params.weights = WeightMaps::grey;
  const Bake maps = bake(test::sample_land(9, 7, 4), params, {}, Context());
  ASSERT_EQ(maps.maps.size(), ground_kinds);
  EXPECT_EQ(maps.maps[1].name, "weight_scree");
  EXPECT_EQ(maps.find("colour"), nullptr);
  for (size_t i = 0; i < maps.maps[0].image.pixels.size(); ++i) {
    int sum = 0;
    for (const BakedMap& map : maps.maps) sum += map.image.pixels[i];
    EXPECT_EQ(sum, 255);
  }
  const test::TemporaryFolder folder;
  const std::vector<FileRecord> records = write_bake(folder / "land", maps, {}, Context());
  ASSERT_EQ(records.size(), ground_kinds);
  EXPECT_EQ(records.back().name, "land_weight_snow.png");
  EXPECT_EQ(records.back().layers, std::vector<std::string>{"snow"});
  EXPECT_TRUE(std::filesystem::exists(folder / "land_weight_rock.png"));
}

Layer cut_out(const Layer& layer, int64_t x0, int64_t y0, int64_t w, int64_t h) {
  Grid<float> part(w, h);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) part(x, y) = layer.grid()(x0 + x, y0 + y);
  return layer.holding(std::move(part));
}

/// Whatever the range of heights in a window: a tile shows what the whole does.
RC_GTEST_PROP(LandGround, ACropLooksLikeTheWhole, (uint64_t seed)) {
  Terrain land = test::sample_land(40, 30, seed, 25);
  if (*rc::gen::arbitrary<bool>()) land = with_layers(land, seed);
  if (*rc::gen::arbitrary<bool>()) land = with_debris(land, seed);
  std::optional<double> sea;
  if (*rc::gen::arbitrary<bool>()) sea = 220;
  SkinParams skin;
  if (*rc::gen::arbitrary<bool>()) skin.biome = static_cast<Biome>(*rc::gen::inRange(0, static_cast<int>(biome_count)));
  const auto x0 = *rc::gen::inRange<int64_t>(0, 30), y0 = *rc::gen::inRange<int64_t>(0, 20);
  Terrain crop(land.frame().window(x0, y0, 10, 10), land.relief());
  for (const Layer& layer : land.layers()) crop = crop.with(cut_out(layer, x0, y0, 10, 10));
  const LandGround whole(land, skin, sea, Context()), part(crop, skin, sea, Context());
  for (int64_t y = 1; y < 9; ++y)
    for (int64_t x = 1; x < 9; ++x) {
      const auto u = static_cast<double>(x), v = static_cast<double>(y), du = static_cast<double>(x0),
                 dv = static_cast<double>(y0);
      const Vec3 normal = part.normal_at(u, v);
      const GroundLook a = whole.look(du + u, dv + v, normal, 25), b = part.look(u, v, normal, 25);
      RC_ASSERT(a.albedo.r == b.albedo.r && a.albedo.g == b.albedo.g && a.albedo.b == b.albedo.b);
      RC_ASSERT(a.normal == b.normal);
      RC_ASSERT(a.weights == b.weights);
      const Vec2 cell = land.frame().cell;
      const Rgb wall = whole.cut({(du + u) * cell.x, dv * cell.y, 150}), same = part.cut({u * cell.x, 0, 150});
      RC_ASSERT(wall.g == same.g);
    }
}

TEST(LandGround, ReadsLayersByTheirKind) {
  const Terrain land = with_layers(test::sample_land(8, 6, 3), 9);
  const LandGround ground(land, {.biome = Biome::coast}, 150.0, Context());
  const GroundPoint p = ground.point(3.25, 2, {0, 0, 1}, 4);
  EXPECT_EQ(p.material, land.layer("material").grid()(3, 2) / 3);
  const Grid<float>& soil = land.layer("soil").grid();
  EXPECT_NEAR(p.of(GroundKind::soil), 0.75f * soil(3, 2) + 0.25f * soil(4, 2), 1e-6f);
  EXPECT_NEAR(p.above_water, static_cast<float>(p.at.z) - 150, 1e-3f);
  EXPECT_EQ(p.footprint, 4);
  const LandGround plain(test::sample_land(8, 6, 3), {.biome = Biome::coast}, {}, Context());
  const GroundPoint q = plain.point(3.25, 2, {0, 0, 1}, 4);
  for (const float unknown : {q.material, q.hardness, q.sediment}) EXPECT_EQ(unknown, -1);
  for (const float unknown : q.laid) EXPECT_EQ(unknown, -1);
  EXPECT_EQ(q.above_water, 1e9f);
}

TEST(LandGround, ACutShowsDebrisDownToTheRock) {
  const Terrain bare = test::sample_land(20, 20, 4);
  const Terrain land = bare.with(make_layer("sediment", "m", LayerKind::continuous, Grid<float>(20, 20, 25.0f)));
  const LandGround debris(land, {.biome = Biome::desert}, {}, Context()),
      rock(bare, {.biome = Biome::desert}, {}, Context());
  const Vec2 cell = debris.cell();
  for (const double u : {0.0, 3.5, 19.0}) {
    const double top = rock.height_at(u, 2);
    const auto cut = [&](const LandGround& ground, double depth) {
      const Rgb c = ground.cut({u * cell.x, 2 * cell.y, top - depth}, 0.01);
      return std::array{c.r, c.g, c.b};
    };
    EXPECT_NE(cut(debris, 1), cut(rock, 1));
    EXPECT_NE(cut(debris, 24.9), cut(rock, 24.9));
    EXPECT_EQ(cut(debris, 28), cut(rock, 28));
    EXPECT_EQ(cut(debris, 300), cut(rock, 300));
  }
}

}  // namespace
}  // namespace tepui::bake_test
