#include "tepui/render/page/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/render/page/font.h"

namespace tepui {

namespace {

constexpr double gap = 6, row = 17, swatch = 12;

double power_of_ten(int exponent) {
  double power = 1;
  for (int i = 0; i < std::abs(exponent); ++i) power *= 10;
  return exponent < 0 ? 1 / power : power;
}

int decade(double value) { return static_cast<int>(std::floor(math::log10(value) + 1e-9)); }

/// "height (m)" above a bar, then the bar: where the bar begins.
constexpr double bar_drop = 22;

Image bar_image(const ColourScale& scale, bool wide) {
  const ColourTable& table = colour_table(scale.map);
  const int count = static_cast<int>(table.size());
  Image image(wide ? count : 1, wide ? 1 : count, 3);
  for (int i = 0; i < count; ++i) {
    // Land without a range has one colour.
    const uint32_t rgb = scale.high > scale.low ? table[static_cast<size_t>(i)] : scale.colour(scale.low);
    uint8_t* pixel = wide ? image.at(i, 0) : image.at(0, count - 1 - i);
    for (int c = 0; c < 3; ++c) pixel[c] = static_cast<uint8_t>(rgb >> (16 - 8 * c) & 255u);
  }
  return image;
}

void frame(Drawing& drawing, Vec2 corner, Vec2 size) {
  const Vec2 far = corner + size;
  drawing.line({corner, {far.x, corner.y}, far, {corner.x, far.y}, corner}, {ink::frame, 0.75});
}

/// Ticks of a bar that is `length` pixels long and where along it they are, 0 to 1.
struct BarTick {
  double place = 0;
  std::string text;
};
std::vector<BarTick> bar_ticks(const ColourScale& scale, double length, double spacing) {
  if (!(scale.high > scale.low)) return {{0.5, fmt::format("{:.6g}", scale.low)}};
  const Ticks ticks = round_ticks(scale.low, scale.high, std::clamp(static_cast<int>(length / spacing), 2, 10));
  std::vector<BarTick> list;
  for (const double v : ticks.values)
    list.push_back({(v - scale.low) / (scale.high - scale.low), tick_text(v, ticks.step)});
  return list;
}

/// Thousands apart by narrow spaces that do not break.
std::string grouped(std::string digits) {
  const size_t end = std::min(digits.find('.'), digits.size());
  if (end < 5) return digits;
  for (size_t at = end; at > 3; at -= 3) digits.insert(at - 3, "\xE2\x80\xAF");
  return digits;
}

std::string metres_text(double metres, double largest) {
  return largest >= 1000 ? tick_text(metres / 1000, largest / 1000) : tick_text(metres, largest);
}

}  // namespace

double round_step(double span, int most) {
  if (!(span > 0) || !std::isfinite(span)) return 1;
  const double least = span / std::max(most, 1);
  const double power = power_of_ten(decade(least));
  for (const double digit : {1.0, 2.0, 5.0})
    if (digit * power >= least * (1 - 1e-9)) return digit * power;
  return 10 * power;
}

double round_below(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double power = power_of_ten(decade(value));
  for (const double digit : {5.0, 2.0})
    if (digit * power <= value * (1 + 1e-9)) return digit * power;
  return power;
}

namespace {

Ticks ticks_apart(double low, double high, double step) {
  Ticks ticks;
  ticks.step = step;
  const double slack = 1e-6;
  const double first = std::ceil(low / ticks.step - slack), last = std::floor(high / ticks.step + slack);
  // Where the span drowns in the size of its ends there are no round numbers to tell apart.
  if (!(std::abs(first) < 1e12 && std::abs(last) < 1e12)) return ticks;
  for (double n = first; n <= last; ++n) ticks.values.push_back(n * ticks.step);
  return ticks;
}

}  // namespace

Ticks round_ticks(double low, double high, int most) { return ticks_apart(low, high, round_step(high - low, most)); }

std::string tick_text(double value, double step) {
  const double size = std::abs(value);
  std::string digits;
  if (size >= 1e7 || (step > 0 && step < 1e-4)) {
    digits = fmt::format("{:.4g}", size);
  } else {
    const int decimals = step > 0 && step < 1 ? -decade(step) : 0;
    digits = grouped(fmt::format("{:.{}f}", size, decimals));
  }
  const bool zero = digits.find_first_not_of("0.") == std::string::npos;
  return value < 0 && !zero ? "\xE2\x88\x92" + digits : digits;
}

std::string name_with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " (" + unit + ")";
}

uint32_t ColourScale::colour(double value) const {
  if (map == ColourMap::compass && value < low) return no_direction_rgb;
  return colour_at(map, high > low ? (value - low) / (high - low) : 0.5);
}

Vec2 colour_bar_room(Vec2 size, const ColourScale& scale) {
  double labels = 0;
  for (const BarTick& tick : bar_ticks(scale, size.y, 34)) labels = std::max(labels, text_width(tick.text, ink::tick));
  return {std::max(size.x + 4 + gap + labels, text_width(name_with_unit(scale.name, scale.unit), ink::label)),
          bar_drop + size.y + 6};
}

Vec2 draw_colour_bar(Drawing& drawing, Vec2 corner, Vec2 size, const ColourScale& scale) {
  drawing.text({corner.x, corner.y + ink::tick}, name_with_unit(scale.name, scale.unit), {ink::label, ink::text});
  const Vec2 bar{corner.x, corner.y + bar_drop};
  drawing.picture(bar, size, bar_image(scale, false), false);
  frame(drawing, bar, size);
  for (const BarTick& tick : bar_ticks(scale, size.y, 34)) {
    const double y = bar.y + size.y * (1 - tick.place), x = bar.x + size.x;
    drawing.line({{x, y}, {x + 4, y}}, {ink::frame, 0.75});
    drawing.text({x + 4 + gap / 2, y + 4}, tick.text, {ink::tick, ink::text});
  }
  return colour_bar_room(size, scale);
}

Vec2 draw_wide_colour_bar(Drawing& drawing, Vec2 corner, Vec2 size, const ColourScale& scale) {
  drawing.text({corner.x, corner.y + ink::tick}, name_with_unit(scale.name, scale.unit), {ink::label, ink::text});
  const Vec2 bar{corner.x, corner.y + bar_drop};
  drawing.picture(bar, size, bar_image(scale, true), false);
  frame(drawing, bar, size);
  for (const BarTick& tick : bar_ticks(scale, size.x, 48)) {
    const double x = bar.x + size.x * tick.place, y = bar.y + size.y;
    drawing.line({{x, y}, {x, y + 4}}, {ink::frame, 0.75});
    // The outermost labels stay above the bar, so that they need no room beside it.
    const double half = text_width(tick.text, ink::tick) / 2;
    const double middle = std::clamp(x, std::min(bar.x + half, x), std::max(bar.x + size.x - half, x - half));
    drawing.text({middle, y + 15}, tick.text, {ink::tick, ink::text, Anchor::middle});
  }
  return {size.x, bar_drop + size.y + 18};
}

Vec2 classes_room(double height, const std::string& title, const std::vector<LegendClass>& classes) {
  double width = text_width(title, ink::label);
  for (const LegendClass& c : classes) width = std::max(width, swatch + gap + text_width(c.label, ink::tick));
  const double drop = title.empty() ? 0 : bar_drop;
  const double rows = std::min(static_cast<double>(classes.size()), std::max(1.0, std::floor((height - drop) / row)));
  return {width, drop + rows * row};
}

Vec2 draw_classes(Drawing& drawing, Vec2 corner, double height, const std::string& title,
                  const std::vector<LegendClass>& classes) {
  drawing.text({corner.x, corner.y + ink::tick}, title, {ink::label, ink::text});
  const Vec2 room = classes_room(height, title, classes);
  const double drop = title.empty() ? 0 : bar_drop;
  const size_t rows = static_cast<size_t>((room.y - drop) / row + 0.5);
  const size_t shown = rows < classes.size() ? rows - 1 : rows;
  for (size_t i = 0; i < shown; ++i) {
    const Vec2 at{corner.x, corner.y + drop + static_cast<double>(i) * row};
    drawing.rectangle(at, {swatch, swatch}, classes[i].rgb);
    frame(drawing, at, {swatch, swatch});
    drawing.text({at.x + swatch + gap, at.y + 10}, classes[i].label, {ink::tick, ink::text});
  }
  if (shown < classes.size())
    drawing.text({corner.x, corner.y + drop + static_cast<double>(shown) * row + 10},
                 fmt::format("and {} more", classes.size() - shown), {ink::tick, ink::quiet});
  return room;
}

Vec2 draw_scale_bar(Drawing& drawing, Vec2 corner, double metres_per_pixel, double longest) {
  const double room = metres_per_pixel * longest;
  if (!(room > 0) || !std::isfinite(room)) return {};
  const double metres = round_below(room);
  const double length = metres / metres_per_pixel, thick = 4;
  drawing.rectangle(corner, {length / 2, thick}, ink::frame);
  frame(drawing, corner, {length, thick});
  const double below = corner.y + thick + 13;
  drawing.text({corner.x, below}, "0", {ink::tick, ink::text, Anchor::left});
  const std::string end = metres_text(metres, metres) + (metres >= 1000 ? " km" : " m");
  drawing.text({corner.x + length, below}, end, {ink::tick, ink::text, Anchor::middle});
  return {length + text_width(end, ink::tick) / 2, thick + 16};
}

void draw_north_arrow(Drawing& drawing, Vec2 top, double height) {
  drawing.text({top.x, top.y + 9}, "N", {ink::tick, ink::text, Anchor::middle, true});
  const double tip = top.y + 13, foot = top.y + height, half = (foot - tip) * 0.26;
  const double notch = foot - (foot - tip) * 0.24;
  drawing.area({{top.x, tip}, {top.x + half, foot}, {top.x, notch}}, ink::frame);
  drawing.line({{top.x, tip}, {top.x - half, foot}, {top.x, notch}, {top.x + half, foot}, {top.x, tip}},
               {ink::frame, 0.75});
}

double y_axis_room(double low, double high, double height) {
  const Ticks ticks = round_ticks(low, high, std::clamp(static_cast<int>(height / 28), 2, 10));
  double widest = 0;
  for (const double v : ticks.values) widest = std::max(widest, text_width(tick_text(v, ticks.step), ink::tick));
  return std::ceil(widest + 4 + gap / 2 + 22);
}

Ticks axis_ticks_x(const PlotArea& plot) {
  if (plot.step > 0) return ticks_apart(plot.x_low, plot.x_high, plot.step);
  return round_ticks(plot.x_low, plot.x_high, std::clamp(static_cast<int>(plot.size.x / 80), 2, 12));
}

Ticks axis_ticks_y(const PlotArea& plot) {
  if (plot.step > 0) return ticks_apart(plot.y_low, plot.y_high, plot.step);
  return round_ticks(plot.y_low, plot.y_high, std::clamp(static_cast<int>(plot.size.y / 28), 2, 10));
}

void set_common_step(PlotArea& plot) {
  constexpr double apart = 48;  // pixels, enough for the labels of the x axis
  const double span = std::max(plot.x_high - plot.x_low, plot.y_high - plot.y_low);
  plot.step = round_step(span, std::clamp(static_cast<int>(std::max(plot.size.x, plot.size.y) / apart), 3, 12));
}

void draw_axes(Drawing& drawing, const PlotArea& plot, const std::string& x_name, const std::string& y_name) {
  const Vec2 near = plot.corner, far = plot.corner + plot.size;
  const Ticks xs = axis_ticks_x(plot), ys = axis_ticks_y(plot);
  const Stroke line{ink::frame, 1};
  for (const double v : xs.values) {
    const double x = plot.at(v, 0).x;
    drawing.line({{x, far.y}, {x, far.y + 4}}, line);
    drawing.text({x, far.y + 16}, tick_text(v, xs.step), {ink::tick, ink::text, Anchor::middle});
  }
  double widest = 0;
  for (const double v : ys.values) {
    const double y = plot.at(0, v).y;
    const std::string text = tick_text(v, ys.step);
    widest = std::max(widest, text_width(text, ink::tick));
    drawing.line({{near.x - 4, y}, {near.x, y}}, line);
    drawing.text({near.x - 4 - gap / 2, y + 4}, text, {ink::tick, ink::text, Anchor::right});
  }
  drawing.line({near, {near.x, far.y}, far}, line);
  drawing.text({(near.x + far.x) / 2, far.y + 34}, x_name, {ink::label, ink::text, Anchor::middle});
  drawing.text({near.x - 4 - gap / 2 - widest - 8, (near.y + far.y) / 2}, y_name,
               {ink::label, ink::text, Anchor::middle, false, 90});
}

Image with_legend(const Image& picture, const PictureLegend& legend) {
  if (picture.width < 1 || picture.height < 1) return picture;
  if (!legend.scale && legend.classes.empty() && legend.note.empty()) return picture;
  // Sizes are those of a picture of 720 lines; of a strip such that a drawing can hold it.
  const double unit = std::max(std::clamp(std::min(picture.height / 720.0, picture.width / 960.0), 0.7, 4.0),
                               std::max(picture.width, picture.height) / 16000.0);
  const double width = picture.width / unit, height = picture.height / unit, margin = 14, inside = 10;
  Drawing drawing(width, height);
  drawing.picture({0, 0}, {width, height}, picture, false);
  double used = 0;  // by what stands at the right already
  const auto panel = [&](Vec2 size, bool right) {
    const Vec2 whole = size + Vec2{2 * inside, 2 * inside};
    const Vec2 corner{right ? width - margin - whole.x : margin, height - margin - whole.y - (right ? used : 0)};
    drawing.rectangle(corner, whole, 0xffffff, 0.85);
    if (right) used += whole.y + 0.5 * margin;
    return corner + Vec2{inside, inside};
  };
  if (legend.scale) {
    const Vec2 bar{std::min(std::clamp(0.26 * width, 80.0, 280.0), std::max(width - 60, 20.0)), 10};
    draw_wide_colour_bar(drawing, panel({bar.x + 4, bar_drop + bar.y + 18}, true), bar, *legend.scale);
  }
  if (!legend.classes.empty()) {
    const double room = height - 2 * (margin + inside) - used;
    draw_classes(drawing, panel(classes_room(room, legend.classes_title, legend.classes), true), room,
                 legend.classes_title, legend.classes);
  }
  if (!legend.note.empty()) {
    const Vec2 at = panel({text_width(legend.note, ink::label), 10}, false);
    drawing.text({at.x, at.y + 10}, legend.note, {ink::label, ink::text});
  }
  return drawing.raster(unit);
}

}  // namespace tepui
