#include "apps/studio/frames.h"

#include <bit>
#include <cstring>

#include "tepui/core/error.h"
#include "tepui/core/json.h"

namespace tepui::studio {

static_assert(std::endian::native == std::endian::little, "frames are made of numbers as they lie in memory");

namespace {

void put(std::string& out, uint32_t number) {
  char bytes[4];
  std::memcpy(bytes, &number, 4);
  out.append(bytes, 4);
}

uint32_t number_at(std::string_view bytes, size_t at) {
  uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, 4);
  return number;
}

}  // namespace

std::string frame_text(const Ordered& object) {
  return object.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string frame_bytes(FrameKind kind, const Ordered& head, std::string_view cells) {
  std::string text = frame_text(head);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::string out;
  out.reserve(8 + text.size() + cells.size());
  put(out, static_cast<uint32_t>(kind));
  put(out, static_cast<uint32_t>(text.size()));
  return out.append(text).append(cells);
}

bool parse_sent_bytes(std::string_view frame, SentBytes& sent) {
  if (frame.size() < 8 || number_at(frame, 0) != static_cast<uint32_t>(FrameKind::bytes)) return false;
  const size_t head = number_at(frame, 4);
  if (head > 256 || head > frame.size() - 8) return false;
  try {
    const Json json = parse_json({"head", std::string(frame.substr(8, head))});
    const Json *file = json.find("file"), *offset = json.find("offset");
    if (file == nullptr || offset == nullptr || file->type != Json::Type::integer ||
        offset->type != Json::Type::integer || offset->integer < 0)
      return false;
    sent = {file->integer, offset->integer, frame.substr(8 + head)};
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace tepui::studio
