#include "tepui/io/raster/encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/terrain/normalise.h"

namespace tepui {

namespace {

template <class T>
int64_t encode(const float* from, int64_t count, const Encoding& encoding, T* to) {
  int64_t outside = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double stored = std::floor((static_cast<double>(from[i]) - encoding.offset) / encoding.scale + 0.5);
    if (stored < 0 || stored > encoding.top) ++outside;
    to[i] = static_cast<T>(std::clamp(stored, 0.0, encoding.top));
  }
  return outside;
}

}  // namespace

bool encoding_needs_range(const Layer& layer, const OutputParams& options) {
  return layer.kind == LayerKind::category || (layer.kind == LayerKind::continuous && !options.range);
}

Encoding encoding_of(const std::string& path, const Layer& layer, const OutputParams& options, bool bytes_will_do) {
  const bool measured = encoding_needs_range(layer, options);
  return encoding_of(path, layer, measured ? min_max(layer.grid(), Context()) : MinMax(), options, bytes_will_do);
}

Encoding encoding_of(const std::string& path, const Layer& layer, const MinMax& range, const OutputParams& options,
                     bool bytes_will_do) {
  if (options.range && layer.kind != LayerKind::continuous)
    refuse(fmt::format("cannot write '{}': 'range' only applies to continuous layers, and '{}' is a {}", path,
                       layer.name, layer_kind_name(layer.kind)));
  if (layer.kind == LayerKind::mask) {
    const double top = bytes_will_do ? 255 : 65535;
    return {0, 1 / top, top};
  }
  const auto [low, high] = range;
  if (layer.kind == LayerKind::category) {
    if (low < 0 || high > 65535)
      refuse(fmt::format("cannot write '{}': the classes of '{}' reach from {} to {}", path, layer.name, low, high),
             "16 bits hold 0 to 65535");
    return {0, 1, bytes_will_do && high <= 255 ? 255.0 : 65535.0};
  }
  double from = static_cast<double>(low), to = static_cast<double>(high);
  if (options.range) {
    from = options.range->low;
    to = options.range->high;
    if (!(from < to) || !std::isfinite(to - from))
      refuse(fmt::format("cannot write '{}': the range {:g} to {:g} is empty", path, from, to));
  }
  return {from, to > from ? (to - from) / 65535 : 1, 65535};
}

int64_t encode_cells(const float* from, int64_t count, const Encoding& encoding, uint8_t* to) {
  return encode(from, count, encoding, to);
}
int64_t encode_cells(const float* from, int64_t count, const Encoding& encoding, uint16_t* to) {
  return encode(from, count, encoding, to);
}

}  // namespace tepui
