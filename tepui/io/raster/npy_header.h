#pragma once  // internal

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tepui/io/file/byte_source.h"

namespace tepui {

/// Numbers that an array may hold.
enum class NpyType { boolean, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float16, float32, float64 };
size_t npy_type_bytes(NpyType type);
/// As GDAL calls it.
const char* npy_type_name(NpyType type);

/// What stands before the numbers: NEP 1, numpy.lib.format.
struct NpyHeader {
  std::string descr;            ///< "<f4"; "[...]" for a structured type
  std::optional<NpyType> type;  ///< none where it is not a number that we read
  bool swapped = false;         ///< against this machine's byte order
  bool fortran_order = false;   ///< the first index runs fastest
  std::vector<int64_t> shape;
  uint64_t data_offset = 0;

  int64_t dimension(size_t i) const { return i < shape.size() ? shape[i] : 0; }
};

/// Refuses what is not sound; `shown` is the file or array in messages.
NpyHeader read_npy_header(ByteSource& source, const std::string& shown);

/// What stands before the numbers of an array in C order, as NumPy writes it: they start at a multiple of 64.
std::string npy_header_text(const std::string& descr, const std::vector<int64_t>& shape);

/// "(344, 403)".
std::string shape_text(const std::vector<int64_t>& shape);

/// Refuses an array whose elements are not real numbers.
void require_numbers(const NpyHeader& header, const std::string& shown);

}  // namespace tepui
