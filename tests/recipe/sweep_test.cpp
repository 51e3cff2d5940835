#include "tepui/recipe/sweep.h"

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tests/support/support.h"

namespace tepui::sweep_test {
namespace {

using test::error_of;
using Words = std::vector<std::string>;

TEST(Sweep, ValuesAreListsAndRanges) {
  EXPECT_EQ(parse_sweep("rock.count=3,5,7").name, "rock.count");
  EXPECT_EQ(parse_sweep("rock.count=3,5,7").values, (Words{"3", "5", "7"}));
  EXPECT_EQ(parse_sweep("noise.sum=ridged,billow").values, (Words{"ridged", "billow"}));
  EXPECT_EQ(parse_sweep("seed=1..4").values, (Words{"1", "2", "3", "4"}));
  EXPECT_EQ(parse_sweep("seed=3..1").values, (Words{"3", "2", "1"}));
  EXPECT_EQ(parse_sweep("x=-1..1").values, (Words{"-1", "0", "1"}));
  EXPECT_EQ(parse_sweep("seed=5..5").values, (Words{"5"}));
  EXPECT_EQ(parse_sweep("age=0..1:5").values, (Words{"0", "0.25", "0.5", "0.75", "1"}));
  EXPECT_EQ(parse_sweep("age=0..1:11").values[3], "0.3");
  EXPECT_EQ(parse_sweep("age=0.7").values, (Words{"0.7"}));
}

TEST(Sweep, IntervalsAndListsMayBeValues) {
  EXPECT_EQ(parse_sweep("faults.radius=1..350,1..700").values, (Words{"1..350", "1..700"}));
  EXPECT_EQ(parse_sweep("a.points=[1,2],[3,4]").values, (Words{"[1,2]", "[3,4]"}));
  EXPECT_EQ(parse_sweep("land.radius=1%,2.5%,1km").values, (Words{"1%", "2.5%", "1km"}));
}

RC_GTEST_PROP(Sweep, EvenValuesReachBothEndsAndNeverTurn, ()) {
  const double from = *rc::gen::inRange(-1000, 1000) / 8.0, to = *rc::gen::inRange(-1000, 1000) / 8.0;
  const int count = *rc::gen::inRange(2, 60);
  const Sweep sweep =
      parse_sweep("a=" + std::to_string(from) + ".." + std::to_string(to) + ":" + std::to_string(count));
  RC_ASSERT(sweep.values.size() == static_cast<size_t>(count));
  RC_ASSERT(parse_number(sweep.values.front()) == from);
  RC_ASSERT(parse_number(sweep.values.back()) == to);
  for (size_t i = 1; i < sweep.values.size(); ++i) {
    const double step = *parse_number(sweep.values[i]) - *parse_number(sweep.values[i - 1]);
    RC_ASSERT(step * (to - from) >= 0);
  }
}

RC_GTEST_PROP(Sweep, WholeRangesHoldEveryNumber, ()) {
  const int from = *rc::gen::inRange(-300, 300), to = from + *rc::gen::inRange(-199, 199);
  const Sweep sweep = parse_sweep("a=" + std::to_string(from) + ".." + std::to_string(to));
  RC_ASSERT(sweep.values.size() == static_cast<size_t>(std::abs(to - from)) + 1);
  for (size_t i = 0; i < sweep.values.size(); ++i)
    RC_ASSERT(sweep.values[i] == std::to_string(from + (from <= to ? 1 : -1) * static_cast<int>(i)));
}

/// Text that means nothing is refused with an example, whatever it is.
RC_GTEST_PROP(Sweep, AnyTextIsReadOrRefused, ()) {
  const std::string text =
      *rc::gen::container<std::string>(rc::gen::element('a', '.', '=', ',', '1', '9', ':', '-', '['));
  try {
    const Sweep sweep = parse_sweep(text);
    RC_ASSERT(!sweep.values.empty());
    RC_ASSERT(sweep.values.size() <= most_sweep_entries);
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::request);
    RC_ASSERT(!error.hint().empty());
  }
}

TEST(Sweep, SaysWhatWouldBeRight) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"rock.count", "name=values"},
      {"=3,5", "name=values"},
      {"seed=", "seed=1..16"},
      {"seed=1,,2", "empty value"},
      {"seed=1.5,2", "whole number"},
      {"seed=-1..2", "whole number"},
      {"resolution=65..128:3", "resolution=65,129,257"},
      {"age=0.1..0.9", "0.1..0.9:5"},
      {"age=a..b", "whole numbers"},
      {"age=0..1:1", "at least 2"},
      {"age=0..1:x", "at least 2"},
      {"age=0..nan:3", "from a number"},
      {"age=0..inf:3", "from a number"},
      {"seed=1..401", "at most 400"},
      {"seed=0..9223372036854775807", "at most 400"},
      {"x=-9223372036854775808..9223372036854775807", "at most"},
      {"age=0..1:1000000000000", "at most 400"}};
  for (const auto& [text, part] : cases)
    EXPECT_NE(error_of([&, &text = text] { parse_sweep(text); }).find(part), std::string::npos)
        << text << ": " << error_of([&, &text = text] { parse_sweep(text); });
}

TEST(Sweep, OneMakesAList) {
  const SweepTable table = sweep_table({parse_sweep("rock.count=3,5")}, {.seed = 9});
  ASSERT_EQ(table.entries.size(), 2u);
  EXPECT_EQ(table.entries[1].caption, "count = 5");
  EXPECT_EQ(table.entries[1].overrides.set, Words{"rock.count=5"});
  EXPECT_EQ(table.entries[1].overrides.seed, 9u);
  EXPECT_TRUE(table.rows.empty() && table.columns.empty());
  EXPECT_EQ(sweep_table({parse_sweep("seed=7,8")}).entries[1].overrides.seed, 8u);
  EXPECT_EQ(sweep_table({parse_sweep("resolution=65,129")}).entries[1].overrides.resolution, 129);
  EXPECT_EQ(sweep_table({}, {.seed = 3}).entries.front().overrides.seed, 3u);
}

TEST(Sweep, TwoMakeATableRowByRow) {
  const SweepTable table = sweep_table({parse_sweep("beds=3,5"), parse_sweep("seed=1..3")});
  ASSERT_EQ(table.entries.size(), 6u);
  EXPECT_EQ(table.rows, (Words{"beds = 3", "beds = 5"}));
  EXPECT_EQ(table.columns, (Words{"seed = 1", "seed = 2", "seed = 3"}));
  EXPECT_EQ(table.entries[4].overrides.set, Words{"beds=5"});
  EXPECT_EQ(table.entries[4].overrides.seed, 2u);
  EXPECT_EQ(table.entries[4].caption, "beds = 5, seed = 2");
}

TEST(Sweep, RefusesTooMany) {
  const Sweep seeds = parse_sweep("seed=1..30"), ages = parse_sweep("age=0..1:30");
  EXPECT_NE(error_of([&] { sweep_table({seeds, ages}); }).find("30 x 30"), std::string::npos);
  EXPECT_NE(error_of([&] { sweep_table({seeds, seeds}); }).find("twice"), std::string::npos);
  EXPECT_NE(error_of([&] { sweep_table({seeds, ages, ages}); }).find("too many"), std::string::npos);
}

TEST(Sweep, RunsAreAllCombinationsUnderNamesOfTheirOwn) {
  const std::vector<SweepRun> runs = sweep_runs(
      {parse_sweep("beds=3,5"), parse_sweep("seed=1..3"), parse_sweep("a.radius=[1,2],[1,3]")}, {.resolution = 9});
  ASSERT_EQ(runs.size(), 12u);
  EXPECT_EQ(runs[0].values, (Words{"3", "1", "[1,2]"}));
  EXPECT_EQ(runs[1].values, (Words{"3", "1", "[1,3]"}));
  EXPECT_EQ(runs[11].values, (Words{"5", "3", "[1,3]"}));
  EXPECT_EQ(runs[0].name, "beds=3_seed=1_a.radius=_1_2_");
  EXPECT_EQ(runs[11].overrides.set, (Words{"beds=5", "a.radius=[1,3]"}));
  EXPECT_EQ(runs[11].overrides.seed, 3u);
  EXPECT_EQ(runs[11].overrides.resolution, 9);
  EXPECT_EQ(sweep_runs({}).size(), 1u);
  const std::vector<SweepRun> alike = sweep_runs({parse_sweep("a=x/y,x y,x:y")});
  EXPECT_EQ(alike[0].name, "a=x_y");
  EXPECT_NE(alike[1].name, alike[0].name);
  EXPECT_NE(alike[2].name, alike[1].name);
  EXPECT_NE(error_of([&] { sweep_runs({parse_sweep("a=1,2"), parse_sweep("a=3")}); }).find("twice"), std::string::npos);
  const Sweep many = parse_sweep("seed=1..300"), more = parse_sweep("age=0..1:300");
  EXPECT_NE(error_of([&] { sweep_runs({many, more}); }).find("90000 runs"), std::string::npos);
}

}  // namespace
}  // namespace tepui::sweep_test
