#pragma once

#include <list>
#include <map>
#include <mutex>
#include <optional>

#include "tepui/core/hash.h"
#include "tepui/recipe/operator.h"

namespace tepui {

/// Values by node key, the least recently used given up first once they hold more than `budget` bytes. Safe from
/// several threads.
class ValueCache {
 public:
  explicit ValueCache(size_t budget) : budget_(budget) {}

  struct Entry {
    Value value;
    Hash hash;
  };

  std::optional<Entry> find(const Hash& key);
  /// A value larger than the whole budget is not kept.
  void put(const Hash& key, Entry entry);

  size_t bytes() const;

 private:
  struct Slot {
    Hash key;
    Entry entry;
    size_t bytes = 0;
  };

  mutable std::mutex mutex_;
  size_t budget_ = 0, bytes_ = 0;
  std::list<Slot> slots_;  ///< most recently used first
  std::map<Hash, std::list<Slot>::iterator> index_;
};

}  // namespace tepui
