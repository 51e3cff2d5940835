// docs: pages and pictures of every operator, from the program itself.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tepui/core/hash.h"
#include "tests/apps/program.h"
#include "tests/support/support.h"

namespace tepui::test::docs_test {

namespace {

namespace fs = std::filesystem;

/// What the page's links and pictures name, those on the web left out.
std::vector<std::string> links_of(const std::string& html) {
  std::vector<std::string> links;
  for (const std::string start : {"href=\"", "src=\""})
    for (size_t at = html.find(start); at != std::string::npos; at = html.find(start, at + 1)) {
      const size_t from = at + start.size();
      const std::string link = html.substr(from, html.find('"', from) - from);
      if (!link.starts_with("https://")) links.push_back(link);
    }
  return links;
}

/// A third of the operators, which change with their names alone; TEPUI_ALL_PAGES takes all of them, for minutes.
bool is_chosen(const std::string& name) {
  return std::getenv("TEPUI_ALL_PAGES") != nullptr || hash_bytes(name.data(), name.size()).low % 3 == 0;
}

}  // namespace

TEST(Docs, EveryOperatorHasAPageWhoseLinksLeadSomewhere) {
  const TemporaryFolder folder;
  const Outcome ops = run_program({"ops", "--json"}, folder.path());
  const auto known = ops.json();
  std::vector<std::string> chosen, words{"docs", "-o", "a folder/made", "--draft", "--json"};
  for (const auto& op : known["operators"])
    if (is_chosen(op["name"].get<std::string>())) chosen.push_back(op["name"].get<std::string>());
  ASSERT_GT(chosen.size(), 20u);
  for (const std::string& name : chosen) words.insert(words.end(), {"--only", name});
  const Outcome outcome = run_program(words, folder.path());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string made = folder / "a folder/made";
  const auto told = outcome.json();
  for (const auto& file : told["files"]) EXPECT_TRUE(fs::exists(folder / file.get<std::string>())) << file;
  for (const std::string& name : chosen) EXPECT_TRUE(fs::exists(made + "/" + name + ".html")) << name;
  size_t links = 0, pages = 0;
  for (const auto& [name, text] : files_of(made)) {
    if (!name.ends_with(".html")) continue;
    ++pages;
    for (const std::string& link : links_of(text)) {
      ++links;
      EXPECT_TRUE(fs::is_regular_file(made + "/" + link)) << name << " " << link;
    }
  }
  EXPECT_EQ(pages, chosen.size() + 1);
  EXPECT_GE(links, 6 * pages);
}

TEST(Docs, SameFilesForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const std::vector<std::string> words{"docs", "--draft", "--only", "gradation", "--only", "materials", "-o"};
  for (const char* threads : {"1", "3"}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {threads, "--threads", threads});
    ASSERT_EQ(run_program(all, folder.path()).exit_code, 0);
  }
  const auto one = files_of(folder / "1");
  EXPECT_EQ(one.size(), 11u);
  EXPECT_EQ(one, files_of(folder / "3"));
}

TEST(Docs, OnlyAddsToThePagesThatAreThere) {
  const TemporaryFolder folder;
  for (const char* name : {"levelling", "crop"})
    ASSERT_EQ(run_program({"docs", "--draft", "--only", name, "-o", "made"}, folder.path()).exit_code, 0);
  const auto files = files_of(folder / "made");
  EXPECT_EQ(files.count("levelling.html") + files.count("crop.html"), 2u);
  const std::string& index = files.at("index.html");
  EXPECT_NE(index.find("crop.html"), std::string::npos);
  EXPECT_NE(index.find("levelling.html"), std::string::npos);
  EXPECT_EQ(index.find("noise.html"), std::string::npos);
}

TEST(Docs, RefusesWhatItCannotDoBeforeItDraws) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  fs::create_directories(folder / "taken/index.html");
  const Outcome unknown = run_program({"docs", "-o", "made", "--only", "gradatoin"}, folder.path());
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("did you mean 'gradation'?"), std::string::npos) << unknown.err;
  EXPECT_FALSE(fs::exists(folder / "made"));
  for (const char* place : {"file", "file/below", "taken", "/proc/made"}) {
    const Outcome outcome = run_program({"docs", "-o", place}, folder.path());
    EXPECT_TRUE(outcome.exit_code == 1 || outcome.exit_code == 2) << place;
    EXPECT_NE(outcome.err.find(place), std::string::npos) << outcome.err;
  }
}

TEST(Docs, StopsCleanlyWhenInterrupted) {
  const TemporaryFolder folder;
  Program program({"docs", "-o", "made", "--draft"}, folder.path());
  const auto some = [&] { return fs::exists(folder / "made") && !files_of(folder / "made").empty(); };
  ASSERT_TRUE(program.wait_until(some)) << program.err();
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  for (const auto& [name, text] : files_of(folder / "made")) {
    EXPECT_TRUE(name.ends_with(".html") || name.ends_with(".webp")) << name;
    EXPECT_FALSE(text.empty()) << name;
  }
}

}  // namespace tepui::test::docs_test
