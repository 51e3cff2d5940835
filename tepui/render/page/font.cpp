#include "tepui/render/page/font.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include <array>
#include <cstdint>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr char32_t replacement = 0xFFFD;

/// The next code point of `text`, whose bytes it takes; broken bytes are taken one at a time.
char32_t next_code_point(std::string_view& text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  if (length == 1) return text.remove_prefix(1), first;
  char32_t code = length == 0 ? 0 : first & (0xFFu >> (length + 1));
  bool good = length != 0 && text.size() >= length;
  for (size_t i = 1; good && i < length; ++i) {
    good = (byte(i) & 0xC0u) == 0x80;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  // Longer than it need be, half of a surrogate pair, or beyond Unicode.
  good = good && !(length == 3 && code < 0x800) && !(length == 4 && (code < 0x10000 || code > 0x10FFFF)) &&
         !(code >= 0xD800 && code <= 0xDFFF);
  text.remove_prefix(good ? length : 1);
  return good ? code : replacement;
}

/// Whether a reader sees the character where it stands: not controls, marks that turn the writing direction, characters
/// without width, or those that no XML may hold.
bool is_shown(char32_t c) {
  if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0xFEFF) return false;
  if ((c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F)) return false;
  return !((c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFEu) == 0xFFFE || (c >= 0xE0000 && c <= 0xE0FFF));
}

void append_utf8(std::string& out, char32_t c) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    tail(12), tail(6), tail(0);
  }
}

/// FreeType with both fonts open. One belongs to one thread.
class Fonts {
 public:
  Fonts() {
    if (FT_Init_FreeType(&library_) != 0) fail("cannot start FreeType");
    for (size_t i = 0; i < faces_.size(); ++i) {
      const std::string_view bytes = embedded_fonts()[i].bytes;
      if (FT_New_Memory_Face(library_, reinterpret_cast<const FT_Byte*>(bytes.data()),
                             static_cast<FT_Long>(bytes.size()), 0, &faces_[i]) != 0) {
        FT_Done_FreeType(library_);
        fail("FreeType cannot open " + embedded_fonts()[i].name);
      }
    }
  }
  ~Fonts() { FT_Done_FreeType(library_); }
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;

  FT_Face face(bool bold) const { return faces_[bold ? 1 : 0]; }

 private:
  FT_Library library_ = nullptr;
  std::array<FT_Face, 2> faces_{};
};

FT_Face face(bool bold) {
  thread_local const Fonts fonts;
  return fonts.face(bold);
}

void append_outline(TextShape& shape, const FT_Outline& outline, double start, double scale) {
  int first = 0;
  std::vector<GlyphContour> letter;
  for (int c = 0; c < outline.n_contours; ++c) {
    GlyphContour contour;
    for (int i = first; i <= outline.contours[c]; ++i) {
      const FT_Vector& p = outline.points[i];
      contour.points.push_back({(start + static_cast<double>(p.x)) * scale, -static_cast<double>(p.y) * scale});
      contour.on_curve.push_back((outline.tags[i] & 1) != 0);
    }
    first = outline.contours[c] + 1;
    if (contour.points.size() > 1) letter.push_back(std::move(contour));
  }
  if (!letter.empty()) shape.letters.push_back(std::move(letter));
}

/// Sizes are linear: everything is measured in the font's own units.
TextShape shape_line(std::string_view text, double size, bool bold, bool outlines) {
  const FT_Face font = face(bold);
  const double scale = size / font->units_per_EM;
  TextShape shape;
  double pen = 0;
  FT_UInt before = 0;
  while (!text.empty()) {
    const FT_UInt glyph = FT_Get_Char_Index(font, next_code_point(text));
    FT_Vector kerning{};
    if (before != 0 && glyph != 0 && FT_Get_Kerning(font, before, glyph, FT_KERNING_UNSCALED, &kerning) == 0)
      pen += static_cast<double>(kerning.x);
    if (FT_Load_Glyph(font, glyph, FT_LOAD_NO_SCALE) != 0) fail("FreeType cannot load a letter of its font");
    if (outlines) append_outline(shape, font->glyph->outline, pen, scale);
    pen += static_cast<double>(font->glyph->advance.x);
    before = glyph;
  }
  shape.width = pen * scale;
  return shape;
}

}  // namespace

std::string shown_text(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const char32_t c = next_code_point(text);
    append_utf8(shown, c == '\n' || c == '\t' || c == '\r' ? U' ' : is_shown(c) ? c : replacement);
  }
  return shown;
}

TextShape shape_text(const std::string& text, double size, bool bold) { return shape_line(text, size, bold, true); }

double text_width(const std::string& text, double size, bool bold) {
  return shape_line(shown_text(text), size, bold, false).width;
}

}  // namespace tepui
