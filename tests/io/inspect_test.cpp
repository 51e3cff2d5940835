#include "tepui/io/inspect.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "tepui/core/error.h"
#include "tepui/core/random.h"
#include "tepui/io/export.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::inspect_test {
namespace {

using test::error_of;
using test::TemporaryFolder;

TEST(Inspect, OwnMeshIsOneSheet) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(30, 20, 3, 5);
  export_terrain(land, {.path = folder / "a.glb"}, Context());
  const FileInfo info = inspect(folder / "a.glb", Context());
  ASSERT_TRUE(info.mesh);
  EXPECT_EQ(info.mesh->checks.vertices, 600);
  EXPECT_EQ(info.mesh->checks.triangles, 2 * 29 * 19);
  EXPECT_EQ(info.mesh->checks.components, 1);
  EXPECT_EQ(info.mesh->checks.boundary_edges, 2 * 29 + 2 * 19);
  EXPECT_EQ(info.mesh->checks.nonmanifold_edges, 0);
  EXPECT_EQ(info.mesh->checks.degenerate_triangles, 0);
  EXPECT_EQ(info.mesh->checks.genus, 0);
  EXPECT_EQ(info.mesh->bounds[1].x - info.mesh->bounds[0].x, 145);
  EXPECT_GT(info.mesh->checks.area, 145 * 95);
  const auto json = nlohmann::json::parse(info_json(info));
  EXPECT_EQ(json["kind"], "mesh");
  EXPECT_TRUE(json["volume"].is_null());
}

TEST(Inspect, RastersAreToldAsStored) {
  const TemporaryFolder folder;
  Grid<float> z(2, 2, 10.0f);
  z(1, 1) = 50;
  const Terrain land = test::sample_land(2, 2, 1, 7.5).with_height(std::move(z));
  export_terrain(land, {.path = folder / "a.tif"}, Context());
  const auto tif = nlohmann::json::parse(info_json(inspect(folder / "a.tif", Context())));
  EXPECT_EQ(tif["kind"], "terrain");
  EXPECT_EQ(tif["width"], 2);
  EXPECT_EQ(tif["cell"], (nlohmann::json{7.5, 7.5}));
  EXPECT_EQ(tif["min"], 10);
  EXPECT_EQ(tif["max"], 50);
  EXPECT_EQ(tif["mean"], 20);
  EXPECT_EQ(tif["nodata_cells"], 0);
  EXPECT_TRUE(tif["crs"].is_null());
  EXPECT_EQ(tif["registration"], "point");
  EXPECT_EQ(tif["layers"], nlohmann::json{"height"});

  export_terrain(land, {.path = folder / "a.png"}, Context());
  const auto png = nlohmann::json::parse(info_json(inspect(folder / "a.png", Context())));
  EXPECT_EQ(png["max"], 65535);
  EXPECT_EQ(png["mean"], 65535.0 / 4);
  EXPECT_TRUE(png["cell"].is_null());
  EXPECT_NE(error_of([] { inspect("a.xyz", Context()); }).find(".tif"), std::string::npos);
}

TEST(Inspect, LandOfNothingButNodataHasNoHeights) {
  const TemporaryFolder folder;
  const Terrain land =
      test::sample_land(3, 2, 1).with(make_layer("void", "", LayerKind::mask, Grid<float>(3, 2, 1.0f)));
  export_terrain(land, {.path = folder / "a.tif"}, Context());
  const auto json = nlohmann::json::parse(info_json(inspect(folder / "a.tif", Context())));
  for (const char* key : {"min", "max", "mean"}) EXPECT_TRUE(json[key].is_null()) << key;
  EXPECT_EQ(json["nodata_cells"], 6);
  EXPECT_EQ(json["rotated"], false);
}

TEST(Inspect, EveryPrefixOfAMeshIsRefused) {
  const TemporaryFolder folder;
  export_terrain(test::sample_land(3, 3, 1), {.path = folder / "a.glb"}, Context());
  const std::string whole = test::bytes_of(folder / "a.glb");
  for (size_t length = 0; length < whole.size(); ++length) {
    test::put_bytes(folder / "b.glb", whole.substr(0, length));
    EXPECT_NE(error_of([&] { inspect(folder / "b.glb", Context()); }).find("b.glb"), std::string::npos) << length;
  }
}

TEST(Inspect, DamagedMeshesNeverCrash) {
  const TemporaryFolder folder;
  export_terrain(test::sample_land(3, 3, 1), {.path = folder / "a.glb"}, Context());
  const std::string whole = test::bytes_of(folder / "a.glb");
  int refused = 0;
  for (uint64_t i = 0; i < 2000; ++i) {
    std::string damaged = whole;
    for (uint64_t k = 0; k <= i % 4; ++k)
      damaged[Stream(i).bits(k) % whole.size()] =
          static_cast<char>(Stream(i).bits(k, 1) % (i % 2 == 0 ? 256 : 10) + (i % 2 == 0 ? 0 : '0'));
    test::put_bytes(folder / "b.glb", damaged);
    try {
      const FileInfo info = inspect(folder / "b.glb", Context());
      EXPECT_FALSE(info_json(info).empty());
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(error.kind(), ErrorKind::request) << error.what();
    }
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace tepui::inspect_test
