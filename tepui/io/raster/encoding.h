#pragma once

#include <cstdint>
#include <string>

#include "tepui/core/context.h"
#include "tepui/io/raster/output_params.h"
#include "tepui/terrain/min_max.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// How values become whole numbers: stored = round((value - offset) / scale), clamped to [0, top].
struct Encoding {
  double offset = 0, scale = 1, top = 255;

  int bits() const { return top > 255 ? 16 : 8; }
};

/// Of a continuous layer: 16 bits over the range, or over its own smallest and largest value. Of classes: the numbers
/// as they are; of a mask: 0 to 1 spread over all numbers; both in 8 bits where `bytes_will_do` and they fit. Refuses
/// classes beyond 16 bits, and a range that is empty or given for anything but a continuous layer; `path` is for the
/// message.
Encoding encoding_of(const std::string& path, const Layer& layer, const OutputParams& options, bool bytes_will_do);
/// The same of a layer whose lowest and highest cell are known; its own cells are not looked at.
Encoding encoding_of(const std::string& path, const Layer& layer, const MinMax& range, const OutputParams& options,
                     bool bytes_will_do);

/// Whether the encoding depends on the layer's lowest and highest cell.
bool encoding_needs_range(const Layer& layer, const OutputParams& options);

/// The cells outside the encoding's range, which are clamped.
int64_t encode_cells(const float* from, int64_t count, const Encoding& encoding, uint8_t* to);
int64_t encode_cells(const float* from, int64_t count, const Encoding& encoding, uint16_t* to);

}  // namespace tepui
