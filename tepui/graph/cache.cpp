#include "tepui/graph/cache.h"

namespace tepui {

/// With the lock held, like forget.
const ValueCache::Slot* ValueCache::use(const Hash& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  slots_.splice(slots_.begin(), slots_, found->second);
  return &*found->second;
}

void ValueCache::forget(const Hash& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return;
  bytes_ -= found->second->bytes;
  slots_.erase(found->second);
  index_.erase(found);
}

std::optional<NodeFacts> ValueCache::find(const Hash& key) {
  {
    const std::lock_guard lock(mutex_);
    if (const Slot* slot = use(key)) return slot->facts;
  }
  const std::optional<std::string> note = disk_ != nullptr ? disk_->find_note(key) : std::nullopt;
  return note ? parse_facts(*note) : std::nullopt;
}

std::optional<Value> ValueCache::load(const Hash& key, const NodeFacts& facts, const Context& context) {
  {
    const std::lock_guard lock(mutex_);
    if (const Slot* slot = use(key)) return slot->value;
  }
  if (disk_ == nullptr || !facts.kind->is_kept()) return std::nullopt;
  std::optional<Value> value = disk_->load(facts, context);
  if (value) put(key, facts, *value);
  return value;
}

void ValueCache::put(const Hash& key, const NodeFacts& facts, const Value& value) {
  const size_t bytes = value.bytes();
  const std::lock_guard lock(mutex_);
  if (bytes > budget_) return;
  forget(key);
  slots_.push_front({key, facts, value, bytes});
  index_[key] = slots_.begin();
  bytes_ += bytes;
  while (bytes_ > budget_) {
    const Hash oldest = slots_.back().key;
    forget(oldest);
  }
}

void ValueCache::save(const Hash& key, const NodeFacts& facts, const Value& value, const Context& context) {
  if (disk_ == nullptr) return;
  if (facts.kind->is_kept() && facts.cost == 0) disk_->store(value, facts.parts, context);
  disk_->put_note(key, facts_text(facts), context);
}

std::optional<std::string> ValueCache::find_note(const Hash& key) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = notes_.find(key); found != notes_.end()) return found->second;
  }
  return disk_ != nullptr ? disk_->find_note(key) : std::nullopt;
}

void ValueCache::put_note(const Hash& key, const std::string& text, const Context& context) {
  constexpr size_t most_notes = 4096;
  if (disk_ != nullptr) disk_->put_note(key, text, context);
  const std::lock_guard lock(mutex_);
  if (notes_.size() >= most_notes) notes_.clear();
  notes_[key] = text;
}

size_t ValueCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace tepui
