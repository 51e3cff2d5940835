#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/apps/program.h"

namespace tepui::test::watch_test {

namespace {

namespace fs = std::filesystem;

/// As careful editors save: another file takes the name.
void save(const std::string& path, const std::string& text) {
  std::ofstream(path + "~", std::ios::binary) << text;
  fs::rename(path + "~", path);
}

std::string recipe(double height, const std::string& more = "") {
  return R"({ "tepui": 1, "world": { "size": 640, "resolution": 33 }, "nodes": {
    "n": { "op": "noise" }, "a": { "op": "adjust", "in": "n", "offset": )" +
         std::to_string(height) + " }" + more + R"( }, "outputs": { "a.tif": "a", "n.tif": "n" } })";
}

size_t lines(const std::string& text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

double low_of(const std::string& folder, const std::string& file) {
  return run_program({"info", file, "--json"}, folder).json()["min"].get<double>();
}

/// Nothing but whole outputs in the folder.
void expect_no_half_files(const std::string& folder) {
  if (!fs::exists(folder)) return;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    EXPECT_FALSE(contains(entry.path().filename().string(), ".tmp")) << entry.path();
}

}  // namespace

TEST(Watch, RunsAgainOnSaveAndOnlyWhatChanged) {
  const TemporaryFolder folder;
  save(folder / "r.json", recipe(0));
  Program program({"run", "r.json", "--watch", "--json"}, folder.path());
  ASSERT_TRUE(program.wait_until([&] { return lines(program.out()) == 1; })) << program.err();
  const double before = low_of(folder.path(), "out/a.tif");
  save(folder / "r.json", recipe(100));
  ASSERT_TRUE(program.wait_until([&] { return lines(program.out()) == 2; })) << program.err();
  EXPECT_NEAR(low_of(folder.path(), "out/a.tif"), before + 100, 1e-3);

  // A broken recipe is told of, and waited over.
  save(folder / "r.json", recipe(0).substr(0, 40));
  ASSERT_TRUE(program.wait_until([&] { return lines(program.out()) == 3; })) << program.err();
  EXPECT_TRUE(contains(program.err(), "r.json:1:")) << program.err();
  save(folder / "r.json", recipe(100));
  ASSERT_TRUE(program.wait_until([&] { return lines(program.out()) == 4; })) << program.err();

  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  expect_no_half_files(folder / "out");
  std::istringstream all(outcome.out);
  std::vector<nlohmann::json> objects;
  for (std::string line; std::getline(all, line);) objects.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(objects.size(), 5u);
  EXPECT_FALSE(objects[0]["nodes"][0]["cached"]);
  EXPECT_TRUE(objects[1]["nodes"][0]["cached"]);
  EXPECT_FALSE(objects[1]["nodes"][1]["cached"]);
  EXPECT_FALSE(objects[1]["outputs"][0]["kept"]);
  EXPECT_TRUE(objects[1]["outputs"][1]["kept"]);
  EXPECT_TRUE(objects[2].contains("error"));
  EXPECT_TRUE(objects[3]["nodes"][1]["cached"]);
  EXPECT_TRUE(objects[4].contains("error"));
}

TEST(Watch, SaysInALineWhatItDid) {
  const TemporaryFolder folder;
  save(folder / "r.json", recipe(0));
  Program program({"run", "r.json", "--watch", "--no-cache"}, folder.path());
  ASSERT_TRUE(program.wait_until([&] { return contains(program.err(), "watching r.json"); })) << program.err();
  save(folder / "r.json", recipe(5));
  ASSERT_TRUE(program.wait_until([&] { return contains(program.out(), "updated in "); })) << program.err();
  ASSERT_TRUE(program.wait_until([&] { return contains(program.out(), "computed a; wrote out/a.tif"); }))
      << program.out();
  program.send(SIGTERM);
  EXPECT_EQ(program.finish().exit_code, 130);
}

TEST(Watch, SeesTheFilesThatTheRecipeReads) {
  const TemporaryFolder folder;
  const auto land = [&](const std::string& height) {
    ASSERT_EQ(
        run_program({"make", "noise height=" + height, "--resolution", "17", "-o", "in.tif"}, folder.path()).exit_code,
        0);
  };
  land("100");
  save(folder / "r.json", R"({ "tepui": 1, "nodes": { "in": { "op": "read", "file": "in.tif" } },
    "outputs": { "copy.tif": "in" } })");
  // Into the folder that it reads from: what it writes itself does not count.
  Program program({"run", "r.json", "--watch", "--json", "-o", "."}, folder.path());
  ASSERT_TRUE(program.wait_until([&] { return lines(program.out()) == 1; })) << program.err();
  land("200");
  ASSERT_TRUE(program.wait_until([&] { return lines(program.out()) == 2; })) << program.err();
  EXPECT_EQ(low_of(folder.path(), "copy.tif"), low_of(folder.path(), "in.tif"));
  fs::remove(folder / "in.tif");
  ASSERT_TRUE(program.wait_until([&] { return lines(program.out()) == 3; })) << program.err();
  EXPECT_TRUE(contains(program.err(), "in.tif")) << program.err();
  program.send(SIGINT);
  EXPECT_EQ(program.finish().exit_code, 130);
}

TEST(Watch, ASaveStopsTheRunInProgress) {
  const TemporaryFolder folder;
  const auto with_faults = [](const std::string& faults) {
    return R"({ "tepui": 1, "world": { "size": 3000, "resolution": 3001 }, "nodes": {
      "a": { "op": "circular_faults", "faults": )" +
           faults + R"(, "radius": [500, 1500] } }, "outputs": { "a.tif": "a" } })";
  };
  save(folder / "r.json", with_faults("900000"));
  Program program({"run", "r.json", "--watch", "--json", "--no-cache"}, folder.path());
  // Made before the long work begins.
  ASSERT_TRUE(program.wait_until([&] { return fs::exists(folder / "out"); })) << program.err();
  save(folder / "r.json", recipe(1));
  ASSERT_TRUE(program.wait_until([&] { return lines(program.out()) == 1; })) << program.err();
  EXPECT_EQ(nlohmann::json::parse(program.out())["nodes"].size(), 2u);  // the second recipe's
  save(folder / "r.json", with_faults("900001"));
  ASSERT_FALSE(program.ended());
  program.send(SIGINT);
  EXPECT_EQ(program.finish().exit_code, 130);
  expect_no_half_files(folder / "out");
}

TEST(Watch, IsForFiles) {
  const TemporaryFolder folder;
  const Outcome preset = run_program({"run", "mesa", "--watch"}, folder.path());
  EXPECT_EQ(preset.exit_code, 2);
  EXPECT_TRUE(contains(preset.err, "tepui new mesa -o mesa.json")) << preset.err;
  const Outcome missing = run_program({"run", "masa.json", "--watch"}, folder.path());
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_TRUE(contains(missing.err, "masa.json")) << missing.err;
}

}  // namespace tepui::test::watch_test
