#include "tepui/render/picture/picture_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tepui/core/error.h"
#include "tepui/io/read.h"
#include "tests/render/scenes.h"

namespace tepui::picture_file_test {
namespace {

using test::error_of;

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

Picture small(PictureParams& params) {
  params = test::small_picture(Camera::three_quarter, PictureColour::natural, {13, 9});
  return draw_picture(test::sample_land(12, 12, 3), params, 200.0, Context());
}

}  // namespace

TEST(PictureFile, TheLightIsInTheExr) {
  PictureParams params;
  const Picture picture = small(params);
  params.linear = true;
  const test::TemporaryFolder folder;
  write_picture(folder / "land.png", picture, params, {}, Context());
  ReadParams from;
  from.file = {folder / "land.exr"};
  const Terrain light = read(from, Context());
  ASSERT_EQ(light.frame().width, 13);
  ASSERT_EQ(light.frame().height, 9);
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 13; ++x) {
      const Rgb c = picture.film.radiance(x, y);
      // Memory row 0 is the lowest.
      EXPECT_EQ(light.layer("R").grid()(x, 8 - y), c.r);
      EXPECT_EQ(light.layer("G").grid()(x, 8 - y), c.g);
      EXPECT_EQ(light.layer("B").grid()(x, 8 - y), c.b);
      EXPECT_EQ(light.layer("A").grid()(x, 8 - y), picture.film.solid(x, y));
    }
}

TEST(PictureFile, NamesTellTheFiles) {
  PictureParams params;
  EXPECT_EQ(picture_files("a/b.c.png", params), std::vector<std::string>{"a/b.c.png"});
  params.linear = true;
  EXPECT_EQ(picture_files("a/b.c.webp", params), (std::vector<std::string>{"a/b.c.webp", "a/b.c.exr"}));
  EXPECT_TRUE(is_picture_name("x.png"));
  EXPECT_TRUE(is_picture_name("x.webp"));
  EXPECT_TRUE(is_picture_name("x.PNG"));
  params.size = {16384, 0};
  EXPECT_NO_THROW(check_picture_name("x.png", params));
  EXPECT_NE(error_of([&] { check_picture_name("x.webp", params); }).find("16383"), std::string::npos);
  for (const char* name : {"x.jpg", "x", "png", "x.png.tif", "", ".png"}) {
    EXPECT_FALSE(is_picture_name(name)) << name;
    EXPECT_NE(error_of([&] { check_picture_name(name); }).find(".png"), std::string::npos) << name;
  }
}

TEST(PictureFile, EveryEndingGivesItsFormatAndTheSameBytesAgain) {
  PictureParams params;
  const Picture picture = small(params);
  const test::TemporaryFolder folder;
  const PngText text{{"Recipe", "{\"mesa\": 1}"}};
  for (const std::string ending : {"png", "webp"}) {
    write_picture(folder / ("a." + ending), picture, params, text, Context());
    write_picture(folder / ("b." + ending), picture, params, text, Context());
    const std::string bytes = bytes_of(folder / ("a." + ending));
    EXPECT_EQ(bytes, bytes_of(folder / ("b." + ending)));
    EXPECT_EQ(bytes.substr(ending == "png" ? 1 : 8, ending == "png" ? 3 : 4), ending == "png" ? "PNG" : "WEBP");
    EXPECT_NE(bytes.find("mesa"), std::string::npos);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "a.exr"));
}

TEST(PictureFile, WhatCannotBeWrittenIsAnErrorWithItsName) {
  PictureParams params;
  const Picture picture = small(params);
  params.linear = true;
  const test::TemporaryFolder folder;
  for (const std::string name : {"none/there.png", "none/there.webp"})
    EXPECT_NE(error_of([&] { write_picture(folder / name, picture, params, {}, Context()); }).find("there"),
              std::string::npos);
  // A folder of the light's name is in its way.
  std::filesystem::create_directory(folder / "full.exr");
  EXPECT_NE(error_of([&] { write_picture(folder / "full.png", picture, params, {}, Context()); }).find("full.exr"),
            std::string::npos);
  EXPECT_FALSE(error_of([&] { write_picture(folder / "a.jpg", picture, params, {}, Context()); }).empty());
}

}  // namespace tepui::picture_file_test
