#include "tepui/geology/hardness_table.h"

#include <fmt/format.h>

#include <fstream>

#include "tepui/core/error.h"
#include "tepui/geology/minerals.h"
#include "tests/support/support.h"

namespace tepui::hardness_table_test {

namespace {

using List = std::vector<double>;

List csv(const std::string& text, size_t materials) { return parse_hardness_table(text, "rocks.csv", materials); }
List json(const std::string& text, size_t materials) { return parse_hardness_table(text, "rocks.json", materials); }

std::string refused(const std::string& text, const std::string& name = "rocks.csv") {
  return test::error_of([&] { parse_hardness_table(text, name, 3); });
}

}  // namespace

TEST(HardnessTable, TakesWhatSpreadsheetsWrite) {
  const List wanted{0.1, 0.4, 1};
  EXPECT_EQ(csv("Material,Hardness\r\nmud,0.1\r\nsilt,0.4\r\nsand,1\r\n", 3), wanted);
  EXPECT_EQ(csv("MATERIAL;HARDNESS\rmud;0.1\rsilt;0.4\rsand;1", 3), wanted);
}

TEST(HardnessTable, ReadsNumberedRowsInAnyOrder) {
  EXPECT_EQ(csv("material,hardness\n2, 1\n0, 0.25\n1, 0.5\n", 3), (List{0.25, 0.5, 1}));
  EXPECT_EQ(csv("\xef\xbb\xbf# from the survey\r\n0;0.25\r\n\r\n1;0.5\r\n2;diamond", 3), (List{0.25, 0.5, 1}));
  EXPECT_EQ(json(R"([[2, 1], [0, 0.25], [1, 0.5]])", 3), (List{0.25, 0.5, 1}));
  EXPECT_EQ(json(R"([{"hardness": 1, "material": 1}, {"hardness": "Topaz", "material": "0"}])", 2),
            (List{200 / 1500.0, 1}));
}

TEST(HardnessTable, ReadsNamedRowsFromTheBaseUp) {
  EXPECT_EQ(csv("shale,talc\n\"lime stone\",\"calcite\"\nsandstone\t0.9\n", 3), (List{1 / 1500.0, 9 / 1500.0, 0.9}));
  EXPECT_EQ(csv("0.25\nquartz\n1", 3), (List{0.25, 100 / 1500.0, 1}));
  EXPECT_EQ(json(R"([0.25, "quartz", 1])", 3), (List{0.25, 100 / 1500.0, 1}));
  EXPECT_EQ(json(R"([["shale", 0.1], {"material": "chalk", "hardness": 0.2}])", 2), (List{0.1, 0.2}));
}

RC_GTEST_PROP(HardnessTable, GivesBackWhatWasWritten, ()) {
  const auto count = *rc::gen::inRange<size_t>(1, 30);
  List list;
  std::string rows, entries;
  for (size_t m = 0; m < count; ++m) {
    list.push_back(*rc::gen::inRange(0, 978) / 977.0);
    rows += fmt::format("{},{}\n", m, list.back());
    entries += fmt::format("{}{}", m > 0 ? "," : "", list.back());
  }
  RC_ASSERT(csv(rows, count) == list);
  RC_ASSERT(json("[" + entries + "]", count) == list);
}

TEST(HardnessTable, RefusesWhatIsWrongByItsPlace) {
  EXPECT_NE(refused("0,0.1\n1,1.5\n2,1").find("'rocks.csv', line 2: the hardness 1.5 is not between 0 and 1"),
            std::string::npos);
  EXPECT_NE(refused("0,0.1\n1,-0.1\n2,1").find("line 2"), std::string::npos);
  EXPECT_NE(refused("0,nan\n1,1\n2,1").find("line 1"), std::string::npos);
  EXPECT_NE(refused("a,0.1\nb,quarz\nc,1").find("line 2: there is no mineral 'quarz'"), std::string::npos);
  EXPECT_NE(refused("a,0.1\nb,quarz\nc,1").find("'quartz'"), std::string::npos);
  EXPECT_NE(refused("a,\nb,1\nc,1").find("line 1: there is no hardness"), std::string::npos);
  EXPECT_NE(refused("0,1,2").find("more than two"), std::string::npos);
  EXPECT_NE(refused("0,1\n1,1\n1,0.5").find("line 3: material 1 appears twice"), std::string::npos);
  EXPECT_NE(refused("0,1\n1,1\n3,0.5").find("there is no material 3; materials are numbered 0 to 2"),
            std::string::npos);
  EXPECT_NE(refused("0,1\n2,1\n").find("how hard material 1 is"), std::string::npos);
  EXPECT_NE(refused("0,1\nshale,1\n2,1").find("'shale' is not a number"), std::string::npos);
  EXPECT_NE(refused("a,1\nb,1").find("has 2 rows, but the land has 3 materials"), std::string::npos);
  EXPECT_NE(refused("").find("has 0 rows"), std::string::npos);
}

TEST(HardnessTable, RefusesWrongJsonByItsPlace) {
  EXPECT_NE(refused("[0.1, 2, 1]", "r.json").find("'r.json', entry 1: the hardness 2"), std::string::npos);
  EXPECT_NE(refused("[0.1, true, 1]", "r.json").find("entry 1: the hardness is neither"), std::string::npos);
  EXPECT_NE(refused(R"([{"material": 0}])", "r.json").find("no \"hardness\""), std::string::npos);
  EXPECT_NE(refused(R"([{"hardnes": 0}])", "r.json").find("no key 'hardnes'"), std::string::npos);
  EXPECT_NE(refused(R"([[0.5, 1]])", "r.json").find("the material is neither"), std::string::npos);
  EXPECT_NE(refused("{}", "r.json").find("not a list"), std::string::npos);
  EXPECT_NE(refused("[1e999]", "r.json").find("not a list"), std::string::npos);
  EXPECT_NE(refused("0,1", "rocks.xlsx").find("must end in .csv or .json"), std::string::npos);
}

TEST(HardnessTable, EveryPrefixIsATableOrACleanError) {
  const std::string table = R"([[0, 0.25], {"material": 1, "hardness": "quartz"}, [2, 1]])";
  for (size_t size = 0; size < table.size(); ++size)
    EXPECT_FALSE(refused(table.substr(0, size), "r.json").empty()) << size;
  const std::string rows = "material,hardness\n0,0.25\n1,quartz\n2,0.5";
  for (size_t size = 0; size < rows.size() - 2; ++size) EXPECT_FALSE(refused(rows.substr(0, size)).empty()) << size;
  EXPECT_FALSE(refused(std::string(100'000, '['), "r.json").empty());
}

TEST(HardnessTable, FilesAreBounded) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "rocks.csv") << "0,0.5\n1,1\n";
  EXPECT_EQ(read_hardness_table(folder / "rocks.csv", 2), (List{0.5, 1}));
  std::ofstream(folder / "large.csv") << std::string(2 << 20, '#');
  EXPECT_NE(test::error_of([&] { read_hardness_table(folder / "large.csv", 2); }).find("at most"), std::string::npos);
  EXPECT_NE(test::error_of([&] { read_hardness_table(folder / "none.csv", 2); }).find("none.csv"), std::string::npos);
}

}  // namespace tepui::hardness_table_test
