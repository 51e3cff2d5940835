#include "tepui/mesh/mesh.h"

#include <limits>

#include "tepui/mesh/source.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::mesh_test {
namespace {

using test::error_of;

RC_GTEST_PROP(Mesh, BoundsHoldEveryVertexAndTouchSome, (uint64_t seed)) {
  const Mesh mesh(test::random_mesh(seed, false, false, false));
  const auto [low, high] = mesh.bounds();
  for (size_t k = 0; k < 3; ++k) {
    float least = 1e9f, most = -1e9f;
    for (const MeshPoint& p : mesh.positions()) least = std::min(least, p[k]), most = std::max(most, p[k]);
    RC_ASSERT(low[k] == least);
    RC_ASSERT(high[k] == most);
  }
}

TEST(Mesh, HashTellsEveryPartApart) {
  std::vector<Hash> hashes;
  const auto add = [&](const std::function<void(MeshData&)>& change) {
    MeshData data = test::random_mesh(7, true, true, true);
    change(data);
    const Mesh mesh(data), copy = mesh;
    EXPECT_EQ(mesh.hash(), copy.hash());
    EXPECT_EQ(mesh.positions().data(), copy.positions().data());  // shared, not copied
    EXPECT_GT(mesh.bytes(), data.positions.size() * 24);
    hashes.push_back(mesh.hash());
  };
  add([](MeshData&) {});
  add([](MeshData& d) { d.centre.z = 1; });
  add([](MeshData& d) { d.positions[1][2] += 1; });
  add([](MeshData& d) { std::swap(d.triangles[0][1], d.triangles[0][2]); });
  add([](MeshData& d) { d.normals.clear(); });
  add([](MeshData& d) { d.coordinates[0][0] += 1; });
  add([](MeshData& d) { d.colours[2][0] ^= 1; });
  add([](MeshData& d) { d.attributes = {{"layer", "", std::vector<float>(d.positions.size())}}; });
  add([](MeshData& d) { d.attributes = {{"layers", "", std::vector<float>(d.positions.size())}}; });
  add([](MeshData& d) { d.attributes = {{"layer", "m", std::vector<float>(d.positions.size())}}; });
  add([](MeshData& d) { d.attributes = {{"layer", "m", std::vector<float>(d.positions.size(), 1)}}; });
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
}

TEST(Mesh, SameBitsForAnyThreads) {
  test::expect_same_bits([] { return Mesh(test::torus(100)).hash(); });
}

TEST(Mesh, UnsoundPartsAreRefused) {
  const auto refused = [](const std::function<void(MeshData&)>& spoil) {
    MeshData data = test::cube();
    spoil(data);
    return error_of([&] { Mesh mesh(std::move(data)); });
  };
  EXPECT_NE(refused([](MeshData& d) { d.triangles[3][1] = 8; }).find("no vertex"), std::string::npos);
  EXPECT_NE(refused([](MeshData& d) { d.positions[3][1] = NAN; }).find("finite"), std::string::npos);
  EXPECT_NE(refused([](MeshData& d) { d.centre.x = INFINITY; }).find("centre"), std::string::npos);
  const auto attributed = [&](const std::string& name, const std::string& unit, size_t count) {
    return refused([&](MeshData& d) { d.attributes = {{name, unit, std::vector<float>(count)}}; });
  };
  for (const std::string name :
       {"", "X", "x", "nx", "red", "1st", "_layer", "rock type", "s", "a_name_of_more_than_thirty_two_letters"})
    EXPECT_NE(attributed(name, "", 8).find("name"), std::string::npos) << name;
  for (const std::string unit : {"m s", "\n", "a_name_of_more_than_thirty_two_letters"})
    EXPECT_NE(attributed("layer", unit, 8).find("unit"), std::string::npos) << unit;
  EXPECT_NE(attributed("layer", "", 7).find("every vertex"), std::string::npos);
  EXPECT_NE(refused([](MeshData& d) {
              d.attributes.assign(2, {"layer", "", std::vector<float>(8)});
            }).find("share a name"),
            std::string::npos);
  EXPECT_NE(refused([](MeshData& d) { d.attributes.resize(17); }).find("16"), std::string::npos);
  EXPECT_NE(refused([](MeshData& d) { d.normals.resize(7); }).find("normal"), std::string::npos);
  EXPECT_NE(refused([](MeshData& d) { d.colours.resize(9); }).find("colour"), std::string::npos);
  EXPECT_NE(refused([](MeshData& d) { d.coordinates.resize(1); }).find("texture"), std::string::npos);
}

TEST(Mesh, NormalsHaveUnitLengthOrNone) {
  MeshData data = test::cube();
  data.normals.assign(8, {0, 3, 4});
  data.normals[2] = {0, 0, 0};
  data.normals[3] = {NAN, 0, 1};
  data.positions[0] = {-0.0f, 0, 0};
  const Mesh mesh(data);
  EXPECT_EQ(mesh.normals()[0], (MeshPoint{0, 0.6f, 0.8f}));
  EXPECT_EQ(mesh.normals()[2], MeshPoint{});
  EXPECT_EQ(mesh.normals()[3], MeshPoint{});
  EXPECT_FALSE(std::signbit(mesh.positions()[0][0]));
}

TEST(Mesh, AttributesAreFoundByNameAndGathered) {
  MeshData data = test::cube();
  data.attributes = {{"resistance", "", {0, 1, 2, 3, 4, 5, 6, NAN}}, {"layer", "m", {7, 6, 5, 4, 3, 2, 1, 0}}};
  const Mesh mesh(data), again = gather(StoredMesh(mesh));
  EXPECT_EQ(mesh.hash(), again.hash());
  ASSERT_NE(again.attribute("layer"), nullptr);
  EXPECT_EQ(again.attribute("layer")->unit, "m");
  EXPECT_EQ(again.attribute("layer")->values[1], 6);
  EXPECT_EQ(again.attribute("resistance")->values[7], 0);  // what is not finite
  EXPECT_EQ(again.attribute("strata"), nullptr);
  std::vector<float> part(3);
  StoredMesh(mesh).attribute(0, 2, part);
  EXPECT_EQ(part, (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(mesh.bytes() - Mesh(test::cube()).bytes(), 2 * (sizeof(MeshAttribute) + 32));
}

RC_GTEST_PROP(LandMesh, PiecesMakeTheWhole, (uint64_t seed)) {
  const Terrain land = test::sample_land(*rc::gen::inRange(2, 20), *rc::gen::inRange(2, 20), seed, 3);
  const LandMesh source(land);
  const Mesh whole = gather(source);
  const MeshBox box = whole.bounds();
  RC_ASSERT(box.low == source.facts().bounds.low);
  RC_ASSERT(box.high == source.facts().bounds.high);
  const int64_t vertex = *rc::gen::inRange<int64_t>(0, source.facts().vertices);
  const int64_t triangle = *rc::gen::inRange<int64_t>(0, source.facts().triangles);
  std::vector<MeshPoint> points(static_cast<size_t>(source.facts().vertices - vertex)), normals(points.size());
  std::vector<MeshCoordinate> places(points.size());
  std::vector<MeshTriangle> triangles(static_cast<size_t>(source.facts().triangles - triangle));
  source.positions(vertex, points);
  source.normals(vertex, normals);
  source.coordinates(vertex, places);
  source.triangles(triangle, triangles);
  RC_ASSERT(std::equal(points.begin(), points.end(), whole.positions().begin() + vertex));
  RC_ASSERT(std::equal(places.begin(), places.end(), whole.coordinates().begin() + vertex));
  RC_ASSERT(std::equal(triangles.begin(), triangles.end(), whole.triangles().begin() + triangle));
  for (size_t i = 0; i < normals.size(); ++i) RC_ASSERT(std::abs(length(to_vec(normals[i])) - 1) < 1e-6);
  // Every sample at its place in the world.
  const Frame& frame = land.frame();
  for (int64_t i = 0; i < source.facts().vertices; ++i) {
    const Vec3 p = whole.centre() + to_vec(whole.positions()[static_cast<size_t>(i)]);
    RC_ASSERT(std::abs(p.x - frame.x(i % frame.width)) < 1e-3);
    RC_ASSERT(std::abs(p.y - frame.y(i / frame.width)) < 1e-3);
    RC_ASSERT(p.z == static_cast<double>(land.height()(i % frame.width, i / frame.width)));
  }
}

}  // namespace
}  // namespace tepui::mesh_test
