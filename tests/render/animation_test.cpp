#include "tepui/render/picture/animation.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tests/support/support.h"

namespace tepui::animation_test {
namespace {

using test::error_of;
using test::TemporaryFolder;

PictureParams beside() {
  PictureParams params;
  params.camera = Camera::three_quarter;
  return params;
}

RC_GTEST_PROP(Animation, TurntableGoesRoundOnceInEvenSteps, ()) {
  const TemporaryFolder folder;
  TurntableParams params;
  params.frames = *rc::gen::inRange(2, 20);
  PictureParams picture = beside();
  picture.turn.degrees = *rc::gen::inRange(-720, 721);
  std::vector<PictureParams> seen;
  const AnimationRecord record = write_turntable(folder / "a.webp",
                                                 [&](const PictureParams& view, const Context&) {
                                                   seen.push_back(view);
                                                   return Image(12, 7, 3);
                                                 },
                                                 picture, params, {}, {});
  RC_ASSERT(record.frames == params.frames);
  RC_ASSERT(record.width == 12 && record.height == 7);
  RC_ASSERT(seen.size() == static_cast<size_t>(params.frames));
  for (size_t i = 0; i < seen.size(); ++i) {
    const double turned = seen[i].turn.degrees - picture.turn.degrees;
    const double off = turned - 360.0 * static_cast<double>(i) / params.frames;
    RC_ASSERT(std::abs(std::remainder(off, 360)) < 1e-9);
    RC_ASSERT(std::abs(seen[i].turn.degrees) <= 720);
    // The others are drawn as large as the first was.
    RC_ASSERT(seen[i].size == (i == 0 ? Vec2{640, 0} : Vec2{12, 7}));
  }
}

TEST(Animation, TimelapseShowsEveryLandWithItsCaption) {
  const TemporaryFolder folder;
  const auto draw = [](size_t i, const PictureParams&) {
    Image image(96, 64, 3);
    std::ranges::fill(image.pixels, static_cast<uint8_t>(40 * i));
    return CaptionedImage{image, "age = " + std::to_string(i)};
  };
  TimelapseParams params;
  const AnimationRecord record = write_timelapse(folder / "a.webp", 5, draw, beside(), params, {}, {});
  EXPECT_EQ(record.frames, 5);
  params.captions = false;
  write_timelapse(folder / "b.webp", 5, draw, beside(), params, {}, {});
  EXPECT_GT(std::filesystem::file_size(folder / "a.webp"), std::filesystem::file_size(folder / "b.webp"));
}

TEST(Animation, RefusesWhatCannotBeShown) {
  const TemporaryFolder folder;
  int drawn = 0;
  const auto view = [&](const PictureParams&, const Context&) { return ++drawn, Image(8, 8, 3); };
  const auto frame = [&](size_t, const PictureParams&) { return ++drawn, CaptionedImage{Image(8, 8, 3), ""}; };
  const auto turn = [&](const std::string& name, const PictureParams& picture) {
    return error_of([&] { write_turntable(folder / name, view, picture, {}, {}, {}); });
  };
  const auto lapse = [&](const std::string& name, size_t count) {
    return error_of([&] { write_timelapse(folder / name, count, frame, beside(), {}, {}, {}); });
  };
  PictureParams above;
  above.camera = Camera::top;
  EXPECT_NE(turn("a.webp", above).find("beside the land"), std::string::npos);
  EXPECT_NE(turn("a.png", beside()).find(".webp"), std::string::npos);
  EXPECT_NE(turn("none/a.webp", beside()).find("folder does not exist"), std::string::npos);
  EXPECT_NE(lapse("a.webp", 1).find("two lands"), std::string::npos);
  EXPECT_NE(lapse("a.gif", 3).find(".webp"), std::string::npos);
  EXPECT_EQ(drawn, 0) << "drew before it looked";
}

TEST(Animation, StopsBetweenFramesWhenCancelled) {
  const TemporaryFolder folder;
  CancelFlag cancel{false};
  int drawn = 0;
  const auto view = [&](const PictureParams&, const Context&) {
    if (++drawn == 3) cancel = true;
    return Image(8, 8, 3);
  };
  EXPECT_NE(error_of([&] { write_turntable(folder / "a.webp", view, beside(), {}, {}, Context(nullptr, &cancel)); }),
            "");
  EXPECT_EQ(drawn, 3);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace tepui::animation_test
