#include <fmt/format.h>

#include "tepui/output/info_json.h"
#include "tepui/output/kind_rows.h"
#include "tepui/render/picture/picture_file.h"

namespace tepui {

namespace {

std::vector<FileRecord> write_image_value(const Value& value, const ExportRequest& request, const Setting&,
                                          const Context& context) {
  return write_image(request.target(request.path), get<Image>(value), context);
}

OrderedJson describe(const Value& value, const Context&) {
  const Image& image = get<Image>(value);
  return {{"kind", "image"},
          {"width", image.width},
          {"height", image.height},
          {"channels", image.channels},
          {"bytes", image.bytes()}};
}

}  // namespace

OutputKind image_output() {
  return {.kind = &kind_of<Image>(),
          .held_by_images = true,
          .write = write_image_value,
          .info = info_text<describe>,
          .text = [](const Value& value, const Context&) {
            const Image& image = get<Image>(value);
            return fmt::format("a picture of {} x {} pixels\n", image.width, image.height);
          }};
}

}  // namespace tepui
