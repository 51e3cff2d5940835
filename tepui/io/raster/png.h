#pragma once

#include <functional>
#include <map>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/image.h"
#include "tepui/io/file/file_target.h"

namespace tepui {

/// Text that a PNG carries (recipe, seed, version).
using PngText = std::map<std::string, std::string>;

/// Writes a picture, atomically. The same picture and text always give the same bytes. Stops soon when cancelled.
void write_png(const FileTarget& to, const Image& image, const PngText& text = {}, const Context& context = {});

/// Writes samples, 8 or 16 bits deep; file row 0 is the grid's last (northernmost) row. Atomic.
void write_png(const FileTarget& to, const Grid<uint8_t>& grid, const PngText& text = {}, const Context& context = {});
void write_png(const FileTarget& to, const Grid<uint16_t>& grid, const PngText& text = {}, const Context& context = {});

/// The same for samples that are made row by row: row(y) gives row y from the top, valid until the next call.
void write_png(const FileTarget& to, int64_t width, int64_t height, int bits,
               const std::function<const void*(int64_t y)>& row, const PngText& text, const Context& context);

/// The bytes of the file that write_png would write.
std::string encode_png(const Image& image, const PngText& text = {}, const Context& context = {});

/// A grey PNG's samples as stored (colour pictures with equal channels count as grey; others are refused; opacity is
/// left out), the northernmost row last. Files of 1, 2 or 4 bits are spread over 0..255.
struct PngSamples {
  Grid<uint16_t> grid;
  int bits = 8;  ///< 8 or 16
};
PngSamples read_png(const std::string& path);

}  // namespace tepui
