#include "tepui/io/raster/raw_write.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "tepui/core/parallel.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/place/file_place.h"
#include "tepui/io/raster/nodata.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

static_assert(std::endian::native == std::endian::little, "samples are written as they lie in memory");

constexpr int64_t strip_cells = 1 << 21;

/// What the header says of the samples.
struct Samples {
  int type = 4;  ///< ENVI's number: 4 float32, 12 uint16
  std::optional<Encoding> encoding{};
  std::optional<float> nodata{};
};

/// A name inside a header's braces.
std::string listed(std::string name) {
  for (char& c : name)
    if (c == '{' || c == '}' || c == ',' || c == '\n') c = '_';
  return name;
}

std::string envi_header(const Frame& frame, const Layer& layer, const Samples& samples) {
  const FilePlace place = file_place(frame);
  const bool degrees = is_geographic(frame);
  const std::string crs = esri_wkt(frame);
  std::string text = fmt::format(
      "ENVI\nsamples = {}\nlines = {}\nbands = 1\nheader offset = 0\nfile type = ENVI Standard\ndata type = {}\n"
      "interleave = bsq\nbyte order = 0\nband names = {{{}}}\n"
      "map info = {{{}, 1, 1, {}, {}, {}, {}, units={}}}\n",
      frame.width, frame.height, samples.type, listed(layer.name), degrees ? "Geographic Lat/Lon" : "Arbitrary",
      place.west, place.north, place.step.x, place.step.y, degrees ? "Degrees" : "Meters");
  if (!crs.empty()) text += fmt::format("coordinate system string = {{{}}}\n", crs);
  if (samples.encoding)
    text += fmt::format("data gain values = {{{}}}\ndata offset values = {{{}}}\n", samples.encoding->scale,
                        samples.encoding->offset);
  if (samples.nodata) text += fmt::format("data ignore value = {}\n", *samples.nodata);
  return text;
}

/// Both files are complete before either takes its name, and the old header goes before its samples do.
void write_pair(const FileTarget& to, const std::string& header, const std::function<void(ByteSink&)>& write_samples) {
  const FileTarget beside = to.beside(to.path() + ".hdr");
  beside.write([&](ByteSink& file) {
    file.write(header.data(), header.size());
    file.flush();
    to.write([&](ByteSink& samples) {
      write_samples(samples);
      samples.flush();
      beside.remove();
    });
  });
}

/// Calls make(row, to) for every row of the land, side by side within a strip, and writes the strips from the north.
template <class T>
void write_strips(ByteSink& file, int64_t width, int64_t height, const Context& context,
                  const std::function<void(int64_t row, T* to)>& make) {
  const int64_t strip = std::clamp<int64_t>(strip_cells / width, 1, height);
  std::vector<T> cells(static_cast<size_t>(strip * width));
  for (int64_t y = 0; y < height; y += strip) {
    const int64_t count = std::min(strip, height - y);
    const double done = static_cast<double>(y), all = static_cast<double>(height);
    parallel_chunks(count, rows_per_chunk(width),
                    context.stage("writing", done / all, (done + static_cast<double>(count)) / all),
                    [&](int64_t begin, int64_t end) {
                      for (int64_t i = begin; i < end; ++i) make(height - 1 - (y + i), cells.data() + i * width);
                    });
    file.write(cells.data(), static_cast<size_t>(count * width) * sizeof(T));
  }
}

}  // namespace

int64_t write_r16(const FileTarget& to, const Terrain& terrain, const Layer& layer, const Encoding& encoding,
                  const Context& context) {
  const Grid<float>& grid = layer.grid();
  std::vector<int64_t> outside(static_cast<size_t>(grid.height()), 0);
  write_pair(to, envi_header(terrain.frame(), layer, {12, encoding, {}}), [&](ByteSink& file) {
    write_strips<uint16_t>(file, grid.width(), grid.height(), context, [&](int64_t row, uint16_t* cells) {
      outside[static_cast<size_t>(row)] = encode_cells(grid.row(row), grid.width(), encoding, cells);
    });
  });
  int64_t sum = 0;
  for (const int64_t count : outside) sum += count;
  return sum;
}

void write_r32(const FileTarget& to, const Terrain& terrain, const std::vector<Layer>& layers, const Context& context) {
  const Grid<float>& grid = layers.front().grid();
  const Grid<float>* voids = voids_of(terrain, layers);
  Samples samples;
  if (voids != nullptr) samples.nodata = nodata_of(layers, voids);
  write_pair(to, envi_header(terrain.frame(), layers.front(), samples), [&](ByteSink& file) {
    write_strips<float>(file, grid.width(), grid.height(), context, [&](int64_t row, float* cells) {
      copy_row(grid, voids, row, samples.nodata.value_or(0), cells);
    });
  });
}

}  // namespace tepui
