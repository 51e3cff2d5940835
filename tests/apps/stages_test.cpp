// Stages, frames and time-lapses, as their users run them.
#include <algorithm>
#include <csignal>
#include <fstream>

#include "tests/apps/program.h"
#include "tests/support/contains.h"

namespace tepui::test::stages_test {
namespace {

using Words = std::vector<std::string>;

void make_recipe(const TemporaryFolder& folder, const std::string& more = "") {
  std::ofstream(folder / "life.json") << R"({ "tepui": 1, "title": "A life", "seed": 3,
    "world": { "size": 320, "resolution": 33 }, "vars": { "age": 12 },
    "nodes": { "land": { "op": "circular_faults", "faults": 60, "radius": [10, 120], "height": 100 },
               "life": { "op": "weathering", "in": "land", "retreat": "$age", "every": 4 } },
    "outputs": { "life.tif": "life")" + more +
                                             " } }";
}

Outcome must_run(const Words& words, const TemporaryFolder& folder) {
  Outcome outcome = run_program(words, folder.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome;
}

std::string error_of(const Words& words, const TemporaryFolder& folder) {
  const Outcome outcome = run_program(words, folder.path());
  EXPECT_EQ(outcome.exit_code, 2) << outcome.err;
  return outcome.err;
}

Words computed(const nlohmann::json& run) {
  Words names;
  for (const auto& node : run["nodes"])
    if (!node["cached"]) names.push_back(node["name"]);
  return names;
}

}  // namespace

TEST(Stages, RunTellsTheDriftOfEachStageAlsoFromTheCache) {
  const TemporaryFolder folder;
  make_recipe(folder);
  const Words words{"run", "life.json", "--json", "--cache", folder / "cache"};
  for (const bool cached : {false, true}) {
    const auto told = must_run(words, folder).json();
    ASSERT_EQ(told["nodes"].size(), 4u);
    for (size_t i = 1; i < 4; ++i) {
      EXPECT_EQ(told["nodes"][i]["cached"], cached);
      EXPECT_EQ(told["nodes"][i]["told"]["drift"], 0) << told["nodes"][i];
    }
    EXPECT_FALSE(told["nodes"][0].contains("told"));
  }
  const Outcome plain = must_run({"run", "life.json"}, folder);
  EXPECT_CONTAINS(plain.out, "  life: ");
  EXPECT_CONTAINS(plain.out, "drift 0");
  EXPECT_EQ(plain.out.find("life@"), std::string::npos) << plain.out;
  const auto longer = must_run({"run", "life.json", "--json", "--cache", folder / "cache", "--set", "age=20"}, folder);
  EXPECT_EQ(computed(longer.json()), (Words{"life@16", "life"}));
}

TEST(Stages, CanBeNamedWhereverANodeCan) {
  const TemporaryFolder folder;
  make_recipe(folder);
  const auto stage = must_run({"info", "life.json#life@8", "--json"}, folder).json();
  const auto layer = must_run({"info", "life.json#life@8.height", "--json"}, folder).json();
  EXPECT_EQ(layer["layers"].size(), 1u);
  EXPECT_GT(stage["layers"].size(), 1u);
  EXPECT_CONTAINS(error_of({"info", "life.json#life@9"}, folder), "its stages: 0, 4, 8, 12");
  EXPECT_CONTAINS(error_of({"info", "life.json"}, folder), "#land, #life");
  EXPECT_EQ(error_of({"info", "life.json"}, folder).find('@'), std::string::npos);
  EXPECT_CONTAINS(must_run({"check", "life.json"}, folder).out, "2 nodes with 3 stages on the way, 1 outputs");
  EXPECT_EQ(must_run({"check", "life.json", "--json"}, folder).json()["stages"], 3);
  EXPECT_CONTAINS(must_run({"explain", "weathering"}, folder).out, "every ");
  EXPECT_EQ(must_run({"explain", "noise"}, folder).out.find("every "), std::string::npos);
  EXPECT_CONTAINS(must_run({"complete", "info", "life.json#life@"}, folder).out, "life.json#life@8\t8 m");
  EXPECT_EQ(must_run({"complete", "info", "life.json#"}, folder).out.find('@'), std::string::npos);
  EXPECT_CONTAINS(must_run({"complete", "run", "life.json", "--set", "li"}, folder).out, "life.every=\t");
}

TEST(Stages, FiguresOfOneNodeShowThemAll) {
  const TemporaryFolder folder;
  make_recipe(folder, R"(, "frames_{age}.png": { "frames": "life", "render": { "size": [48, 32], "samples": 1 } })");
  for (const char* source : {"life.json#life", "life.json"}) {
    const auto lapse =
        must_run({"figure", "timelapse", source, "-o", "a.webp", "--size", "48x32", "--json"}, folder).json();
    EXPECT_EQ(lapse["frames"], 4);
  }
  const auto sheet =
      must_run({"figure", "sheet", "life.json#life", "-o", "a.svg", "--size", "48x32", "--json"}, folder).json();
  EXPECT_EQ(sheet["pictures"], 4);
  EXPECT_CONTAINS(contents(folder / "a.svg"), ">8 m<");
  const auto swept = must_run(
      {"figure", "timelapse", "life.json#life", "-o", "b.webp", "--sweep", "age=4,8", "--size", "48x32", "--json"},
      folder);
  EXPECT_EQ(swept.json()["frames"], 2);
  EXPECT_CONTAINS(error_of({"figure", "timelapse", "life.json#land", "-o", "a.webp"}, folder), "\"every\"");
  const auto run = must_run({"run", "life.json", "--json", "--only", "frames_{age}.png"}, folder).json();
  ASSERT_EQ(run["outputs"].size(), 5u);
  EXPECT_EQ(run["outputs"][1]["path"], "out/frames_04.png");
}

TEST(Stages, MakeWritesAFileForEach) {
  const TemporaryFolder folder;
  const Words words{"make",         "noise height=80 | weathering retreat=8 every=4",
                    "-o",           "w_{age}.tif",
                    "-o",           "w.tif",
                    "--size",       "320",
                    "--resolution", "33"};
  must_run(words, folder);
  for (const char* name : {"w_0.tif", "w_4.tif", "w_8.tif", "w.tif"}) EXPECT_NE(contents(folder / name), "") << name;
  EXPECT_EQ(contents(folder / "w_8.tif"), contents(folder / "w.tif"));
}

TEST(Stages, AnInterruptedRunLeavesStagesToGoOnFrom) {
  const TemporaryFolder folder;
  make_recipe(folder);
  const auto words = [&](const std::string& age) {
    return Words{"run", "life.json", "--cache", folder / "cache", "--resolution", "129", "--set", "age=" + age};
  };
  Program program(words("400"), folder.path());
  ASSERT_TRUE(program.wait_until([&] { return program.err().find("life@12: done") != std::string::npos; }))
      << program.err();
  program.send(SIGINT);
  EXPECT_EQ(program.finish().exit_code, 130);
  EXPECT_FALSE(std::filesystem::exists(folder / "out/life.tif"));
  Words shorter = words("16");
  shorter.emplace_back("--json");
  const Words rest = computed(must_run(shorter, folder).json());
  for (const char* name : {"life@4", "life@8"})
    EXPECT_EQ(std::ranges::find(rest, name), rest.end()) << name << " was computed again";
}

}  // namespace tepui::test::stages_test
