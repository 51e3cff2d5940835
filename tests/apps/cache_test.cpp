// The cache as users meet it: the second run is quick, and nobody can tell from the files.
#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/apps/program.h"

namespace tepui::test::cache_test {

namespace {

namespace fs = std::filesystem;

size_t count(const nlohmann::json& list, const char* key) {
  size_t n = 0;
  for (const auto& entry : list) n += entry[key].get<bool>() ? 1 : 0;
  return n;
}

const std::vector<std::string> mesa{"run",       "mesa",   "--resolution", "65",   "--set",
                                    "samples=1", "--json", "--cache",      "cache"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST(Cache, CachedAndUncachedRunsGiveTheSameBytes) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_program({"run", "mesa", "--resolution", "65", "--set", "samples=1", "--no-cache", "-o", "plain"},
                        folder.path())
                .exit_code,
            0);
  for (const char* name : {"first", "second", "second"}) {
    const Outcome outcome = run_program(with(mesa, {"-o", name}), folder.path());
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  EXPECT_EQ(files_of(folder / "plain"), files_of(folder / "first"));
  EXPECT_EQ(files_of(folder / "plain"), files_of(folder / "second"));
}

TEST(Cache, ARepeatedRunComputesAndWritesNothing) {
  const TemporaryFolder folder;
  const auto first = run_program(mesa, folder.path()).json();
  EXPECT_EQ(count(first["nodes"], "cached"), 0u);
  EXPECT_EQ(count(first["outputs"], "kept"), 0u);
  const auto written = fs::last_write_time(folder / "out/mesa.tif");
  const auto again = run_program(mesa, folder.path()).json();
  EXPECT_EQ(count(again["nodes"], "cached"), again["nodes"].size());
  EXPECT_EQ(count(again["outputs"], "kept"), again["outputs"].size());
  EXPECT_EQ(fs::last_write_time(folder / "out/mesa.tif"), written);
  for (size_t i = 0; i < first["outputs"].size(); ++i)
    EXPECT_EQ(first["outputs"][i]["hash"], again["outputs"][i]["hash"]);

  const auto edited = run_program(with(mesa, {"--set", "land.radius=9"}), folder.path()).json();
  EXPECT_EQ(count(edited["nodes"], "cached"), edited["nodes"].size() - 1);
  const auto anew =
      run_program({"run", "mesa", "--resolution", "65", "--set", "samples=1", "--json", "--no-cache"}, folder.path())
          .json();
  EXPECT_EQ(count(anew["nodes"], "cached"), 0u);
  EXPECT_EQ(count(anew["outputs"], "kept"), 0u);
}

TEST(Cache, EightProgramsAtOnceShareOneCacheAndOneFolder) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_program(with(mesa, {"--cache", "other", "-o", "plain"}), folder.path()).exit_code, 2);  // twice
  ASSERT_EQ(run_program({"run", "mesa", "--resolution", "65", "--set", "samples=1", "--no-cache", "-o", "plain"},
                        folder.path())
                .exit_code,
            0);
  std::vector<std::unique_ptr<Program>> programs;
  for (int i = 0; i < 8; ++i)
    programs.push_back(std::make_unique<Program>(with(mesa, {"-o", i < 5 ? "same" : "other"}), folder.path()));
  for (const auto& program : programs) {
    const Outcome outcome = program->finish();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }
  EXPECT_EQ(files_of(folder / "same"), files_of(folder / "plain"));
  EXPECT_EQ(files_of(folder / "other"), files_of(folder / "plain"));
  for (const auto& [name, bytes] : files_of(folder / "cache")) EXPECT_FALSE(name.ends_with(".tmp")) << name;
}

TEST(Cache, LiesInTheUsersCacheFolder) {
  const TemporaryFolder folder;
  const std::vector<std::string> words{"make", "noise", "--resolution", "33", "-o", "a.tif"};
  const auto run = [&](const std::string& xdg, const std::string& home) {
    Program program(words, folder.path(), {{"XDG_CACHE_HOME", xdg}, {"HOME", home}});
    const Outcome outcome = program.finish();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("warning"), std::string::npos) << outcome.err;
  };
  run(folder / "xdg", folder / "home");
  EXPECT_TRUE(fs::exists(folder / "xdg/tepui/CACHEDIR.TAG"));
  EXPECT_FALSE(fs::exists(folder / "home"));
  run("relative", folder / "home");  // which the XDG specification wants ignored
  EXPECT_TRUE(fs::exists(folder / "home/.cache/tepui/CACHEDIR.TAG"));
  EXPECT_FALSE(fs::exists(folder / "relative"));
  run("", "");
}

TEST(Cache, AFolderThatIsNoneOnlyWarns) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "mine";
  const Outcome outcome =
      run_program({"make", "noise", "--resolution", "33", "-o", "a.tif", "--cache", "file"}, folder.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const size_t first = outcome.err.find("warning: cannot write to the cache 'file'");
  EXPECT_NE(first, std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning", first + 1), std::string::npos) << outcome.err;
  EXPECT_EQ(contents(folder / "file"), "mine");
  EXPECT_EQ(run_program({"run", "mesa", "--no-cache", "--cache", "x"}, folder.path()).exit_code, 2);
  EXPECT_EQ(run_program({"run", "mesa", "--cache", ""}, folder.path()).exit_code, 2);
}

TEST(Cache, NodesOfARecipeComeFromItToo) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_program({"new", "mesa", "-o", "m.json"}, folder.path()).exit_code, 0);
  const std::vector<std::string> words{"info", "m.json#land", "--json", "--cache", "cache"};
  const Outcome first = run_program(words, folder.path());
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const auto entries = files_of(folder / "cache");
  EXPECT_FALSE(entries.empty());
  EXPECT_EQ(run_program(words, folder.path()).out, first.out);
  EXPECT_EQ(files_of(folder / "cache").size(), entries.size());
  EXPECT_EQ(run_program({"info", "m.json#land", "--json", "--no-cache"}, folder.path()).out, first.out);
}

TEST(Cache, AHeaderThatWentMissingIsWrittenAgain) {
  const TemporaryFolder folder;
  const std::vector<std::string> words{"make",  "noise",  "--resolution", "33",   "-o",
                                       "a.r16", "--json", "--cache",      "cache"};
  ASSERT_EQ(run_program(words, folder.path()).exit_code, 0);
  const std::string header = contents(folder / "a.r16.hdr");
  ASSERT_NE(header, "");
  fs::remove(folder / "a.r16.hdr");
  ASSERT_EQ(run_program(words, folder.path()).exit_code, 0);
  EXPECT_EQ(contents(folder / "a.r16.hdr"), header);
}

}  // namespace tepui::test::cache_test
