#pragma once  // internal

#include <cstdint>

#include "tepui/io/raster/npy_header.h"

namespace tepui {

/// Stored numbers as floats or doubles, `stride` bytes and `step` values apart. What is too large for a float becomes
/// infinite.
template <class T>
void convert_npy(const NpyHeader& header, const char* from, size_t stride, int64_t count, T* to, int64_t step);

extern template void convert_npy(const NpyHeader&, const char*, size_t, int64_t, float*, int64_t);
extern template void convert_npy(const NpyHeader&, const char*, size_t, int64_t, double*, int64_t);

}  // namespace tepui
