#include "apps/studio/outbox.h"

#include <algorithm>
#include <utility>

namespace tepui::studio {

void Outbox::say(std::shared_ptr<const std::string> text, std::string slot) {
  text_bytes_ += text->size();
  if (!slot.empty())
    for (Text& old : texts_)
      if (old.slot == slot) {
        text_bytes_ -= old.text->size();
        old.text = std::move(text);
        return;
      }
  texts_.push_back({std::move(text), std::move(slot)});
}

void Outbox::queue(uint64_t generation, Parcel parcel) {
  frame_bytes_ += parcel.bytes->size();
  frames_.push_back({generation, std::move(parcel)});
}

void Outbox::begin(uint64_t generation) {
  std::erase_if(frames_, [&](const Frame& frame) {
    if (frame.generation >= generation) return false;
    frame_bytes_ -= frame.parcel.bytes->size();
    return true;
  });
}

void Outbox::credit(uint64_t bytes) { uncredited_ -= std::min(bytes, uncredited_); }

std::optional<Parcel> Outbox::next() {
  if (!texts_.empty()) {
    Parcel parcel{std::move(texts_.front().text), false};
    texts_.pop_front();
    text_bytes_ -= parcel.bytes->size();
    return parcel;
  }
  if (frames_.empty()) return std::nullopt;
  Parcel& first = frames_.front().parcel;
  if (first.binary) {
    if (uncredited_ > 0 && uncredited_ + first.bytes->size() > window) return std::nullopt;
    uncredited_ += first.bytes->size();
  }
  Parcel parcel = std::move(first);
  frames_.pop_front();
  frame_bytes_ -= parcel.bytes->size();
  return parcel;
}

}  // namespace tepui::studio
