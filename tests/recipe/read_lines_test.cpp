#include "tepui/io/read_lines.h"

#include "tepui/graph/evaluate.h"
#include "tepui/io/lines_write.h"
#include "tepui/recipe/recipe.h"
#include "tests/io/files.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::read_lines_test {

namespace {

const Lines paths({{"a", {{1, 2, 3}, {40, 50, 6}}, false, {}}, {"b", {{7, 8, 9}, {1, 1, 1}, {5, 9, 2}}, true, {}}});

Value read_in(const std::string& folder, const std::string& words) {
  const Recipe recipe =
      parse_recipe({folder + "/r.json", R"({ "tepui": 1, "nodes": { "l": { "op": "read_lines", )" + words + " } } }"});
  ValueCache cache(0);
  return evaluate(recipe, {0}, cache, {}).values.front();
}

}  // namespace

TEST(ReadLines, GivesARecipeTheLinesThatWereWritten) {
  const test::TemporaryFolder folder;
  for (const std::string name : {"a.geojson", "a.gpkg"}) {
    write_lines(folder / name, paths, {});
    const Value read = read_in(folder.path(), "\"file\": \"" + name + "\"");
    const Lines& lines = get<Lines>(read);
    ASSERT_EQ(lines.features(), 2u) << name;
    EXPECT_TRUE(std::ranges::equal(lines.vertices(), paths.vertices())) << name;
    EXPECT_EQ(lines.feature(1).name, "b");
  }
}

TEST(ReadLines, TheContentsOfTheFileAreInTheKey) {
  const test::TemporaryFolder folder;
  write_lines(folder / "a.geojson", paths, {});
  const std::string words = R"("file": "a.geojson")";
  const Hash before = read_in(folder.path(), words).hash();
  EXPECT_EQ(read_in(folder.path(), words).hash(), before);
  write_lines(folder / "a.geojson", Lines({{"a", {{1, 2, 3}, {40, 50, 7}}, false, {}}}), {});
  EXPECT_NE(read_in(folder.path(), words).hash(), before);
}

TEST(ReadLines, RefusesWhatIsNotThere) {
  const test::TemporaryFolder folder;
  EXPECT_CONTAINS(test::error_of([&] { read_in(folder.path(), "\"doc\": \"\""); }), "needs a value for 'file'");
  EXPECT_CONTAINS(test::error_of([&] { read_in(folder.path(), R"("file": "none.geojson")"); }), "none.geojson");
}

}  // namespace tepui::read_lines_test
