#include <gdal_priv.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "bench/bench.h"
#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/io/export.h"
#include "tepui/io/read.h"
#include "tepui/terrain/fill_voids.h"

namespace tepui {
namespace {

constexpr int64_t bench_side = 2048, large_side = 4096;

/// Smooth hills with a grain of a few centimetres: compresses like a real land.
Terrain hills(int64_t side = bench_side) {
  Frame frame = make_world({side - 1.0, side - 1.0}, side);
  const Stream stream(1);
  Grid<float> z(side, side);
  for (int64_t y = 0; y < side; ++y)
    for (int64_t x = 0; x < side; ++x) {
      const double u = static_cast<double>(x % 512) / 512 - 0.5, v = static_cast<double>(y % 512) / 512 - 0.5;
      const double grain = stream.uniform(static_cast<uint64_t>(y * side + x));
      z(x, y) = static_cast<float>(400 + 900 * (0.25 - u * u) * (0.25 - v * v) + 0.05 * grain);
    }
  return Terrain(frame, {400, 460}, std::move(z));
}

/// A folder of this process, in memory where possible: the row times the writer, not the disk.
struct Folder {
  std::filesystem::path path;
  Folder() {
    const std::filesystem::path memory = "/dev/shm";
    path = (access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::temp_directory_path()) /
           ("tepui-bench-" + std::to_string(getpid()));
    std::filesystem::create_directories(path);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

bench::Row write_row(const std::string& name) {
  struct State {
    Folder folder;
    Terrain land = hills();
    Hash hash;
  };
  auto state = std::make_shared<State>();
  const std::string path = (state->folder.path / name).string();
  bench::Row row;
  row.fast = [state, path] { state->hash = export_terrain(state->land, {.path = path}, Context()).hash; };
  row.hash = [state] { return state->hash; };
  row.size = "2048x2048";
  row.items = static_cast<double>(bench_side * bench_side);
  return row;
}

bench::Row read_row(const std::string& name) {
  struct State {
    Folder folder;
    Terrain land;
  };
  auto state = std::make_shared<State>();
  ReadParams params;
  params.file.path = (state->folder.path / name).string();
  params.cell = metres(1);
  params.scale = 1;
  export_terrain(hills(), {.path = params.file.path}, Context());
  bench::Row row;
  row.fast = [state, params] { state->land = read(params, Context()); };
  row.hash = [state] { return state->land.hash(); };
  row.size = "2048x2048";
  row.items = static_cast<double>(bench_side * bench_side);
  return row;
}

/// What anyone would write with GDAL: rows from the north, the same options, all in one call.
void write_with_gdal(const std::string& path, const Terrain& land) {
  GDALAllRegister();
  const int n = static_cast<int>(land.frame().width);
  const std::string threads = "NUM_THREADS=" + std::to_string(thread_count());
  const char* options[] = {"COMPRESS=DEFLATE", "PREDICTOR=3",     "ZLEVEL=4",      "TILED=YES",
                           "BIGTIFF=IF_SAFER", "INTERLEAVE=BAND", threads.c_str(), nullptr};
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  GDALDataset* file = driver->Create(path.c_str(), n, n, 1, GDT_Float32, const_cast<char**>(options));
  const float* north = land.height().row(n - 1);
  if (file->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, n, n, const_cast<float*>(north), n, n, GDT_Float32, 4,
                                       -GSpacing{4} * n, nullptr) != CE_None)
    fail("GDAL cannot write " + path);
  GDALClose(file);
}

/// Ours beside plain calls of GDAL with the same options and threads.
bench::Row beside_gdal(OutputParams options, bool compared) {
  struct State {
    Folder folder;
    Terrain land = hills(large_side);
    Hash hash;
  };
  auto state = std::make_shared<State>();
  const std::string path = (state->folder.path / "ours.tif").string();
  bench::Row row;
  row.fast = [=] { state->hash = export_terrain(state->land, {.path = path, .options = options}, Context()).hash; };
  if (compared)
    row.reference = [=] {
      with_threads(0, [&] { write_with_gdal((state->folder.path / "plain.tif").string(), state->land); });
    };
  row.hash = [state] { return state->hash; };
  row.size = "4096x4096";
  row.items = static_cast<double>(large_side * large_side);
  return row;
}

TEPUI_BENCH("io/write_tif/4096x4096") { return beside_gdal({}, true); }
TEPUI_BENCH("io/write_cog/4096x4096") { return beside_gdal({.cog = true}, false); }
TEPUI_BENCH("io/write_r16/2048x2048") { return write_row("land.r16"); }
TEPUI_BENCH("io/write_r32/2048x2048") { return write_row("land.r32"); }
TEPUI_BENCH("io/write_asc/2048x2048") { return write_row("land.asc"); }
TEPUI_BENCH("io/write_tif/2048x2048") { return write_row("land.tif"); }
TEPUI_BENCH("io/write_png16/2048x2048") { return write_row("land.png"); }
TEPUI_BENCH("io/write_glb/2048x2048") { return write_row("land.glb"); }
TEPUI_BENCH("io/read_tif/2048x2048") { return read_row("land.tif"); }
TEPUI_BENCH("io/read_png16/2048x2048") { return read_row("land.png"); }

TEPUI_BENCH("io/fill_voids/2048x2048") {
  struct State {
    Terrain land = hills();
    Grid<float> voids{bench_side, bench_side, 0.0f}, filled;
  };
  auto state = std::make_shared<State>();
  for (int64_t y = 300; y < 900; ++y)
    for (int64_t x = 500; x < 1300; ++x) state->voids(x, y) = 1;
  bench::Row row;
  row.fast = [state] {
    state->filled = state->land.height().clone();
    fill_voids(state->filled, state->voids, Context());
  };
  row.hash = [state] { return hash_large(state->filled.data(), state->filled.bytes()); };
  row.size = "2048x2048";
  row.items = static_cast<double>(bench_side * bench_side);
  return row;
}

}  // namespace
}  // namespace tepui
