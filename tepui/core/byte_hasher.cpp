#include "tepui/core/byte_hasher.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tepui {

struct ByteHasher::State {
  XXH3_state_t xxh;
};

ByteHasher::ByteHasher() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh); }
ByteHasher::~ByteHasher() = default;

void ByteHasher::add(const void* data, size_t bytes) { XXH3_128bits_update(&state_->xxh, data, bytes); }

Hash ByteHasher::finish() const {
  const XXH128_hash_t h = XXH3_128bits_digest(&state_->xxh);
  return {h.high64, h.low64};
}

}  // namespace tepui
