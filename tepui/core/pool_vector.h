#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "tepui/core/pool.h"

namespace tepui {

/// Takes memory from the pool, for lists that are made and dropped again and again. Plain elements that are added
/// without a value are left as the memory was: whoever resizes such a list writes all that is new.
template <class T>
struct PoolAllocator {
  using value_type = T;

  PoolAllocator() = default;
  template <class U>
  PoolAllocator(const PoolAllocator<U>&) {}  // NOLINT(google-explicit-constructor): allocators convert

  T* allocate(size_t count) {
    PoolBlock block = pool_allocate(ahead + count * sizeof(T));
    const size_t bytes = block.get_deleter().bytes;
    return reinterpret_cast<T*>(::new (block.release()) size_t(bytes) + ahead / sizeof(size_t));
  }
  void deallocate(T* first, size_t) noexcept {
    auto* block = reinterpret_cast<size_t*>(first) - ahead / sizeof(size_t);
    PoolDelete{*block}(block);
  }

  template <class U, class... Values>
  void construct(U* at, Values&&... values) {
    if constexpr (sizeof...(Values) > 0 || !std::is_trivially_copyable_v<U>)
      ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
  }

  friend bool operator==(const PoolAllocator&, const PoolAllocator&) { return true; }

 private:
  /// Before the elements, the size of the block; they are aligned as it is.
  static constexpr size_t ahead = 64;
};

template <class T>
using PoolVector = std::vector<T, PoolAllocator<T>>;

}  // namespace tepui
