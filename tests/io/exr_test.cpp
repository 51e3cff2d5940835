#include "tepui/io/raster/exr.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfDeepFrameBuffer.h>
#include <OpenEXR/ImfDeepScanLineOutputFile.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfOutputPart.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfTiledOutputFile.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <limits>
#include <map>

#include "tests/io/files.h"
#include "tests/io/npy_bytes.h"
#include "tests/io/raster_files.h"
#include "tests/support/support.h"

namespace tepui::exr_test {
namespace {

using test::bytes_of;
using test::error_of;
using test::put_bytes;
using test::sample_land;
using test::stored_values;
using test::TemporaryFolder;

std::unique_ptr<Raster> open(const std::string& path) { return open_exr(path, {}); }

Layer layer_of(const std::string& name, LayerKind kind, Grid<float> grid) {
  return make_layer(name, "", kind, std::move(grid));
}

/// A picture as another program would write it.
struct Picture {
  int width = 5, height = 4;
  std::vector<std::string> channels = {"Y"};
  Imf::PixelType type = Imf::FLOAT;
  Imf::Compression compression = Imf::ZIP_COMPRESSION;
  Imf::LineOrder order = Imf::INCREASING_Y;
  Imath::V2i corner{0, 0};
  int tile = 0;
  Imf::LevelMode levels = Imf::ONE_LEVEL;
};

/// Whole numbers, which every type and lossless method keeps.
double number_at(size_t channel, int64_t i) {
  return static_cast<double>((i * 7 + static_cast<int64_t>(channel) * 100) % 500);
}

struct Pixels {
  std::map<std::string, std::vector<char>> bytes;
  Imf::FrameBuffer buffer;
};

Pixels pixels_of(const Picture& p) {
  Pixels pixels;
  const size_t size = p.type == Imf::HALF ? 2 : 4, count = static_cast<size_t>(p.width * p.height);
  for (size_t c = 0; c < p.channels.size(); ++c) {
    std::vector<char>& bytes = pixels.bytes[p.channels[c]];
    bytes.resize(count * size);
    for (size_t i = 0; i < count; ++i) {
      const double value = number_at(c, static_cast<int64_t>(i));
      const auto put = [&](auto stored) { std::memcpy(bytes.data() + i * size, &stored, size); };
      if (p.type == Imf::HALF) put(Imath::half(static_cast<float>(value)));
      if (p.type == Imf::FLOAT) put(static_cast<float>(value));
      if (p.type == Imf::UINT) put(static_cast<uint32_t>(value));
    }
    pixels.buffer.insert(p.channels[c], Imf::Slice::Make(p.type, bytes.data(), p.corner, p.width, p.height));
  }
  return pixels;
}

Imf::Header header_of(const Picture& p) {
  const Imath::Box2i window(p.corner, p.corner + Imath::V2i(p.width - 1, p.height - 1));
  Imf::Header header(Imath::Box2i({0, 0}, {99, 99}), window, 1, {0, 0}, 1, p.order, p.compression);
  for (const std::string& name : p.channels) header.channels().insert(name, Imf::Channel(p.type));
  if (p.tile > 0) header.setTileDescription(Imf::TileDescription(p.tile, p.tile, p.levels));
  return header;
}

void write_picture(const std::string& path, const Picture& p) {
  const Pixels pixels = pixels_of(p);
  if (p.tile > 0) {
    Imf::TiledOutputFile file(path.c_str(), header_of(p));
    file.setFrameBuffer(pixels.buffer);
    for (int l = 0; l < file.numXLevels(); ++l) file.writeTiles(0, file.numXTiles(l) - 1, 0, file.numYTiles(l) - 1, l);
    return;
  }
  Imf::OutputFile file(path.c_str(), header_of(p));
  file.setFrameBuffer(pixels.buffer);
  file.writePixels(p.height);
}

void expect_picture(Raster& raster, const Picture& p, size_t channel = 0) {
  ASSERT_EQ(raster.info().width, p.width);
  ASSERT_EQ(raster.info().height, p.height);
  std::vector<double> expected(static_cast<size_t>(p.width * p.height));
  for (size_t i = 0; i < expected.size(); ++i) expected[i] = number_at(channel, static_cast<int64_t>(i));
  EXPECT_EQ(stored_values<double>(raster), expected);
  EXPECT_EQ(stored_values<float>(raster, 0, raster.block_rows()), std::vector<float>(expected.begin(), expected.end()));
}

RC_GTEST_PROP(Exr, GivesLayersKindsAndPlaceBack, ()) {
  const int64_t width = *rc::gen::inRange<int64_t>(1, 70), height = *rc::gen::inRange<int64_t>(1, 70);
  const size_t count = *rc::gen::inRange<size_t>(1, 5);
  const TemporaryFolder folder;
  Terrain land = sample_land(width, height, *rc::gen::arbitrary<uint64_t>(), *rc::gen::element(0.25, 10.0, 1e-6));
  Frame frame = land.frame();
  frame.origin = {*rc::gen::element(0.0, 500000.125), -3.5};
  frame.first_x = *rc::gen::inRange<int64_t>(0, 100);
  const bool placed = *rc::gen::arbitrary<bool>();
  if (placed) frame.geo = std::make_shared<Georeference>(Georeference{"LOCAL_CS[\"a\"]", {7, 46}, {0.25, 0.5}});
  const Terrain moved(frame, land.relief(), land.height().clone());
  const std::vector<std::string> names = {"height", "zone", "able.two",
                                          "A very long name, longer than thirty-one bytes"};
  const LayerKind kinds[] = {LayerKind::continuous, LayerKind::category, LayerKind::mask, LayerKind::continuous};
  std::vector<Layer> layers;
  for (size_t i = 0; i < count; ++i) {
    layers.push_back(layer_of(names[i], kinds[i], sample_land(width, height, i + 1).height().clone()));
    layers.back().classes = kinds[i] == LayerKind::category ? 6 : 0;
    layers.back().unit = i == 0 ? "m" : "";
  }
  write_exr(folder / "a.exr", moved, layers, Context());
  const auto raster = open(folder / "a.exr");
  const RasterInfo& info = raster->info();
  RC_ASSERT(info.format == "EXR" && info.width == width && info.height == height);
  RC_ASSERT(info.bands.size() == count && info.assumed.empty() && info.registration == "point");
  for (size_t i = 0; i < count; ++i) {
    const RasterBand& band = info.bands[i];
    RC_ASSERT(band.name == layers[i].name && band.unit == layers[i].unit && band.kind == layers[i].kind);
    RC_ASSERT(band.classes == layers[i].classes && band.type == "Float32" && band.scaled);
    const int64_t rows = *rc::gen::inRange<int64_t>(1, 80);
    RC_ASSERT(stored_values<float>(*raster, static_cast<int>(i), rows) == test::north_first(layers[i].grid()));
  }
  RC_ASSERT(info.place->crs == (placed ? "LOCAL_CS[\"a\"]" : ""));
  const Vec2 origin = placed ? frame.geo->origin : frame.origin, step = placed ? frame.geo->step : frame.cell;
  RC_ASSERT(info.place->origin.x == origin.x + static_cast<double>(frame.first_x) * step.x);
  RC_ASSERT(info.place->origin.y == origin.y + static_cast<double>(height - 1) * step.y);
  RC_ASSERT(info.place->step == (Vec2{step.x, -step.y}));
  if (count > 1) {
    const auto one = open_exr(folder / "a.exr", {.layer = "zone"});
    RC_ASSERT(one->info().bands.size() == 1u && one->info().bands[0].kind == LayerKind::category);
    RC_ASSERT(stored_values<float>(*one) == test::north_first(layers[1].grid()));
  }
}

TEST(Exr, SameBytesForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const Terrain land = sample_land(150, 300, 4);
  test::expect_same_bits([&] {
    write_exr(folder / "a.exr", land, land.layers(), Context());
    return Hasher().add(bytes_of(folder / "a.exr")).finish();
  });
}

TEST(Exr, VoidsAreNaN) {
  const TemporaryFolder folder;
  Terrain land = sample_land(4, 3, 1);
  Grid<float> voids(4, 3, 0);
  voids(1, 2) = 1;
  land = land.with(layer_of("void", LayerKind::mask, std::move(voids)));
  write_exr(folder / "a.exr", land, {land.layer("height")}, Context());
  const std::vector<float> values = stored_values<float>(*open(folder / "a.exr"));
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(std::isnan(values[i]), i == 1);
  write_exr(folder / "v.exr", land, {land.layer("void")}, Context());
  EXPECT_EQ(stored_values(*open(folder / "v.exr"))[1], 1);
}

TEST(Exr, OtherProgramsFindItSound) {
  const TemporaryFolder folder;
  const Terrain land = sample_land(37, 50, 1);
  write_exr(folder / "one.exr", land, {land.layer("height")}, Context());
  const Layer rock = layer_of("rock", LayerKind::category, Grid<float>(37, 50, 2));
  write_exr(folder / "two.exr", land, {land.layer("height"), rock}, Context());
  // What `exrinfo` of OpenEXR 3.1 says of a sound file counts, not how it ends: its exit code is left to chance.
  const auto told = [&](const char* name) { return test::run_program("exrinfo -v -s '" + (folder / name) + "'").text; };
  const std::string one = told("one.exr"), two = told("two.exr");
  for (const char* word : {"'Y': float", "tepui:origin", "tepui:step", "tepui:layers", "zip", "[ 0, 0 - 36 49 ]"})
    EXPECT_NE(one.find(word), std::string::npos) << word << " in\n" << one;
  for (const char* word : {"'height': float", "'rock': float"})
    EXPECT_NE(two.find(word), std::string::npos) << word << " in\n" << two;
  for (const char* name : {"one.exr", "two.exr"})
    EXPECT_EQ(test::run_program("exrheader '" + (folder / name) + "'").code, 0) << name;
}

TEST(Exr, ReadsEveryTypeMethodAndArrangement) {
  const TemporaryFolder folder;
  for (const auto& [type, name] : {std::pair{Imf::HALF, "Float16"}, {Imf::FLOAT, "Float32"}, {Imf::UINT, "UInt32"}})
    for (const Imf::Compression method : {Imf::NO_COMPRESSION, Imf::RLE_COMPRESSION, Imf::ZIPS_COMPRESSION,
                                          Imf::ZIP_COMPRESSION, Imf::PIZ_COMPRESSION, Imf::PXR24_COMPRESSION})
      for (const int tile : {0, 16})
        for (const Imf::LineOrder order : {Imf::INCREASING_Y, Imf::DECREASING_Y}) {
          SCOPED_TRACE(testing::Message() << name << " method " << method << " tile " << tile << " order " << order);
          const Picture picture{37, 50, {"Y"}, type, method, order, {-20, 13}, tile};
          write_picture(folder / "a.exr", picture);
          const auto raster = open(folder / "a.exr");
          EXPECT_EQ(raster->info().bands.front().type, name);
          EXPECT_FALSE(raster->info().place);
          expect_picture(*raster, picture);
        }
  Picture levels;
  levels.tile = 2;
  levels.levels = Imf::MIPMAP_LEVELS;
  write_picture(folder / "m.exr", levels);
  expect_picture(*open(folder / "m.exr"), levels);
  for (const Imf::Compression method :
       {Imf::B44_COMPRESSION, Imf::B44A_COMPRESSION, Imf::DWAA_COMPRESSION, Imf::DWAB_COMPRESSION}) {
    write_picture(folder / "l.exr", {37, 300, {"Y"}, Imf::HALF, method});
    EXPECT_TRUE(test::is_readable(open, folder / "l.exr"));
  }
}

TEST(Exr, LargeCountsKeepTheirDigitsAsDoubles) {
  const TemporaryFolder folder;
  const uint32_t large = 4000000001u;
  Imf::Header header(1, 1);
  header.channels().insert("id", Imf::Channel(Imf::UINT));
  Imf::FrameBuffer buffer;
  buffer.insert("id", Imf::Slice::Make(Imf::UINT, &large, {0, 0}, 1, 1));
  {
    Imf::OutputFile file((folder / "a.exr").c_str(), header);
    file.setFrameBuffer(buffer);
    file.writePixels(1);
  }
  EXPECT_EQ(stored_values<double>(*open(folder / "a.exr")).front(), 4000000001.0);
}

TEST(Exr, TakesTheOnlyChannelThenTheLikelyOne) {
  const TemporaryFolder folder;
  const auto chosen = [&](const std::vector<std::string>& channels, size_t expected, bool assumed) {
    Picture picture;
    picture.channels = channels;
    write_picture(folder / "a.exr", picture);
    const auto raster = open(folder / "a.exr");
    EXPECT_EQ(raster->info().bands.front().name, channels[expected]);
    EXPECT_EQ(raster->info().assumed.size(), assumed ? 1u : 0u);
    expect_picture(*raster, picture, expected);
    const auto last = open_exr(folder / "a.exr", {.layer = channels.back()});
    EXPECT_TRUE(last->info().assumed.empty());
    expect_picture(*last, picture, channels.size() - 1);
  };
  chosen({"anything"}, 0, false);
  chosen({"R", "G", "B", "A"}, 0, true);
  chosen({"R", "G", "B", "Z"}, 3, true);
  chosen({"Z", "Y", "height"}, 2, true);
  Picture unclear;
  unclear.channels = {"u", "v"};
  write_picture(folder / "u.exr", unclear);
  EXPECT_NE(error_of([&] { open(folder / "u.exr"); }).find("'layer': 'u', 'v'"), std::string::npos);
  EXPECT_NE(error_of([&] { open_exr(folder / "u.exr", {.layer = "w"}); }).find("it has 'u', 'v'"), std::string::npos);
}

TEST(Exr, OfSeveralPartsTheFirstIsRead) {
  const TemporaryFolder folder;
  const Picture first, second{3, 2, {"R", "G"}};
  {
    std::vector<Imf::Header> headers = {header_of(first), header_of(second)};
    for (size_t i = 0; i < 2; ++i) {
      headers[i].setName(i == 0 ? "first" : "second");
      headers[i].setType(Imf::SCANLINEIMAGE);
    }
    Imf::MultiPartOutputFile file((folder / "a.exr").c_str(), headers.data(), 2);
    for (int i = 0; i < 2; ++i) {
      const Pixels pixels = pixels_of(i == 0 ? first : second);
      Imf::OutputPart part(file, i);
      part.setFrameBuffer(pixels.buffer);
      part.writePixels(i == 0 ? first.height : second.height);
    }
  }
  const auto raster = open(folder / "a.exr");
  ASSERT_EQ(raster->info().assumed.size(), 1u);
  EXPECT_NE(raster->info().assumed.front().find("2 parts"), std::string::npos);
  expect_picture(*raster, first);
  EXPECT_GT(test::damage(open, folder / "d.exr", bytes_of(folder / "a.exr"), 4, 500), 50);
}

TEST(Exr, RefusesDeepAndSparseChannelsByName) {
  const TemporaryFolder folder;
  Picture picture{4, 4};
  Imf::Header deep = header_of(picture);
  deep.setType(Imf::DEEPSCANLINE);
  deep.compression() = Imf::ZIPS_COMPRESSION;
  { Imf::DeepScanLineOutputFile file((folder / "deep.exr").c_str(), deep); }
  EXPECT_NE(error_of([&] { open(folder / "deep.exr"); }).find("deep image"), std::string::npos);

  Imf::Header sparse(4, 4);
  sparse.channels().insert("Y", Imf::Channel(Imf::HALF, 2, 2));
  { Imf::OutputFile file((folder / "sparse.exr").c_str(), sparse); }
  EXPECT_NE(error_of([&] { open(folder / "sparse.exr"); }).find("some pixels only"), std::string::npos);
  put_bytes(folder / "no.exr", "GIF89a and more");
  EXPECT_NE(error_of([&] { open(folder / "no.exr"); }).find("is not an EXR file"), std::string::npos);
}

/// The value of an attribute replaced by other bytes of the same length.
std::string patched(std::string bytes, const std::string& name_and_type, const std::string& value) {
  const size_t at = bytes.find(name_and_type);
  EXPECT_NE(at, std::string::npos);
  return bytes.replace(at + name_and_type.size() + 4, value.size(), value);
}

std::string window(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  return test::stored_all(std::vector<int32_t>{x0, y0, x1, y1});
}

TEST(Exr, AllocatesNothingThatTheFileCannotHold) {
  const TemporaryFolder folder;
  const std::string name("dataWindow\0box2i\0", 17);
  const auto refusal = [&](const std::string& bytes) {
    put_bytes(folder / "a.exr", bytes);
    return error_of([&] { stored_values<float>(*open(folder / "a.exr")); });
  };
  rusage before{}, after{};
  getrusage(RUSAGE_SELF, &before);
  for (const Imf::Compression method :
       {Imf::NO_COMPRESSION, Imf::ZIP_COMPRESSION, Imf::PIZ_COMPRESSION, Imf::DWAB_COMPRESSION})
    for (const int tile : {0, 16}) {
      write_picture(folder / "b.exr", {5, 4, {"Y"}, Imf::FLOAT, method, Imf::INCREASING_Y, {0, 0}, tile});
      const std::string sound = bytes_of(folder / "b.exr");
      for (const std::string& lie :
           {window(0, 0, 1000000, 1000000), window(0, 0, 1000000000, 0), window(0, 0, 0, 1000000000),
            window(-1000000000, -1000000000, 1000000000, 1000000000), window(5, 5, 0, 0),
            window(INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX)})
        refusal(patched(sound, name, lie));
      if (tile == 0) continue;
      const std::string tiles("tiles\0tiledesc\0", 15);
      for (const uint32_t side : {0u, 1u << 20, 0x7fffffffu, 0xffffffffu})
        refusal(patched(sound, tiles, test::stored_all(std::vector<uint32_t>{side, side})));
    }
  // A text that says it is two gigabytes long.
  const Terrain land = sample_land(4, 4, 1);
  write_exr(folder / "c.exr", land, land.layers(), Context());
  std::string text = bytes_of(folder / "c.exr");
  const size_t at = text.find(std::string("tepui:layers\0stringvector\0", 26));
  ASSERT_NE(at, std::string::npos);
  text.replace(at + 26, 4, test::little(0x7ffffff0, 4));
  EXPECT_NE(refusal(text).find("claims more than the file holds"), std::string::npos);
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 200 * 1024);
}

TEST(Exr, ForeignWordsInItsOwnAttributesAreIgnored) {
  const TemporaryFolder folder;
  const Terrain land = sample_land(4, 4, 1);
  write_exr(folder / "a.exr", land, land.layers(), Context());
  const std::string sound = bytes_of(folder / "a.exr");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  put_bytes(folder / "b.exr", patched(sound, std::string("tepui:step\0v2d\0", 15), test::stored_all<double>({nan, 1})));
  EXPECT_FALSE(open(folder / "b.exr")->info().place);
  put_bytes(folder / "b.exr", patched(sound, std::string("tepui:step\0v2d\0", 15), test::stored_all<double>({1, 0})));
  EXPECT_FALSE(open(folder / "b.exr")->info().place);
  std::string kind = sound;
  kind.replace(kind.find("continuous"), 10, "whimsical!");
  put_bytes(folder / "b.exr", kind);
  EXPECT_FALSE(open(folder / "b.exr")->info().bands.front().kind);
}

TEST(Exr, EveryTruncatedPrefixIsRefused) {
  const TemporaryFolder folder;
  const Terrain land = sample_land(5, 20, 1);
  write_exr(folder / "a.exr", land, land.layers(), Context());
  test::expect_prefixes_refused(open, folder / "p.exr", bytes_of(folder / "a.exr"));
  write_picture(folder / "t.exr", {5, 4, {"Y"}, Imf::HALF, Imf::PIZ_COMPRESSION, Imf::INCREASING_Y, {0, 0}, 4});
  test::expect_prefixes_refused(open, folder / "p.exr", bytes_of(folder / "t.exr"));
}

TEST(Exr, DamagedBytesAreReadOrRefused) {
  const TemporaryFolder folder;
  int refused = 0;
  for (const Imf::Compression method : {Imf::NO_COMPRESSION, Imf::RLE_COMPRESSION, Imf::ZIP_COMPRESSION,
                                        Imf::PIZ_COMPRESSION, Imf::PXR24_COMPRESSION, Imf::B44A_COMPRESSION})
    for (const int tile : {0, 4}) {
      write_picture(folder / "a.exr", {9, 7, {"Y", "Z"}, Imf::HALF, method, Imf::INCREASING_Y, {0, 0}, tile});
      refused += test::damage(open, folder / "d.exr", bytes_of(folder / "a.exr"), 3, 250);
    }
  EXPECT_GT(refused, 500);
}

TEST(Exr, ACancelledOrFailedWriteLeavesNothing) {
  const TemporaryFolder folder;
  const Terrain land = sample_land(300, 300, 1);
  const CancelFlag stop{true};
  EXPECT_EQ(error_of([&] { write_exr(folder / "a.exr", land, land.layers(), Context(nullptr, &stop)); }), "cancelled");
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  // At the header, within the samples, and at the very last byte.
  write_exr(folder / "whole.exr", land, land.layers(), Context());
  const size_t size = bytes_of(folder / "whole.exr").size();
  for (const size_t limit : {size_t{0}, size_t{100}, size_t{5000}, size / 2, size - 1}) {
    rlimit now = old;
    now.rlim_cur = limit;
    setrlimit(RLIMIT_FSIZE, &now);
    const std::string text = error_of([&] { write_exr(folder / "a.exr", land, land.layers(), Context()); });
    setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_NE(text.find("cannot write '" + (folder / "a.exr")), std::string::npos) << text;
  }
  std::signal(SIGXFSZ, previous);
  EXPECT_EQ(test::names_in(folder.path()), std::vector<std::string>{"whole.exr"});
}

TEST(Exr, RefusesWhatItCannotHold) {
  Frame frame;
  frame.width = 40000000;
  frame.height = 1;
  EXPECT_NE(error_of([&] { check_exr("a.exr", frame, 1); }).find("is not possible"), std::string::npos);
  const TemporaryFolder folder;
  const Terrain land = sample_land(2, 2, 1);
  const Layer height = land.layer("height");
  EXPECT_NE(error_of([&] {
              write_exr(folder / "a.exr", land, {height, height}, Context());
            }).find("two layers"),
            std::string::npos);
  EXPECT_NE(error_of([&] { write_exr(folder / "a.exr", land, {}, Context()); }).find("nothing to write"),
            std::string::npos);
}

}  // namespace
}  // namespace tepui::exr_test
