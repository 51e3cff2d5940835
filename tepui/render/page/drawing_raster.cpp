#include <fmt/format.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include FT_STROKER_H

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/render/page/drawing.h"
#include "tepui/render/page/drawing_items.h"
#include "tepui/render/page/font.h"
#include "tepui/render/page/picture_scaling.h"

namespace tepui {

namespace {

constexpr int largest_side = 16384;
constexpr double largest_area = 1.0e8;
/// FreeType counts an outline's points in 16 bits; its stroker makes several of one.
constexpr size_t most_points = 32000, most_stroked = 2000;

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  bool holds(Vec2 p) const { return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom; }
};

/// Sutherland and Hodgman 1974. Keeps coordinates within what FreeType can count.
std::vector<Vec2> clip_area(std::vector<Vec2> points, const Box& box) {
  const auto keep = [&](double Vec2::*axis, double bound, double sign) {
    std::vector<Vec2> kept;
    for (size_t i = 0; i < points.size(); ++i) {
      const Vec2 a = points[i], b = points[(i + 1) % points.size()];
      const double da = (a.*axis - bound) * sign, db = (b.*axis - bound) * sign;
      if (da >= 0) kept.push_back(a);
      if ((da >= 0) != (db >= 0)) {
        Vec2 cut = a + (b - a) * (da / (da - db));
        cut.*axis = bound;
        kept.push_back(cut);
      }
    }
    points = std::move(kept);
  };
  keep(&Vec2::x, box.left, 1);
  keep(&Vec2::x, box.right, -1);
  keep(&Vec2::y, box.top, 1);
  keep(&Vec2::y, box.bottom, -1);
  return points;
}

/// Liang and Barsky 1984; false where nothing of the segment is inside.
bool clip_segment(Vec2& a, Vec2& b, const Box& box) {
  const Vec2 d = b - a;
  double from = 0, to = 1;
  const auto cut = [&](double step, double room) {
    if (step == 0) return room >= 0;
    const double t = room / step;
    if (step < 0)
      from = std::max(from, t);
    else
      to = std::min(to, t);
    return from <= to;
  };
  if (!cut(-d.x, a.x - box.left) || !cut(d.x, box.right - a.x) || !cut(-d.y, a.y - box.top) ||
      !cut(d.y, box.bottom - a.y))
    return false;
  const Vec2 start = a;
  if (to < 1) b = start + d * to;
  if (from > 0) a = start + d * from;
  return true;
}

/// The runs of a line that lie inside the box, none of more than `most_stroked` points.
std::vector<std::vector<Vec2>> clip_line(const std::vector<Vec2>& points, const Box& box) {
  std::vector<std::vector<Vec2>> runs;
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    Vec2 a = points[i], b = points[i + 1];
    if (!clip_segment(a, b, box)) continue;
    if (runs.empty() || runs.back().back() != a || runs.back().size() >= most_stroked) runs.push_back({a});
    runs.back().push_back(b);
  }
  return runs;
}

std::vector<std::vector<Vec2>> dashes(const std::vector<Vec2>& points, double on, double off) {
  std::vector<std::vector<Vec2>> list;
  double left = on;
  bool drawing = true;
  list.push_back({points.front()});
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    Vec2 at = points[i];
    const Vec2 step = points[i + 1] - at;
    double length = std::sqrt(step.x * step.x + step.y * step.y);
    const Vec2 along = length > 0 ? step * (1 / length) : Vec2{};
    while (length > left) {
      at = at + along * left;
      length -= left;
      if (drawing) list.back().push_back(at);
      drawing = !drawing;
      if (drawing) list.push_back({at});
      left = drawing ? on : off;
    }
    left -= length;
    if (drawing) list.back().push_back(points[i + 1]);
  }
  return list;
}

/// Without points that lie closer than `reach` to the one before.
void thin(std::vector<Vec2>& points, double reach) {
  std::vector<Vec2> kept{points.front()};
  for (const Vec2 p : points)
    if (std::abs(p.x - kept.back().x) + std::abs(p.y - kept.back().y) > reach) kept.push_back(p);
  points = std::move(kept);
}

/// Until they are as few as can be filled at once.
void thin(std::vector<std::vector<Vec2>>& rings) {
  for (double reach = 1.0 / 16;; reach *= 2) {
    std::erase_if(rings, [](const std::vector<Vec2>& ring) { return ring.size() < 3; });
    size_t points = 0;
    for (const std::vector<Vec2>& ring : rings) points += ring.size();
    if (points <= most_points) return;
    for (std::vector<Vec2>& ring : rings) thin(ring, reach);
  }
}

FT_Vector fixed(Vec2 p) {
  return {static_cast<FT_Pos>(std::floor(p.x * 64 + 0.5)), static_cast<FT_Pos>(std::floor(p.y * 64 + 0.5))};
}

/// How much of each pixel of a part of the page a shape covers, 255 for all of it.
struct Mask {
  int left = 0, top = 0, width = 0, height = 0;
  std::vector<uint8_t> cover;

  uint8_t* at(int x, int y) {
    return cover.data() + static_cast<size_t>(y - top) * static_cast<size_t>(width) + static_cast<size_t>(x - left);
  }
};

void note_spans(int y, int count, const FT_Span* spans, void* user) {
  Mask& mask = *static_cast<Mask*>(user);
  for (int s = 0; s < count; ++s) std::fill_n(mask.at(spans[s].x, y), spans[s].len, spans[s].coverage);
}

/// An outline in FreeType's form.
struct Outline {
  std::vector<FT_Vector> points;
  std::vector<char> tags;
  std::vector<short> ends;

  void add(FT_Vector point, bool on_curve) {
    points.push_back(point);
    tags.push_back(on_curve ? 1 : 0);
  }
  void close() { ends.push_back(static_cast<short>(points.size() - 1)); }
};

class Painter {
 public:
  Painter(Image& image, double scale) : image_(image), scale_(scale) {
    if (FT_Init_FreeType(&library_) != 0) fail("cannot start FreeType");
    if (FT_Stroker_New(library_, &stroker_) != 0) {
      FT_Done_FreeType(library_);
      fail("cannot start FreeType's stroker");
    }
  }
  ~Painter() {
    FT_Stroker_Done(stroker_);
    FT_Done_FreeType(library_);
  }
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  void move_to(Vec2 move) { move_ = move; }

  void operator()(const AreaShape& area) {
    std::vector<std::vector<Vec2>> rings;
    for (const std::vector<Vec2>& ring : area.rings) {
      std::vector<Vec2> points;
      for (const Vec2 p : ring) points.push_back(place(p));
      rings.push_back(clip_area(std::move(points), page(1)));
    }
    thin(rings);
    Outline outline;
    for (const std::vector<Vec2>& ring : rings) {
      for (const Vec2 p : ring) outline.add(fixed(p), true);
      outline.close();
    }
    const auto colour = [&](int row) {
      if (area.stops.empty()) return area.rgb;
      return gradient_colour(area.stops, (row + 0.5) / scale_ - move_.y);
    };
    fill(outline, FT_OUTLINE_EVEN_ODD_FILL, colour, area.opacity);
  }

  void operator()(const LineShape& line) {
    const double width = line.stroke.width * scale_;
    std::vector<Vec2> points;
    for (const Vec2 p : line.points) {
      const Vec2 at = place(p);
      if (points.empty() || points.back() != at) points.push_back(at);
    }
    // Lines are stroked in pieces, whose joints show a little: as few as may be.
    if (points.size() > most_stroked) thin(points, 1.0 / 8);
    const bool closed = points.size() > 2 && points.front() == points.back();
    const Box box = page(width + 2);
    for (const std::vector<Vec2>& run : clip_line(points, box)) {
      const bool ring = closed && !line.stroke.dashed && run.size() == points.size();
      if (!line.stroke.dashed) stroke(run, width, ring, line.stroke);
      if (line.stroke.dashed)
        for (const auto& dash : dashes(run, dash_on * scale_, dash_off * scale_))
          stroke(dash, width, false, line.stroke);
    }
  }

  void operator()(const TextLine& line) {
    const TextShape shape = shape_text(line.text, line.style.size, line.style.bold);
    const double shift = line.style.anchor == Anchor::left     ? 0
                         : line.style.anchor == Anchor::middle ? -shape.width / 2
                                                               : -shape.width;
    const double turn = math::radians(line.style.turn), c = math::cos(turn), s = math::sin(turn);
    const auto to_page = [&](Vec2 p) {
      const Vec2 q{p.x + shift, p.y};
      return place(line.at + Vec2{q.x * c + q.y * s, q.y * c - q.x * s});
    };
    // Letters beyond the page may lie beyond what FreeType can count.
    const Box box = page(64 + 8 * line.style.size * scale_);
    for (const std::vector<GlyphContour>& letter : shape.letters) {
      if (!box.holds(to_page(letter.front().points.front()))) continue;
      Outline outline;
      for (const GlyphContour& contour : letter) {
        for (size_t i = 0; i < contour.points.size(); ++i)
          outline.add(fixed(to_page(contour.points[i])), contour.on_curve[i]);
        outline.close();
      }
      fill(outline, 0, line.style.rgb, 1);
    }
  }

  void operator()(const PictureShape& picture) {
    const Vec2 corner = place(picture.corner);
    blend_picture(image_, picture.image, corner, picture.size * scale_, picture.smooth);
  }

 private:
  Vec2 place(Vec2 p) const { return (p + move_) * scale_; }
  Box page(double margin) const { return {-margin, -margin, image_.width + margin, image_.height + margin}; }

  void stroke(const std::vector<Vec2>& points, double width, bool closed, const Stroke& style) {
    if (points.size() < 2) return;
    // FreeType cannot end a line that has gone nowhere.
    const auto stands = [first = fixed(points.front())](Vec2 p) {
      const FT_Vector v = fixed(p);
      return v.x == first.x && v.y == first.y;
    };
    if (std::ranges::all_of(points, stands)) return;
    // Thinner than FreeType's smallest unit is nothing.
    FT_Stroker_Set(stroker_, std::max<FT_Fixed>(1, static_cast<FT_Fixed>(std::floor(width * 32 + 0.5))),
                   style.round ? FT_STROKER_LINECAP_ROUND : FT_STROKER_LINECAP_BUTT, FT_STROKER_LINEJOIN_ROUND, 0);
    FT_Vector at = fixed(points.front());
    check(FT_Stroker_BeginSubPath(stroker_, &at, closed ? 0 : 1));
    for (size_t i = 1; i < points.size(); ++i) {
      const FT_Vector to = fixed(points[i]);
      FT_Vector next = to;
      if (to.x == at.x && to.y == at.y) continue;
      check(FT_Stroker_LineTo(stroker_, &next));
      at = to;
    }
    check(FT_Stroker_EndSubPath(stroker_));
    FT_UInt count = 0, contours = 0;
    check(FT_Stroker_GetCounts(stroker_, &count, &contours));
    if (count == 0) return;
    Outline outline;
    outline.points.resize(count);
    outline.tags.resize(count);
    outline.ends.resize(contours);
    FT_Outline target = view(outline, 0);
    target.n_points = 0;
    target.n_contours = 0;
    FT_Stroker_Export(stroker_, &target);
    fill(outline, 0, style.rgb, 1);
  }

  static FT_Outline view(Outline& outline, int flags) {
    FT_Outline ft{};
    ft.n_contours = static_cast<short>(outline.ends.size());
    ft.n_points = static_cast<short>(outline.points.size());
    ft.points = outline.points.data();
    ft.tags = outline.tags.data();
    ft.contours = outline.ends.data();
    ft.flags = flags;
    return ft;
  }

  void fill(Outline& outline, int flags, uint32_t rgb, double opacity) {
    fill(
        outline, flags, [rgb](int) { return rgb; }, opacity);
  }

  /// In a colour for each row of the page.
  void fill(Outline& outline, int flags, const std::function<uint32_t(int)>& rgb, double opacity) {
    if (outline.points.empty()) return;
    FT_Outline ft = view(outline, flags);
    FT_BBox box{};
    FT_Outline_Get_CBox(&ft, &box);
    const auto within = [](FT_Pos v, int side) { return static_cast<int>(std::clamp<FT_Pos>(v, 0, side)); };
    const int left = within(box.xMin >> 6, image_.width), right = within((box.xMax + 63) >> 6, image_.width);
    const int top = within(box.yMin >> 6, image_.height), bottom = within((box.yMax + 63) >> 6, image_.height);
    if (right <= left || bottom <= top) return;
    Mask mask{left, top, right - left, bottom - top, {}};
    mask.cover.assign(static_cast<size_t>(mask.width) * static_cast<size_t>(mask.height), 0);
    cover(ft, mask, {left, top, right, bottom});
    blend(mask, rgb, static_cast<int>(std::clamp(opacity, 0.0, 1.0) * 255 + 0.5));
  }

  /// FreeType gives up where a part of the page has too many edges for its pool: then in halves. What it noted before
  /// is noted again.
  void cover(FT_Outline& outline, Mask& mask, const FT_BBox& box) {
    FT_Raster_Params params{};
    params.flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP;
    params.gray_spans = note_spans;
    params.user = &mask;
    params.clip_box = box;
    const FT_Error error = FT_Outline_Render(library_, &outline, &params);
    const FT_Pos width = box.xMax - box.xMin, height = box.yMax - box.yMin;
    if (FT_ERROR_BASE(error) != FT_Err_Raster_Overflow || (width <= 1 && height <= 1)) return check(error);
    FT_BBox first = box, second = box;
    if (width >= height)
      first.xMax = second.xMin = box.xMin + width / 2;
    else
      first.yMax = second.yMin = box.yMin + height / 2;
    cover(outline, mask, first);
    cover(outline, mask, second);
  }

  void blend(Mask& mask, const std::function<uint32_t(int)>& colour, int alpha) {
    for (int y = mask.top; y < mask.top + mask.height; ++y) {
      const uint32_t rgb = colour(y);
      const std::array<int, 3> ink{static_cast<int>(rgb >> 16 & 255u), static_cast<int>(rgb >> 8 & 255u),
                                   static_cast<int>(rgb & 255u)};
      const uint8_t* covered = mask.at(mask.left, y);
      uint8_t* pixel = image_.at(mask.left, y);
      for (int x = 0; x < mask.width; ++x, pixel += 3) {
        const int a = (covered[x] * alpha + 127) / 255;
        if (a == 0) continue;
        for (size_t c = 0; c < 3; ++c) pixel[c] = static_cast<uint8_t>((pixel[c] * (255 - a) + ink[c] * a + 127) / 255);
      }
    }
  }

  static void check(FT_Error error) {
    if (error != 0) fail(fmt::format("FreeType cannot draw a shape (its error {})", error));
  }

  Image& image_;
  double scale_;
  Vec2 move_;
  FT_Library library_ = nullptr;
  FT_Stroker stroker_ = nullptr;
};

}  // namespace

Image Drawing::raster(double scale) const {
  const double w = std::ceil(width_ * scale - 1e-6), h = std::ceil(height_ * scale - 1e-6);
  if (!(scale > 0) || !(w <= largest_side && h <= largest_side && w * h <= largest_area))
    refuse(fmt::format("a figure of {} x {} pixels", w, h),
           fmt::format("sides up to {} and up to {:.0f} million pixels", largest_side, largest_area / 1e6));
  Image image(std::max(1, static_cast<int>(w)), std::max(1, static_cast<int>(h)), 3);
  for (size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = static_cast<uint8_t>(background_ >> (16 - 8 * (i % 3)) & 255u);
  Painter painter(image, scale);
  for (const auto& item : items_) {
    painter.move_to(item->move);
    std::visit(painter, *item->shape);
  }
  return image;
}

}  // namespace tepui
