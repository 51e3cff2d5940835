#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "tepui/io/raster/png.h"
#include "tepui/render/page/drawing.h"
#include "tepui/render/page/drawing_items.h"
#include "tepui/render/page/font.h"

namespace tepui {

namespace {

/// Text and attributes alike.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

/// To a hundredth of a pixel, without zeros that say nothing.
std::string number(double v) {
  const double rounded = std::round(v * 100) / 100;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);
}

std::string colour(uint32_t rgb) { return fmt::format("#{:06x}", rgb & 0xffffffu); }

std::string base64(std::string_view bytes) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](size_t k) { return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u; };
    const uint32_t three = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    out += letters[three >> 18];
    out += letters[three >> 12 & 63];
    out += i + 1 < bytes.size() ? letters[three >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? letters[three & 63] : '=';
  }
  return out;
}

std::string path(const std::vector<Vec2>& points, Vec2 move, bool closed) {
  std::string d;
  for (const Vec2 p : points) {
    d += d.empty() ? 'M' : 'L';
    d += number(p.x + move.x) + ' ' + number(p.y + move.y);
  }
  return closed ? d + 'Z' : d;
}

struct Emitter {
  std::string out;
  Vec2 move;
  int gradients = 0;

  /// Defines the gradient and says how to fill with it.
  std::string gradient(const std::vector<GradientStop>& stops) {
    const double top = stops.front().y, span = stops.back().y - top;
    const std::string name = fmt::format("g{}", ++gradients);
    out +=
        fmt::format("<linearGradient id=\"{}\" gradientUnits=\"userSpaceOnUse\" x1=\"0\" y1=\"{}\" x2=\"0\" y2=\"{}\">",
                    name, number(top + move.y), number(top + span + move.y));
    for (const GradientStop& stop : stops)
      out += fmt::format("<stop offset=\"{}\" stop-color=\"{}\"/>",
                         fmt::format("{:.4g}", span > 0 ? (stop.y - top) / span : 0), colour(stop.rgb));
    out += "</linearGradient>\n";
    return "url(#" + name + ")";
  }

  void operator()(const LineShape& line) {
    const bool closed = line.points.size() > 2 && line.points.front() == line.points.back();
    out += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"{}{}/>\n",
        path(line.points, move, closed), colour(line.stroke.rgb), number(line.stroke.width),
        line.stroke.round ? " stroke-linecap=\"round\"" : "",
        line.stroke.dashed ? fmt::format(" stroke-dasharray=\"{} {}\"", number(dash_on), number(dash_off)) : "");
  }
  void operator()(const AreaShape& area) {
    std::string fill = colour(area.rgb);
    if (!area.stops.empty()) fill = gradient(area.stops);
    std::string rings;
    for (const std::vector<Vec2>& ring : area.rings) rings += path(ring, move, true);
    out +=
        fmt::format("<path d=\"{}\" fill=\"{}\" fill-rule=\"evenodd\"{}/>\n", rings, fill,
                    area.opacity < 1 ? fmt::format(" fill-opacity=\"{}\"", fmt::format("{:.3g}", area.opacity)) : "");
  }
  void operator()(const TextLine& line) {
    const Vec2 at = line.at + move;
    const TextStyle& style = line.style;
    std::string attributes;
    if (style.anchor != Anchor::left)
      attributes += style.anchor == Anchor::middle ? " text-anchor=\"middle\"" : " text-anchor=\"end\"";
    if (style.bold) attributes += " font-weight=\"bold\"";
    if (style.turn != 0)
      attributes += fmt::format(" transform=\"rotate({} {} {})\"", number(-style.turn), number(at.x), number(at.y));
    out += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{}>{}</text>\n", number(at.x), number(at.y),
                       number(style.size), colour(style.rgb), attributes, escaped(line.text));
  }
  void operator()(const PictureShape& picture) {
    const Vec2 at = picture.corner + move;
    out += fmt::format(
        "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\"{} "
        "xlink:href=\"data:image/png;base64,{}\"/>\n",
        number(at.x), number(at.y), number(picture.size.x), number(picture.size.y),
        picture.smooth ? "" : " image-rendering=\"pixelated\"", base64(encode_png(picture.image)));
  }
};

}  // namespace

std::string Drawing::svg(const std::map<std::string, std::string>& notes) const {
  std::string metadata;
  for (const auto& [key, text] : notes) metadata += escaped(shown_text(key)) + ": " + escaped(shown_text(text)) + "\n";
  if (!metadata.empty()) metadata = "<metadata>\n" + metadata + "</metadata>\n";
  Emitter emitter;
  emitter.out = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"{0}\" "
      "height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"DejaVu Sans, sans-serif\">\n"
      "{3}<rect width=\"{0}\" height=\"{1}\" fill=\"{2}\"/>\n",
      number(width_), number(height_), colour(background_), metadata);
  for (const auto& item : items_) {
    emitter.move = item->move;
    std::visit(emitter, *item->shape);
  }
  return std::move(emitter.out) + "</svg>\n";
}

}  // namespace tepui
