#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

// NPY arrays made by hand, without the writer on trial.

namespace tepui::test {

inline std::string little(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text.push_back(static_cast<char>(value >> (8 * i) & 255));
  return text;
}

inline std::string npy_with_dict(const std::string& dict, const std::string& data, int version = 1) {
  std::string text = "\x93NUMPY";
  text.push_back(static_cast<char>(version));
  text.push_back('\0');
  return text + little(dict.size(), version == 1 ? 2 : 4) + dict + data;
}

inline std::string npy_dict(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }\n";
}

template <class S>
std::string stored(S value, bool big) {
  std::string bytes(reinterpret_cast<const char*>(&value), sizeof(S));
  if (big) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

template <class S>
std::string stored_all(const std::vector<S>& values, bool big = false) {
  std::string bytes;
  for (const S value : values) bytes += stored(value, big);
  return bytes;
}

}  // namespace tepui::test
