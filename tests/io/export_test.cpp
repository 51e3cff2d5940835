#include "tepui/io/export.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "tepui/core/parallel.h"
#include "tepui/io/inspect.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::export_test {
namespace {

using test::error_of;
using test::TemporaryFolder;
using test::WarningSink;

double worst_error(const Grid<float>& layer, const FileRecord& record, const PngSamples& stored) {
  double worst = 0;
  for (int64_t i = 0; i < layer.size(); ++i)
    worst = std::max(
        worst, std::abs(*record.offset + *record.scale * stored.grid.data()[i] - static_cast<double>(layer.data()[i])));
  return worst;
}

RC_GTEST_PROP(Export, PngIsExactToHalfAStep, (uint64_t seed)) {
  const TemporaryFolder folder;
  const double base = *rc::gen::inRange(-9000, 9000), span = *rc::gen::inRange(1, 100000) * 0.01;
  const Terrain land =
      test::sample_land(*rc::gen::inRange(1, 40), *rc::gen::inRange(1, 40), seed, 10, {base, base + span});
  const FileRecord record = export_terrain(land, {.path = folder / "a.png"}, Context());
  RC_ASSERT(record.bits == 16);
  const double rounding = 0x1p-50 * (std::abs(base) + span);
  RC_ASSERT(worst_error(land.height(), record, read_png(folder / "a.png")) <= 0.5 * *record.scale + rounding);
}

TEST(Export, EndsOfTheRangeAreExact) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(30, 20, 3);
  const FileRecord record = export_terrain(land, {.path = folder / "a.png"}, Context());
  const PngSamples stored = read_png(folder / "a.png");
  const auto cells = stored.grid.cells();
  EXPECT_EQ(*std::min_element(cells.begin(), cells.end()), 0);
  EXPECT_EQ(*std::max_element(cells.begin(), cells.end()), 65535);
  EXPECT_EQ(record.place->cell, (Vec2{10, 10}));
}

TEST(Export, FlatLandIsItsOffset) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(3, 2, 1).with_height(Grid<float>(3, 2, 321.5f));
  const FileRecord record = export_terrain(land, {.path = folder / "a.png"}, Context());
  EXPECT_EQ(worst_error(land.height(), record, read_png(folder / "a.png")), 0);
}

TEST(Export, GivenRangeClampsAndSaysSo) {
  const TemporaryFolder folder;
  Grid<float> z(4, 1);
  for (int64_t x = 0; x < 4; ++x) z(x, 0) = static_cast<float>(100 * x);
  const Terrain land = test::sample_land(4, 1, 1).with_height(std::move(z));
  WarningSink sink;
  const FileRecord record =
      export_terrain(land, {.path = folder / "a.png", .options = {.range = Interval{0, 200}}}, sink.context());
  EXPECT_EQ(*record.offset, 0);
  EXPECT_EQ(*record.scale, 200.0 / 65535);
  ASSERT_EQ(sink.warnings.size(), 1u);
  EXPECT_NE(sink.warnings[0].find("1 of 4 cells"), std::string::npos) << sink.warnings[0];
  const PngSamples stored = read_png(folder / "a.png");
  EXPECT_EQ(stored.grid(2, 0), 65535);
  EXPECT_EQ(stored.grid(3, 0), 65535);
  EXPECT_EQ(stored.grid(0, 0), 0);
  EXPECT_NE(error_of([&] {
              export_terrain(land, {.path = folder / "a.png", .options = {.range = Interval{5, 5}}}, Context());
            }).find("empty"),
            std::string::npos);
}

TEST(Export, ClassesAreStoredAsTheyAre) {
  const TemporaryFolder folder;
  for (const auto& [largest, bits] : {std::pair{7.0f, 8}, {255.0f, 8}, {256.0f, 16}}) {
    Grid<float> classes(3, 1, 1.0f);
    classes(2, 0) = largest;
    const Terrain land =
        test::sample_land(3, 1, 1).with(make_layer("rock", "", LayerKind::category, std::move(classes)));
    const FileRecord record = export_terrain(land, {.path = folder / "a.png", .layers = {"rock"}}, Context());
    EXPECT_EQ(record.bits, bits);
    EXPECT_EQ(*record.scale, 1);
    EXPECT_EQ(record.layers, std::vector<std::string>{"rock"});
    EXPECT_EQ(read_png(folder / "a.png").grid(2, 0), static_cast<uint16_t>(largest));
  }
}

TEST(Export, MasksFillEightBits) {
  const TemporaryFolder folder;
  Grid<float> mask(3, 1, 0.0f);
  mask(1, 0) = 0.5f;
  mask(2, 0) = 1;
  const Terrain land = test::sample_land(3, 1, 1).with(make_layer("mask", "", LayerKind::mask, std::move(mask)));
  const FileRecord record = export_terrain(land.only("mask"), {.path = folder / "a.png"}, Context());
  EXPECT_EQ(record.bits, 8);
  const PngSamples stored = read_png(folder / "a.png");
  EXPECT_EQ(stored.grid(2, 0), 255);
  EXPECT_LE(worst_error(land.layer("mask").grid(), record, stored), 0.5 / 255);
}

TEST(Export, RecordsWhatIsOnDisk) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(20, 10, 3);
  for (const std::string name : {"a.tif", "b.PNG", "c.glb", "d.tiff", "e.r16", "f.raw", "g.r32", "h.asc"}) {
    const FileRecord record = export_terrain(land, {.path = folder / name}, Context());
    const std::string bytes = test::bytes_of(folder / name);
    EXPECT_EQ(record.name, name);
    EXPECT_EQ(record.bytes, bytes.size());
    EXPECT_EQ(record.hash, hash_bytes(bytes.data(), bytes.size()));
    EXPECT_EQ(record.layers, std::vector<std::string>{"height"});
    EXPECT_EQ(record.centre.has_value(), name == "c.glb");
    EXPECT_EQ(hash_file(folder / name), record.hash);
  }
}

TEST(Export, SameBitsForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(150, 100, 3);
  for (const char* name : {"a.tif", "a.png", "a.glb", "a.r16", "a.r32", "a.asc"})
    test::expect_same_bits([&] { return export_terrain(land, {.path = folder / name}, Context()).hash; });
  const Terrain larger = test::sample_land(1200, 700, 3);
  for (const Compression compression : {Compression::deflate, Compression::none})
    for (const int threads : {1, 2, 7}) {
      const std::string path = folder / (threads == 1 ? "first.tif" : "c.tif");
      with_threads(threads, [&] {
        export_terrain(larger, {.path = path, .options = {.cog = true, .compression = compression}}, Context());
      });
      EXPECT_EQ(test::bytes_of(path), test::bytes_of(folder / "first.tif")) << threads;
    }
}

TEST(Export, WrongRequestsAreRefusedWithTheRemedy) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(4, 4, 1).with(make_layer("m", "", LayerKind::mask, Grid<float>(4, 4, 1.0f)));
  EXPECT_NE(
      error_of([&] { export_terrain(land, {.path = folder / "a.xyz"}, Context()); }).find(".tif, .tiff, .png, .r16"),
      std::string::npos);
  EXPECT_NE(error_of([&] {
              export_terrain(land, {.path = folder / "a.tif", .layers = {"hieght"}}, Context());
            }).find("did you mean 'height'"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              export_terrain(land, {.path = folder / "a.png", .layers = {"height", "m"}}, Context());
            }).find("one layer"),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              export_terrain(land, {.path = folder / "a.glb", .layers = {"m"}}, Context());
            }).find("of the layer 'height'"),
            std::string::npos);
  EXPECT_TRUE(test::names_in(folder.path()).empty());
}

TEST(Export, CancelledWorkLeavesNothingBehind) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(600, 600, 1);
  const CancelFlag stop{true};
  for (const char* name : {"a.tif", "a.png", "a.glb", "a.r16", "a.r32", "a.asc"})
    EXPECT_EQ(error_of([&] { export_terrain(land, {.path = folder / name}, Context(nullptr, &stop)); }), "cancelled");
  EXPECT_EQ(error_of([&] {
              export_terrain(land, {.path = folder / "a.tif", .options = {.cog = true}}, Context(nullptr, &stop));
            }),
            "cancelled");
  EXPECT_TRUE(test::names_in(folder.path()).empty());
}

/// Raises its flag once half of the writing is done.
class StopMidway : public ProgressSink {
 public:
  void progress(int, std::string_view stage, double fraction) override {
    if (stage == "writing" && fraction > 0.5) stop = true;
  }
  void warn(std::string_view) override {}
  Context context() { return {this, &stop}; }

  CancelFlag stop{false};
};

TEST(Export, CancelledMidwayKeepsTheOldFile) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(1500, 1500, 1);
  test::put_bytes(folder / "a.r16.hdr", "old header");
  for (const std::string name : {"a.asc", "a.glb", "a.png", "a.r16", "a.tif", "cog.tif"}) {
    test::put_bytes(folder / name, "old " + name);
    StopMidway sink;
    EXPECT_EQ(error_of([&] {
                export_terrain(land, {.path = folder / name, .options = {.cog = name == "cog.tif"}}, sink.context());
              }),
              "cancelled")
        << name;
    EXPECT_TRUE(sink.stop);
    EXPECT_EQ(test::bytes_of(folder / name), "old " + name);
  }
  EXPECT_EQ(test::bytes_of(folder / "a.r16.hdr"), "old header");
  EXPECT_EQ(test::names_in(folder.path()),
            (std::vector<std::string>{"a.asc", "a.glb", "a.png", "a.r16", "a.r16.hdr", "a.tif", "cog.tif"}));
}

RC_GTEST_PROP(Export, RawNumbersAreThePngsFromTheNorth, (uint64_t seed)) {
  const TemporaryFolder folder;
  const int64_t width = *rc::gen::inRange(1, 40), height = *rc::gen::inRange(1, 40);
  const Terrain land = test::sample_land(width, height, seed);
  const OutputParams options{.range = Interval{100, 500}};
  const FileRecord png = export_terrain(land, {.path = folder / "a.png", .options = options}, Context());
  const FileRecord raw = export_terrain(land, {.path = folder / "a.r16", .options = options}, Context());
  export_terrain(land, {.path = folder / "a.r32"}, Context());
  RC_ASSERT(raw.offset == png.offset && raw.scale == png.scale && raw.bits == 16);
  const PngSamples stored = read_png(folder / "a.png");
  const std::string words = test::bytes_of(folder / "a.r16"), floats = test::bytes_of(folder / "a.r32");
  RC_ASSERT(words.size() == static_cast<size_t>(2 * width * height));
  RC_ASSERT(floats.size() == static_cast<size_t>(4 * width * height));
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) {
      const auto at = static_cast<size_t>((height - 1 - y) * width + x);
      const int word = static_cast<uint8_t>(words[2 * at]) | static_cast<uint8_t>(words[2 * at + 1]) << 8;
      RC_ASSERT(word == stored.grid(x, y));
      float value = 0;
      std::memcpy(&value, floats.data() + 4 * at, 4);
      RC_ASSERT(value == land.height()(x, y));
    }
}

/// Text gives every float back, whatever its size.
RC_GTEST_PROP(Export, AsciiGridsGiveEveryFloatBack, (uint64_t seed)) {
  const TemporaryFolder folder;
  const int64_t width = *rc::gen::inRange(1, 30), height = *rc::gen::inRange(1, 30);
  const Stream stream(seed);
  Grid<float> z(width, height);
  for (int64_t i = 0; i < z.size(); ++i) {
    const auto bits = static_cast<uint32_t>(stream.bits(static_cast<uint64_t>(i)));
    std::memcpy(z.data() + i, &bits, 4);
    if (!std::isfinite(z.data()[i])) z.data()[i] = -0.0f;
  }
  const Terrain land = test::sample_land(width, height, 1).with_height(z.clone());
  export_terrain(land, {.path = folder / "a.asc"}, Context());
  const std::string text = test::bytes_of(folder / "a.asc");
  const char* at = text.data();
  for (int line = 0; line < 6; ++line) at = std::strchr(at, '\n') + 1;
  for (int64_t y = height - 1; y >= 0; --y)
    for (int64_t x = 0; x < width; ++x) {
      double value = 0;
      at = std::from_chars(at, text.data() + text.size(), value).ptr;
      const float got = static_cast<float>(value);
      RC_ASSERT(std::memcmp(&got, &z(x, y), 4) == 0);
      RC_ASSERT(*at++ == (x + 1 < width ? ' ' : '\n'));
    }
  RC_ASSERT(at == text.data() + text.size());
}

TEST(Export, HeadersNeverOutliveTheirSamples) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(6, 5, 1);
  export_terrain(land, {.path = folder / "a.r16"}, Context());
  const std::string header = test::bytes_of(folder / "a.r16.hdr");
  EXPECT_NE(header.find("samples = 6\nlines = 5\n"), std::string::npos);
  export_terrain(test::sample_land(9, 4, 1), {.path = folder / "a.r16"}, Context());
  EXPECT_NE(test::bytes_of(folder / "a.r16.hdr").find("samples = 9\nlines = 4\n"), std::string::npos);
  EXPECT_EQ(test::names_in(folder.path()), (std::vector<std::string>{"a.r16", "a.r16.hdr"}));
}

TEST(Export, PicturesStopWhenCancelled) {
  const TemporaryFolder folder;
  Image image;
  image.width = image.height = 100;
  image.channels = 3;
  image.pixels.assign(30000, 7);
  const CancelFlag stop{true};
  EXPECT_EQ(error_of([&] { write_png(folder / "a.png", image, {}, Context(nullptr, &stop)); }), "cancelled");
  EXPECT_EQ(error_of([&] { encode_png(image, {}, Context(nullptr, &stop)); }), "cancelled");
  EXPECT_TRUE(test::names_in(folder.path()).empty());
}

TEST(Export, CheckingRefusesWhatWritingWouldAndWritesNothing) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(4, 4, 1)
                           .with(make_layer("m", "", LayerKind::mask, Grid<float>(4, 4, 1.0f)))
                           .with(make_layer("rock", "", LayerKind::category, Grid<float>(4, 4, 70000.0f)));
  const Terrain line = test::sample_land(1, 9, 1);
  Frame frame = land.frame();
  frame.cell.y *= 1.5;
  const Terrain oblong(frame, {0, 1}, Grid<float>(4, 4, 1.0f));
  const std::pair<const Terrain*, ExportRequest> wrong[] = {
      {&land, {.path = folder / "a.xyz"}},
      {&land, {.path = folder / "a.tif", .layers = {"hieght"}}},
      {&land, {.path = folder / "a.png", .layers = {"height", "m"}}},
      {&land, {.path = folder / "a.png", .layers = {"m"}, .options = {.range = Interval{0, 1}}}},
      {&land, {.path = folder / "a.png", .options = {.range = Interval{5, 5}}}},
      {&land, {.path = folder / "a.png", .layers = {"rock"}}},
      {&land, {.path = folder / "a.glb", .layers = {"m"}}},
      {&line, {.path = folder / "a.glb"}},
      {&land, {.path = "/vsimem/a.tif"}},
      {&land, {.path = folder / "a.asc", .layers = {"height", "m"}}},
      {&land, {.path = folder / "a.r16", .layers = {"rock"}}},
      {&land, {.path = folder / "a.glb", .options = {.range = Interval{0, 1}}}},
      {&land, {.path = folder / "a.r32", .options = {.range = Interval{0, 1}}}},
      {&land, {.path = folder / "a.obj", .options = {.tiles = {3, 1}}}},
      {&land, {.path = folder / "a.png", .options = {.cog = true}}},
      {&land, {.path = folder / "a.r16", .options = {.compression = Compression::none}}},
      {&oblong, {.path = folder / "a.asc"}}};
  for (const auto& [terrain, request] : wrong)
    EXPECT_EQ(error_of([&, t = terrain, r = &request] { check_export(*t, *r); }),
              error_of([&, t = terrain, r = &request] { export_terrain(*t, *r, Context()); }));
  for (const char* name : {"a.tif", "a.png", "a.glb", "a.r16", "a.r32", "a.asc"})
    check_export(land, {.path = folder / name});
  EXPECT_TRUE(test::names_in(folder.path()).empty());
}

TEST(Export, VoidsAreNodataFromHalfOnOrFilledWithAWarning) {
  const TemporaryFolder folder;
  Grid<float> voids(3, 2, 0.0f);
  voids(0, 0) = 0.49f;
  voids(1, 0) = 0.5f;
  voids(2, 1) = 1;
  const Terrain land = test::sample_land(3, 2, 1).with(make_layer("void", "", LayerKind::mask, std::move(voids)));
  EXPECT_EQ(void_cells(land), 2);
  for (const std::string name : {"a.tif", "a.r32", "a.asc", "a.png", "a.r16", "a.glb"}) {
    WarningSink sink;
    export_terrain(land, {.path = folder / name}, sink.context());
    EXPECT_EQ(sink.warnings.size(), name == "a.tif" || name == "a.r32" || name == "a.asc" ? 0u : 1u);
    for (const std::string& warning : sink.warnings)
      EXPECT_NE(warning.find("2 of 6 cells are void"), std::string::npos);
  }
  EXPECT_EQ(inspect(folder / "a.tif", Context()).terrain.value().nodata_cells, 2);
}

}  // namespace
}  // namespace tepui::export_test
