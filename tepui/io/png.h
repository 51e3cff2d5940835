#pragma once

#include <map>
#include <string>

#include "tepui/core/grid.h"
#include "tepui/io/image.h"

namespace tepui {

/// Text that a PNG carries (recipe, seed, version).
using PngText = std::map<std::string, std::string>;

/// Writes a picture, atomically.
void write_png(const std::string& path, const Image& image, const PngText& text = {});

/// Writes samples, 8 or 16 bits deep; file row 0 is the grid's last (northernmost) row. Atomic.
void write_png(const std::string& path, const Grid<uint8_t>& grid, const PngText& text = {});
void write_png(const std::string& path, const Grid<uint16_t>& grid, const PngText& text = {});

/// A grey PNG's samples as stored (colour pictures with equal channels count as grey; others are refused), the
/// northernmost row last.
struct PngSamples {
  Grid<uint16_t> grid;
  int bits = 8;  ///< 8 or 16
};
PngSamples read_png(const std::string& path);

}  // namespace tepui
