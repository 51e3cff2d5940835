#include "tepui/io/raster/read_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/io/raster/border_watch.h"

namespace tepui {

namespace {

constexpr double largest_float = std::numeric_limits<float>::max();

/// Which stored numbers are no heights.
class NoData {
 public:
  explicit NoData(const RasterBand& band) {
    if (!band.nodata || !std::isfinite(*band.nodata)) return;
    const double value = *band.nodata;
    declared_ = true;
    // Programs round the largest floats when they write them as text; and a float cannot hold every double.
    slack_ = std::abs(value) > 1e30 ? 1e-5 * std::abs(value) : 0;
    value_ = band.type == "Float32" && std::abs(value) <= largest_float ? static_cast<double>(static_cast<float>(value))
                                                                        : value;
  }
  template <class T>
  bool operator()(T v) const {
    const auto wide = static_cast<double>(v);
    return !std::isfinite(v) || (declared_ && std::abs(wide - value_) <= slack_);
  }

 private:
  bool declared_ = false;
  double value_ = 0, slack_ = 0;
};

template <class T>
void take_rows(Raster& raster, int index, const RasterBand& band, const Context& context,
               const std::function<void(int64_t, const T*, const uint8_t*)>& take) {
  const int64_t width = raster.info().width, height = raster.info().height;
  const int64_t rows = std::clamp<int64_t>(raster.block_rows(), 1, height);
  const NoData nodata(band);
  std::vector<T> values(static_cast<size_t>(width * rows));
  std::vector<uint8_t> valid(values.size());
  for (int64_t y = 0; y < height; y += rows) {
    context.check();
    context.progress(static_cast<double>(y) / static_cast<double>(height));
    const int64_t count = std::min(rows, height - y);
    raster.read_rows(index, y, count, values.data(), valid.data());
    for (int64_t i = 0; i < count; ++i) {
      const T* row = values.data() + i * width;
      uint8_t* ok = valid.data() + i * width;
      for (int64_t x = 0; x < width; ++x) ok[x] = static_cast<uint8_t>(ok[x] != 0 && !nodata(row[x]));
      take(y + i, row, ok);
    }
  }
}

/// Where a row of the file goes: the first cell, and from cell to cell.
struct Target {
  int64_t first = 0, step = 1;
};

Target target_of(const Turn& turn, int64_t file_width, int64_t file_height, int64_t grid_width, int64_t row) {
  const int64_t v = turn.reverse_rows ? file_height - 1 - row : row;
  const int64_t u0 = turn.reverse_columns ? file_width - 1 : 0, direction = turn.reverse_columns ? -1 : 1;
  if (turn.transpose) return {u0 * grid_width + v, direction * grid_width};
  return {v * grid_width + u0, direction};
}

}  // namespace

void for_each_row(Raster& raster, int index, const RasterBand& band, const Context& context, const RowTaker& take) {
  if (fits_float(band.type))
    take_rows<float>(raster, index, band, context, take.floats);
  else
    take_rows<double>(raster, index, band, context, take.doubles);
}

Grid<float> SampleCanvas::read(Raster& raster, const std::string& path, int index, const RasterBand& band,
                               const Scaling& scaling, const Turn& turn, const Context& context, BorderWatch* watch) {
  const auto refuse_scaling = [&] {
    refuse(fmt::format("heights of '{}' would be too large with a scale of {:g} and an offset of {:g}", path,
                       scaling.scale, scaling.offset));
  };
  if (const std::optional<double> largest = largest_of(band.type);
      !std::isfinite(scaling.offset) || !std::isfinite(scaling.scale) ||
      (largest && !(std::abs(scaling.offset) + std::abs(scaling.scale) * *largest <= largest_float)))
    refuse_scaling();
  Grid<float> grid(width_, height_);
  const int64_t file_width = raster.info().width, file_height = raster.info().height;
  const bool plain = scaling.offset == 0 && scaling.scale == 1;
  const auto take = [&](int64_t row, const auto* values, const uint8_t* valid) {
    if (watch != nullptr) watch->take(values, valid);
    const Target to = target_of(turn, file_width, file_height, width_, row);
    int64_t bad = 0;
    for (int64_t x = 0; x < file_width; ++x) {
      const double stored = static_cast<double>(values[x]);
      const double z = plain ? stored : scaling.offset + scaling.scale * stored;
      const bool ok = valid[x] != 0 && std::abs(z) <= largest_float;
      grid.data()[to.first + x * to.step] = ok ? static_cast<float>(z) : 0.0f;
      bad += ok ? 0 : 1;
    }
    if (bad == 0) return;
    if (voids_.empty()) voids_ = Grid<float>(width_, height_, 0.0f);
    for (int64_t x = 0; x < file_width; ++x) {
      const double stored = static_cast<double>(values[x]);
      if (valid[x] != 0 && std::abs(plain ? stored : scaling.offset + scaling.scale * stored) <= largest_float)
        continue;
      if (valid[x] != 0 && std::abs(stored) <= largest_float) refuse_scaling();
      float& cell = voids_.data()[to.first + x * to.step];
      if (cell == 0) ++void_cells_;
      cell = 1;
    }
  };
  for_each_row(raster, index, band, context, {take, take});
  return grid;
}

Relief relief_of(const Grid<float>& height, const Grid<float>& voids) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int64_t i = 0; i < height.size(); ++i) {
    if (!voids.empty() && voids.data()[i] != 0) continue;
    low = std::min(low, static_cast<double>(height.data()[i]));
    high = std::max(high, static_cast<double>(height.data()[i]));
  }
  return {low, high > low ? high : low + 1};
}

}  // namespace tepui
