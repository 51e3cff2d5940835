#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace tepui {

/// A 128-bit content hash (XXH3).
struct Hash {
  uint64_t high = 0, low = 0;
  friend auto operator<=>(const Hash&, const Hash&) = default;
  /// 32 hexadecimal digits.
  std::string text() const;
};

Hash hash_bytes(const void* data, size_t bytes);

/// Builds the hash of a sequence of fields. Each carries its type, and texts their length, so that different sequences
/// never make the same bytes.
class Hasher {
 public:
  Hasher& add(std::string_view text);
  Hasher& add(const char* text) { return add(std::string_view(text)); }
  Hasher& add(int64_t value);
  Hasher& add(uint64_t value);
  Hasher& add(int value) { return add(static_cast<int64_t>(value)); }
  Hasher& add(bool value) { return add(static_cast<int64_t>(value)); }
  /// By its bits; -0 counts as 0.
  Hasher& add(double value);
  Hasher& add(const Hash& value);
  Hash finish() const;

 private:
  Hasher& word(char type, uint64_t value);

  std::string bytes_;
};

/// The hash of a large array, in parallel; the same for any number of threads.
Hash hash_large(const void* data, size_t bytes);

}  // namespace tepui
