#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace tepui {

/// Returns a block to the pool.
struct PoolDelete {
  size_t bytes = 0;
  void operator()(void* block) const noexcept;
};
using PoolBlock = std::unique_ptr<void, PoolDelete>;

/// A block of at least `bytes`, aligned to 64, with undefined contents, recycled from blocks given back before: the
/// first touch of fresh pages costs ten times a pass over warm ones. Large blocks use huge pages. Refuses what the
/// machine's memory cannot hold beside the blocks in use.
PoolBlock pool_allocate(size_t bytes);

/// Gives idle blocks back to the system.
void pool_trim();

struct PoolUse {
  size_t used = 0;  ///< bytes in live blocks
  size_t idle = 0;  ///< bytes kept for reuse
  size_t peak = 0;  ///< largest `used` since the last pool_reset_peak
};
PoolUse pool_use();
void pool_reset_peak();

/// Bytes of physical memory (or the container's limit, where that is lower).
size_t physical_memory();

/// 1536 -> "1.5 KiB".
std::string bytes_text(double bytes);

}  // namespace tepui
