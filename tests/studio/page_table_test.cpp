#include "apps/studio/page_table.h"

#include "tepui/core/error.h"
#include "tepui/recipe/presets.h"
#include "tests/support/support.h"

namespace tepui::page_table_test {

using namespace studio;

TEST(PageTable, EveryPresetHasAPicture) {
  const PageTable page = page_table(embedded_page());
  for (const Preset& preset : presets()) EXPECT_NE(picture_of_preset(page, preset.name), "") << preset.name;
}

TEST(PageTable, TheFirstFileIsThePage) {
  const PageTable page = page_table(embedded_page());
  ASSERT_TRUE(page.files.contains("/"));
  EXPECT_TRUE(page.files.at("/").type.starts_with("text/html"));
}

TEST(PageTable, WithoutAPageSaysSo) {
  const PageTable page = page_table({});
  EXPECT_EQ(page.build, "");
  EXPECT_NE(page.files.at("/").bytes.find("without its page"), std::string_view::npos);
}

TEST(PageTable, NamesOnlyFilesThatAreThere) {
  EXPECT_THROW(page_table({{"dist/table.txt", "page x\n/ index.html.gz text/html\n"}}), Error);
  EXPECT_THROW(page_table({{"dist/table.txt", "nothing\n"}}), Error);
}

}  // namespace tepui::page_table_test
