#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// Classic netCDF files made by hand, so that they can say what libraries would not write.

namespace tepui::test {

enum class NcKind : uint32_t {
  int8 = 1,
  text = 2,
  int16 = 3,
  int32 = 4,
  float32 = 5,
  float64 = 6,
  uint8 = 7,
  uint16 = 8
};

struct NcText {
  std::string text;
};
struct NcNumbers {
  NcKind kind;
  std::vector<double> numbers;
};
using NcAttributes = std::vector<std::pair<std::string, std::variant<NcText, NcNumbers>>>;

struct NcArray {
  std::string name;
  NcKind kind = NcKind::float64;
  std::vector<uint32_t> dimensions;
  std::vector<double> values;
  NcAttributes attributes{};
};

namespace netcdf_bytes {

template <class T>
std::string turned(T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  return {std::make_reverse_iterator(bytes + sizeof(T)), std::make_reverse_iterator(bytes + 0)};
}

inline std::string number(NcKind kind, double value) {
  switch (kind) {
    case NcKind::int8:
      return turned(static_cast<int8_t>(value));
    case NcKind::int16:
      return turned(static_cast<int16_t>(value));
    case NcKind::int32:
      return turned(static_cast<int32_t>(value));
    case NcKind::float32:
      return turned(static_cast<float>(value));
    case NcKind::uint8:
      return turned(static_cast<uint8_t>(value));
    case NcKind::uint16:
      return turned(static_cast<uint16_t>(value));
    default:
      return turned(value);
  }
}

inline std::string padded(std::string bytes) {
  bytes.resize((bytes.size() + 3) / 4 * 4, '\0');
  return bytes;
}

inline std::string word(uint64_t value, bool wide) {
  return wide ? turned(value) : turned(static_cast<uint32_t>(value));
}

inline std::string named(const std::string& name, bool wide) { return word(name.size(), wide) + padded(name); }

inline std::string attributes_of(const NcAttributes& attributes, bool wide) {
  if (attributes.empty()) return turned(uint32_t{0}) + word(0, wide);
  std::string bytes = turned(uint32_t{12}) + word(attributes.size(), wide);
  for (const auto& [name, value] : attributes) {
    bytes += named(name, wide);
    if (const auto* text = std::get_if<NcText>(&value)) {
      bytes += turned(uint32_t{2}) + word(text->text.size(), wide) + padded(text->text);
    } else {
      const auto& numbers = std::get<NcNumbers>(value);
      std::string raw;
      for (const double v : numbers.numbers) raw += number(numbers.kind, v);
      bytes += turned(static_cast<uint32_t>(numbers.kind)) + word(numbers.numbers.size(), wide) + padded(raw);
    }
  }
  return bytes;
}

}  // namespace netcdf_bytes

/// CDF-1, or CDF-5, which knows unsigned numbers.
inline std::string classic_netcdf(const std::vector<std::pair<std::string, uint32_t>>& dimensions,
                                  const std::vector<NcArray>& arrays, bool wide = false) {
  using namespace netcdf_bytes;
  const auto header = [&](const std::vector<uint64_t>& begins) {
    std::string bytes = std::string("CDF") + (wide ? '\5' : '\1') + word(0, wide);
    bytes += turned(uint32_t{10}) + word(dimensions.size(), wide);
    for (const auto& [name, length] : dimensions) bytes += named(name, wide) + word(length, wide);
    bytes += attributes_of({}, wide) + turned(uint32_t{11}) + word(arrays.size(), wide);
    for (size_t i = 0; i < arrays.size(); ++i) {
      const NcArray& array = arrays[i];
      bytes += named(array.name, wide) + word(array.dimensions.size(), wide);
      for (const uint32_t dimension : array.dimensions) bytes += word(dimension, wide);
      bytes += attributes_of(array.attributes, wide) + turned(static_cast<uint32_t>(array.kind));
      bytes += word((array.values.size() * number(array.kind, 0).size() + 3) / 4 * 4, wide);
      bytes += word(begins[i], wide);
    }
    return bytes;
  };
  std::vector<uint64_t> begins(arrays.size(), 0);
  std::string data;
  const size_t start = header(begins).size();
  for (size_t i = 0; i < arrays.size(); ++i) {
    begins[i] = start + data.size();
    std::string raw;
    for (const double v : arrays[i].values) raw += number(arrays[i].kind, v);
    data += padded(raw);
  }
  return header(begins) + data;
}

}  // namespace tepui::test
