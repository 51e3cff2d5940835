#include "tepui/graph/cache.h"

#include <algorithm>

namespace tepui {

namespace {

/// What a value holds: its parts, which others may hold too, and the rest of it.
struct Holding {
  std::vector<PartBytes> parts;
  size_t rest = 0;
};

Holding holding_of(const Value& value) {
  Holding holding;
  if (value.kind().is_kept()) holding.parts = value.kind().parts(value);
  size_t bytes = 0;
  for (const PartBytes& part : holding.parts) bytes += part.size();
  holding.rest = value.bytes() - std::min(bytes, value.bytes());
  return holding;
}

}  // namespace

/// With the lock held, like all up to find.
void ValueCache::count(const Value& value) {
  const Holding holding = holding_of(value);
  bytes_ += holding.rest;
  for (const PartBytes& part : holding.parts) {
    Shared& shared = parts_[part.data()];
    if (shared.values++ > 0) continue;
    shared.bytes = part.size();
    bytes_ += shared.bytes;
  }
}

void ValueCache::discount(const Value& value) {
  const Holding holding = holding_of(value);
  bytes_ -= holding.rest;
  for (const PartBytes& part : holding.parts) {
    const auto shared = parts_.find(part.data());
    if (--shared->second.values > 0) continue;
    bytes_ -= shared->second.bytes;
    parts_.erase(shared);
  }
}

const ValueCache::Slot* ValueCache::use(const Hash& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  slots_.splice(slots_.begin(), slots_, found->second);
  return &*found->second;
}

void ValueCache::forget(const Hash& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return;
  discount(found->second->value);
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

std::optional<Value> ValueCache::at_hand(const Hash& key) {
  const std::lock_guard lock(mutex_);
  const Slot* slot = use(key);
  return slot != nullptr ? std::optional(slot->value) : std::nullopt;
}

std::optional<Value> ValueCache::load(const Hash& key, const NodeFacts& facts, const Context& context) {
  if (std::optional<Value> value = at_hand(key)) return value;
  if (disk_ == nullptr || !facts.kind->is_kept()) return std::nullopt;
  std::optional<Value> value = disk_->load(facts, context);
  if (value) put(key, facts, *value);
  return value;
}

void ValueCache::put(const Hash& key, const NodeFacts& facts, const Value& value) {
  const std::lock_guard lock(mutex_);
  if (value.bytes() > budget_) return;
  forget(key);
  slots_.push_front({key, facts, value});
  index_[key] = slots_.begin();
  count(value);
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
