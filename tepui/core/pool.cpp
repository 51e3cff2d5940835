#include "tepui/core/pool.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <new>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr size_t alignment = 64;
constexpr size_t huge_page = size_t{2} << 20;

/// Sizes are rounded up so that grids of nearly the same size share blocks: to an eighth of the power of two below.
size_t size_class(size_t bytes) {
  size_t step = alignment;
  while (step * 16 < bytes) step *= 2;
  return std::max((bytes + step - 1) / step * step, alignment);
}

class Pool {
 public:
  void* take(size_t bytes) {
    void* block = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = idle_.find(bytes); found != idle_.end()) {
        block = found->second;
        idle_.erase(found);
        use_.idle -= bytes;
        count(bytes);
        return block;
      }
    }
    make_room(bytes);
    const bool huge = bytes >= 2 * huge_page;
    block = std::aligned_alloc(huge ? huge_page : alignment,
                               huge ? (bytes + huge_page - 1) / huge_page * huge_page : bytes);
    if (block == nullptr)
      fail(fmt::format("out of memory: cannot allocate {}", bytes_text(static_cast<double>(bytes))));
    if (huge) madvise(block, bytes, MADV_HUGEPAGE);
    const std::lock_guard lock(mutex_);
    count(bytes);
    return block;
  }

  void give(void* block, size_t bytes) noexcept {
    {
      const std::lock_guard lock(mutex_);
      use_.used -= bytes;
      if (use_.idle + bytes <= limit_) {
        idle_.emplace(bytes, block);
        use_.idle += bytes;
        return;
      }
    }
    std::free(block);
  }

  void trim() {
    const std::lock_guard lock(mutex_);
    for (const auto& [bytes, block] : idle_) std::free(block);
    idle_.clear();
    use_.idle = 0;
  }

  PoolUse use() {
    const std::lock_guard lock(mutex_);
    return use_;
  }

  void reset_peak() {
    const std::lock_guard lock(mutex_);
    use_.peak = use_.used;
  }

 private:
  /// Idle blocks go first; where they are not enough, the system would take what it lacks from this very process.
  void make_room(size_t bytes) {
    const size_t memory = physical_memory();
    const PoolUse now = use();
    if (bytes <= memory && now.used + now.idle <= memory - bytes) return;
    trim();
    if (bytes <= memory && now.used <= memory - bytes) return;
    const auto text = [](size_t n) { return bytes_text(static_cast<double>(n)); };
    refuse(fmt::format("not enough memory: {} in use, {} more needed, {} in the machine", text(now.used), text(bytes),
                       text(memory)),
           "lower the resolution");
  }

  void count(size_t bytes) {
    use_.used += bytes;
    use_.peak = std::max(use_.peak, use_.used);
  }

  std::mutex mutex_;
  std::multimap<size_t, void*> idle_;
  PoolUse use_;
  const size_t limit_ = physical_memory() / 8;
};

/// Never destroyed: grids in static storage may outlive any order of destruction.
Pool& pool() {
  static Pool& instance = *new Pool;
  return instance;
}

}  // namespace

void PoolDelete::operator()(void* block) const noexcept { pool().give(block, bytes); }

PoolBlock pool_allocate(size_t bytes) {
  const size_t rounded = size_class(bytes);
  return PoolBlock(pool().take(rounded), PoolDelete{rounded});
}

void pool_trim() { pool().trim(); }
PoolUse pool_use() { return pool().use(); }
void pool_reset_peak() { pool().reset_peak(); }

size_t physical_memory() {
  static const size_t memory = [] {
    size_t bytes = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_t limit = 0;
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && limit > 0) bytes = std::min(bytes, limit);
    return bytes;
  }();
  return memory;
}

std::string bytes_text(double bytes) {
  static constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units[unit]);
}

}  // namespace tepui
