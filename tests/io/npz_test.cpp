#include <zlib.h>

#include <cmath>

#include "tepui/io/raster/npy.h"
#include "tests/io/files.h"
#include "tests/io/npy_bytes.h"
#include "tests/io/raster_files.h"
#include "tests/support/support.h"

namespace tepui::npz_test {
namespace {

using test::error_of;
using test::little;
using test::npy_dict;
using test::npy_with_dict;
using test::put_bytes;
using test::stored_all;
using test::stored_values;
using test::TemporaryFolder;

std::unique_ptr<Raster> open(const std::string& path) { return open_npy(path, {}); }

/// An entry of a ZIP made by hand, with room for lies.
struct Entry {
  std::string name, bytes;
  bool packed = true;
  int flags = 0;
  std::optional<int> method{};
  std::optional<uint32_t> crc{};
  std::optional<uint64_t> size{}, packed_size{};
  bool wide = false;  // ZIP64
};

std::string deflated(const std::string& raw) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, raw.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(raw.data()));
  stream.avail_in = static_cast<uInt>(raw.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

uint32_t sum_of(const std::string& bytes) {
  return static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

std::string zip(const std::vector<Entry>& entries, bool wide = false) {
  std::string file, table;
  for (const Entry& entry : entries) {
    const std::string data = entry.packed ? deflated(entry.bytes) : entry.bytes;
    const uint64_t size = entry.size.value_or(entry.bytes.size()), packed = entry.packed_size.value_or(data.size());
    const std::string extra =
        entry.wide ? little(1, 2) + little(24, 2) + little(size, 8) + little(packed, 8) + little(file.size(), 8) : "";
    const auto narrow = [&](uint64_t value) { return little(entry.wide ? UINT32_MAX : value, 4); };
    const std::string common = little(static_cast<uint64_t>(entry.flags), 2) +
                               little(static_cast<uint64_t>(entry.method.value_or(entry.packed ? 8 : 0)), 2) +
                               little(0, 4) + little(entry.crc.value_or(sum_of(entry.bytes)), 4) + narrow(packed) +
                               narrow(size) + little(entry.name.size(), 2) + little(extra.size(), 2);
    table += "PK\1\2" + little(45, 2) + little(45, 2) + common + little(0, 2) + little(0, 2) + little(0, 2) +
             little(0, 4) + narrow(file.size()) + entry.name + extra;
    file += "PK\3\4" + little(45, 2) + common + entry.name + extra + data;
  }
  const uint64_t start = file.size();
  file += table;
  if (wide) {
    const uint64_t end = file.size();
    file += "PK\6\6" + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8) + little(entries.size(), 8) +
            little(entries.size(), 8) + little(table.size(), 8) + little(start, 8);
    file += "PK\6\7" + little(0, 4) + little(end, 8) + little(1, 4);
  }
  const auto narrow = [&](uint64_t value, int bytes) { return little(wide ? UINT64_MAX : value, bytes); };
  return file + "PK\5\6" + little(0, 4) + narrow(entries.size(), 2) + narrow(entries.size(), 2) +
         narrow(table.size(), 4) + narrow(start, 4) + little(0, 2);
}

template <class S>
std::string array(const std::string& type, const std::string& shape, const std::vector<S>& values,
                  bool fortran = false) {
  return npy_with_dict(npy_dict(type, shape, fortran), stored_all(values));
}
std::string scalar(double value) { return array<double>("<f8", "()", {value}); }
std::string side(const std::vector<double>& values) {
  return array<double>("<f8", "(" + std::to_string(values.size()) + ",)", values);
}
std::string bytes23() { return array<uint8_t>("|u1", "(2, 3)", {1, 2, 3, 4, 5, 6}); }
const std::vector<double> one_to_six = {1, 2, 3, 4, 5, 6};

std::string refusal(const std::string& bytes, const RasterOptions& options = {}) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.npz", bytes);
  return error_of([&] { stored_values(*open_npy(folder / "a.npz", options)); });
}

RasterInfo info_of(const std::vector<Entry>& entries, const RasterOptions& options = {}) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.npz", zip(entries));
  return open_npy(folder / "a.npz", options)->info();
}

RC_GTEST_PROP(Npz, GivesArraysBackInAnyOrderOfReading, ()) {
  const TemporaryFolder folder;
  const int64_t width = *rc::gen::inRange<int64_t>(2, 50), height = *rc::gen::inRange<int64_t>(1, 50),
                bands = *rc::gen::inRange<int64_t>(1, 4);
  const bool fortran = *rc::gen::arbitrary<bool>();
  std::vector<int16_t> values(static_cast<size_t>(width * height * bands));
  const uint64_t noisy = *rc::gen::element<uint64_t>(1, 20, 65536);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int16_t>(Stream(7).bits(i) % noisy);
  const std::string shape =
      "(" + std::to_string(bands) + ", " + std::to_string(height) + ", " + std::to_string(width) + ")";
  Entry entry{"z.npy", array("<i2", shape, values, fortran), *rc::gen::arbitrary<bool>()};
  entry.wide = *rc::gen::arbitrary<bool>();
  put_bytes(folder / "a.npz", zip({entry}, *rc::gen::arbitrary<bool>()));
  const auto raster = open(folder / "a.npz");
  RC_ASSERT(raster->info().format == "NPZ");
  RC_ASSERT(raster->info().bands.size() == static_cast<size_t>(bands));
  std::vector<double> row(static_cast<size_t>(width));
  std::vector<uint8_t> valid(row.size());
  for (int i = 0; i < 30; ++i) {
    const int64_t band = *rc::gen::inRange<int64_t>(0, bands), y = *rc::gen::inRange<int64_t>(0, height);
    raster->read_rows(static_cast<int>(band), y, 1, row.data(), valid.data());
    for (int64_t x = 0; x < width; ++x) {
      const int64_t at = fortran ? band + bands * (y + height * x) : (band * height + y) * width + x;
      RC_ASSERT(row[static_cast<size_t>(x)] == static_cast<double>(values[static_cast<size_t>(at)]));
    }
  }
}

TEST(Npz, LongArraysComeInPieces) {
  const TemporaryFolder folder;
  std::vector<uint32_t> values(1500 * 1200);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<uint32_t>(i * i);
  for (const bool packed : {false, true}) {
    put_bytes(folder / "a.npz", zip({{"z.npy", array("<u4", "(1500, 1200)", values), packed}}));
    const auto raster = open(folder / "a.npz");
    EXPECT_LT(raster->block_rows(), 1500);
    EXPECT_EQ(stored_values(*raster, 0, raster->block_rows()), std::vector<double>(values.begin(), values.end()));
  }
}

TEST(Npz, TakesTheOnlyRasterThenTheNamedOneThenTheLikelyOne) {
  const Entry a{"a.npy", bytes23()}, b{"b.npy", bytes23()}, dem{"DEM.npy", bytes23()}, line{"line.npy", side({1, 2})};
  EXPECT_EQ(info_of({line, a}).bands.front().name, "a");
  EXPECT_TRUE(info_of({line, a}).assumed.empty());
  EXPECT_EQ(info_of({a, b}, {.layer = "b"}).bands.front().name, "b");
  EXPECT_EQ(info_of({a, b}, {.layer = "b.npy"}).bands.front().name, "b");
  const RasterInfo likely = info_of({a, dem, b});
  EXPECT_EQ(likely.bands.front().name, "DEM");
  ASSERT_EQ(likely.assumed.size(), 1u);
  EXPECT_NE(likely.assumed.front().find("3 rasters: using 'DEM'"), std::string::npos);
  const std::string unclear = refusal(zip({a, b, line}));
  EXPECT_NE(unclear.find("'layer'; it has 'a' (2, 3), 'b' (2, 3), 'line' (2,)"), std::string::npos) << unclear;
  EXPECT_NE(refusal(zip({a}), {.layer = "nix"}).find("no array 'nix'; it has 'a' (2, 3)"), std::string::npos);
  EXPECT_NE(refusal(zip({line, {"n.npy", scalar(1)}})).find("no array of two dimensions"), std::string::npos);
  EXPECT_NE(refusal(zip({line})).find("(2,), which is not a raster"), std::string::npos);
  EXPECT_NE(refusal(zip({{"readme.txt", "hello"}})).find("holds no arrays"), std::string::npos);
  EXPECT_NE(refusal(zip({a, a})).find("two arrays 'a'"), std::string::npos);
}

TEST(Npz, NamesAreNoPaths) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.npz", zip({{"../../etc/z.npy", bytes23()}}));
  const auto raster = open(folder / "a.npz");
  EXPECT_EQ(raster->info().bands.front().name, "../../etc/z");
  EXPECT_EQ(stored_values(*raster), one_to_six);
  EXPECT_EQ(test::names_in(folder.path()), std::vector<std::string>{"a.npz"});
  EXPECT_EQ(refusal(zip({{"a\n\x1b.npy", "no array"}})).find('\x1b'), std::string::npos);
}

TEST(Npz, CoordinatesGiveThePlace) {
  const Entry z{"z.npy", bytes23()};
  const RasterInfo up = info_of({z, {"lon.npy", side({10, 10.5, 11})}, {"lat.npy", side({46, 46.5})}});
  ASSERT_TRUE(up.place);
  EXPECT_EQ(up.place->crs, "EPSG:4326");
  EXPECT_EQ(up.place->origin, (Vec2{10, 46}));
  EXPECT_EQ(up.place->step, (Vec2{0.5, 0.5}));  // rows run from south to north
  EXPECT_EQ(up.registration, "point");
  const RasterInfo down = info_of({z, {"x.npy", side({100, 130, 160})}, {"Y.npy", side({500, 470})}});
  ASSERT_TRUE(down.place);
  EXPECT_EQ(down.place->crs, "");
  EXPECT_EQ(down.place->origin, (Vec2{100, 500}));
  EXPECT_EQ(down.place->step, (Vec2{30, -30}));
  // Of other lengths they say nothing; nor do some that are all over the place.
  EXPECT_FALSE(info_of({z, {"lon.npy", side({10, 10.5})}, {"lat.npy", side({46, 46.5})}}).place);
  const RasterInfo uneven = info_of({z, {"lon.npy", side({10, 10.1, 20})}, {"lat.npy", side({46, 46.5})}});
  EXPECT_FALSE(uneven.place);
  EXPECT_NE(uneven.assumed.at(0).find("not evenly spaced"), std::string::npos);
  for (const double odd : {double{NAN}, double{INFINITY}, 10.0})
    EXPECT_FALSE(info_of({z, {"lon.npy", side({10, odd, 10})}, {"lat.npy", side({46, 46.5})}}).place);
  const RasterInfo lengths = info_of({z, {"lon.npy", side({1000, 2000, 3000})}, {"lat.npy", side({6000, 5000})}});
  EXPECT_EQ(lengths.place->crs, "");
}

TEST(Npz, FloatRoundingDoesNotUnevenCoordinates) {
  std::vector<float> lon(200), lat(200);
  std::vector<uint8_t> values(200 * 200, 1);
  for (size_t i = 0; i < lon.size(); ++i) {
    lon[i] = static_cast<float>(234 + static_cast<double>(i) / 1200);
    lat[i] = static_cast<float>(49 - static_cast<double>(i) / 1200);
  }
  const RasterInfo info = info_of({{"z.npy", array("|u1", "(200, 200)", values)},
                                   {"lon.npy", array("<f4", "(200,)", lon)},
                                   {"lat.npy", array("<f4", "(200,)", lat)}});
  ASSERT_TRUE(info.place);
  EXPECT_TRUE(info.assumed.empty());
  EXPECT_NEAR(info.place->step.x, 1.0 / 1200, 1e-6);
  EXPECT_NEAR(info.place->step.y, -1.0 / 1200, 1e-6);
}

TEST(Npz, BoundsGiveThePlace) {
  const auto bounded = [](double x0, double x1, double y0, double y1, std::optional<double> cell) {
    std::vector<Entry> entries = {{"z.npy", bytes23()},
                                  {"xmin.npy", scalar(x0)},
                                  {"xmax.npy", scalar(x1)},
                                  {"ymin.npy", scalar(y0)},
                                  {"ymax.npy", scalar(y1)}};
    if (cell) entries.push_back({"dx.npy", scalar(*cell)});
    if (cell) entries.push_back({"dy.npy", scalar(*cell)});
    return info_of(entries);
  };
  const RasterInfo edges = bounded(0, 30, 0, 20, 10);
  EXPECT_EQ(edges.place->origin, (Vec2{5, 15}));
  EXPECT_EQ(edges.place->step, (Vec2{10, -10}));
  EXPECT_EQ(edges.place->crs, "");
  EXPECT_EQ(edges.registration, "area");
  EXPECT_TRUE(edges.assumed.empty());
  const RasterInfo centres = bounded(0, 20, 0, 10, 10);
  EXPECT_EQ(centres.place->origin, (Vec2{0, 10}));
  EXPECT_EQ(centres.registration, "point");
  const RasterInfo degrees = bounded(10, 10.75, 46.5, 46, 0.25);
  EXPECT_EQ(degrees.place->crs, "EPSG:4326");
  EXPECT_EQ(degrees.place->origin, (Vec2{10.125, 46.375}));
  EXPECT_NE(degrees.assumed.at(0).find("swapped"), std::string::npos);
  EXPECT_NE(bounded(0, 30, 0, 20, {}).assumed.at(0).find("outer edges"), std::string::npos);
  EXPECT_FALSE(bounded(0, 50, 0, 20, 10).place);
  EXPECT_FALSE(bounded(0, 30, 0, 20, 0).place);
  EXPECT_FALSE(bounded(0, 0, 0, 0, {}).place);
  EXPECT_FALSE(bounded(0, INFINITY, 0, 20, 10).place);
}

TEST(Npz, RefusesWhatItCannotUnpackByName) {
  EXPECT_NE(refusal(zip({{"z.npy", bytes23(), true, 1}})).find("is encrypted"), std::string::npos);
  EXPECT_NE(refusal(zip({{"z.npy", bytes23(), true, 0, 12}})).find("bzip2"), std::string::npos);
  EXPECT_NE(refusal(zip({{"z.npy", bytes23(), true, 0, 14}})).find("LZMA"), std::string::npos);
  EXPECT_NE(refusal(zip({{"z.npy", bytes23(), true, 0, 99}})).find("unknown"), std::string::npos);
  EXPECT_NE(refusal("hello").find("not an NPZ file"), std::string::npos);
  EXPECT_NE(refusal("").find("not an NPZ file"), std::string::npos);
}

TEST(Npz, ChecksumsAreChecked) {
  for (const bool packed : {false, true})
    for (const bool fortran : {false, true}) {
      Entry entry{"z.npy", array<uint8_t>("|u1", "(2, 3)", {1, 2, 3, 4, 5, 6}, fortran), packed};
      entry.crc = 12345;
      EXPECT_NE(refusal(zip({entry})).find("checksum"), std::string::npos);
    }
}

TEST(Npz, NoDamageToAnArrayGoesUnnoticed) {
  const TemporaryFolder folder;
  for (const bool packed : {false, true}) {
    const std::string sound = zip({{"z.npy", bytes23(), packed}});
    const size_t from = 30 + 5, to = sound.find("PK\1\2");
    for (size_t at = from; at < to; ++at)
      for (int bit = 0; bit < 8; ++bit) {
        std::string broken = sound;
        broken[at] = static_cast<char>(broken[at] ^ 1 << bit);
        put_bytes(folder / "a.npz", broken);
        // Bits that only fill the last byte of a deflated array mean nothing.
        if (test::is_readable(open, folder / "a.npz")) {
          EXPECT_TRUE(packed && at + 1 == to) << "byte " << at << ", bit " << bit;
          EXPECT_EQ(stored_values(*open(folder / "a.npz")), one_to_six);
        }
      }
  }
}

TEST(Npz, LiesAboutSizesAreRefused) {
  const auto lying = [](uint64_t size, std::optional<uint64_t> packed_size, bool packed) {
    Entry entry{"z.npy", bytes23(), packed};
    entry.size = size;
    entry.packed_size = packed_size;
    entry.wide = true;
    return refusal(zip({entry}));
  };
  const uint64_t real = bytes23().size();
  EXPECT_NE(lying(uint64_t{1} << 40, {}, true).find("cannot hold"), std::string::npos);
  EXPECT_NE(lying(uint64_t{1} << 40, {}, false).find("cannot hold"), std::string::npos);
  EXPECT_NE(lying(UINT64_MAX, UINT64_MAX, false).find("outside"), std::string::npos);
  EXPECT_NE(lying(UINT64_MAX, UINT64_MAX, true).find("outside"), std::string::npos);
  EXPECT_NE(lying(real + 1, {}, true).find("continues after"), std::string::npos);
  EXPECT_NE(lying(real - 1, {}, true).find("it holds 5"), std::string::npos);
  EXPECT_NE(lying(3, {}, true).find("is not an NPY"), std::string::npos);
}

/// A bomb: a few bytes that inflate to far more than the array says, or an array that says far more than it inflates
/// to.
TEST(Npz, BombsAreRefusedBeforeTheyGrow) {
  Entry longer{"z.npy", bytes23() + std::string(50 << 20, '\0')};
  longer.size = bytes23().size();
  longer.crc = sum_of(bytes23());
  EXPECT_NE(refusal(zip({longer})).find("longer than it says"), std::string::npos);
  Entry shape{"z.npy", npy_with_dict(npy_dict("<f8", "(1000000, 1000000)"), std::string(20 << 20, '\0'))};
  EXPECT_NE(refusal(zip({shape})).find("which takes"), std::string::npos);
}

TEST(Npz, TheTableOfContentsIsBounded) {
  std::vector<Entry> many(5000, {"a.npy", "", false});
  EXPECT_NE(refusal(zip(many)).find("at most 4096"), std::string::npos);
  std::string liar = zip({{"z.npy", bytes23()}});
  const size_t end = liar.rfind("PK\5\6");
  const auto patched = [&](size_t at, const std::string& bytes) {
    std::string text = liar;
    return text.replace(end + at, bytes.size(), bytes);
  };
  EXPECT_NE(refusal(patched(10, little(7, 2))).find("damaged"), std::string::npos);
  EXPECT_NE(refusal(patched(12, little(1 << 30, 4))).find("outside"), std::string::npos);
  EXPECT_NE(refusal(patched(16, little(1 << 30, 4))).find("outside"), std::string::npos);
  EXPECT_NE(refusal(patched(16, little(UINT32_MAX, 4))).find("ZIP64"), std::string::npos);
  EXPECT_NE(refusal(patched(4, little(1, 2))).find("several parts"), std::string::npos);
}

TEST(Npz, EveryTruncatedPrefixIsRefused) {
  const TemporaryFolder folder;
  for (const bool packed : {false, true})
    test::expect_prefixes_refused(
        open, folder / "a.npz",
        zip({{"z.npy", bytes23(), packed}, {"lon.npy", side({1, 2, 3})}, {"lat.npy", side({4, 5})}}, packed));
}

TEST(Npz, DamagedBytesAreReadOrRefused) {
  const TemporaryFolder folder;
  for (const bool packed : {false, true}) {
    Entry entry{"z.npy", bytes23(), packed};
    entry.wide = packed;
    const std::string bytes = zip({entry, {"lon.npy", side({1, 2, 3})}, {"lat.npy", side({4, 5})}}, packed);
    EXPECT_GT(test::damage(open, folder / "a.npz", bytes, 9, 1500), 500);
  }
}

TEST(Npz, RealFilesComeInAtTheirPlace) {
  const std::optional<std::string> data = test::shared_data();
  if (!data) return;
  const auto sea = open(*data + "/dem/topobathy.npz");
  EXPECT_EQ(sea->info().bands.front().name, "topo");
  EXPECT_EQ(sea->info().width, 120);
  EXPECT_EQ(sea->info().height, 91);
  ASSERT_TRUE(sea->info().place);
  EXPECT_EQ(sea->info().place->crs, "EPSG:4326");
  EXPECT_NEAR(sea->info().place->origin.x, 234.0167, 1e-4);
  EXPECT_NEAR(sea->info().place->origin.y, 48.01637, 1e-5);
  EXPECT_NEAR(sea->info().place->step.x, 1.0 / 30, 1e-5);
  EXPECT_NEAR(sea->info().place->step.y, 0.021864, 1e-5);
  // Its rows are a Mercator map's: up to half a cell from even spacing.
  ASSERT_EQ(sea->info().assumed.size(), 1u);
  EXPECT_NE(sea->info().assumed.front().find("cells off"), std::string::npos);
  const std::vector<float> depths = stored_values<float>(*sea);
  EXPECT_EQ(*std::min_element(depths.begin(), depths.end()), -1437);
  EXPECT_EQ(*std::max_element(depths.begin(), depths.end()), 2205);

  const auto fault = open(*data + "/dem/jacksboro_fault_dem.npz");
  EXPECT_EQ(fault->info().bands.front().name, "elevation");
  EXPECT_EQ(fault->info().bands.front().type, "Int16");
  EXPECT_EQ(fault->info().width, 403);
  EXPECT_EQ(fault->info().height, 344);
  ASSERT_TRUE(fault->info().place);
  EXPECT_EQ(fault->info().place->crs, "EPSG:4326");
  EXPECT_NEAR(fault->info().place->origin.x, -84.41375 + 1.0 / 2400, 1e-9);
  EXPECT_NEAR(fault->info().place->origin.y, 36.73291666666667 - 1.0 / 2400, 1e-9);
  EXPECT_NEAR(fault->info().place->step.x, 1.0 / 1200, 1e-12);
  EXPECT_NEAR(fault->info().place->step.y, -1.0 / 1200, 1e-12);
  EXPECT_EQ(fault->info().registration, "area");
  const std::vector<float> heights = stored_values<float>(*fault);
  EXPECT_EQ(heights.front(), 483);
  EXPECT_EQ(*std::max_element(heights.begin(), heights.end()), 1076);

  EXPECT_NE(error_of([&] { open(*data + "/bad/made_npz_truncated.npz"); }).find("cut off"), std::string::npos);
}

}  // namespace
}  // namespace tepui::npz_test
