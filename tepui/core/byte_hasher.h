#pragma once

#include <memory>

#include "tepui/core/hash.h"

namespace tepui {

/// hash_bytes of data that comes in parts.
class ByteHasher {
 public:
  ByteHasher();
  ~ByteHasher();
  ByteHasher(const ByteHasher&) = delete;
  ByteHasher& operator=(const ByteHasher&) = delete;

  void add(const void* data, size_t bytes);
  Hash finish() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tepui
