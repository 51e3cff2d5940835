#include "tepui/io/raster/vti.h"

#include <cstdlib>
#include <cstring>

#include "tepui/core/error.h"
#include "tepui/core/random.h"
#include "tests/io/files.h"
#include "tests/support/support.h"

namespace tepui::vti_test {
namespace {

using test::bytes_of;
using test::TemporaryFolder;

/// A number that tells its place.
float number_at(int64_t x, int64_t y, int64_t z) { return static_cast<float>(x + 100 * y + 10000 * z) + 0.25f; }

VolumeSamples samples_of(int64_t nx, int64_t ny, int64_t nz) {
  VolumeSamples s;
  s.name = "field";
  s.origin = {500000.5, -20, 100};
  s.spacing = {2, 2.5, 0.1};
  s.nx = nx, s.ny = ny, s.nz = nz;
  s.slab = [nx](int64_t z, std::span<float> out) {
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = number_at(static_cast<int64_t>(i) % nx, static_cast<int64_t>(i) / nx, z);
  };
  return s;
}

/// The value of an attribute of the first element of this name.
std::string attribute(const std::string& text, const std::string& element, const std::string& name) {
  const size_t at = text.find("<" + element + " ");
  const std::string tag = text.substr(at, text.find('>', at) - at);
  const size_t from = tag.find(" " + name + "=\"") + name.size() + 3;
  return tag.substr(from, tag.find('"', from) - from);
}

TEST(Vti, HeaderIsAsTheFormatTells) {
  const TemporaryFolder folder;
  write_vti(folder / "a.vti", samples_of(3, 2, 4), Context());
  const std::string bytes = bytes_of(folder / "a.vti");
  const std::string wanted =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "  <ImageData WholeExtent=\"0 2 0 1 0 3\" Origin=\"500000.5 -20 100\" Spacing=\"2 2.5 0.1\">\n"
      "    <Piece Extent=\"0 2 0 1 0 3\">\n"
      "      <PointData Scalars=\"field\">\n"
      "        <DataArray type=\"Float32\" Name=\"field\" format=\"appended\" offset=\"0\"/>\n"
      "      </PointData>\n"
      "    </Piece>\n"
      "  </ImageData>\n"
      "  <AppendedData encoding=\"raw\">\n"
      "   _";
  EXPECT_EQ(bytes.substr(0, wanted.size()), wanted);
  EXPECT_EQ(bytes.substr(wanted.size(), 8), std::string("\x60\0\0\0\0\0\0\0", 8));  // 3 * 2 * 4 floats
  EXPECT_EQ(bytes.substr(wanted.size() + 8 + 96), "\n  </AppendedData>\n</VTKFile>\n");
}

RC_GTEST_PROP(Vti, GivesBackWhatWasWritten, ()) {
  const TemporaryFolder folder;
  const int64_t nx = *rc::gen::inRange(1, 9), ny = *rc::gen::inRange(1, 9), nz = *rc::gen::inRange(1, 9);
  write_vti(folder / "a.vti", samples_of(nx, ny, nz), Context());
  const std::string bytes = bytes_of(folder / "a.vti");
  RC_ASSERT(attribute(bytes, "Piece", "Extent") ==
            "0 " + std::to_string(nx - 1) + " 0 " + std::to_string(ny - 1) + " 0 " + std::to_string(nz - 1));
  RC_ASSERT(attribute(bytes, "Piece", "Extent") == attribute(bytes, "ImageData", "WholeExtent"));
  const size_t data = bytes.find('_', bytes.find("<AppendedData")) + 1;
  uint64_t length = 0;
  std::memcpy(&length, bytes.data() + data, sizeof length);
  RC_ASSERT(length == static_cast<uint64_t>(nx * ny * nz * 4));
  for (int64_t z = 0, i = 0; z < nz; ++z)
    for (int64_t y = 0; y < ny; ++y)
      for (int64_t x = 0; x < nx; ++x, ++i) {
        float value = 0;
        std::memcpy(&value, bytes.data() + data + 8 + 4 * i, sizeof value);
        RC_ASSERT(value == number_at(x, y, z));
      }
}

TEST(Vti, NamesAreEscaped) {
  const TemporaryFolder folder;
  VolumeSamples s = samples_of(1, 1, 1);
  s.name = "a<b>&\"c\"";
  write_vti(folder / "a.vti", s, Context());
  EXPECT_NE(bytes_of(folder / "a.vti").find("Name=\"a&lt;b>&amp;&quot;c&quot;\""), std::string::npos);
}

TEST(NpyVolume, NumpyFindsEveryPointAtItsIndex) {
  const TemporaryFolder folder;
  write_npy_volume(folder / "a.npy", samples_of(5, 3, 4), Context());
  const std::string script =
      "/usr/bin/python3 -c \"import numpy, sys; a = numpy.load(sys.argv[1]); "
      "assert a.dtype == numpy.float32 and a.shape == (4, 3, 5), a.shape; "
      "assert all(a[z, y, x] == x + 100 * y + 10000 * z + 0.25 "
      "for z in range(4) for y in range(3) for x in range(5))\" '" +
      (folder / "a.npy") + "'";
  EXPECT_EQ(std::system(script.c_str()), 0);
}

TEST(Vti, WhatCannotBeWrittenIsRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::function<void(VolumeSamples&)>& spoil) {
    VolumeSamples s = samples_of(2, 2, 2);
    spoil(s);
    const std::string a = test::error_of([&] { write_vti(folder / "a.vti", s, Context()); });
    test::error_of([&] { write_npy_volume(folder / "a.npy", s, Context()); });
    return a;
  };
  EXPECT_NE(refused([](VolumeSamples& s) { s.nz = 0; }).find("no points"), std::string::npos);
  EXPECT_NE(refused([](VolumeSamples& s) { s.nx = s.ny = s.nz = 1 << 30; }).find("more than"), std::string::npos);
  EXPECT_NE(refused([](VolumeSamples& s) { s.spacing.y = NAN; }).find("finite"), std::string::npos);
  const CancelFlag stop = true;
  EXPECT_THROW(write_vti(folder / "a.vti", samples_of(2, 2, 2), Context(nullptr, &stop)), Error);
  EXPECT_TRUE(test::names_in(folder.path()).empty());
}

}  // namespace
}  // namespace tepui::vti_test
