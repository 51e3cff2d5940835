#include "tepui/io/raster/npy_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tepui/core/half.h"

namespace tepui {

namespace {

double to_double(Half half) { return static_cast<double>(static_cast<float>(half)); }
template <class S>
double to_double(S value) {
  return static_cast<double>(value);
}

template <class T, class S>
T to_value(S stored) {
  if constexpr (std::is_same_v<T, S>) {
    return stored;
  } else if constexpr (std::is_same_v<T, float>) {
    const double value = to_double(stored);
    if (std::abs(value) <= std::numeric_limits<float>::max() || std::isnan(value)) return static_cast<float>(value);
    return std::copysign(std::numeric_limits<float>::infinity(), value > 0 ? 1.0f : -1.0f);
  } else {
    return to_double(stored);
  }
}

template <class S, class T>
void convert(const char* from, size_t stride, bool swapped, int64_t count, T* to, int64_t step) {
  for (int64_t i = 0; i < count; ++i) {
    char bytes[sizeof(S)];
    std::memcpy(bytes, from + static_cast<size_t>(i) * stride, sizeof(S));
    if (swapped) std::reverse(bytes, bytes + sizeof(S));
    S stored;
    std::memcpy(&stored, bytes, sizeof(S));
    to[i * step] = to_value<T>(stored);
  }
}

}  // namespace

template <class T>
void convert_npy(const NpyHeader& header, const char* from, size_t stride, int64_t count, T* to, int64_t step) {
  const auto as = [&]<class S>(S) { convert<S>(from, stride, header.swapped, count, to, step); };
  switch (header.type.value()) {
    case NpyType::boolean:
      as(uint8_t{});
      for (int64_t i = 0; i < count; ++i) to[i * step] = to[i * step] != 0 ? 1 : 0;
      return;
    case NpyType::int8:
      return as(int8_t{});
    case NpyType::uint8:
      return as(uint8_t{});
    case NpyType::int16:
      return as(int16_t{});
    case NpyType::uint16:
      return as(uint16_t{});
    case NpyType::int32:
      return as(int32_t{});
    case NpyType::uint32:
      return as(uint32_t{});
    case NpyType::int64:
      return as(int64_t{});
    case NpyType::uint64:
      return as(uint64_t{});
    case NpyType::float16:
      return as(Half{});
    case NpyType::float32:
      return as(float{});
    case NpyType::float64:
      return as(double{});
  }
}

template void convert_npy(const NpyHeader&, const char*, size_t, int64_t, float*, int64_t);
template void convert_npy(const NpyHeader&, const char*, size_t, int64_t, double*, int64_t);

}  // namespace tepui
