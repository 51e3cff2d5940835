// A language that writes 1,5 for a half more than one.
#include <cstdlib>
#include <iostream>

#include "tests/io/files.h"
#include "tests/trust/trust.h"

namespace tepui::test::locale_test {

namespace {

constexpr const char* german = "de_DE.UTF-8";

/// Makes the locale in a folder; false where this machine cannot.
bool make_german(const std::string& folder) {
  const std::string at = folder + "/" + german;
  const std::string made = "localedef -i de_DE -f UTF-8 '" + at + "' >/dev/null 2>&1",
                    works = "test \"$(LOCPATH='" + folder + "' LC_ALL=" + german + " locale decimal_point)\" = ,";
  return std::system(made.c_str()) == 0 && std::system(works.c_str()) == 0;
}

}  // namespace

TEST(Locale, ChangesNoFileAndNoAnswer) {
  const TemporaryFolder folder, locale;
  if (!make_german(locale.path()))
    GTEST_SKIP() << "skipped: localedef cannot make " << german << " here (Debian package locales)";
  must_run({"make", "noise", "--size", "123.5", "--resolution", "17", "-o", "land.tif"}, folder.path());
  put(folder / "in.asc", "ncols 2\nnrows 2\nxllcorner 0.5\nyllcorner 1.25\ncellsize 2.5\n1.5 2.25\n-3.75 4e-1\n");
  const Words written{"x.asc", "x.r16", "x.r32", "x.tif", "x.png", "x.exr",
                      "x.npy", "x.glb", "x.obj", "x.ply", "x.stl"};
  Files files[2], answers[2];
  for (const bool comma : {false, true}) {
    const std::map<std::string, std::string> environment{
        {"LOCPATH", locale.path()}, {"LC_ALL", comma ? german : "C"}, {"LANG", comma ? german : "C"}};
    const auto run = [&](const Words& words) {
      const Outcome outcome = Program(words, folder.path(), environment).finish();
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      return outcome.out;
    };
    fs::create_directory(folder / "x");
    for (const std::string& name : written) run({"convert", "land.tif", "x/" + name});
    run({"convert", "in.asc", "x/in.tif"});
    run({"convert", "in.asc", "x/ranged.png", "--out", "range=-4.5..5.5"});
    run({"run", "mesa", "--resolution", "17", "-o", "x/mesa", "--set", "age=0.35", "--set", "samples=1"});
    run({"make", "noise height=12.5", "--resolution", "9", "--size", "99.5", "-o", "x/made.tif", "-o", "x/made.asc"});
    files[comma] = files_of(folder / "x");
    for (const std::string& name : written) answers[comma][name] = run({"info", "x/" + name, "--json"});
    answers[comma]["in.asc"] = run({"info", "in.asc", "--json"});
    answers[comma]["compare"] = run({"compare", "in.asc", "x/in.tif", "--json"});
    answers[comma]["schema"] = run({"schema"});
    fs::remove_all(folder / "x");
  }
  ASSERT_EQ(files[0].size(), files[1].size());
  for (const auto& [name, bytes] : files[0]) EXPECT_TRUE(files[1].at(name) == bytes) << name;
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_TRUE(contains(answers[1].at("in.asc"), "2.5")) << answers[1].at("in.asc");
  EXPECT_TRUE(contains(answers[1].at("in.asc"), "-3.75")) << answers[1].at("in.asc");
}

}  // namespace tepui::test::locale_test
