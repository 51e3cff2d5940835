#pragma once

#include <functional>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/io/raster/raster.h"

namespace tepui {

class BorderWatch;

/// z = offset + scale * stored.
struct Scaling {
  double offset = 0, scale = 1;
};

/// How a file's columns and rows become x and y: each may run backwards, and the two may change places.
struct Turn {
  bool transpose = false, reverse_columns = false, reverse_rows = false;
};

/// Turns the bands of a file into grids, by strips, and gathers the cells that are void in any of them.
class SampleCanvas {
 public:
  /// Of the grids, after the turn.
  SampleCanvas(int64_t width, int64_t height) : width_(width), height_(height) {}

  /// One band's values; 0 where void. Throws where heights would not fit into a layer by the scaling alone.
  /// What `watch` sees is the numbers as stored.
  Grid<float> read(Raster& raster, const std::string& path, int index, const RasterBand& band, const Scaling& scaling,
                   const Turn& turn, const Context& context, BorderWatch* watch = nullptr);

  int64_t void_cells() const { return void_cells_; }
  /// Empty where nothing is void.
  const Grid<float>& voids() const { return voids_; }
  Grid<float> take_voids() { return std::move(voids_); }

 private:
  int64_t width_, height_;
  int64_t void_cells_ = 0;
  Grid<float> voids_;
};

/// Calls take(row, values, valid) for each row of a band, the file's first row first; `valid` knows nodata, too.
/// Values are floats where those hold every number of the band's type, else doubles.
struct RowTaker {
  std::function<void(int64_t row, const float* values, const uint8_t* valid)> floats;
  std::function<void(int64_t row, const double* values, const uint8_t* valid)> doubles;
};
void for_each_row(Raster& raster, int index, const RasterBand& band, const Context& context, const RowTaker& take);

/// From the lowest to the highest cell that is not void; flat land gets 1 m.
Relief relief_of(const Grid<float>& height, const Grid<float>& voids);

}  // namespace tepui
