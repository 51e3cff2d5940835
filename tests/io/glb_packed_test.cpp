// Quantised and compressed GLB files.
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tepui/core/error.h"
#include "tepui/core/random.h"
#include "tepui/io/mesh/glb.h"
#include "tepui/io/mesh/glb_parts.h"
#include "tepui/io/mesh_export.h"
#include "tepui/io/mesh_file.h"
#include "tepui/mesh/checks.h"
#include "tests/io/files.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::glb_packed_test {
namespace {

using test::bytes_of;
using test::TemporaryFolder;
using Json = nlohmann::json;
using Corner = std::array<float, 16>;

std::string written(const MeshSource& source, const GlbOptions& options) {
  const TemporaryFolder folder;
  write_glb(folder / "a.glb", source, {}, Context(), options);
  return bytes_of(folder / "a.glb");
}

Json json_of(const std::string& bytes) {
  uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 12, 4);
  return Json::parse(bytes.substr(20, length));
}

Mesh parse(const std::string& bytes) { return parse_glb(bytes, "a.glb", Context()); }

/// All that belongs to the corners of every triangle, in an order that does not depend on that of the file.
std::vector<std::array<Corner, 3>> corners_of(const Mesh& mesh) {
  std::vector<std::array<Corner, 3>> list;
  for (const MeshTriangle& t : mesh.triangles()) {
    std::array<Corner, 3> corners{};
    for (size_t k = 0; k < 3; ++k) {
      Corner& c = corners[k];
      const Vec3 p = mesh.centre() + to_vec(mesh.positions()[t[k]]);
      c[0] = static_cast<float>(p.x), c[1] = static_cast<float>(p.y), c[2] = static_cast<float>(p.z);
      for (size_t i = 0; i < 3 && !mesh.normals().empty(); ++i) c[3 + i] = mesh.normals()[t[k]][i];
      for (size_t i = 0; i < 2 && !mesh.coordinates().empty(); ++i) c[6 + i] = mesh.coordinates()[t[k]][i];
      for (size_t i = 0; i < 4 && !mesh.colours().empty(); ++i) c[8 + i] = mesh.colours()[t[k]][i];
      for (size_t i = 0; i < mesh.attributes().size(); ++i) c[12 + i] = mesh.attributes()[i].values[t[k]];
    }
    std::array<Corner, 3> least = corners;
    for (int turn = 0; turn < 2; ++turn) {
      std::rotate(corners.begin(), corners.begin() + 1, corners.end());
      least = std::min(least, corners);
    }
    list.push_back(least);
  }
  std::ranges::sort(list);
  return list;
}

RC_GTEST_PROP(PackedGlb, CompressionLosesNothing, (uint64_t seed, bool normals, bool coordinates, bool colours)) {
  const Mesh mesh(test::with_attributes(test::random_mesh(seed, normals, coordinates, colours), seed));
  const std::string plain = written(StoredMesh(mesh), {}), packed = written(StoredMesh(mesh), {.meshopt = true});
  RC_ASSERT(corners_of(parse(packed)) == corners_of(parse(plain)));
  // The same for a quantised mesh, which is what both hold.
  const std::string small = written(StoredMesh(mesh), {.quantise = true}),
                    smallest = written(StoredMesh(mesh), {.quantise = true, .meshopt = true});
  RC_ASSERT(corners_of(parse(smallest)) == corners_of(parse(small)));
}

RC_GTEST_PROP(PackedGlb, QuantisedVerticesLieWithinHalfAStep, (uint64_t seed, bool normals, bool colours)) {
  MeshData data = test::with_attributes(test::random_mesh(seed, normals, true, colours), seed);
  const auto offset = static_cast<float>(*rc::gen::element(0, 1000));
  for (MeshPoint& p : data.positions) p[0] += offset, p[2] *= *rc::gen::element(0.0f, 1.0f);
  const Mesh mesh(data), back = parse(written(StoredMesh(mesh), {.quantise = true}));
  const double step = glb_step(mesh.bounds());
  const MeshBox box = mesh.bounds();
  const double side = std::max({box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]});
  RC_ASSERT(step <= side / 32000);
  RC_ASSERT(back.positions().size() == mesh.positions().size());
  for (size_t i = 0; i < back.positions().size(); ++i) {
    const Vec3 off = back.centre() + to_vec(back.positions()[i]) - to_vec(mesh.positions()[i]);
    RC_ASSERT(std::max({std::abs(off.x), std::abs(off.y), std::abs(off.z)}) <= 0.5001 * step);
    if (normals) RC_ASSERT(dot(to_vec(back.normals()[i]), to_vec(mesh.normals()[i])) > 0.9999);
    // 8 bits of linear light: exact when bright, coarse in the dark.
    if (colours && mesh.colours()[i][0] > 200) RC_ASSERT(std::abs(back.colours()[i][0] - mesh.colours()[i][0]) <= 1);
    for (const MeshAttribute& a : back.attributes()) RC_ASSERT(a.values[i] == mesh.attribute(a.name)->values[i]);
  }
  RC_ASSERT(back.attributes().size() == 2u);
}

TEST(PackedGlb, SaysWhatItNeedsAndIsSmaller) {
  const Mesh torus(test::torus(100));
  const LandMesh land(test::sample_land(120, 90, 3));
  for (const MeshSource* source : std::vector<const MeshSource*>{&land, new StoredMesh(torus)}) {
    const std::string plain = written(*source, {}), small = written(*source, {.quantise = true}),
                      packed = written(*source, {.meshopt = true}),
                      smallest = written(*source, {.quantise = true, .meshopt = true});
    EXPECT_LT(static_cast<double>(small.size()), 0.9 * static_cast<double>(plain.size()));
    EXPECT_LT(static_cast<double>(packed.size()), 0.75 * static_cast<double>(plain.size()));
    EXPECT_LT(static_cast<double>(smallest.size()), 0.4 * static_cast<double>(plain.size()));
    EXPECT_FALSE(json_of(plain).contains("extensionsRequired"));
    EXPECT_EQ(json_of(small)["extensionsRequired"], Json::parse(R"(["KHR_mesh_quantization"])"));
    EXPECT_EQ(json_of(packed)["extensionsRequired"], Json::parse(R"(["EXT_meshopt_compression"])"));
    const Json json = json_of(smallest);
    EXPECT_EQ(json["extensionsRequired"], Json::parse(R"(["KHR_mesh_quantization", "EXT_meshopt_compression"])"));
    EXPECT_EQ(json["extensionsUsed"], json["extensionsRequired"]);
    EXPECT_EQ(json["buffers"][1]["extensions"]["EXT_meshopt_compression"]["fallback"], true);
    for (const Json& view : json["bufferViews"]) {
      const Json& how = view["extensions"]["EXT_meshopt_compression"];
      EXPECT_EQ(view["buffer"], 1);
      EXPECT_EQ(how["buffer"], 0);
      EXPECT_EQ(view["byteLength"].get<int>(), how["byteStride"].get<int>() * how["count"].get<int>());
      EXPECT_LE(view["byteOffset"].get<size_t>() + view["byteLength"].get<size_t>(), json["buffers"][1]["byteLength"]);
    }
    if (source != &land) delete source;
  }
}

TEST(PackedGlb, SameBytesForAnyThreads) {
  const LandMesh land(test::sample_land(200, 150, 3));
  test::expect_same_bits([&] {
    const std::string bytes = written(land, {.quantise = true, .meshopt = true});
    return hash_bytes(bytes.data(), bytes.size());
  });
}

TEST(PackedGlb, EveryPrefixAndDamageIsAnsweredCleanly) {
  const Mesh mesh(test::with_attributes(test::random_mesh(3, true, true, true), 1));
  const std::string whole = written(StoredMesh(mesh), {.quantise = true, .meshopt = true});
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(test::error_of([&] { parse(whole.substr(0, length)); }).find("a.glb"), std::string::npos);
  for (uint64_t i = 0; i < 6000; ++i) {
    std::string damaged = whole;
    if (i < whole.size()) damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
    for (uint64_t k = 0; i >= whole.size() && k <= i % 4; ++k)
      damaged[Stream(i).bits(k) % whole.size()] =
          static_cast<char>(Stream(i).bits(k, 1) % (i % 2 == 0 ? 256 : 10) + (i % 2 == 0 ? 0 : '0'));
    try {
      check_mesh(parse(damaged), Context());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::request) << error.what();
    }
  }
}

/// The file with its JSON changed.
std::string changed(const std::string& bytes, const std::function<void(Json&)>& change) {
  Json json = json_of(bytes);
  change(json);
  uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 12, 4);
  std::string text = json.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::string result = bytes.substr(0, 8);
  const auto word = [&](size_t value) { result.append(reinterpret_cast<const char*>(&value), 4); };
  word(bytes.size() - length + text.size());
  word(text.size());
  return result + "JSON" + text + bytes.substr(20 + length);
}

TEST(PackedGlb, ClaimsThatTheBytesDoNotBackAreRefused) {
  const std::string whole = written(StoredMesh(Mesh(test::torus(20))), {.meshopt = true});
  const auto refused = [&](const std::function<void(Json & view, Json & how)>& change) {
    return test::error_of([&] {
      parse(changed(whole, [&](Json& j) {
        Json& view = j["bufferViews"][0];
        change(view, view["extensions"]["EXT_meshopt_compression"]);
      }));
    });
  };
  const auto grow = [](Json& view, Json& how, uint64_t count) {
    how["count"] = count;
    view["byteLength"] = count * 12;
  };
  EXPECT_NE(refused([&](Json& v, Json& h) { grow(v, h, 1u << 30); }).find("more than its bytes"), std::string::npos);
  EXPECT_NE(refused([&](Json& v, Json& h) { grow(v, h, 4000); }).find("damaged"), std::string::npos);
  EXPECT_NE(refused([](Json&, Json& h) { h["count"] = 399; }).find("damaged"), std::string::npos);
  EXPECT_NE(refused([](Json&, Json& h) { h["byteStride"] = 6; }).find("impossible size"), std::string::npos);
  EXPECT_NE(refused([](Json&, Json& h) { h["mode"] = "POINTS"; }).find("unknown way"), std::string::npos);
  EXPECT_NE(refused([](Json&, Json& h) { h["mode"] = "TRIANGLES"; }).find("impossible size"), std::string::npos);
  EXPECT_NE(refused([](Json&, Json& h) { h["filter"] = "QUATERNION"; }).find("filter"), std::string::npos);
  EXPECT_NE(refused([](Json&, Json& h) { h["buffer"] = 1; }).find("another file"), std::string::npos);
  EXPECT_NE(refused([](Json&, Json& h) { h["byteLength"] = 1u << 30; }).find("beyond"), std::string::npos);
  EXPECT_NE(refused([](Json&, Json& h) { h = 7; }).find("damaged"), std::string::npos);
  // The same bytes unpacked again and again.
  EXPECT_NE(test::error_of([&] {
              parse(changed(whole, [](Json& j) {
                const Json view = j["bufferViews"][0], accessor = j["accessors"][0],
                           primitive = j["meshes"][0]["primitives"][0];
                for (int i = 0; i < 2000; ++i) {
                  Json more = primitive;
                  more["attributes"] = {{"POSITION", j["accessors"].size()}};
                  j["accessors"].push_back(accessor);
                  j["accessors"].back()["bufferView"] = j["bufferViews"].size();
                  j["bufferViews"].push_back(view);
                  j["meshes"][0]["primitives"].push_back(more);
                }
              }));
            }).find("a.glb"),
            std::string::npos);
}

TEST(PackedGlb, TilesOfAMeshMeetToTheBit) {
  const TemporaryFolder folder;
  MeshData data = test::with_attributes(test::torus(40), 4);
  data.centre = {500000, 4000000, 100};
  for (const MeshPoint& p : data.positions) data.normals.push_back(p);
  const Mesh mesh(data);
  const MeshChecks whole = check_mesh(mesh, Context());
  for (const std::string ending : {".glb", ".ply", ".obj", ".stl"})
    for (const bool quantise : {false, true}) {
      if (quantise && ending != ".glb") continue;
      ExportRequest request{.path = folder / ("rock" + ending)};
      request.options.tiles = {3, 2};
      request.options.quantise = quantise;
      const std::vector<FileRecord> records = export_mesh(mesh, request, Context());
      ASSERT_EQ(records.size(), 6u);
      EXPECT_EQ(records[1].name, "rock_x1_y0" + ending);
      EXPECT_EQ(records[5].tile->x, 2);
      EXPECT_EQ(records[5].tile->y, 1);
      EXPECT_EQ((*records[5].centre)[0], 500000);
      EXPECT_LT((*records[5].bounds)[1].y, (*records[0].bounds)[0].y + 2);  // rows from the north
      // Put together again they are the whole, closed: every border meets its neighbour's.
      MeshData all;
      for (const FileRecord& record : records) {
        const Mesh tile = read_mesh(folder / record.name, Context());
        EXPECT_EQ(tile.centre(), Vec3());
        const auto base = static_cast<uint32_t>(all.positions.size());
        all.positions.insert(all.positions.end(), tile.positions().begin(), tile.positions().end());
        for (const MeshTriangle& t : tile.triangles()) all.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
      }
      const MeshChecks checks = check_mesh(Mesh(all), Context());
      EXPECT_EQ(checks.triangles, whole.triangles) << ending;
      EXPECT_EQ(checks.boundary_edges, 0) << ending << quantise;
      EXPECT_EQ(checks.genus, 1) << ending;
      EXPECT_NEAR(*checks.volume, *whole.volume, quantise ? 0.01 : 1e-9);
    }
}

/// What is closed stays so, and no triangle is closed up by the lattice.
RC_GTEST_PROP(PackedGlb, NoTriangleHasTwoCornersAtOnePlace, ()) {
  MeshData data = test::torus(*rc::gen::inRange(40u, 90u));
  const auto at = static_cast<size_t>(*rc::gen::inRange<int64_t>(0, 1000));
  for (MeshPoint& p : data.positions) p[0] += static_cast<float>(0.001 * static_cast<double>(at));
  const double step = *rc::gen::element(0.0625, 0.125);
  const TemporaryFolder folder;
  write_mesh(folder / "a.glb", Mesh(data), Context(), {.quantise = true, .step = step});
  const Mesh back = read_mesh(folder / "a.glb", Context());
  for (const MeshTriangle& t : back.triangles())
    for (size_t k = 0; k < 3; ++k) RC_ASSERT(back.positions()[t[k]] != back.positions()[t[(k + 1) % 3]]);
  const MeshChecks checks = check_mesh(back, Context());
  RC_ASSERT(checks.boundary_edges == 0);
  RC_ASSERT(checks.misoriented_edges == 0);
  RC_TAG(back.triangles().size() < data.triangles.size() ? "fewer" : "all");
}

RC_GTEST_PROP(PackedGlb, HalfStepsGoTheSameWayFromEveryMiddle, ()) {
  MeshData data = test::torus(8);
  for (MeshPoint& p : data.positions)
    for (float& c : p) c = static_cast<float>(*rc::gen::inRange(-2000, 2000)) * 0.5f;
  const Mesh mesh(data);
  const StoredMesh source(mesh);
  const double step = *rc::gen::element(0.25, 1.0, 4.0);
  const auto places = [&](double middle) {
    const GlbPart part = glb_parts(source, {step, {middle * step, middle * step, middle * step}}, nullptr).front();
    std::string bytes;
    part.make(0, part.count, bytes);
    std::vector<double> list;
    for (size_t i = 0; i < bytes.size(); i += 8)
      for (size_t k = 0; k < 3; ++k) {
        int16_t word = 0;
        std::memcpy(&word, bytes.data() + i + 2 * k, 2);
        list.push_back((word + middle) * step);
      }
    return list;
  };
  const int middle = *rc::gen::inRange(-100, 100);
  RC_ASSERT(places(middle) == places(middle + 1));
}

TEST(PackedGlb, RequestsThatCannotBeAreRefused) {
  const TemporaryFolder folder;
  const Mesh mesh(test::torus(8));
  const auto refused = [&](const std::string& name, const OutputParams& options) {
    return test::error_of([&] { export_mesh(mesh, {.path = folder / name, .options = options}, Context()); });
  };
  EXPECT_NE(refused("a.ply", {.quantise = true}).find(".glb"), std::string::npos);
  EXPECT_NE(refused("a.stl", {.meshopt = true}).find(".glb"), std::string::npos);
  EXPECT_NE(refused("a.glb", {.range = Interval{0, 1}}).find("range"), std::string::npos);
  EXPECT_NE(refused("a.tif", {}).find(".glb"), std::string::npos);
  EXPECT_NE(refused("a.glb", {.tiles = {40, 40}}).find("without a triangle"), std::string::npos);
  EXPECT_NE(refused("a_{x}.glb", {.tiles = {2, 2}}).find("{y}"), std::string::npos);
  EXPECT_TRUE(test::names_in(folder.path()).empty());
}

}  // namespace
}  // namespace tepui::glb_packed_test
