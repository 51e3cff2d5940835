// What the completion scripts ask the program: `tepui complete WORD...`.
#include <algorithm>
#include <sstream>

#include "tepui/core/random.h"
#include "tests/apps/program.h"
#include "tests/support/support.h"

namespace tepui::test::completion_test {

namespace {

struct Answer {
  std::string paths;
  std::vector<std::string> words;

  bool offers(const std::string& word) const { return std::ranges::find(words, word) != words.end(); }
};

Answer complete(std::vector<std::string> words, const std::string& folder) {
  words.insert(words.begin(), "complete");
  const Outcome outcome = run_program(words, folder);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  std::istringstream lines(outcome.out);
  Answer answer;
  std::getline(lines, answer.paths);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_NE(line.find('\t'), std::string::npos) << line;
    answer.words.push_back(line.substr(0, line.find('\t')));
  }
  EXPECT_TRUE(answer.paths == "none" || answer.paths == "files" || answer.paths == "folders") << answer.paths;
  return answer;
}

}  // namespace

TEST(Completion, OffersEveryOptionThatTheHelpShows) {
  const TemporaryFolder folder;
  const std::vector<std::string> commands = complete({""}, folder.path()).words;
  EXPECT_GE(commands.size(), 12u);
  for (const std::string& command : commands) {
    const Answer offered = complete({command, "-"}, folder.path());
    std::istringstream help(run_program({command, "--help"}, folder.path()).out);
    int options = 0;
    for (std::string line; std::getline(help, line);) {
      if (!line.starts_with("  -")) continue;
      std::istringstream names(line.substr(2, line.find(' ', 2) - 2));
      for (std::string name; std::getline(names, name, ','); ++options)
        EXPECT_TRUE(offered.offers(name)) << command << " " << name;
    }
    EXPECT_EQ(offered.words.size(), static_cast<size_t>(options)) << command;
  }
}

TEST(Completion, KnowsThePicturesChoices) {
  const TemporaryFolder folder;
  for (const auto& [option, choice] : {std::pair{"--camera", "ground"}, std::pair{"--colour", "clay"}}) {
    const Answer answer = complete({"render", "a.tif", option, ""}, folder.path());
    EXPECT_EQ(answer.paths, "none");
    EXPECT_TRUE(answer.offers(choice)) << choice;
  }
}

TEST(Completion, OffersAnOptionAgainOnlyWhereItMayBeRepeated) {
  const TemporaryFolder folder;
  const Answer answer = complete({"run", "mesa", "--seed", "3", "--set", "age=1", "-q", "-"}, folder.path());
  EXPECT_TRUE(answer.offers("--set"));
  for (const char* given : {"--seed", "--quiet", "-q"}) EXPECT_FALSE(answer.offers(given)) << given;
}

TEST(Completion, OffersAutoWhereAParameterMayBeIt) {
  const TemporaryFolder folder;
  EXPECT_TRUE(complete({"render", "a.tif", "--set", "layer="}, folder.path()).offers("layer=auto"));
  const Answer camera = complete({"render", "a.tif", "--set", "camera="}, folder.path());
  EXPECT_TRUE(camera.offers("camera=top"));
  EXPECT_FALSE(camera.offers("camera=auto"));
}

TEST(Completion, AnswersAnyWords) {
  const TemporaryFolder folder;
  const std::vector<std::string> pool{"",        "run",    "render",    "--set",    "--set=",    "mesa",
                                      "-",       "--",     "=",         "#",        "mesa#",     "-o",
                                      "--only",  "--seed", "--no-such", "\xff\x80", "a\nb\t",    "'noise",
                                      "camera=", ".=",     "bench",     "new",      "--output=", "complete"};
  // Drawn here, not by rapidcheck, because a case is a run of the program.
  const Stream stream(1);
  for (uint64_t i = 0; i < 24; ++i) {
    std::vector<std::string> words;
    for (uint64_t word = 1; word <= i % 6; ++word) words.push_back(pool[stream.bits(i, word) % pool.size()]);
    complete(words, folder.path());
  }
}

}  // namespace tepui::test::completion_test
