#pragma once

#include <list>
#include <map>
#include <mutex>
#include <optional>

#include "tepui/core/hash.h"
#include "tepui/graph/disk_cache.h"

namespace tepui {

/// Values by node key: in memory, the least recently used given up first once they hold more than `budget` bytes, and
/// behind that on disk, where there is such a cache. Layers that several values share count once. Safe from several
/// threads.
class ValueCache {
 public:
  explicit ValueCache(size_t budget, DiskCache* disk = nullptr) : budget_(budget), disk_(disk) {}

  /// What is known of the value, which need not be there any more.
  std::optional<NodeFacts> find(const Hash& key);
  std::optional<Value> load(const Hash& key, const NodeFacts& facts, const Context& context);
  /// The same, if that takes no time: from memory.
  std::optional<Value> at_hand(const Hash& key);

  /// A value larger than the whole budget is not kept in memory.
  void put(const Hash& key, const NodeFacts& facts, const Value& value);
  /// On disk: the facts, and the value's parts where facts.cost is 0.
  void save(const Hash& key, const NodeFacts& facts, const Value& value, const Context& context);
  /// Whether the value should be saved for what it cost; without a disk never.
  bool is_worth_saving(const NodeFacts& facts) const { return disk_ != nullptr && disk_->is_worthwhile(facts); }
  bool saves() const { return disk_ != nullptr; }
  /// Whether load would find the value on disk.
  bool holds(const NodeFacts& facts) const {
    return disk_ != nullptr && facts.kind->is_kept() && disk_->holds(facts.parts);
  }
  /// At the end of a run.
  void settle() {
    if (disk_ != nullptr) disk_->settle();
  }

  /// Small texts by key.
  std::optional<std::string> find_note(const Hash& key);
  void put_note(const Hash& key, const std::string& text, const Context& context);

  /// Of the values in memory.
  size_t bytes() const;

 private:
  struct Slot {
    Hash key;
    NodeFacts facts;
    Value value;
  };
  struct Shared {
    size_t bytes = 0;
    int values = 0;  ///< that hold it
  };
  const Slot* use(const Hash& key);
  void forget(const Hash& key);
  void count(const Value& value);
  void discount(const Value& value);

  mutable std::mutex mutex_;
  size_t budget_ = 0, bytes_ = 0;
  std::list<Slot> slots_;  ///< most recently used first
  std::map<Hash, std::list<Slot>::iterator> index_;
  std::map<const void*, Shared> parts_;  ///< of all values, by where they lie
  std::map<Hash, std::string> notes_;
  DiskCache* disk_ = nullptr;
};

}  // namespace tepui
