#include "tepui/render/page/contour_labels.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tepui/core/math.h"
#include "tepui/render/page/font.h"

namespace tepui {

namespace {

constexpr double text_size = 9, speck = 12, label_distance = 110;
constexpr uint32_t thin_rgb = 0x4a4036, main_rgb = 0x2c2620;

double length(Vec2 v) { return std::sqrt(v.x * v.x + v.y * v.y); }

std::vector<double> lengths_along(const std::vector<Vec2>& points) {
  std::vector<double> along{0};
  for (size_t i = 1; i < points.size(); ++i) along.push_back(along.back() + length(points[i] - points[i - 1]));
  return along;
}

/// Points [first, last] of a line make room for a label.
struct Gap {
  size_t first = 0, last = 0;
  Vec2 middle;
  double turn = 0;
};

std::optional<Gap> find_gap(const std::vector<Vec2>& points, double width, Vec2 corner, Vec2 size,
                            const std::vector<Vec2>& taken) {
  const std::vector<double> along = lengths_along(points);
  if (along.back() < 3 * width) return std::nullopt;
  std::optional<Gap> best;
  double straightest = 0.93;
  size_t last = 0;
  for (size_t first = 0; first < points.size(); ++first) {
    while (last < points.size() && along[last] - along[first] < width) ++last;
    if (last == points.size()) break;
    const Vec2 chord = points[last] - points[first], middle = (points[first] + points[last]) * 0.5;
    const double straight = length(chord) / (along[last] - along[first]);
    const double edge = width;
    const bool inside = middle.x > corner.x + edge && middle.x < corner.x + size.x - edge &&
                        middle.y > corner.y + edge && middle.y < corner.y + size.y - edge;
    const auto clear = [&](Vec2 other) { return length(middle - other) > label_distance; };
    if (straight <= straightest || !inside || !std::ranges::all_of(taken, clear)) continue;
    straightest = straight;
    // Upright: never on its head.
    const Vec2 along_x = chord.x < 0 ? chord * -1 : chord;
    best = Gap{first, last, middle, math::degrees(math::atan2(-along_x.y, along_x.x))};
  }
  return best;
}

/// Without points that a reader could not tell from a straight line.
std::vector<Vec2> thinned(const std::vector<Vec2>& points) {
  std::vector<Vec2> kept{points.front()};
  for (size_t i = 1; i + 1 < points.size(); ++i)
    if (length(points[i] - kept.back()) >= 0.8) kept.push_back(points[i]);
  kept.push_back(points.back());
  return kept;
}

}  // namespace

void draw_labelled_contours(Drawing& drawing, Vec2 corner, Vec2 size, const std::vector<MapContour>& lines) {
  std::vector<Vec2> taken;
  std::vector<std::pair<const MapContour*, std::optional<Gap>>> drawn;
  std::vector<std::vector<Vec2>> points;
  for (const MapContour& line : lines) {
    std::vector<Vec2> shape = thinned(line.points);
    if (lengths_along(shape).back() < speck) continue;
    std::optional<Gap> gap;
    if (line.main) gap = find_gap(shape, text_width(line.label, text_size) + 6, corner, size, taken);
    if (gap) taken.push_back(gap->middle);
    drawn.push_back({&line, gap});
    points.push_back(std::move(shape));
  }
  for (size_t i = 0; i < drawn.size(); ++i) {
    const auto& [line, gap] = drawn[i];
    const Stroke stroke{line->main ? main_rgb : thin_rgb, line->main ? 0.9 : 0.5, false};
    if (!gap) {
      drawing.line(points[i], stroke);
      continue;
    }
    const auto begin = points[i].begin();
    drawing.line({begin, begin + static_cast<std::ptrdiff_t>(gap->first) + 1}, stroke);
    drawing.line({begin + static_cast<std::ptrdiff_t>(gap->last), points[i].end()}, stroke);
    const double turn = math::radians(gap->turn), drop = 0.35 * text_size;
    drawing.text(gap->middle + Vec2{math::sin(turn) * drop, math::cos(turn) * drop}, line->label,
                 {text_size, main_rgb, Anchor::middle, false, gap->turn});
  }
}

}  // namespace tepui
