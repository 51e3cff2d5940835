#include "tepui/io/mesh_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tepui/core/error.h"
#include "tepui/core/random.h"
#include "tepui/geology/strata.h"
#include "tepui/io/export.h"
#include "tepui/io/formats.h"
#include "tepui/io/mesh/glb.h"
#include "tepui/io/mesh/obj.h"
#include "tepui/io/mesh/ply.h"
#include "tepui/io/mesh/stl.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/volume/primitive.h"
#include "tests/io/files.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::mesh_file_test {
namespace {

using test::bytes_of;
using test::error_of;
using test::TemporaryFolder;

/// Where each vertex lies in the world.
Vec3 at(const Mesh& mesh, size_t vertex) { return mesh.centre() + to_vec(mesh.positions()[vertex]); }

std::string written(const std::string& name, const Mesh& mesh) {
  const TemporaryFolder folder;
  write_mesh(folder / name, mesh, Context());
  return bytes_of(folder / name);
}

Mesh parsed(const std::string& name, std::string_view bytes, const Context& context = {}) {
  return name.ends_with("glb")   ? parse_glb(bytes, name, context)
         : name.ends_with("obj") ? parse_obj(bytes, name, context)
         : name.ends_with("ply") ? parse_ply(bytes, name, context)
                                 : parse_stl(bytes, name, context);
}

RC_GTEST_PROP(MeshFile, GivesBackWhatWasWritten, (uint64_t seed, bool normals, bool coordinates, bool colours)) {
  const bool attributes = *rc::gen::arbitrary<bool>();
  MeshData data = test::random_mesh(seed, normals, coordinates, colours);
  const Mesh mesh(attributes ? test::with_attributes(data, seed) : data);
  const std::string name = *rc::gen::element<std::string>("a.glb", "a.obj", "a.ply");
  const Mesh back = parsed(name, written(name, mesh));
  RC_ASSERT(back.positions().size() == mesh.positions().size());
  RC_ASSERT(
      std::equal(back.triangles().begin(), back.triangles().end(), mesh.triangles().begin(), mesh.triangles().end()));
  RC_ASSERT(back.normals().empty() == !normals);
  RC_ASSERT(back.coordinates().empty() == !coordinates);
  RC_ASSERT(back.colours().empty() == !colours);
  for (size_t i = 0; i < back.positions().size(); ++i) {
    RC_ASSERT(at(back, i) == to_vec(mesh.positions()[i]));
    for (size_t k = 0; k < 3 && normals; ++k) RC_ASSERT(std::abs(back.normals()[i][k] - mesh.normals()[i][k]) < 2e-7f);
    for (size_t k = 0; k < 2 && coordinates; ++k)
      RC_ASSERT(std::abs(back.coordinates()[i][k] - mesh.coordinates()[i][k]) < 3e-7f);
    if (colours) RC_ASSERT(back.colours()[i] == mesh.colours()[i]);
  }
  const bool kept = attributes && name != "a.obj";
  RC_ASSERT(back.attributes().size() == (kept ? 2 : 0));
  for (const MeshAttribute& a : back.attributes()) {
    RC_ASSERT(a.unit == mesh.attribute(a.name)->unit);
    RC_ASSERT(a.values == mesh.attribute(a.name)->values);
  }
}

TEST(MeshFile, APolygonisedRockKeepsItsStrataAndColours) {
  Primitive boulder;
  boulder.skeleton = {{50, 50, 5}};
  boulder.falloff = 30;
  boulder.energy = 20;
  boulder.noise = 5;
  boulder.noise_scale = 10;
  const Volume volume(blended({}, {boulder}, 7.5), 7.5, strata(make_world({100, 100}, 5), {}, Context()));
  const Mesh mesh = polygonize_volume(volume, {}, Context());
  for (const std::string name : {"a.glb", "a.ply"}) {
    const Mesh back = parsed(name, written(name, mesh));
    EXPECT_TRUE(std::ranges::equal(back.colours(), mesh.colours())) << name;
    ASSERT_EQ(back.attributes().size(), 2u) << name;
    for (const char* attribute : {"resistance", "strata"}) {
      ASSERT_NE(back.attribute(attribute), nullptr) << name;
      EXPECT_EQ(back.attribute(attribute)->values, mesh.attribute(attribute)->values) << name;
    }
  }
  const auto [low, high] = std::ranges::minmax(mesh.attribute("strata")->values);
  EXPECT_EQ(low, 0);
  EXPECT_EQ(high, 5);
}

RC_GTEST_PROP(MeshFile, StlGivesBackTheTriangles, (uint64_t seed)) {
  const Mesh mesh(test::random_mesh(seed, false, false, false));
  const Mesh back = parse_stl(written("a.stl", mesh), "a.stl", Context());
  RC_ASSERT(back.triangles().size() == mesh.triangles().size());
  for (size_t i = 0; i < back.triangles().size(); ++i)
    for (size_t k = 0; k < 3; ++k)
      RC_ASSERT(at(back, back.triangles()[i][k]) == to_vec(mesh.positions()[mesh.triangles()[i][k]]));
}

RC_GTEST_PROP(MeshFile, LandIsTheSameSurfaceInEveryFormat, (uint64_t seed)) {
  const TemporaryFolder folder;
  const int64_t width = *rc::gen::inRange(2, 20), height = *rc::gen::inRange(2, 20);
  const Terrain land = test::sample_land(width, height, seed, 3);
  std::vector<MeshInfo> infos;
  for (const std::string& ending : writing_endings(Mesh::kind_name)) {
    const auto centre = export_terrain(land, {.path = folder / ("a" + ending)}, Context()).centre.value();
    RC_ASSERT(centre[0] == 0.5 * land.frame().x(width - 1));
    infos.push_back(inspect_mesh(folder / ("a" + ending), Context()));
    const Mesh mesh = read_mesh(folder / ("a" + ending), Context());
    RC_ASSERT(mesh.bounds().high[0] == static_cast<float>(centre[0]));
    RC_ASSERT(mesh.bounds().high[1] == static_cast<float>(centre[1]));
    for (const MeshTriangle& t : mesh.triangles()) {
      const Vec3 a = at(mesh, t[0]);
      RC_ASSERT(cross(at(mesh, t[1]) - a, at(mesh, t[2]) - a).z > 0);  // seen from above
    }
  }
  for (const MeshInfo& info : infos) {
    RC_ASSERT(info.checks.triangles == 2 * (width - 1) * (height - 1));
    RC_ASSERT(info.checks.boundary_edges == 2 * (width - 1) + 2 * (height - 1));
    // An OBJ's decimals are the shortest that mean the float, and are read as they are written.
    RC_ASSERT(std::abs(info.checks.area - infos.front().checks.area) <= 1e-5 * info.checks.area);
    const bool y_up = info.format == "GLB" || info.format == "OBJ";
    RC_ASSERT(info.up == (y_up ? 'y' : 'z'));
    RC_ASSERT((y_up ? info.bounds[1].y : info.bounds[1].z) == infos.front().bounds[1].y);
  }
}

TEST(MeshFile, SameBytesForAnyThreads) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(200, 150, 2);
  for (const std::string& ending : writing_endings(Mesh::kind_name))
    test::expect_same_bits([&] {
      export_terrain(land, {.path = folder / ("a" + ending)}, Context());
      const std::string bytes = bytes_of(folder / ("a" + ending));
      return hash_bytes(bytes.data(), bytes.size());
    });
}

TEST(MeshFile, MeshFarAwayKeepsItsDetail) {
  MeshData data = test::cube();
  data.centre = {500000.25, 4000000, 0};
  std::string text;
  for (const MeshPoint& p : data.positions) {
    const Vec3 v = Vec3{500000.25, 0, -4000000} + to_vec(p) * 0.001;
    text += "v " + std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
  }
  const Mesh mesh = parse_obj(text + "f 1 2 3\n", "a.obj", Context());
  EXPECT_EQ(mesh.centre(), (Vec3{500000, 4000000, 0}));
  EXPECT_NEAR(mesh.world_bounds()[1].x - mesh.world_bounds()[0].x, 0.001, 1e-7);
}

TEST(MeshFile, EveryPrefixIsAnsweredCleanly) {
  const Mesh mesh(test::with_attributes(test::random_mesh(3, true, true, true), 1));
  for (const std::string name : {"a.glb", "a.ply", "a.stl", "a.obj"}) {
    const std::string whole = written(name, mesh);
    int refused = 0;
    for (size_t length = 0; length < whole.size(); ++length) try {
        parsed(name, std::string_view(whole).substr(0, length));
      } catch (const Error& error) {
        ++refused;
        EXPECT_EQ(error.kind(), ErrorKind::request) << error.what();
        EXPECT_NE(error.message().find(name), std::string::npos);
      }
    // The end of a line of text is as good an end as any.
    if (name != "a.obj") {
      EXPECT_EQ(refused, static_cast<int>(whole.size())) << name;
    }
    EXPECT_GT(refused, 0);
  }
}

TEST(MeshFile, DamageIsRefusedOrHarmless) {
  const Mesh mesh(test::with_attributes(test::random_mesh(5, true, true, true), 1));
  for (const std::string name : {"a.glb", "a.ply", "a.stl", "a.obj"}) {
    const std::string whole = written(name, mesh);
    int refused = 0;
    for (uint64_t i = 0; i < 4000; ++i) {
      std::string damaged = whole;
      // One byte after another, then several at random places, some of them digits.
      if (i < whole.size() && i < 1500) damaged[i] = static_cast<char>(damaged[i] ^ (1 << (i % 8)));
      for (uint64_t k = 0; i >= 1500 && k <= i % 4; ++k)
        damaged[Stream(i).bits(k) % whole.size()] =
            static_cast<char>(Stream(i).bits(k, 1) % (i % 2 == 0 ? 256 : 10) + (i % 2 == 0 ? 0 : '0'));
      try {
        check_mesh(parsed(name, damaged), Context());
      } catch (const Error& error) {
        ++refused;
        EXPECT_EQ(error.kind(), ErrorKind::request) << error.what();
      }
    }
    EXPECT_GT(refused, 50) << name;
  }
}

TEST(MeshFile, InfoSaysWhatTheDesignPromises) {
  const TemporaryFolder folder;
  write_mesh(folder / "a.ply", Mesh(test::cube()), Context());
  const auto json = nlohmann::json::parse(info_json(inspect_mesh(folder / "a.ply", Context())));
  EXPECT_EQ(json["kind"], "mesh");
  EXPECT_EQ(json["format"], "PLY");
  EXPECT_EQ(json["vertices"], 8);
  EXPECT_EQ(json["triangles"], 12);
  EXPECT_EQ(json["components"], 1);
  EXPECT_EQ(json["boundary_edges"], 0);
  EXPECT_EQ(json["nonmanifold_edges"], 0);
  EXPECT_EQ(json["degenerate_triangles"], 0);
  EXPECT_EQ(json["genus"], 0);
  EXPECT_EQ(json["volume"], 1);
  EXPECT_EQ(json["area"], 6);
  EXPECT_EQ(json["bounds"], nlohmann::json::parse(R"({"min": [0,0,0], "max": [1,1,1]})"));
}

nlohmann::json info_of(const Mesh& mesh, const std::string& name) {
  const TemporaryFolder folder;
  write_mesh(folder / name, mesh, Context());
  return nlohmann::json::parse(info_json(inspect_mesh(folder / name, Context())));
}

TEST(MeshFile, InfoKnowsHandlesAndCavities) {
  for (const std::string& ending : writing_endings(Mesh::kind_name)) {
    const auto torus = info_of(Mesh(test::torus(24)), "a" + ending);
    EXPECT_EQ(torus["genus"], 1) << ending;
    EXPECT_EQ(torus["boundary_edges"], 0);
    EXPECT_NEAR(torus["volume"].get<double>(), 2 * M_PI * M_PI * 3, 2);
    // A box of 4 m with a cavity of 1 m: two surfaces, the inner one inside out.
    MeshData box = test::cube(), cavity = test::cube();
    for (MeshPoint& p : box.positions)
      for (float& v : p) v = 4 * v - 1.5f;
    for (MeshTriangle& t : cavity.triangles) t = {t[0] + 8, t[2] + 8, t[1] + 8};
    box.positions.insert(box.positions.end(), cavity.positions.begin(), cavity.positions.end());
    box.triangles.insert(box.triangles.end(), cavity.triangles.begin(), cavity.triangles.end());
    const auto hollow = info_of(Mesh(box), "a" + ending);
    EXPECT_EQ(hollow["components"], 2) << ending;
    EXPECT_EQ(hollow["genus"], 0);
    EXPECT_EQ(hollow["nonmanifold_edges"], 0);
    EXPECT_NEAR(hollow["volume"].get<double>(), 63, 1e-9);
    EXPECT_NEAR(hollow["area"].get<double>(), 102, 1e-9);
  }
}

TEST(MeshFile, InfoTellsAttributesAndTheirRanges) {
  MeshData data = test::cube();
  data.attributes = {{"resistance", "", {0, 0.25f, 1, 0.5f, 0, 0, 0, 0}}, {"layer", "m", {7, 6, 5, 4, 3, 2, 1, -8}}};
  for (const std::string name : {"a.ply", "a.glb"}) {
    const auto json = info_of(Mesh(data), name);
    EXPECT_EQ(json["attributes"].size(), 2u) << name;
    for (const auto& told : json["attributes"])
      if (told["name"] == "layer")
        EXPECT_EQ(told, nlohmann::json::parse(R"({"name": "layer", "unit": "m", "min": -8.0, "max": 7.0})"));
      else
        EXPECT_EQ(told["max"], 1);
  }
  EXPECT_TRUE(info_of(Mesh(data), "a.stl")["attributes"].empty());
}

TEST(MeshFile, WhatCannotBeAMeshIsRefused) {
  const TemporaryFolder folder;
  const Context context;
  EXPECT_NE(error_of([&] { read_mesh("a.tif", context); }).find(".glb, .obj, .ply, .stl"), std::string::npos);
  EXPECT_NE(error_of([&] { read_mesh(folder / "none.ply", context); }).find("none.ply"), std::string::npos);
  EXPECT_EQ(writing_format("a/b.OBJ", Mesh::kind_name)->name, "OBJ");
  EXPECT_EQ(writing_format("a.tif", Mesh::kind_name), nullptr);
  Frame line, vast;
  line.width = 9, line.height = 1;
  vast.width = vast.height = 70000;
  for (const std::string& ending : writing_endings(Mesh::kind_name)) {
    const std::string path = folder / ("a" + ending);
    EXPECT_NE(error_of([&] { writing_format(path, Mesh::kind_name)->check(path, line); }).find("no surface"),
              std::string::npos);
    EXPECT_NE(error_of([&] { writing_format(path, Mesh::kind_name)->check(path, vast); }).find("resample"),
              std::string::npos);
    EXPECT_NE(error_of([&] { write_mesh(path, Mesh(), context); }).find("no triangles"), std::string::npos);
  }
  // More triangles than an STL can count, of fewer than 2^32 vertices.
  vast.width = vast.height = 60000;
  EXPECT_NE(
      error_of([&] { writing_format(folder / "a.stl", Mesh::kind_name)->check(folder / "a.stl", vast); }).find(".ply"),
      std::string::npos);
  EXPECT_NE(
      error_of([&] { writing_format(folder / "a.glb", Mesh::kind_name)->check(folder / "a.glb", vast); }).find("4 GiB"),
      std::string::npos);
  writing_format(folder / "a.ply", Mesh::kind_name)->check(folder / "a.ply", vast);
  EXPECT_TRUE(test::names_in(folder.path()).empty());
}

TEST(MeshFile, CancelledWritingLeavesNothing) {
  const TemporaryFolder folder;
  const CancelFlag stop = true;
  for (const std::string& ending : writing_endings(Mesh::kind_name)) try {
      export_terrain(test::sample_land(20, 20, 1), {.path = folder / ("a" + ending)}, Context(nullptr, &stop));
      ADD_FAILURE() << "it went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
  EXPECT_TRUE(test::names_in(folder.path()).empty());
}

TEST(MeshFile, CancelStopsReading) {
  const CancelFlag stop = true;
  const Mesh mesh(test::torus(200));
  for (const std::string name : {"a.glb", "a.ply", "a.stl", "a.obj"}) try {
      const std::string bytes = written(name, mesh);
      parsed(name, bytes, Context(nullptr, &stop));
      ADD_FAILURE() << "it went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    }
}

}  // namespace
}  // namespace tepui::mesh_file_test
