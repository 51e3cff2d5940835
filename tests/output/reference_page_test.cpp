#include "tepui/output/reference_page.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "tepui/core/error.h"
#include "tepui/recipe/meaning.h"
#include "tepui/recipe/presets.h"
#include "tests/support/support.h"

namespace tepui::reference_page_test {

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What is wrong with the page as XML, of which these pages are a subset; empty: nothing.
std::string fault_of(std::string html) {
  const size_t style = html.find("<style>"), style_end = html.find("</style>");
  html.erase(style, style_end - style + 8);
  if (!html.starts_with("<!DOCTYPE html>\n")) return "no document type";
  std::vector<std::string> open;
  for (size_t at = 16; at < html.size(); ++at) {
    if (html[at] == '>' || (html[at] == '"')) continue;
    if (html[at] == '&') {
      const size_t end = html.find(';', at);
      const std::string name = html.substr(at, end - at + 1);
      if (name != "&amp;" && name != "&lt;" && name != "&gt;" && name != "&quot;" && name != "&#39;") return name;
    }
    if (html[at] != '<') continue;
    const size_t end = html.find('>', at);
    if (end == std::string::npos) return "a tag is not closed";
    const std::string tag = html.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find(' '));
    if (contains(tag, "<") || std::count(tag.begin(), tag.end(), '"') % 2 != 0) return tag;
    if (name.starts_with('/')) {
      if (open.empty() || "/" + open.back() != name) return name + " closes nothing";
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(name);
    }
    at = end;
  }
  return open.empty() ? "" : open.back() + " stays open";
}

std::string unescaped(std::string text) {
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}})
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
      text.replace(at, from.size(), to);
  return text;
}

Operator hostile_operator() {
  Operator op = require_operator("gradation");
  op.name = "../a b\"><script>alert('x')</script>\x01&amp;";
  op.module = "<b>";
  op.params.about = "5 < 6 & \"7\" > 'x' </p><img src=x onerror=alert(1)>";
  op.params.example = "noise | {} | <i>";
  op.params.fields[0].name = "<td>";
  op.params.fields[0].doc = "</table>\n&";
  op.params.fields[0].sweep = {"<", "\"", "'"};
  op.params.fields[1].when = "<u>=1";
  op.inputs[0].name = "<in>";
  return op;
}

}  // namespace

TEST(ReferencePage, NamesEveryParameterPortAndSource) {
  for (const Operator& op : operators()) {
    const std::string page = operator_page(op, "");
    SCOPED_TRACE(op.name);
    EXPECT_EQ(fault_of(page), "");
    EXPECT_TRUE(contains(page, html_text(op.params.about)));
    for (const Field& field : op.params.fields) {
      EXPECT_TRUE(contains(page, "<tr><td><code>" + field.name + "</code></td>")) << field.name;
      EXPECT_TRUE(contains(page, html_text(field.doc))) << field.name;
      EXPECT_TRUE(contains(page, html_text(range_text(field)))) << field.name;
    }
    for (const Port& port : op.inputs) EXPECT_TRUE(contains(page, "<td><code>" + port.name + "</code></td>"));
    for (const Citation& work : citations(op.citation)) {
      EXPECT_TRUE(contains(page, html_text(work.title)));
      EXPECT_TRUE(work.doi.empty() || contains(page, "https://doi.org/" + work.doi));
    }
    for (const PagePicture& picture : page_pictures(op)) EXPECT_TRUE(contains(page, "src=\"" + picture.file + "\""));
  }
}

TEST(ReferencePage, NeedsNothingFromElsewhere) {
  for (const Operator& op : operators()) {
    const std::string page = operator_page(op, "material");
    for (const char* part : {"<script", "<link", "src=\"http", "url(", "@import"})
      EXPECT_FALSE(contains(page, part)) << op.name << " " << part;
  }
}

TEST(ReferencePage, IndexLinksEveryOperatorInGroups) {
  std::vector<const Operator*> all;
  for (const Operator& op : operators()) all.push_back(&op);
  const std::string page = index_page(all);
  EXPECT_EQ(fault_of(page), "");
  size_t last = 0;
  for (const char* module : {"generate", "geology", "erode", "terrain", "io"}) {
    const size_t at = page.find(std::string("<h2>") + module + "</h2>");
    ASSERT_NE(at, std::string::npos) << module;
    EXPECT_GT(at, last);
    last = at;
  }
  for (const Operator& op : operators()) EXPECT_TRUE(contains(page, "href=\"" + op.name + ".html\"")) << op.name;
  EXPECT_EQ(fault_of(index_page({})), "");
}

TEST(ReferencePage, HostileNamesStayTextAndPlainFiles) {
  const Operator op = hostile_operator();
  for (const std::string& page : {operator_page(op, "<layer>"), index_page({&op})}) {
    EXPECT_EQ(fault_of(page), "");
    for (const char* part : {"<script", "<img src=x", "<u>", "<b>", "<i>", "<in>", "<td></code>", "\x01"})
      EXPECT_FALSE(contains(page, part)) << part;
  }
  std::set<std::string> files{page_file(op)};
  for (const PagePicture& picture : page_pictures(op)) EXPECT_TRUE(files.insert(picture.file).second);
  for (const std::string& file : files)
    EXPECT_EQ(file.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./"),
              std::string::npos)
        << file;
  EXPECT_FALSE(contains(page_file(op), "/"));
  EXPECT_FALSE(contains(page_file(op), ".."));
}

RC_GTEST_PROP(ReferencePage, EscapedTextReadsBack, (const std::string& text)) {
  std::string plain = text;
  for (char& c : plain)
    if ((c > 0 && c < ' ' && c != '\n' && c != '\t') || c == '\x7f' || c == '\0') c = ' ';
  const std::string html = html_text(text);
  RC_ASSERT(html.find_first_of("<>\"'") == std::string::npos);
  RC_ASSERT(unescaped(html) == plain);
}

TEST(Registry, OperatorsLieInTheModuleThatTheyName) {
  for (const Operator& op : operators()) {
    const std::filesystem::path module = "tepui/" + op.module;
    bool found = std::filesystem::exists(module / (op.name + ".h"));
    for (const auto& room : std::filesystem::directory_iterator(module))
      found = found || std::filesystem::exists(room.path() / (op.name + ".h"));
    EXPECT_TRUE(found) << op.module << "/" << op.name;
  }
}

TEST(Citations, TellWhatTheBibliographyHolds) {
  const std::vector<Citation> list = citations("Steele2014 Gustavson2005");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].in,
            "Proceedings of the 2014 ACM International Conference on Object Oriented Programming Systems Languages & "
            "Applications (OOPSLA '14)");
  EXPECT_EQ(list[0].doi, "10.1145/2660193.2660195");
  EXPECT_EQ(list[1].year, "2005");
  EXPECT_EQ(list[1].doi, "");
  EXPECT_TRUE(contains(citation_text("Gustavson2005"), "https://weber.itn.liu.se/"));
  EXPECT_TRUE(citations("").empty());
  EXPECT_THROW(citations("Nobody1999"), Error);
}

}  // namespace tepui::reference_page_test
