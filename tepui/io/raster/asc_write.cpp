#include "tepui/io/raster/asc_write.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/place/file_place.h"
#include "tepui/io/raster/nodata.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// Blocks of rows that are turned into text side by side before they are written.
constexpr int64_t blocks_at_once = 32;

/// Six lines in the order that the simplest readers expect; the corner rather than the centre, which not all of them
/// know.
std::string header(const Frame& frame, const Layer& layer, float nodata) {
  const FilePlace place = file_place(frame);
  // Programs take a grid for whole numbers when the nodata value is one.
  const char* fraction = layer.kind == LayerKind::category ? "" : ".0";
  return fmt::format("ncols {}\nnrows {}\nxllcorner {}\nyllcorner {}\ncellsize {}\nNODATA_value {:.0f}{}\n",
                     frame.width, frame.height, place.west, place.south, place.step.x, nodata, fraction);
}

/// File rows [begin, end) as text.
std::string rows_text(const Grid<float>& grid, const Grid<float>* voids, int64_t begin, int64_t end, float nodata) {
  std::string text;
  text.reserve(static_cast<size_t>((end - begin) * grid.width()) * 9);
  const std::string nodata_text = fmt::format("{:.0f}", nodata);
  for (int64_t y = begin; y < end; ++y) {
    const int64_t row = grid.height() - 1 - y;
    for (int64_t x = 0; x < grid.width(); ++x) {
      if (x > 0) text += ' ';
      if (voids != nullptr && is_void((*voids)(x, row)))
        text += nodata_text;
      else
        fmt::format_to(std::back_inserter(text), "{}", grid(x, row));
    }
    text += '\n';
  }
  return text;
}

void write_rows(ByteSink& file, const Grid<float>& grid, const Grid<float>* voids, float nodata,
                const Context& context) {
  const int64_t rows = rows_per_chunk(grid.width()), batch = rows * blocks_at_once;
  std::vector<std::string> texts(static_cast<size_t>(blocks_at_once));
  for (int64_t y = 0; y < grid.height(); y += batch) {
    const int64_t count = std::min(batch, grid.height() - y);
    const double done = static_cast<double>(y), all = static_cast<double>(grid.height());
    parallel_chunks(count, rows, context.stage("writing", done / all, (done + static_cast<double>(count)) / all),
                    [&](int64_t begin, int64_t end) {
                      texts[static_cast<size_t>(begin / rows)] = rows_text(grid, voids, y + begin, y + end, nodata);
                    });
    for (int64_t i = 0; i * rows < count; ++i) {
      const std::string& text = texts[static_cast<size_t>(i)];
      file.write(text.data(), text.size());
    }
  }
}

}  // namespace

void check_asc(const std::string& path, const Frame& frame) {
  const Vec2 step = file_place(frame).step;
  // Readers multiply one number by the count of cells: the last sample may be off by a hundredth of a cell.
  const auto samples = static_cast<double>(std::max(frame.width, frame.height));
  if (std::abs(step.x - step.y) * samples > 0.01 * step.x)
    refuse(fmt::format("cannot write '{}': an ASCII grid needs square cells, but these are {:g} x {:g}{}", path, step.x,
                       step.y, is_geographic(frame) ? " degrees" : " m"),
           frame.geo ? "write a .tif, or 'reproject' the land to a system in metres first"
                     : "write a .tif, or make the cells square with 'resample'");
}

void write_asc(const FileTarget& to, const Terrain& terrain, const std::vector<Layer>& layers, const Context& context) {
  check_asc(to.path(), terrain.frame());
  const Layer& layer = layers.front();
  const Grid<float>* voids = voids_of(terrain, layers);
  const float nodata = nodata_of(layers, voids);
  to.write([&](ByteSink& file) {
    const std::string head = header(terrain.frame(), layer, nodata);
    file.write(head.data(), head.size());
    write_rows(file, layer.grid(), voids, nodata, context);
  });
  const std::string crs = esri_wkt(terrain.frame());
  const FileTarget system = to.beside(std::filesystem::path(to.path()).replace_extension(".prj").string());
  if (!crs.empty())
    system.write(crs + "\n");
  else
    system.remove();  // of another land that had this name
}

}  // namespace tepui
