#include "apps/studio/stroke_file.h"

#include <fmt/format.h>

#include "apps/studio/request.h"
#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/scratch_folder.h"
#include "tepui/io/table/lines_read.h"
#include "tepui/recipe/presets.h"
#include "tests/support/support.h"

namespace tepui::stroke_file_test {

using namespace studio;

namespace {

/// What the ordinary reader makes of these bytes.
Lines read(const std::string& text) {
  static const ScratchFolder scratch;
  const std::string path = scratch / "strokes.geojson";
  write_file(path, text);
  return lines_from_file(path, {"", "metres"}, Context());
}

std::string any_number() {
  const auto whole = *rc::gen::inRange<int64_t>(-4000000000, 4000000000);
  return fmt::format("{}", *rc::gen::element(0.0, 1.0, 1e-7, 0.1, 1 / 3.0, 4e-300) * static_cast<double>(whole) / 8);
}

std::string any_place() {
  return *rc::gen::element<std::string>("0", "-0.0", "100", "100.0004", "-12.5", "1e9", "-0.0001", "33.333333333");
}

std::string any_line() {
  std::string line;
  const int count = *rc::gen::inRange(1, 7), parts = *rc::gen::inRange(2, 5);
  for (int i = 0; i < count; ++i) {
    line += fmt::format("{}[{},{}", i > 0 ? "," : "", any_place(), any_place());
    if (parts > 2) line += "," + *rc::gen::element<std::string>("null", "7.25", "0");
    if (parts > 3 && *rc::gen::inRange(0, 4) > 0) line += "," + *rc::gen::element<std::string>("0", "1", "0.3337");
    line += "]";
  }
  return line;
}

std::string any_properties() {
  std::string all;
  for (const char* name : {"radius", "amount", "Radius", "id", "fid"})
    if (*rc::gen::inRange(0, 3) > 0) all += fmt::format("{}\"{}\":{}", all.empty() ? "" : ",", name, any_number());
  for (const char* name : {"tool", "name", "layer"})
    if (*rc::gen::inRange(0, 3) > 0)
      all += fmt::format("{}\"{}\":\"{}\"", all.empty() ? "" : ",", name,
                         *rc::gen::element<std::string>("raise", "", "2026-11-19", "12:30:00", "[1,2]", "5", "null",
                                                        "\\u00e9t\\u00e9 \\\"\\\\/", "true"));
  return all;
}

DrawnStroke drawn(const std::string& line, const std::string& properties, bool closed = false) {
  const Source source{"request",
                      fmt::format(R"({{"line":[{}],"closed":{},"properties":{{{}}}}})", line, closed, properties)};
  return drawn_stroke(parse_json(source));
}

StrokeFile any_change(const StrokeFile& file) {
  try {
    if (file.size() > 0 && *rc::gen::inRange(0, 4) == 0)
      return file.without(static_cast<size_t>(*rc::gen::inRange<int64_t>(0, std::ssize(file.strokes()))));
    return file.with(drawn(any_line(), any_properties(), *rc::gen::arbitrary<bool>()));
  } catch (const Error& error) {
    RC_ASSERT(error.kind() == ErrorKind::request);
    return file;
  }
}

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

}  // namespace

RC_GTEST_PROP(StrokeFile, ItsLinesAreThoseThatAReaderMakesOfItsBytes, ()) {
  StrokeFile file;
  const int changes = *rc::gen::inRange(0, 12);
  for (int i = 0; i < changes; ++i) file = any_change(file);
  const std::string text = file.text();
  RC_ASSERT(file.lines().hash() == read(text).hash());
  const StrokeFile again(text);
  RC_ASSERT(again.text() == text);
  RC_ASSERT(again.lines().hash() == file.lines().hash());
}

/// As people write files: every feature with some of the properties.
RC_GTEST_PROP(StrokeFile, FieldsAreInTheOrderInWhichAReaderFindsThem, ()) {
  const std::vector<std::string> all{"a", "b", "c", "d", "e", "f"};
  std::string features;
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    std::string properties;
    // Mostly in one order, so that most files are taken.
    for (std::string name : all) {
      if (*rc::gen::inRange(0, 12) == 0) name = *rc::gen::elementOf(all);
      if (*rc::gen::arbitrary<bool>() && properties.find('"' + name + '"') == std::string::npos)
        properties += fmt::format("{}\"{}\":{}", properties.empty() ? "" : ",", name,
                                  *rc::gen::element<std::string>("1", "null", "2.5", "-3"));
    }
    features +=
        fmt::format(R"({}{{"type":"Feature","properties":{{{}}},"geometry":{{"type":"Point","coordinates":[1,2]}}}})",
                    i > 0 ? "," : "", properties);
  }
  const std::string text = R"({"type":"FeatureCollection","features":[)" + features + "]}";
  std::optional<StrokeFile> file;
  if (!refusal([&] { file.emplace(text); }).empty()) return RC_TAG("refused");
  RC_ASSERT(file->lines().hash() == read(text).hash());
  for (int i = 0; i < 3; ++i) *file = any_change(*file);
  RC_ASSERT(file->lines().hash() == read(file->text()).hash());
}

RC_GTEST_PROP(StrokeFile, ADifferenceMakesTheOneOfTheOtherAndBack, ()) {
  StrokeFile before;
  for (int i = 0; i < 4; ++i) before = any_change(before);
  StrokeFile after = before;
  for (int i = 0; i < 3; ++i) after = any_change(after);
  StrokeFile made = before, back = after;
  made.splice({before.difference(after)});
  back.splice({after.difference(before)});
  RC_ASSERT(made.text() == after.text());
  RC_ASSERT(back.text() == before.text());
  RC_ASSERT(made.lines().hash() == after.lines().hash());
}

RC_GTEST_PROP(StrokeFile, WhatTwoAddIsThereAndWhatOneTakesOutIsNot, ()) {
  StrokeFile base;
  for (int i = 0; i < 5; ++i) base = base.with(drawn(fmt::format("[{},0]", i), ""));
  StrokeFile mine = base, theirs = base;
  const auto taken = static_cast<size_t>(*rc::gen::inRange(0, 5));
  mine = mine.without(taken).with(drawn("[100,0]", "\"radius\":1"));
  theirs = theirs.with(drawn("[200,0]", ""));
  const StrokeFile both = merge_strokes(base, mine, theirs);
  RC_ASSERT(both.size() == 6u);
  RC_ASSERT(both.text().find("[100,0]") != std::string::npos);
  RC_ASSERT(both.text().find("[200,0]") != std::string::npos);
  RC_ASSERT(both.text().find(fmt::format("[{},0]", taken)) == std::string::npos);
  RC_ASSERT(merge_strokes(base, base, theirs).text() == theirs.text());
}

TEST(StrokeFile, KeepsTheBytesOfAFileAndOfEveryStrokeThatIsNotTouched) {
  for (const PresetFile& preset : find_preset("painted_valley")->files) {
    const std::string text(preset.bytes);
    const StrokeFile file(text);
    EXPECT_EQ(file.text(), text);
    EXPECT_EQ(file.lines().hash(), read(text).hash());
    const StrokeFile more = file.with(drawn("[1,2],[3,4]", "\"radius\":5,\"tool\":\"raise\""));
    EXPECT_EQ(more.lines().hash(), read(more.text()).hash());
    EXPECT_EQ(more.without(file.size()).text(), text);
    const size_t kept = text.rfind("}}") + 2;
    EXPECT_EQ(more.text().substr(0, kept), text.substr(0, kept));
  }
}

TEST(StrokeFile, RefusesWhatReadersWouldReadOtherwise) {
  const auto file = [](const std::string& features) {
    return refusal([&] { StrokeFile(R"({"type":"FeatureCollection","features":[)" + features + "]}"); });
  };
  const auto feature = [](const std::string& properties, const std::string& geometry) {
    return fmt::format(R"({{"type":"Feature","properties":{{{}}},"geometry":{}}})", properties, geometry);
  };
  const std::string point = R"({"type":"Point","coordinates":[1,2]})";
  EXPECT_EQ(file(feature("\"a\":1,\"b\":2", point)), "");
  EXPECT_NE(file(feature("\"a\":1,\"b\":2", point) + "," + feature("\"b\":1,\"a\":2", point)), "");
  EXPECT_EQ(file(feature("\"a\":1", point) + "," + feature("\"b\":2", point)), "");
  EXPECT_NE(file(feature("\"a\":1", point) + "," + feature("\"a\":\"x\"", point)), "");
  EXPECT_NE(file(feature("\"a\":true", point)), "");
  EXPECT_NE(file(feature("\"a\":[1]", point)), "");
  EXPECT_NE(file(feature("", "null")), "");
  EXPECT_NE(file(feature("", R"({"type":"MultiPoint","coordinates":[[1,2]]})")), "");
  EXPECT_NE(file(R"({"type":"Feature","id":1,"properties":{},"geometry":)" + point + "}"), "");
  for (const char* text :
       {"", "{", "[]", "{\"features\":[", "{\"features\":[{]}", R"({"features":[]} x)", R"({"features":{}})"})
    EXPECT_NE(refusal([&] { StrokeFile{std::string(text)}; }), "") << text;
}

TEST(StrokeFile, RefusesStrokesThatAreNone) {
  const auto line = [](const std::string& text) { return refusal([&] { drawn(text, ""); }); };
  EXPECT_EQ(line("[1,2]"), "");
  for (const char* text : {"", "1", "[]", "[1]", "[1,\"2\"]", "[1,2,3,4,5]", "[1e10,0]", "[0,-1.1e9]", "[0,0,0,1.5]",
                           "[0,0,0,null]", "[null,0]", "[0,0,1e99]"})
    EXPECT_NE(line(text), "") << text;
  const auto properties = [](const std::string& text) { return refusal([&] { drawn("[1,2]", text); }); };
  EXPECT_EQ(properties("\"radius\":1,\"tool\":\"x\""), "");
  for (const char* text : {"\"a b\":1", "\"\":1", "\"x_per_vertex\":1", "\"a\":[1]", "\"a\":null", "\"a\":true",
                           "\"a\":1e10", "\"name\":5", "\"NAME\":\"x\"", "\"../a\":1", "\"a\":\"\\u0000\""})
    EXPECT_NE(properties(text), "") << text;
  EXPECT_NE(properties("\"a\":\"" + std::string(257, 'x') + "\""), "");
  EXPECT_NE(refusal([] { drawn("[1,2],[3,4]", "", true); }), "");
  const StrokeFile file = StrokeFile().with(drawn("[1,2]", "\"radius\":1"));
  EXPECT_NE(refusal([&] { file.with(drawn("[1,2]", "\"radius\":\"wide\"")); }), "");
  EXPECT_NE(refusal([&] { file.without(1); }), "");
}

}  // namespace tepui::stroke_file_test
