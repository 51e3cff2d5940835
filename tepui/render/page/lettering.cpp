#include "tepui/render/page/lettering.h"

#include "tepui/core/math.h"
#include "tepui/render/page/font.h"

namespace tepui {

std::vector<std::string> characters_of(const std::string& text) {
  std::vector<std::string> list;
  for (const char c : text) {
    if (list.empty() || (static_cast<unsigned char>(c) & 0xc0u) != 0x80u) list.emplace_back();
    list.back() += c;
  }
  return list;
}

double spaced_width(const std::string& text, const TextStyle& style, double spacing) {
  double wide = 0;
  for (const std::string& letter : characters_of(shown_text(text)))
    wide += text_width(letter, style.size, style.bold) + spacing;
  return wide > 0 ? wide - spacing : 0;
}

double draw_spaced(Drawing& drawing, Vec2 at, const std::string& text, TextStyle style, double spacing) {
  const double whole = spaced_width(text, style, spacing);
  double along = style.anchor == Anchor::left ? 0 : style.anchor == Anchor::middle ? -whole / 2 : -whole;
  const double turn = math::radians(style.turn);
  const Vec2 step{math::cos(turn), -math::sin(turn)};
  style.anchor = Anchor::left;
  for (const std::string& letter : characters_of(shown_text(text))) {
    drawing.text(at + step * along, letter, style);
    along += text_width(letter, style.size, style.bold) + spacing;
  }
  return whole;
}

}  // namespace tepui
