#include "tepui/io/raster/npy.h"

#include <Imath/half.h>

#include <cmath>
#include <limits>

#include "tests/io/files.h"
#include "tests/io/npy_bytes.h"
#include "tests/io/raster_files.h"
#include "tests/support/support.h"

namespace tepui::npy_test {
namespace {

using test::bytes_of;
using test::error_of;
using test::npy_dict;
using test::npy_with_dict;
using test::put_bytes;
using test::sample_land;
using test::stored_values;
using test::TemporaryFolder;

std::unique_ptr<Raster> open(const std::string& path) { return open_npy(path, {}); }

std::string refusal(const std::string& bytes) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.npy", bytes);
  return error_of([&] { open(folder / "a.npy"); });
}

Layer layer_of(const std::string& name, LayerKind kind, Grid<float> grid) {
  return make_layer(name, "", kind, std::move(grid));
}

RC_GTEST_PROP(Npy, GivesBackWhatWasWritten, ()) {
  const int64_t width = *rc::gen::inRange<int64_t>(2, 40), height = *rc::gen::inRange<int64_t>(1, 40);
  const size_t count = *rc::gen::inRange<size_t>(1, 4);
  const TemporaryFolder folder;
  const Terrain land = sample_land(width, height, *rc::gen::arbitrary<uint64_t>());
  std::vector<Layer> layers;
  for (size_t i = 0; i < count; ++i)
    layers.push_back(
        layer_of(std::string(i + 1, 'a'), LayerKind::continuous, sample_land(width, height, i).height().clone()));
  RC_ASSERT(write_npy(folder / "a.npy", land, layers, Context()) == 32);
  const auto raster = open(folder / "a.npy");
  RC_ASSERT(raster->info().format == "NPY");
  RC_ASSERT(raster->info().width == width);
  RC_ASSERT(raster->info().height == height);
  RC_ASSERT(raster->info().bands.size() == count);
  RC_ASSERT(!raster->info().place);
  for (size_t i = 0; i < count; ++i) {
    RC_ASSERT(raster->info().bands[i].type == "Float32");
    const int64_t rows = *rc::gen::inRange<int64_t>(1, 50);
    RC_ASSERT(stored_values<float>(*raster, static_cast<int>(i), rows) == test::north_first(layers[i].grid()));
  }
}

TEST(Npy, OneSampleIsEnough) {
  const TemporaryFolder folder;
  const Terrain land = sample_land(1, 1, 3);
  write_npy(folder / "a.npy", land, land.layers(), Context());
  EXPECT_EQ(stored_values<float>(*open(folder / "a.npy")).front(), land.height()(0, 0));
}

/// Writes an array of the type by hand, in either byte order, by rows or by columns, in every version, and reads it.
template <class S>
void expect_read(const std::string& code, const std::string& type) {
  const TemporaryFolder folder;
  const int64_t bands = *rc::gen::inRange<int64_t>(1, 4), height = *rc::gen::inRange<int64_t>(1, 9),
                width = *rc::gen::inRange<int64_t>(2, 9);
  const bool big = *rc::gen::arbitrary<bool>(), fortran = *rc::gen::arbitrary<bool>();
  const uint64_t seed = *rc::gen::arbitrary<uint64_t>();
  const auto value = [&](int64_t b, int64_t y, int64_t x) {
    const uint64_t bits = Stream(seed).bits(static_cast<uint64_t>((b * height + y) * width + x));
    if constexpr (std::is_floating_point_v<S>) return static_cast<S>(static_cast<double>(bits % 100000) / 16);
    return static_cast<S>(bits);
  };
  std::string data;
  if (fortran) {
    for (int64_t x = 0; x < width; ++x)
      for (int64_t y = 0; y < height; ++y)
        for (int64_t b = 0; b < bands; ++b) data += test::stored(value(b, y, x), big);
  } else {
    for (int64_t b = 0; b < bands; ++b)
      for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < width; ++x) data += test::stored(value(b, y, x), big);
  }
  const std::string shape =
      "(" + std::to_string(bands) + ", " + std::to_string(height) + ", " + std::to_string(width) + ")";
  const std::string order = sizeof(S) == 1 ? "|" : big ? ">" : "<";
  put_bytes(folder / "a.npy", npy_with_dict(npy_dict(order + code, shape, fortran), data, *rc::gen::inRange(1, 4)));
  const auto raster = open(folder / "a.npy");
  RC_ASSERT(raster->info().bands.size() == static_cast<size_t>(bands));
  // Bands and rows in any order.
  for (int64_t b = bands - 1; b >= 0; --b) {
    RC_ASSERT(raster->info().bands[static_cast<size_t>(b)].type == type);
    const std::vector<double> doubles = stored_values<double>(*raster, static_cast<int>(b));
    const std::vector<float> floats = stored_values<float>(*raster, static_cast<int>(b), 2);
    for (int64_t i = 0; i < width * height; ++i) {
      const S expected = value(b, i / width, i % width);
      RC_ASSERT(doubles[static_cast<size_t>(i)] == static_cast<double>(expected));
      RC_ASSERT(floats[static_cast<size_t>(i)] == static_cast<float>(static_cast<double>(expected)));
    }
  }
}

RC_GTEST_PROP(Npy, ReadsEveryTypeAndOrder, ()) {
  expect_read<int8_t>("i1", "Int8");
  expect_read<uint8_t>("u1", "Byte");
  expect_read<int16_t>("i2", "Int16");
  expect_read<uint16_t>("u2", "UInt16");
  expect_read<int32_t>("i4", "Int32");
  expect_read<uint32_t>("u4", "UInt32");
  expect_read<int64_t>("i8", "Int64");
  expect_read<uint64_t>("u8", "UInt64");
  expect_read<float>("f4", "Float32");
  expect_read<double>("f8", "Float64");
}

TEST(Npy, ReadsEveryHalfNumber) {
  const TemporaryFolder folder;
  std::vector<uint16_t> all(65536);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint16_t>(i);
  put_bytes(folder / "a.npy", npy_with_dict(npy_dict("<f2", "(256, 256)"), test::stored_all(all)));
  const auto raster = open(folder / "a.npy");
  EXPECT_EQ(raster->info().bands.front().type, "Float16");
  const std::vector<float> values = stored_values<float>(*raster);
  for (size_t i = 0; i < all.size(); ++i) {
    Imath::half half;
    half.setBits(all[i]);
    if (half.isNan())
      EXPECT_TRUE(std::isnan(values[i]));
    else
      EXPECT_EQ(values[i], static_cast<float>(half));
  }
}

TEST(Npy, TruthIsOneAndWhatIsTooLargeIsInfinite) {
  const TemporaryFolder folder;
  put_bytes(folder / "a.npy", npy_with_dict(npy_dict("|b1", "(1, 3)"), std::string("\0\1\7", 3)));
  EXPECT_EQ(stored_values(*open(folder / "a.npy")), (std::vector<double>{0, 1, 1}));
  put_bytes(folder / "a.npy",
            npy_with_dict(npy_dict("<f8", "(1, 3)"), test::stored_all(std::vector<double>{1e300, -1e39, 1e-300})));
  const float endless = std::numeric_limits<float>::infinity();
  EXPECT_EQ(stored_values<float>(*open(folder / "a.npy")), (std::vector<float>{endless, -endless, 0}));
  EXPECT_EQ(stored_values<double>(*open(folder / "a.npy")), (std::vector<double>{1e300, -1e39, 1e-300}));
}

TEST(Npy, SqueezesSingleDimensions) {
  const TemporaryFolder folder;
  for (const char* shape : {"(2, 3)", "(1, 2, 3)", "(2, 3, 1)", "( 2L,3L )"})
    for (const bool fortran : {false, true}) {
      put_bytes(folder / "a.npy", npy_with_dict(npy_dict("|u1", shape, fortran), "abcdef"));
      const auto raster = open(folder / "a.npy");
      EXPECT_EQ(raster->info().width, 3);
      EXPECT_EQ(raster->info().height, 2);
      EXPECT_EQ(raster->info().bands.size(), 1u);
      const std::string expected = fortran ? "acebdf" : "abcdef";
      EXPECT_EQ(stored_values(*raster), std::vector<double>(expected.begin(), expected.end())) << shape;
    }
}

TEST(Npy, RefusesOtherShapesAndSaysWhichWouldDo) {
  const std::string data(4096, 'x');
  for (const char* shape : {"()", "(12,)", "(2, 3, 4, 5)", "(20, 30, 3)", "(2000, 1, 2)"}) {
    const std::string text = refusal(npy_with_dict(npy_dict("|u1", shape), data));
    EXPECT_NE(text.find(shape), std::string::npos) << text;
    EXPECT_NE(text.find("(height, width)"), std::string::npos) << text;
  }
  for (const char* shape : {"(0, 5)", "(5, 0)", "(0, 0)", "(0, 2, 2)"})
    EXPECT_NE(refusal(npy_with_dict(npy_dict("|u1", shape), data)).find("no samples"), std::string::npos) << shape;
}

TEST(Npy, RefusesWhatIsNotNumbersByName) {
  const std::pair<const char*, const char*> kinds[] = {
      {"'|O'", "Python objects"}, {"[('x', '<f4'), ('y', '<f4')]", "records"},
      {"'|V8'", "records"},       {"'<c8'", "complex"},
      {"'<c16'", "complex"},      {"'|S3'", "text"},
      {"'<U3'", "text"},          {"'<M8[s]'", "dates"},
      {"'<f16'", "'<f16'"},       {"'|i4'", "type '|i4'"},
      {"''", "type ''"}};
  for (const auto& [type, word] : kinds) {
    const std::string text = refusal(npy_with_dict(
        std::string("{'descr': ") + type + ", 'fortran_order': False, 'shape': (2, 2), }\n", std::string(64, 'x')));
    EXPECT_NE(text.find(word), std::string::npos) << text;
  }
}

TEST(Npy, RefusesUnsoundHeaders) {
  const char* dicts[] = {"",
                         "{",
                         "{}",
                         "[]",
                         "{'descr': '|u1', 'fortran_order': False}",
                         "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2)",
                         "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2)} x",
                         "{'descr': '|u1', 'fortran_order': Falsch, 'shape': (2, 2)}",
                         "{'descr': '|u1', 'fortran_order': False, 'shape': (4)}",
                         "{'descr': '|u1', 'fortran_order': False, 'shape': (2, -2)}",
                         "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2.0)}",
                         "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 99999999999999999999)}",
                         "{'descr': '|u1', 'fortran_order': False, 'shape': [2, 2]}",
                         "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (2, 2)}",
                         "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), 'more': 1}",
                         "{'descr': '|u\\x31', 'fortran_order': False, 'shape': (2, 2)}",
                         "{'descr': [[[[(((, 'fortran_order': False, 'shape': (2, 2)}",
                         "{'descr': '|u1, 'fortran_order': False, 'shape': (2, 2)}"};
  for (const char* dict : dicts)
    EXPECT_NE(refusal(npy_with_dict(dict, "abcd")).find("header is damaged"), std::string::npos) << dict;
  EXPECT_NE(refusal(npy_with_dict(npy_dict("|u1", "(2, 2)"), "abcd", 4)).find("version 4.0"), std::string::npos);
  EXPECT_NE(refusal("GIF89a............").find("not an NPY"), std::string::npos);
  std::string many = "(";
  for (int i = 0; i < 40; ++i) many += "1, ";
  EXPECT_NE(refusal(npy_with_dict(npy_dict("|u1", many + ")"), "a")).find("damaged"), std::string::npos);
  std::string deep(60000, '[');
  EXPECT_NE(refusal(npy_with_dict("{'descr': " + deep, "")).find("damaged"), std::string::npos);
}

TEST(Npy, AllocatesNothingThatTheFileCannotHold) {
  for (const char* shape : {"(1000000000, 1000000000)", "(3, 9223372036854775807, 9223372036854775807)",
                            "(9223372036854775807, 1)", "(1000, 4611686018427387904, 40)"}) {
    const std::string text = refusal(npy_with_dict(npy_dict("<f8", shape), "12345678"));
    EXPECT_NE(text.find("it holds 8"), std::string::npos) << text;
  }
  std::string lie = npy_with_dict(npy_dict("|u1", "(2, 2)"), "abcd", 2);
  for (int i = 8; i < 12; ++i) lie[static_cast<size_t>(i)] = '\x7f';
  EXPECT_NE(refusal(lie).find("ends inside its NPY header"), std::string::npos);
}

TEST(Npy, EveryTruncatedPrefixIsRefused) {
  const TemporaryFolder folder;
  for (const int version : {1, 3})
    for (const bool fortran : {false, true})
      test::expect_prefixes_refused(
          open, folder / "a.npy", npy_with_dict(npy_dict(">f4", "(3, 2, 4)", fortran), std::string(96, 'x'), version));
}

TEST(Npy, DamagedBytesAreReadOrRefused) {
  const TemporaryFolder folder;
  const std::string bytes = npy_with_dict(npy_dict("<i2", "(3, 4)"), std::string(24, 'x'));
  EXPECT_GT(test::damage(open, folder / "a.npy", bytes, 5, 2000), 500);
}

TEST(Npy, SaysThatOnlyTheFirstArrayIsRead) {
  const TemporaryFolder folder;
  const std::string array = npy_with_dict(npy_dict("|u1", "(2, 2)"), "abcd");
  put_bytes(folder / "a.npy", array + array);
  const auto raster = open(folder / "a.npy");
  ASSERT_EQ(raster->info().assumed.size(), 1u);
  EXPECT_NE(raster->info().assumed.front().find("only that one is read"), std::string::npos);
  EXPECT_EQ(stored_values(*raster), (std::vector<double>{'a', 'b', 'c', 'd'}));
  EXPECT_NE(error_of([&] { open_npy(folder / "a.npy", {.layer = "z"}); }).find("one array"), std::string::npos);
}

TEST(Npy, VoidsAreNaN) {
  const TemporaryFolder folder;
  Terrain land = sample_land(4, 3, 1);
  Grid<float> voids(4, 3, 0);
  voids(1, 2) = 1;
  land = land.with(layer_of("void", LayerKind::mask, std::move(voids)));
  write_npy(folder / "a.npy", land, {land.layer("height")}, Context());
  const std::vector<float> values = stored_values<float>(*open(folder / "a.npy"));
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(std::isnan(values[i]), i == 1);
  EXPECT_EQ(write_npy(folder / "v.npy", land, {land.layer("void")}, Context()), 8);
  EXPECT_EQ(stored_values(*open(folder / "v.npy"))[1], 1);
}

TEST(Npy, ClassesAreBytesWhereThatLosesNothing) {
  const TemporaryFolder folder;
  const Terrain land = sample_land(2, 1, 1);
  const auto bits = [&](LayerKind kind, float a, float b) {
    Grid<float> grid(2, 1, a);
    grid(1, 0) = b;
    const Layer layer = layer_of("c", kind, std::move(grid));
    const int written = write_npy(folder / "a.npy", land, {layer}, Context());
    EXPECT_EQ(stored_values(*open(folder / "a.npy")), (std::vector<double>{double(a), double(b)}));
    return written;
  };
  EXPECT_EQ(bits(LayerKind::category, 0, 255), 8);
  EXPECT_EQ(bits(LayerKind::category, 0, 256), 32);
  EXPECT_EQ(bits(LayerKind::mask, 0, 1), 8);
  EXPECT_EQ(bits(LayerKind::mask, 0, 0.5), 32);
  EXPECT_EQ(bits(LayerKind::continuous, 0, 1), 32);
}

TEST(Npy, NumpyReadsWhatIsWritten) {
  const TemporaryFolder folder;
  const Terrain land = sample_land(7, 5, 9);
  Grid<float> classes(7, 5);
  for (int64_t i = 0; i < classes.size(); ++i) classes.data()[i] = static_cast<float>(i % 6);
  const Layer rock = layer_of("rock", LayerKind::category, std::move(classes));
  write_npy(folder / "one.npy", land, {land.layer("height")}, Context());
  write_npy(folder / "two.npy", land, {land.layer("height"), rock}, Context());
  write_npy(folder / "rock.npy", land, {rock}, Context());
  const auto raw = [](const Grid<float>& grid) { return test::stored_all(test::north_first(grid)); };
  put_bytes(folder / "height.raw", raw(land.height()));
  put_bytes(folder / "rock.raw", raw(rock.grid()));
  const test::Answer answer = test::run_python(folder.path(), R"(
height = np.fromfile('height.raw', '<f4').reshape(5, 7)
rock = np.fromfile('rock.raw', '<f4').reshape(5, 7)
one, two, classes = np.load('one.npy'), np.load('two.npy'), np.load('rock.npy')
assert one.dtype == np.float32 and one.shape == (5, 7) and (one == height).all() and one.flags.c_contiguous
assert two.dtype == np.float32 and two.shape == (2, 5, 7) and (two[0] == height).all() and (two[1] == rock).all()
assert classes.dtype == np.uint8 and (classes == rock).all()
np.save('same.npy', one)
assert open('one.npy', 'rb').read() == open('same.npy', 'rb').read()
print('sound')
)");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.text, "sound\n");
}

TEST(Npy, ReadsWhatNumpyWrites) {
  const TemporaryFolder folder;
  const test::Answer answer = test::run_python(folder.path(), R"(
ramp = np.arange(35).reshape(5, 7)
for type in ['i1', 'u1', '<i2', '>i2', '<u2', '>u2', '<i4', '>i4', '<u4', '<i8', '>u8', '<f2', '>f2', '<f4', '>f8']:
    a = ramp.astype(type)
    name = type.replace('<', 'l').replace('>', 'b')
    np.save(name + '_c.npy', a)
    np.save(name + '_f.npy', np.asfortranarray(a))
    np.savez(name + '_c.npz', z=a)
    np.savez_compressed(name + '_f.npz', z=np.asfortranarray(a))
np.save('z_big_header.npy', np.zeros((2, 2), dtype=[('n%04d' % i, '<f4') for i in range(5000)]))
)");
  ASSERT_EQ(answer.code, 0) << answer.text;
  std::vector<double> ramp(35);
  for (size_t i = 0; i < ramp.size(); ++i) ramp[i] = static_cast<double>(i);
  int files = 0;
  for (const std::string& name : test::names_in(folder.path())) {
    if (name == "script.py") continue;
    SCOPED_TRACE(name);
    if (name == "z_big_header.npy") {
      EXPECT_NE(error_of([&] { open(folder / name); }).find("header"), std::string::npos);
      continue;
    }
    ++files;
    const auto raster = open(folder / name);
    EXPECT_EQ(raster->info().width, 7);
    EXPECT_EQ(raster->info().height, 5);
    EXPECT_EQ(stored_values(*raster), ramp);
  }
  EXPECT_EQ(files, 60);
}

TEST(Npy, ACancelledOrFailedWriteLeavesNothing) {
  const TemporaryFolder folder;
  const Terrain land = sample_land(30, 30, 1);
  const CancelFlag stop{true};
  EXPECT_THROW(write_npy(folder / "a.npy", land, land.layers(), Context(nullptr, &stop)), Error);
  EXPECT_TRUE(test::names_in(folder.path()).empty());
  EXPECT_NE(error_of([&] { write_npy(folder / "no/a.npy", land, land.layers(), Context()); }).find("no/a.npy"),
            std::string::npos);
}

}  // namespace
}  // namespace tepui::npy_test
