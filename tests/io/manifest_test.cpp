#include "tepui/io/manifest.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::manifest_test {
namespace {

using test::TemporaryFolder;

ManifestInfo sample(const TemporaryFolder& folder) {
  const Terrain land = test::sample_land(9, 5, 4, 2);
  ManifestInfo info;
  info.version = "0.1.0";
  info.title = "Mesa";
  info.recipe = "mesa.json";
  info.seed = 18446744073709551615u;
  info.world = land.frame();
  info.relief = land.relief();
  info.lands = {{"land", 100.5, 499.25}};
  for (const char* name : {"a.tif", "a.png", "a.glb"})
    info.files.push_back(export_terrain(land, {.path = folder / name}, Context()));
  return info;
}

TEST(Manifest, SaysAllThatAnImportNeeds) {
  const TemporaryFolder folder;
  const ManifestInfo info = sample(folder);
  write_manifest(folder / "manifest.json", info);
  const std::string text = test::bytes_of(folder / "manifest.json");
  EXPECT_EQ(text, manifest_text(info));
  EXPECT_EQ(text.back(), '\n');
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["tepui"], "0.1.0");
  EXPECT_EQ(json["seed"], 18446744073709551615u);
  EXPECT_EQ(json["world"]["samples"], (nlohmann::json{9, 5}));
  EXPECT_EQ(json["world"]["resolution"], 9);
  EXPECT_EQ(json["world"]["metres_per_sample"], (nlohmann::json{2.0, 2.0}));
  EXPECT_TRUE(json["world"]["crs"].is_null());
  EXPECT_TRUE(json["sea_level"].is_null());
  EXPECT_EQ(json["relief"], (nlohmann::json{100.0, 500.0}));
  EXPECT_EQ(json["lands"][0]["max"], 499.25);
  EXPECT_NE(json["axes"].get<std::string>().find("row 0 is north"), std::string::npos);
  ASSERT_EQ(json["files"].size(), 3u);
  EXPECT_EQ(json["files"][0]["format"], "GeoTIFF");
  EXPECT_EQ(json["files"][0]["bits"], 32);
  EXPECT_FALSE(json["files"][0].contains("scale"));
  EXPECT_EQ(json["files"][1]["scale"], *info.files[1].scale);
  EXPECT_EQ(json["files"][1]["offset"], *info.files[1].offset);
  EXPECT_EQ(json["files"][2]["centre"], (nlohmann::json{8.0, 4.0, 0.0}));
  EXPECT_EQ(json["files"][2]["hash"], info.files[2].hash.text());
  EXPECT_EQ(text.find(folder.path()), std::string::npos);
}

TEST(Manifest, RecordsAreFoundByName) {
  const TemporaryFolder folder;
  const ManifestInfo info = sample(folder);
  EXPECT_FALSE(find_record(folder / "a.png"));
  write_manifest(folder / "z.manifest.json", info);
  const auto record = find_record(folder / "a.png");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->scale, info.files[1].scale);
  EXPECT_EQ(record->hash, info.files[1].hash);
  EXPECT_EQ(record->place->cell, (Vec2{2, 2}));
  EXPECT_FALSE(find_record(folder / "b.png"));
  EXPECT_FALSE(find_record(folder / "none/b.png"));
}

TEST(Manifest, DamagedManifestsAreNoManifests) {
  const TemporaryFolder folder;
  const std::string text = manifest_text(sample(folder));
  for (size_t length = 0; length + 1 < text.size(); length += 13) {
    test::put_bytes(folder / "m.manifest.json", text.substr(0, length));
    EXPECT_FALSE(find_record(folder / "a.png")) << length;
  }
  for (const char* odd :
       {R"({"tepui_manifest":1,"files":{"name":"a.png"}})", R"({"tepui_manifest":1,"files":[3,null]})",
        R"({"files":[{"name":"a.png"}]})", "[]", "null"}) {
    test::put_bytes(folder / "m.manifest.json", odd);
    EXPECT_FALSE(find_record(folder / "a.png")) << odd;
  }
  test::put_bytes(folder / "m.manifest.json",
                  R"({"tepui_manifest":1,"files":[{"name":"a.png","scale":"x","hash":7,"metres_per_sample":[1]}]})");
  const auto record = find_record(folder / "a.png");
  ASSERT_TRUE(record);
  EXPECT_FALSE(record->scale);
  EXPECT_FALSE(record->place);
}

TEST(Manifest, EveryLandAndFileHasItsPlace) {
  const TemporaryFolder folder;
  Frame frame = test::sample_land(20, 10, 1, 5).frame();
  frame.origin = {1000, 2000};
  frame.geo = std::make_shared<const Georeference>(Georeference{"LOCAL", {500000, 4000000}, {5, 6}});
  const Frame part = frame.window(4, 3, 6, 5);
  Grid<float> voids(6, 5, 0.0f);
  voids(1, 1) = 1;
  voids(2, 1) = 0.5f;
  voids(3, 1) = 0.25f;
  const Terrain crop =
      Terrain(part, {0, 9}, Grid<float>(6, 5, 7.5f)).with(make_layer("void", "", LayerKind::mask, std::move(voids)));
  ManifestInfo info;
  info.world = part;
  info.lands = {manifest_land("crop", crop, Context())};
  info.files = {export_terrain(crop, {.path = folder / "a.png"}, Context())};
  const auto json = nlohmann::json::parse(manifest_text(info));
  EXPECT_EQ(json["world"]["samples"], (nlohmann::json{20, 10}));
  EXPECT_EQ(json["lands"][0]["nodata_cells"], 2);
  EXPECT_EQ(json["lands"][0]["relief"], (nlohmann::json{0.0, 9.0}));
  EXPECT_EQ(json["lands"][0]["max"], 7.5);
  for (const auto& told : {json["lands"][0], json["files"][0]}) {
    EXPECT_EQ(told["samples"], (nlohmann::json{6, 5}));
    EXPECT_EQ(told["origin"], (nlohmann::json{1020.0, 2015.0}));
    EXPECT_EQ(told["extent"], (nlohmann::json{25.0, 20.0}));
    EXPECT_EQ(told["metres_per_sample"], (nlohmann::json{5.0, 5.0}));
    EXPECT_EQ(told["geo"]["crs"], "LOCAL");
    EXPECT_EQ(told["geo"]["south_west"], (nlohmann::json{500020.0, 4000018.0}));
    EXPECT_EQ(told["geo"]["north_west"], (nlohmann::json{500020.0, 4000042.0}));
    EXPECT_EQ(told["geo"]["step"], (nlohmann::json{5.0, 6.0}));
    EXPECT_EQ(told["geo"]["geotransform"], (nlohmann::json{500017.5, 5.0, 0.0, 4000045.0, 0.0, -6.0}));
  }
}

TEST(Manifest, RecordsAreFoundFromFoldersBelow) {
  const TemporaryFolder folder;
  ManifestInfo info = sample(folder);
  std::filesystem::create_directories(folder / "one/two/three/four");
  for (const char* below : {"one/a.png", "one/two/three/a.png", "one/two/three/four/a.png"}) {
    info.files[1].name = below;
    write_manifest(folder / "land.manifest.json", info);
    EXPECT_EQ(find_record(folder / below).has_value(), std::string(below).find("four") == std::string::npos) << below;
    EXPECT_FALSE(find_record(folder / "a.png"));
  }
}

TEST(Manifest, OnlyFewAndSmallManifestsAreLookedAt) {
  const TemporaryFolder folder;
  const std::string text = manifest_text(sample(folder));
  test::put_bytes(folder / "land.json", text);
  EXPECT_FALSE(find_record(folder / "a.png"));
  test::put_bytes(folder / "land.manifest.json", text + std::string(1 << 20, ' '));
  EXPECT_FALSE(find_record(folder / "a.png"));
  test::put_bytes(folder / "land.manifest.json", text);
  EXPECT_TRUE(find_record(folder / "a.png"));
  for (int i = 0; i < 64; ++i) test::put_bytes(folder / ("a" + std::to_string(i) + ".manifest.json"), "{}");
  EXPECT_FALSE(find_record(folder / "a.png"));
}

TEST(Manifest, RecordsOfOtherBytesAreNotUsed) {
  const TemporaryFolder folder;
  const ManifestInfo info = sample(folder);
  write_manifest(folder / "land.manifest.json", info);
  test::WarningSink sink;
  EXPECT_TRUE(find_record(folder / "a.png", info.files[1].hash, sink.context()));
  EXPECT_TRUE(sink.warnings.empty());
  EXPECT_FALSE(find_record(folder / "a.png", info.files[0].hash, sink.context()));
  EXPECT_EQ(sink.warnings.size(), 1u);
}

TEST(Manifest, KeepsTheRecordsOfFilesThatAreStillTheSame) {
  const TemporaryFolder folder;
  ManifestInfo info = sample(folder);
  const std::string path = folder / "land.manifest.json";
  EXPECT_TRUE(kept_records(path, {}).empty());
  FileRecord outside = info.files[0];
  outside.name = "../" + file_name(folder.path()) + "/a.tif";
  info.files.push_back(outside);
  write_manifest(path, info);
  info.files.pop_back();

  const std::vector<FileRecord> kept = kept_records(path, {});
  ASSERT_EQ(kept.size(), 3u);
  ManifestInfo again = info;
  again.files = kept;
  EXPECT_EQ(manifest_text(again), manifest_text(info));

  EXPECT_EQ(kept_records(path, {"a.png", "other.tif"}).size(), 2u);
  test::put_bytes(folder / "a.tif", "changed");
  std::filesystem::remove(folder / "a.glb");
  ASSERT_EQ(kept_records(path, {}).size(), 1u);
  EXPECT_EQ(kept_records(path, {})[0].name, "a.png");
  test::put_bytes(path, "{");
  EXPECT_TRUE(kept_records(path, {}).empty());
}

TEST(Manifest, RecordOfTheRightBytesWinsOverAStaleOne) {
  const TemporaryFolder folder;
  const std::string file = R"({"tepui_manifest":1,"files":[{"name":"a.png","scale":%,"hash":"#"}]})";
  const auto put = [&](const char* name, const char* scale, const Hash& hash) {
    std::string text = file;
    text.replace(text.find('%'), 1, scale);
    text.replace(text.find('#'), 1, hash.text());
    test::put_bytes(folder / name, text);
  };
  test::put_bytes(folder / "a.png", "x");
  put("a.manifest.json", "5", Hash{1, 2});
  put("b.manifest.json", "7", hash_file(folder / "a.png"));
  test::WarningSink sink;
  const auto record = find_record(folder / "a.png", hash_file(folder / "a.png"), sink.context());
  ASSERT_TRUE(record);
  EXPECT_EQ(record->scale, 7);
  EXPECT_TRUE(sink.warnings.empty());
}

TEST(Manifest, PlacesThatMakeNoSenseAreNone) {
  const TemporaryFolder folder;
  for (const char* geo : {R"({"crs":"not a system","south_west":[0,0],"step":[1,1]})",
                          R"({"crs":"","south_west":[0,0],"step":[0,-5]})"}) {
    test::put_bytes(folder / "m.manifest.json",
                    std::string(R"({"tepui_manifest":1,"files":[{"name":"a.png","metres_per_sample":[1,1],)") +
                        R"("samples":[2,2],"origin":[0,0],"geo":)" + geo + "}]}");
    const auto record = find_record(folder / "a.png");
    ASSERT_TRUE(record && record->place);
    EXPECT_FALSE(record->place->geo) << geo;
  }
}

TEST(Manifest, ManyValuesCostNoMoreThanTheirNumber) {
  const TemporaryFolder folder;
  std::string text = R"({"tepui_manifest":1,"files":[{"name":"a.png","scale":3}],"rest":[{})";
  while (text.size() < 1000000) text += ",{}";
  test::put_bytes(folder / "m.manifest.json", text + "]}");
  EXPECT_EQ(find_record(folder / "a.png")->scale, 3);
}

}  // namespace
}  // namespace tepui::manifest_test
