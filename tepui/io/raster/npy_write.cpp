#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/raster/nodata.h"
#include "tepui/io/raster/npy.h"
#include "tepui/io/raster/npy_header.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr int64_t written_bytes = 1 << 20;

bool fits_bytes(const std::vector<Layer>& layers) {
  if (layers.size() != 1 || layers.front().kind == LayerKind::continuous) return false;
  return std::ranges::all_of(layers.front().grid().cells(),
                             [](float v) { return v >= 0 && v <= 255 && v == std::floor(v); });
}

std::string header_text(const Frame& frame, size_t layers, bool bytes) {
  const char* type = bytes ? "|u1" : std::endian::native == std::endian::little ? "<f4" : ">f4";
  std::vector<int64_t> shape{frame.height, frame.width};
  if (layers > 1) shape.insert(shape.begin(), static_cast<int64_t>(layers));
  return npy_header_text(type, shape);
}

template <class T>
void write_layer(ByteSink& file, const Grid<float>& grid, const Grid<float>* voids, const Context& context) {
  const int64_t width = grid.width(), height = grid.height();
  const int64_t strip = std::clamp<int64_t>(written_bytes / (width * static_cast<int64_t>(sizeof(T))), 1, height);
  std::vector<T> rows(static_cast<size_t>(strip * width));
  for (int64_t y = 0; y < height; y += strip) {
    context.check();
    context.progress(static_cast<double>(y) / static_cast<double>(height));
    const int64_t count = std::min(strip, height - y);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t row = height - 1 - (y + i);
      const float* from = grid.row(row);
      T* to = rows.data() + i * width;
      for (int64_t x = 0; x < width; ++x) to[x] = static_cast<T>(from[x]);
      if (voids == nullptr) continue;
      for (int64_t x = 0; x < width; ++x)
        if (is_void((*voids)(x, row))) to[x] = std::numeric_limits<T>::quiet_NaN();
    }
    file.write(rows.data(), static_cast<size_t>(count * width) * sizeof(T));
  }
}

}  // namespace

int write_npy(const FileTarget& to, const Terrain& terrain, const std::vector<Layer>& layers, const Context& context) {
  const Frame& frame = terrain.frame();
  if (layers.empty() || frame.width < 1 || frame.height < 1)
    refuse(fmt::format("cannot write '{}': there is nothing to write", to.path()));
  const Grid<float>* voids = voids_of(terrain, layers);
  const bool bytes = voids == nullptr && fits_bytes(layers);
  to.write([&](ByteSink& file) {
    const std::string header = header_text(frame, layers.size(), bytes);
    file.write(header.data(), header.size());
    const double share = 1.0 / static_cast<double>(layers.size());
    for (size_t i = 0; i < layers.size(); ++i) {
      const Context part = context.stage("writing", static_cast<double>(i) * share, static_cast<double>(i + 1) * share);
      if (bytes)
        write_layer<uint8_t>(file, layers[i].grid(), nullptr, part);
      else
        write_layer<float>(file, layers[i].grid(), voids, part);
    }
  });
  return bytes ? 8 : 32;
}

}  // namespace tepui
