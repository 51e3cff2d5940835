// The look of the ground on the surfaces of volumes and meshes: on vertices, and as maps over an atlas.
#include "tepui/render/ground/mesh_bake.h"

#include <cmath>
#include <numeric>

#include "tepui/core/srgb.h"
#include "tepui/render/ground/mesh_paint.h"
#include "tepui/render/ground/rock_columns.h"
#include "tepui/render/ground/volume_ground.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::mesh_bake_test {
namespace {

/// A ring of rock, tens of metres large, that tells of its resistance.
Mesh ring(uint32_t n, uint64_t seed) {
  MeshData data = test::torus(n);
  for (MeshPoint& p : data.positions)
    for (float& v : p) v *= 20;
  data.centre = {4e5, 5e6, 100};
  const Stream stream(seed);
  MeshAttribute resistance{"resistance", "", {}}, strata{"strata", "", {}};
  for (size_t i = 0; i < data.positions.size(); ++i) {
    resistance.values.push_back(static_cast<float>(stream.uniform(i)));
    strata.values.push_back(static_cast<float>(stream.bits(i, 1) % 4));
  }
  data.attributes = {resistance, strata};
  return Mesh(std::move(data));
}

SkinParams any_skin() { return {.biome = static_cast<Biome>(*rc::gen::inRange(0, static_cast<int>(biome_count)))}; }

}  // namespace

RC_GTEST_PROP(PaintedMesh, VerticesShowWhatPicturesShow, (uint64_t seed)) {
  const Mesh mesh = ring(*rc::gen::inRange(3u, 40u), seed);
  const SkinParams skin = any_skin();
  const Mesh shown = painted(mesh, {skin, 95}, Context());
  VolumeGround ground(skin, mesh.world_bounds(), 95);
  ground.set_water(95);
  ground.set_surface(mesh, Context());
  const std::vector<float> sizes = footprints(mesh, Context());
  const std::vector<MeshPoint> normals = normals_of(mesh, Context());
  const RockOfMesh rock(mesh);
  for (uint32_t i = 0; i < mesh.positions().size(); ++i) {
    SurfacePlace place{mesh.centre() + to_vec(mesh.positions()[i]), to_vec(normals[i]), static_cast<double>(sizes[i])};
    rock.tell(i, place);
    const GroundLook look = ground.look(place);
    RC_ASSERT(std::abs(linear_from_srgb(shown.colours()[i][0] / 255.0) - static_cast<double>(look.albedo.r)) < 0.006);
    RC_ASSERT(shown.attribute(roughness_attribute)->values[i] == look.roughness);
    RC_ASSERT(dot(to_vec(shown.normals()[i]), look.normal) > 0.9999);
  }
}

RC_GTEST_PROP(PaintedMesh, SharesSumUpTo255, (uint64_t seed)) {
  const Mesh shown = painted(ring(*rc::gen::inRange(3u, 30u), seed), {any_skin(), {}}, Context());
  std::vector<int> sums(shown.positions().size(), 0);
  for (const MeshAttribute& attribute : shown.attributes()) {
    if (!attribute.name.starts_with(weight_prefix)) continue;
    for (size_t i = 0; i < sums.size(); ++i) {
      const float bytes = attribute.values[i] * 255;
      RC_ASSERT(std::abs(bytes - std::round(bytes)) < 1e-3f);
      sums[i] += static_cast<int>(std::round(bytes));
    }
  }
  RC_ASSERT(std::ranges::all_of(sums, [](int sum) { return sum == 255; }));
  // Twice is once.
  RC_ASSERT(painted(shown, {}, Context()).attributes().size() <= most_attributes);
}

TEST(PaintedMesh, TheSameForAnyNumberOfThreads) {
  test::expect_same_bits([] { return painted(ring(60, 7), {{.biome = Biome::alpine}, 100}, Context()).hash(); });
}

TEST(PaintedMesh, NothingAndFullListsOfAttributesAreLeftAlone) {
  EXPECT_TRUE(painted(Mesh(), {}, Context()).colours().empty());
  MeshData data = test::cube();
  for (size_t k = 0; k < most_attributes; ++k)
    data.attributes.push_back({"a" + std::to_string(k), "", std::vector<float>(8)});
  const Mesh shown = painted(Mesh(std::move(data)), {}, Context());
  EXPECT_EQ(shown.attributes().size(), most_attributes);
  EXPECT_EQ(shown.colours().size(), 8u);
  EXPECT_DOUBLE_EQ(mean_roughness(shown), 0.9);
}

TEST(RockColumns, RockHidesTheSky) {
  // A slab of 100 m over a floor, with 20 m of air between, and open ground beside it.
  const auto slab = [](float west, float east, float low, float high) {
    MeshData box = test::cube();
    for (MeshPoint& p : box.positions) p = {p[0] > 0 ? east : west, 100 * p[1], p[2] > 0 ? high : low};
    return box;
  };
  MeshData data = slab(0, 300, 0, 10), roof = slab(0, 100, 30, 40);
  for (MeshTriangle& t : roof.triangles)
    for (uint32_t& corner : t) corner += 8;
  data.positions.insert(data.positions.end(), roof.positions.begin(), roof.positions.end());
  data.triangles.insert(data.triangles.end(), roof.triangles.begin(), roof.triangles.end());
  const RockColumns columns{Mesh(data), Context()};
  const Vec3 up{0, 0, 1};
  EXPECT_FLOAT_EQ(columns.shelter({50, 50, 10}, up), 1);
  EXPECT_FLOAT_EQ(columns.shelter({250, 50, 10}, up), 0);
  EXPECT_FLOAT_EQ(columns.shelter({50, 50, 40}, up), 0);
  EXPECT_FLOAT_EQ(columns.shelter({50, 50, 30}, {0, 0, -1}), 0);
  EXPECT_LT(columns.openness({50, 50, 10}, up), 0.5f);
  EXPECT_FLOAT_EQ(columns.openness({250, 50, 10}, up), 1);
  EXPECT_TRUE(columns.solid({50, 50, 35}) && columns.solid({250, 50, 5}));
  EXPECT_FALSE(columns.solid({50, 50, 20}) || columns.solid({250, 50, 35}) || columns.solid({500, 50, 5}));
}

RC_GTEST_PROP(MeshBake, TexelsShowTheGroundTheyLieOn, (uint64_t seed)) {
  const Mesh mesh = ring(*rc::gen::inRange(6u, 30u), seed);
  BakeParams params;
  params.size = 128;
  static_cast<SkinParams&>(params) = any_skin();
  const MeshBake baked = bake(mesh, params, {}, {}, Context());
  const Image *colour = baked.maps.find("colour"), *normal = baked.maps.find("normal"),
              *first = baked.maps.find("weights_0"), *second = baked.maps.find("weights_1");
  RC_ASSERT(colour != nullptr && normal != nullptr && first != nullptr && second != nullptr);
  RC_ASSERT(baked.maps.find("roughness") != nullptr && baked.maps.find("occlusion") != nullptr);
  VolumeGround ground(params, mesh.world_bounds(), {});
  ground.set_surface(mesh, Context());
  const RockOfMesh rock(baked.atlas.mesh);
  const Mesh& flat = baked.atlas.mesh;
  const uint32_t i = *rc::gen::inRange<uint32_t>(0, static_cast<uint32_t>(flat.triangles().size()));
  const MeshTriangle& t = flat.triangles()[i];
  // A place of a triangle that is in the middle of a texel.
  Vec2 p[3];
  for (size_t k = 0; k < 3; ++k) p[k] = {flat.coordinates()[t[k]][0] * 128.0, flat.coordinates()[t[k]][1] * 128.0};
  const int x = static_cast<int>((p[0].x + p[1].x + p[2].x) / 3), y = static_cast<int>((p[0].y + p[1].y + p[2].y) / 3);
  std::array<double, 3> shares{};
  double sum = 0;
  for (size_t k = 0; k < 3; ++k) {
    const Vec2 a = p[(k + 1) % 3] - Vec2{x + 0.5, y + 0.5}, b = p[(k + 2) % 3] - Vec2{x + 0.5, y + 0.5};
    sum += shares[k] = b.x * a.y - b.y * a.x;
  }
  RC_PRE(shares[0] > 1e-6 && shares[1] > 1e-6 && shares[2] > 1e-6);
  SurfacePlace place{flat.centre(), {}, 1 / baked.atlas.per_metre[baked.atlas.charts[i]]};
  for (size_t k = 0; k < 3; ++k) {
    shares[k] /= sum;
    place.at = place.at + to_vec(flat.positions()[t[k]]) * shares[k];
    place.normal = place.normal + to_vec(flat.normals()[t[k]]) * shares[k];
  }
  place.normal = place.normal * (1 / length(place.normal));
  rock.tell(t, shares, place);
  const GroundLook look = ground.look(place);
  RC_ASSERT(std::abs(linear_from_srgb(colour->at(x, y)[0] / 255.0) - static_cast<double>(look.albedo.r)) < 0.006);
  RC_ASSERT(std::abs(normal->at(x, y)[2] / 127.5 - 1 - std::max(0.05, dot(look.normal, place.normal))) < 0.02);
  for (int row = 0; row < 128; row += 5)
    for (int column = 0; column < 128; column += 5) {
      int all = 0;
      for (size_t k = 0; k < ground_kinds / 4; ++k) {
        const uint8_t* four = baked.maps.find("weights_" + std::to_string(k))->at(column, row);
        all += std::accumulate(four, four + 4, 0);
      }
      // Where there is no surface, the mean.
      RC_ASSERT(all <= 255 && all > 255 - 14);
    }
}

TEST(MeshBake, TheSameForAnyNumberOfThreads) {
  test::expect_same_bits([] {
    BakeParams params;
    params.size = 128;
    const MeshBake baked = bake(ring(30, 5), params, {}, 100, Context());
    Hasher hasher;
    hasher.add(baked.atlas.mesh.hash());
    for (const BakedMap& map : baked.maps.maps) hasher.add(map.image.hash());
    return hasher.finish();
  });
}

TEST(MeshBake, RefusesWhatItCannotMake) {
  BakeParams params;
  params.size = 3;
  EXPECT_NE(test::error_of([&] { bake(ring(5, 1), params, {}, {}, Context()); }).find("64 to 8192"), std::string::npos);
  EXPECT_NE(test::error_of([&] { bake(ring(5, 1), {}, {}, NAN, Context()); }).find("sea level"), std::string::npos);
  EXPECT_NE(test::error_of([&] { bake(Mesh(), {}, {}, {}, Context()); }).find("no surface"), std::string::npos);
}

}  // namespace tepui::mesh_bake_test
