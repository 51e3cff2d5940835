#pragma once  // internal

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "tepui/core/frame.h"
#include "tepui/core/hash.h"
#include "tepui/core/vec.h"

// Numbers and texts as bytes for the cache, and back.

namespace tepui {

class ByteWriter {
 public:
  void word(uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(int64_t value) { word(static_cast<uint64_t>(value)); }
  void put(double value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void put(Vec3 value) {
    put(value.x);
    put(value.y);
    put(value.z);
  }
  void put(Vec2 value) {
    put(value.x);
    put(value.y);
  }
  void put(const Hash& value) {
    word(value.high);
    word(value.low);
  }
  void put(std::string_view text) {
    word(text.size());
    bytes_.append(text);
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads what ByteWriter wrote; past the end, or past what can be meant, it is no longer sound and gives zeros.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  uint64_t word() { return raw<uint64_t>(); }
  int64_t integer() { return raw<int64_t>(); }
  double number() {
    const auto value = raw<double>();
    if (!std::isfinite(value)) sound_ = false;
    return value;
  }
  Vec2 pair() {
    const double x = number();
    return {x, number()};
  }
  Vec3 triple() {
    const double x = number(), y = number();
    return {x, y, number()};
  }
  Hash hash() {
    const uint64_t high = word();
    return {high, word()};
  }
  std::string text() {
    const uint64_t size = word();
    if (size > rest_.size()) sound_ = false;
    if (!sound_) return {};
    std::string result(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return result;
  }
  /// Of things that take at least a byte each.
  size_t count() {
    const uint64_t size = word();
    if (size > rest_.size()) sound_ = false;
    return sound_ ? size : 0;
  }
  void require(bool condition) { sound_ = sound_ && condition; }
  bool sound() const { return sound_; }
  bool at_end() const { return rest_.empty(); }

 private:
  template <class T>
  T raw() {
    T value{};
    if (rest_.size() < sizeof value) sound_ = false;
    if (!sound_) return T{};
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }

  std::string_view rest_;
  bool sound_ = true;
};

void put_frame(ByteWriter& w, const Frame& frame);
Frame read_frame(ByteReader& r);

}  // namespace tepui
