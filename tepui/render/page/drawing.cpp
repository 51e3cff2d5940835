#include "tepui/render/page/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/render/page/drawing_items.h"
#include "tepui/render/page/font.h"

namespace tepui {

namespace {

constexpr double largest_side = 16384;

void require_finite(std::initializer_list<double> numbers, const char* what) {
  for (const double v : numbers)
    if (!std::isfinite(v)) refuse(fmt::format("{} of a drawing has a number that is not finite", what));
}

void require_finite(const std::vector<Vec2>& points, const char* what) {
  for (const Vec2 p : points) require_finite({p.x, p.y}, what);
}

std::shared_ptr<const DrawingItem> make_item(Shape shape) {
  return std::make_shared<const DrawingItem>(DrawingItem{{}, std::make_shared<const Shape>(std::move(shape))});
}

}  // namespace

std::string PlotNumbers::csv() const {
  std::string text = fmt::format("{}\n", fmt::join(columns, ","));
  for (const std::vector<double>& row : rows) {
    std::vector<std::string> cells;
    for (const double v : row) cells.push_back(fmt::format("{:.9g}", v));
    text += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return text;
}

Drawing::Drawing(double width, double height, uint32_t background)
    : width_(width), height_(height), background_(background & 0xffffffu) {
  if (!(width > 0 && height > 0 && width <= largest_side && height <= largest_side))
    refuse(fmt::format("a drawing of {} x {} pixels", width, height), fmt::format("sides up to {}", largest_side));
}

void Drawing::line(std::vector<Vec2> points, const Stroke& stroke) {
  require_finite(points, "a line");
  require_finite({stroke.width}, "a line");
  if (points.size() < 2 || stroke.width <= 0) return;
  items_.push_back(make_item(LineShape{std::move(points), stroke}));
}

void Drawing::area(std::vector<Vec2> points, uint32_t rgb, double opacity) {
  std::vector<std::vector<Vec2>> rings;
  rings.push_back(std::move(points));
  area(std::move(rings), rgb, opacity);
}

void Drawing::area(std::vector<std::vector<Vec2>> rings, uint32_t rgb, double opacity) {
  for (const std::vector<Vec2>& ring : rings) require_finite(ring, "an area");
  require_finite({opacity}, "an area");
  std::erase_if(rings, [](const std::vector<Vec2>& ring) { return ring.size() < 3; });
  if (rings.empty() || opacity <= 0) return;
  items_.push_back(make_item(AreaShape{std::move(rings), rgb, std::min(opacity, 1.0)}));
}

void Drawing::area(std::vector<Vec2> points, std::vector<GradientStop> stops) {
  require_finite(points, "an area");
  for (const GradientStop& stop : stops) require_finite({stop.y}, "an area");
  if (points.size() < 3 || stops.empty()) return;
  std::ranges::stable_sort(stops, {}, &GradientStop::y);
  items_.push_back(make_item(AreaShape{{std::move(points)}, stops.front().rgb, 1, std::move(stops)}));
}

void Drawing::rectangle(Vec2 corner, Vec2 size, uint32_t rgb, double opacity) {
  const Vec2 far = corner + size;
  area({corner, {far.x, corner.y}, far, {corner.x, far.y}}, rgb, opacity);
}

void Drawing::text(Vec2 at, std::string text, const TextStyle& style) {
  require_finite({at.x, at.y, style.size, style.turn}, "a text");
  text = shown_text(text);
  if (text.empty() || style.size <= 0) return;
  items_.push_back(make_item(TextLine{at, std::move(text), style}));
}

void Drawing::picture(Vec2 corner, Vec2 size, Image image, bool smooth) {
  require_finite({corner.x, corner.y, size.x, size.y}, "a picture");
  if (image.width < 1 || image.height < 1 || size.x <= 0 || size.y <= 0) return;
  items_.push_back(make_item(PictureShape{corner, size, std::move(image), smooth}));
}

void Drawing::place(Vec2 corner, const Drawing& other) {
  // A copy, because a drawing may be placed in itself.
  const auto items = other.items_;
  rectangle(corner, {other.width_, other.height_}, other.background_);
  for (const auto& item : items)
    items_.push_back(std::make_shared<const DrawingItem>(DrawingItem{corner + item->move, item->shape}));
}

}  // namespace tepui
