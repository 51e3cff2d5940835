#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tepui::studio {

/// JSON whose members stay in the order they were given.
using Ordered = nlohmann::ordered_json;

/// What binary frames hold; the numbers are the protocol's.
enum class FrameKind : uint32_t {
  height = 1,
  ground = 2,
  light = 3,
  water = 4,
  overlay = 5,
  mesh = 6,
  picture = 7,
  still = 8,
  bytes = 16,  ///< from the page
};

/// A binary frame: kind, bytes of the head, head, cells.
std::string frame_bytes(FrameKind kind, const Ordered& head, std::string_view cells);

/// A text frame; what is not UTF-8 in it is shown as well as it can be.
std::string frame_text(const Ordered& object);

/// Bytes that a page has sent of a file.
struct SentBytes {
  int64_t file = 0, offset = 0;
  std::string_view bytes;
};
/// None where the frame is no such thing.
bool parse_sent_bytes(std::string_view frame, SentBytes& sent);

/// Takes what is sent to the pages, in order. Calls come from any thread, and may wait and be cancelled.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  virtual void text(const Ordered& object) = 0;
  virtual void frame(FrameKind kind, const Ordered& head, std::string_view cells) = 0;
};

}  // namespace tepui::studio
