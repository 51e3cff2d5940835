#include "apps/studio/still.h"

#include <algorithm>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/output/look.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/recipe_look.h"

namespace tepui::studio {

namespace {

constexpr double largest_side = 4096;
constexpr int64_t most_samples = 1024, rows_of_a_frame = 64;

Vec3 point_of(const Json& camera, const char* key) {
  const Json* list = camera.find(key);
  if (list == nullptr || !list->is_array() || list->items.size() != 3)
    refuse("a camera has an eye and a target", "[x, y, z] each");
  for (const Json& item : list->items)
    if (!item.is_number()) refuse("a camera's places are numbers");
  return {list->items[0].number, list->items[1].number, list->items[2].number};
}

void send_picture(const Image& image, const StillJob& job, int pass, int passes, FrameSink& sink) {
  for (int row = 0; row < image.height; row += rows_of_a_frame) {
    const int rows = std::min<int>(rows_of_a_frame, image.height - row);
    std::string cells;
    cells.reserve(static_cast<size_t>(rows) * static_cast<size_t>(image.width) * 4);
    for (int y = row; y < row + rows; ++y)
      for (int x = 0; x < image.width; ++x) {
        const uint8_t* pixel = image.at(x, y);
        const auto channel = [&](int c) { return static_cast<char>(pixel[image.channels < 3 ? 0 : c]); };
        cells.append({channel(0), channel(1), channel(2), static_cast<char>(255)});
      }
    sink.frame(FrameKind::still,
               {{"generation", job.generation},
                {"size", {image.width, image.height}},
                {"pass", pass},
                {"passes", passes},
                {"row", row},
                {"rows", rows}},
               cells);
  }
}

}  // namespace

PictureParams still_picture(const Plan& plan, const std::string& node, const Request& request) {
  PictureParams params;
  try {
    params = picture_from_json(json_object({}), look_of(plan, node));
  } catch (const Error&) {
    // The recipe's problems say what is wrong with its look.
  }
  const Json& camera = request.member("camera");
  params.camera = Camera::free;
  params.eye = point_of(camera, "eye");
  params.target = point_of(camera, "target");
  if (const Json* angle = camera.find("field_of_view"); angle != nullptr && angle->is_number())
    params.field_of_view = Angle{std::clamp(angle->number, 1.0, 170.0)};
  if (const Json* base = request.body.find("base"); base != nullptr && base->is_string() && base->text == "block")
    params.base = Base::block;
  if (const Json* sun = request.body.find("sun"); sun != nullptr && sun->is_array() && sun->items.size() == 2 &&
                                                  sun->items[0].is_number() && sun->items[1].is_number()) {
    params.sun_azimuth = Angle{std::clamp(sun->items[0].number, -360.0, 360.0)};
    params.sun_elevation = Angle{std::clamp(sun->items[1].number, 1.0, 90.0)};
  }
  const Json& size = request.member("size");
  if (!size.is_array() || size.items.size() != 2 || !size.items[0].is_number() || !size.items[1].is_number())
    refuse("'size' is [width, height]");
  const auto side = [](const Json& item) { return std::clamp(item.number, 16.0, largest_side); };
  params.size = Vec2{std::floor(side(size.items[0])), std::floor(side(size.items[1]))};
  params.samples = static_cast<int>(request.integer("samples", 1, most_samples));
  params.models = {};
  params.draft = params.linear = false;
  params.legend = false;
  params.frame.reset();
  return params;
}

void send_still(const StillJob& job, FrameSink& sink, const Context& context) {
  int passes = 1;
  while ((1 << passes) <= job.picture.samples) ++passes;
  const Setting around{{}, job.shown.plan->world.sea_level};
  for (int pass = 0; pass < passes; ++pass) {
    PictureParams params = job.picture;
    params.samples = pass + 1 == passes ? job.picture.samples : 1 << pass;
    send_picture(draw_value(job.shown.value, params, around, context), job, pass, passes, sink);
  }
}

}  // namespace tepui::studio
