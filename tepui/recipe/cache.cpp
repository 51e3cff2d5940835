#include "tepui/recipe/cache.h"

namespace tepui {

std::optional<ValueCache::Entry> ValueCache::find(const Hash& key) {
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) return std::nullopt;
  slots_.splice(slots_.begin(), slots_, found->second);
  return found->second->entry;
}

void ValueCache::put(const Hash& key, Entry entry) {
  const size_t bytes = value_bytes(entry.value);
  const std::lock_guard lock(mutex_);
  if (bytes > budget_ || index_.contains(key)) return;
  slots_.push_front({key, std::move(entry), bytes});
  index_[key] = slots_.begin();
  bytes_ += bytes;
  while (bytes_ > budget_) {
    bytes_ -= slots_.back().bytes;
    index_.erase(slots_.back().key);
    slots_.pop_back();
  }
}

size_t ValueCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace tepui
