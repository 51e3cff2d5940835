#include "tepui/io/raster/webp.h"

#include <webp/decode.h>
#include <webp/demux.h>

#include <array>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/random.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::webp_test {
namespace {

using test::bytes_of;
using test::error_of;
using test::names_in;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

struct Frame {
  std::vector<uint8_t> rgba;
  int end = 0;  ///< milliseconds
};

struct Animation {
  uint32_t width = 0, height = 0, loops = 99;
  std::vector<Frame> frames;
};

/// As another program would show it; nothing where the bytes are no whole animation.
std::optional<Animation> decode(const std::string& bytes) {
  const WebPData data{reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()};
  WebPAnimDecoderOptions options;
  WebPAnimDecoderOptionsInit(&options);
  WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, &options);
  if (decoder == nullptr) return std::nullopt;
  WebPAnimInfo info;
  WebPAnimDecoderGetInfo(decoder, &info);
  Animation animation{info.canvas_width, info.canvas_height, info.loop_count, {}};
  bool whole = true;
  while (whole && WebPAnimDecoderHasMoreFrames(decoder) != 0) {
    uint8_t* pixels = nullptr;
    int end = 0;
    whole = WebPAnimDecoderGetNext(decoder, &pixels, &end) != 0;
    if (whole) animation.frames.push_back({{pixels, pixels + size_t{4} * info.canvas_width * info.canvas_height}, end});
  }
  WebPAnimDecoderDelete(decoder);
  return whole && animation.frames.size() == info.frame_count ? std::optional(animation) : std::nullopt;
}

/// A gradient so soft that pixels may share their hue, between two colours that differ from seed to seed.
Image gradient(int width, int height, int channels, uint64_t seed) {
  Image image(width, height, channels);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c) {
        const double from = Stream(seed).uniform(static_cast<uint64_t>(c)),
                     to = Stream(seed).uniform(static_cast<uint64_t>(c + 10));
        const double t = static_cast<double>(x + y) / 140;
        image.at(x, y)[c] = c == 3 ? 255 : static_cast<uint8_t>(255 * (from + (to - from) * t));
      }
  return image;
}

/// Root mean square over the colours.
double difference(const Image& image, const std::vector<uint8_t>& rgba) {
  double sum = 0;
  const size_t pixels = static_cast<size_t>(image.width) * static_cast<size_t>(image.height);
  if (rgba.size() != 4 * pixels) return std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < pixels; ++i)
    for (size_t c = 0; c < 3; ++c) {
      const auto channels = static_cast<size_t>(image.channels);
      const uint8_t given = image.pixels[i * channels + (channels == 1 ? 0 : c)];
      const double d = static_cast<double>(given) - static_cast<double>(rgba[4 * i + c]);
      sum += d * d;
    }
  return std::sqrt(sum / static_cast<double>(3 * pixels));
}

RC_GTEST_PROP(Webp, StillComesBackWithItsColours, (uint64_t seed)) {
  const TemporaryFolder folder;
  const int width = *rc::gen::inRange(1, 70), height = *rc::gen::inRange(1, 70);
  const Image image = gradient(width, height, *rc::gen::element(1, 3, 4), seed);
  write_webp(folder / "a.webp", image);
  const auto read = decode(bytes_of(folder / "a.webp"));
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->frames.size() == 1u);
  RC_ASSERT(read->width == static_cast<uint32_t>(width));
  RC_ASSERT(read->height == static_cast<uint32_t>(height));
  RC_ASSERT(difference(image, read->frames[0].rgba) < 5.0);
}

RC_GTEST_PROP(Webp, AnimationComesBackFrameByFrame, (uint64_t seed)) {
  const TemporaryFolder folder;
  const int width = *rc::gen::inRange(1, 50), height = *rc::gen::inRange(1, 50), count = *rc::gen::inRange(2, 7);
  AnimationWriter writer(folder / "a.webp", width, height, 90);
  std::vector<Image> frames;
  std::vector<int> ends;
  for (int i = 0; i < count; ++i) {
    frames.push_back(gradient(width, height, 3, seed + static_cast<uint64_t>(i)));
    const int milliseconds = *rc::gen::inRange(1, 3000);
    ends.push_back((ends.empty() ? 0 : ends.back()) + milliseconds);
    writer.add(frames.back(), milliseconds);
  }
  writer.finish();
  const auto read = decode(bytes_of(folder / "a.webp"));
  RC_ASSERT(read.has_value());
  RC_ASSERT(read->loops == 0u);
  RC_ASSERT(read->frames.size() == frames.size());
  for (size_t i = 0; i < frames.size(); ++i) {
    RC_ASSERT(read->frames[i].end == ends[i]);
    RC_ASSERT(difference(frames[i], read->frames[i].rgba) < 6.0);
  }
}

/// However slowly a frame changes, no error builds up.
TEST(Webp, SlowChangesDoNotDrift) {
  const TemporaryFolder folder;
  AnimationWriter writer(folder / "a.webp", 32, 32);
  Image last;
  for (int i = 0; i < 40; ++i) {
    last = Image(32, 32, 3);
    for (uint8_t& value : last.pixels) value = static_cast<uint8_t>(80 + i);
    writer.add(last, 40);
  }
  writer.finish();
  const auto read = decode(bytes_of(folder / "a.webp"));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->frames.back().end, 40 * 40);
  EXPECT_LT(difference(last, read->frames.back().rgba), 2.5);
}

TEST(Webp, SameFramesGiveTheSameBytes) {
  const TemporaryFolder folder;
  for (const char* name : {"a.webp", "b.webp"}) {
    AnimationWriter writer(folder / name, 40, 30);
    for (uint64_t i = 0; i < 3; ++i) writer.add(gradient(40, 30, 3, i), 100);
    writer.finish({{"Seed", "7"}});
  }
  EXPECT_EQ(bytes_of(folder / "a.webp"), bytes_of(folder / "b.webp"));
}

TEST(Webp, CarriesItsText) {
  const TemporaryFolder folder;
  write_webp(folder / "still.webp", gradient(9, 9, 3, 1), 90, {{"Software", "Tepui 1"}, {"Sweep", "a<b & c"}});
  AnimationWriter writer(folder / "moving.webp", 9, 9);
  for (uint64_t i = 0; i < 2; ++i) writer.add(gradient(9, 9, 3, i), 100);
  writer.finish({{"Software", "Tepui 1"}, {"Sweep", "a<b & c"}});
  for (const char* name : {"still.webp", "moving.webp"}) {
    const std::string bytes = bytes_of(folder / name);
    EXPECT_NE(bytes.find("<xmp:CreatorTool>Tepui 1<"), std::string::npos);
    EXPECT_NE(bytes.find("<tepui:Sweep>a&lt;b &amp; c<"), std::string::npos);
    EXPECT_TRUE(decode(bytes).has_value()) << name;
  }
}

TEST(Webp, EveryPrefixIsNoAnimation) {
  const TemporaryFolder folder;
  AnimationWriter writer(folder / "a.webp", 16, 16);
  for (uint64_t i = 0; i < 3; ++i) writer.add(gradient(16, 16, 3, i), 100);
  writer.finish({{"Seed", "1"}});
  const std::string bytes = bytes_of(folder / "a.webp");
  // Text comes last, so that a file which lost a part of that may still show.
  for (size_t length = 0; length < bytes.size() / 2; length += 7) EXPECT_FALSE(decode(bytes.substr(0, length)));
  EXPECT_TRUE(decode(bytes));
}

TEST(Webp, RefusesWhatCannotBeWritten) {
  const TemporaryFolder folder;
  const Image image = gradient(4, 4, 3, 1);
  EXPECT_NE(error_of([&] { write_webp(folder / "none/a.webp", image); }).find("none/a.webp"), std::string::npos);
  // At once, not after an hour of drawing.
  EXPECT_NE(error_of([&] { AnimationWriter(folder / "none/a.webp", 4, 4); }).find("folder does not exist"),
            std::string::npos);
  EXPECT_NE(error_of([&] { AnimationWriter(folder / "a.webp", 16384, 4); }).find("16383"), std::string::npos);
  EXPECT_NE(error_of([&] { AnimationWriter(folder / "a.webp", 0, 4); }).find("0 x 4"), std::string::npos);
  EXPECT_NE(error_of([&] { write_webp(folder / "a.webp", image, 101); }).find("0 to 100"), std::string::npos);
  AnimationWriter writer(folder / "a.webp", 4, 4);
  EXPECT_NE(error_of([&] { writer.finish(); }).find("without frames"), std::string::npos);
  EXPECT_NE(error_of([&] { writer.add(gradient(5, 4, 3, 1), 100); }).find("5 x 4"), std::string::npos);
  for (const int milliseconds : {0, -5, 1 << 24})
    EXPECT_NE(error_of([&] { writer.add(image, milliseconds); }).find("ms"), std::string::npos);
  EXPECT_EQ(names_in(folder.path()), Names());
}

TEST(Webp, StopsWhenCancelled) {
  const TemporaryFolder folder;
  const CancelFlag cancel{true};
  const Context context(nullptr, &cancel);
  EXPECT_THROW(write_webp(folder / "a.webp", gradient(64, 64, 3, 1), 90, {}, context), Error);
  AnimationWriter writer(folder / "a.webp", 64, 64);
  EXPECT_THROW(writer.add(gradient(64, 64, 3, 1), 100, context), Error);
  EXPECT_THROW(writer.finish({}, context), Error);
  EXPECT_EQ(names_in(folder.path()), Names());
}

}  // namespace
}  // namespace tepui::webp_test
