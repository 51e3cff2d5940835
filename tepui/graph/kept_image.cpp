#include "tepui/core/image.h"
#include "tepui/graph/cache_bytes.h"
#include "tepui/graph/columns.h"
#include "tepui/graph/kept_kinds.h"

namespace tepui {

namespace {

std::optional<Value> restore_image(std::string_view text, const std::vector<Part>& parts, const PartReader& read) {
  constexpr int64_t largest = 1 << 20;
  ByteReader r(text);
  const int64_t width = r.integer(), height = r.integer(), channels = r.integer();
  Image image;
  for (size_t left = r.count(); left > 0 && r.sound(); --left) {
    std::string name = r.text();
    image.text[std::move(name)] = r.text();
  }
  r.require(r.at_end() && width >= 0 && width < largest && height >= 0 && height < largest && channels >= 1 &&
            channels <= 4);
  if (!r.sound()) return std::nullopt;
  image.width = static_cast<int>(width);
  image.height = static_cast<int>(height);
  image.channels = static_cast<int>(channels);
  ColumnReader columns(parts, read);
  columns.take(image.pixels);
  columns.take(image.light);
  const auto count = static_cast<size_t>(width * height);
  if (!columns.complete() || image.pixels.size() != count * static_cast<size_t>(channels) ||
      (!image.light.empty() && image.light.size() != 4 * count))
    return std::nullopt;
  return image;
}

}  // namespace

Kind kept_image(Kind row) {
  row.parts = [](const Value& value) {
    const Image& image = get<Image>(value);
    return std::vector<PartBytes>{column_bytes(image.pixels), column_bytes(image.light)};
  };
  row.outline = [](const Value& value, const std::vector<Part>&) {
    const Image& image = get<Image>(value);
    ByteWriter w;
    for (const int number : {image.width, image.height, image.channels}) w.put(static_cast<int64_t>(number));
    w.word(image.text.size());
    for (const auto& [name, words] : image.text) {
      w.put(name);
      w.put(words);
    }
    return std::move(w.bytes());
  };
  row.restore = restore_image;
  return row;
}

}  // namespace tepui
