#include "tepui/core/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <vector>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

constexpr int64_t chunk_bytes = 1 << 20;

}  // namespace

std::string Hash::text() const {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out(32, '0');
  for (int i = 0; i < 32; ++i) {
    const uint64_t word = i < 16 ? high : low;
    out[static_cast<size_t>(i)] = digits[(word >> (60 - 4 * (i % 16))) & 15];
  }
  return out;
}

Hash hash_bytes(const void* data, size_t bytes) {
  const XXH128_hash_t h = XXH3_128bits(data, bytes);
  return {h.high64, h.low64};
}

Hasher& Hasher::word(char type, uint64_t value) {
  bytes_.push_back(type);
  for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>((value >> (8 * i)) & 255));
  return *this;
}

Hasher& Hasher::add(std::string_view text) {
  word('t', text.size());
  bytes_.append(text);
  return *this;
}

Hasher& Hasher::add(uint64_t value) { return word('u', value); }

Hasher& Hasher::add(int64_t value) { return word('i', static_cast<uint64_t>(value)); }

Hasher& Hasher::add(double value) {
  if (value == 0) value = 0;
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return word('d', bits);
}

Hasher& Hasher::add(const Hash& value) { return word('h', value.high).word('h', value.low); }

Hash Hasher::finish() const { return hash_bytes(bytes_.data(), bytes_.size()); }

Hash hash_large(const void* data, size_t bytes) {
  const auto* first = static_cast<const char*>(data);
  const auto total = static_cast<int64_t>(bytes);
  std::vector<Hash> parts(static_cast<size_t>((total + chunk_bytes - 1) / chunk_bytes));
  parallel_chunks(total, chunk_bytes, Context(), [&](int64_t begin, int64_t end) {
    parts[static_cast<size_t>(begin / chunk_bytes)] = hash_bytes(first + begin, static_cast<size_t>(end - begin));
  });
  Hasher hasher;
  hasher.add(static_cast<uint64_t>(bytes));
  for (const Hash& part : parts) hasher.add(part);
  return hasher.finish();
}

}  // namespace tepui
