#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace tepui::studio {

/// Something to be sent; what several pages are sent is there once.
struct Parcel {
  std::shared_ptr<const std::string> bytes;
  bool binary = false;
};

/// What is to be sent to one page, within bounds: a page that reads slowly, or not at all, holds no more of our memory
/// than that.
class Outbox {
 public:
  /// Binary bytes that may be on their way without the page having credited them.
  static constexpr uint64_t window = 8 << 20;
  /// Beyond that, whoever makes frames waits.
  static constexpr size_t enough = 8 << 20;
  /// Texts that wait beyond that are the fault of a page that asks and does not listen.
  static constexpr size_t most_texts = 16 << 20;

  /// A text that goes as soon as possible. One with the same slot that still waits is replaced; an empty slot is none.
  void say(std::shared_ptr<const std::string> text, std::string slot = {});
  /// A frame, or a text that has its place among them.
  void queue(uint64_t generation, Parcel parcel);
  /// Forgets the frames of older generations.
  void begin(uint64_t generation);
  /// The page has taken so many bytes of binary frames.
  void credit(uint64_t bytes);

  /// What goes next; none where nothing waits, or only what has no credit.
  std::optional<Parcel> next();

  /// Of frames that wait.
  size_t waiting() const { return frame_bytes_; }
  bool is_full() const { return frame_bytes_ >= enough; }
  bool is_overrun() const { return text_bytes_ > most_texts; }
  uint64_t uncredited() const { return uncredited_; }

 private:
  struct Text {
    std::shared_ptr<const std::string> text;
    std::string slot;
  };
  struct Frame {
    uint64_t generation = 0;
    Parcel parcel;
  };
  std::deque<Text> texts_;
  std::deque<Frame> frames_;
  size_t text_bytes_ = 0, frame_bytes_ = 0;
  uint64_t uncredited_ = 0;
};

}  // namespace tepui::studio
