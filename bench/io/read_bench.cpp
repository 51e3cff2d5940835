#include "tepui/io/read.h"

#include <gdal/gdal_frmts.h>
#include <gdal/gdal_priv.h>
#include <stdlib.h>
#include <unistd.h>

#include <memory>

#include "bench/bench.h"
#include "tepui/core/error.h"
#include "tepui/core/math.h"

namespace tepui {

namespace {

constexpr int side = 4096;

/// Waves in a file that plain GDAL calls wrote; gone with the object.
class WaveFile {
 public:
  explicit WaveFile(bool compressed) {
    char name[] = "/tmp/tepui-bench-XXXXXX.tif";
    const int file = mkstemps(name, 4);
    if (file < 0) fail("cannot make a file in /tmp");
    close(file);
    path_ = name;
    GDALRegister_GTiff();
    const char* options[] = {"TILED=YES", compressed ? "COMPRESS=DEFLATE" : "COMPRESS=NONE",
                             compressed ? "PREDICTOR=3" : nullptr, nullptr};
    GDALDataset* data = GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
        path_.c_str(), side, side, 1, GDT_Float32, const_cast<char**>(options));
    std::vector<float> row(side);
    for (int y = 0; y < side; ++y) {
      const double wave = math::sin(y / 190.0);
      for (int x = 0; x < side; ++x) row[static_cast<size_t>(x)] = static_cast<float>(400 + 200 * wave * (x / 4096.0));
      if (data->GetRasterBand(1)->RasterIO(GF_Write, 0, y, side, 1, row.data(), side, 1, GDT_Float32, 0, 0, nullptr) !=
          CE_None)
        fail("cannot write a bench file");
    }
    GDALClose(data);
  }
  ~WaveFile() { unlink(path_.c_str()); }
  WaveFile(const WaveFile&) = delete;
  WaveFile& operator=(const WaveFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What a program of a few lines does: open, read all of the first band.
void read_plainly(const std::string& path) {
  GDALDataset* data = GDALDataset::Open(path.c_str());
  std::vector<float> values(size_t{side} * side);
  if (data->GetRasterBand(1)->RasterIO(GF_Read, 0, 0, side, side, values.data(), side, side, GDT_Float32, 0, 0,
                                       nullptr) != CE_None)
    fail("cannot read a bench file");
  GDALClose(data);
}

bench::Row row(bool compressed) {
  const auto file = std::make_shared<WaveFile>(compressed);
  const auto land = std::make_shared<Terrain>();
  bench::Row result;
  result.fast = [file, land] {
    ReadParams params;
    params.file.path = file->path();
    *land = read(params, Context());
  };
  result.reference = [file] { read_plainly(file->path()); };
  result.hash = [land] { return land->hash(); };
  result.size = "4096x4096";
  result.items = 1.0 * side * side;
  return result;
}

}  // namespace

TEPUI_BENCH("io/read_geotiff/deflate/4096x4096") { return row(true); }
TEPUI_BENCH("io/read_geotiff/plain/4096x4096") { return row(false); }

}  // namespace tepui
