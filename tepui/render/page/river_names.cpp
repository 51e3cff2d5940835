#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "tepui/core/math.h"
#include "tepui/render/page/font.h"
#include "tepui/render/page/lettering.h"
#include "tepui/render/page/river_strokes.h"

namespace tepui {

namespace {

/// Room of a name beyond its letters, and how far names stay from each other.
constexpr double name_room = 1.15, name_distance = 60;

double length(Vec2 v) { return std::sqrt(v.x * v.x + v.y * v.y); }

std::vector<double> lengths_along(const std::vector<Vec2>& points) {
  std::vector<double> along{0};
  for (size_t i = 1; i < points.size(); ++i) along.push_back(along.back() + length(points[i] - points[i - 1]));
  return along;
}

Vec2 point_at(const std::vector<Vec2>& points, const std::vector<double>& along, double distance) {
  const auto after = std::ranges::upper_bound(along, distance);
  const size_t i = std::clamp<size_t>(static_cast<size_t>(after - along.begin()), 1, points.size() - 1);
  const double step = along[i] - along[i - 1];
  return points[i - 1] + (points[i] - points[i - 1]) * (step > 0 ? (distance - along[i - 1]) / step : 0);
}

/// The same of the course without bends that are smaller than `reach`.
Vec2 course_at(const std::vector<Vec2>& points, const std::vector<double>& along, double distance, double reach) {
  constexpr int steps = 6;
  // As far to both sides, so that the ends stay where they are.
  const double far = std::min({reach, std::max(distance, 0.0), std::max(along.back() - distance, 0.0)});
  Vec2 sum;
  for (int k = -steps; k <= steps; ++k) sum = sum + point_at(points, along, distance + far * k / steps);
  return sum * (1.0 / (2 * steps + 1));
}

/// Where the course is straightest over a length: how far along it begins.
std::optional<double> straight_part(const std::vector<Vec2>& points, const std::vector<double>& along, double wanted,
                                    const std::vector<Vec2>& taken, double apart) {
  std::optional<double> best;
  double straightest = 0.88;
  constexpr int tries = 48;
  for (int k = 0; k <= tries && along.back() >= wanted; ++k) {
    const double from = (along.back() - wanted) * k / tries;
    const Vec2 a = point_at(points, along, from), b = point_at(points, along, from + wanted), middle = (a + b) * 0.5;
    const auto clear = [&](Vec2 other) { return length(middle - other) > apart; };
    if (const double straight = length(b - a) / wanted; straight > straightest && std::ranges::all_of(taken, clear)) {
      straightest = straight;
      best = from;
    }
  }
  return best;
}

struct Lettering {
  double size = 10, spacing = 1, over = 4;  ///< of letters, between them, and above the middle of the river
  uint32_t rgb = 0, paper = 0xffffff;
};

void draw_along(Drawing& drawing, const std::vector<std::string>& letters, std::vector<Vec2> points, double from,
                const Lettering& style) {
  const std::vector<double> along = lengths_along(points);
  const auto place = [&](const std::vector<std::pair<Vec2, double>>& at, Vec2 move, uint32_t rgb) {
    for (size_t i = 0; i < letters.size(); ++i)
      drawing.text(at[i].first + move, letters[i], {style.size, rgb, Anchor::middle, false, at[i].second});
  };
  std::vector<std::pair<Vec2, double>> at;
  for (const std::string& letter : letters) {
    const double wide = text_width(letter, style.size), middle = from + wide / 2, reach = 1.5 * style.size;
    const Vec2 d = course_at(points, along, std::min(middle + reach, along.back()), reach) -
                   course_at(points, along, std::max(middle - reach, 0.0), reach);
    const double far = std::max(length(d), 1e-9);
    const Vec2 up{d.y / far, -d.x / far};
    at.push_back({course_at(points, along, middle, reach) + up * style.over, math::degrees(math::atan2(-d.y, d.x))});
    from += wide + style.spacing;
  }
  // A rim of paper keeps them apart from what is below.
  constexpr int rim = 8;
  for (int k = 0; k < rim; ++k) {
    const double angle = 2 * math::pi * k / rim, far = 0.13 * style.size;
    place(at, {far * math::cos(angle), far * math::sin(angle)}, style.paper);
  }
  place(at, {}, style.rgb);
}

}  // namespace

void draw_river_names(Drawing& drawing, const std::vector<RiverStroke>& rivers, int most, const RiverStyle& style) {
  double last = 1;
  // Of each name the longest part of the river.
  std::map<std::string, std::pair<double, const RiverStroke*>> longest;
  for (const RiverStroke& river : rivers) {
    last = std::max(last, river.order);
    if (river.name.empty()) continue;
    auto& [length, best] = longest[river.name];
    if (const double own = lengths_along(river.points).back(); best == nullptr || own > length)
      length = own, best = &river;
  }
  std::vector<const RiverStroke*> ranked;
  for (const auto& [name, river] : longest) ranked.push_back(river.second);
  std::ranges::stable_sort(ranked, std::greater(), &RiverStroke::size);
  std::vector<Vec2> taken;
  int drawn = 0;
  for (const RiverStroke* river : ranked) {
    if (drawn == most) break;
    Lettering lettering;
    lettering.size = style.scale * (8.5 + 3.5 * std::clamp(river->order / last, 0.0, 1.0));
    lettering.spacing = 0.16 * lettering.size;
    lettering.over = 0.5 * *std::ranges::max_element(river->widths) + 0.3 * lettering.size;
    lettering.rgb = style.large;
    lettering.paper = style.paper;
    const std::vector<std::string> letters = characters_of(shown_text(river->name));
    double wide = 0;
    for (const std::string& letter : letters) wide += text_width(letter, lettering.size) + lettering.spacing;
    std::vector<Vec2> points = river->points;
    std::vector<double> along = lengths_along(points);
    std::optional<double> from = straight_part(points, along, name_room * wide, taken, style.scale * name_distance);
    if (!from) continue;
    const Vec2 a = point_at(points, along, *from), b = point_at(points, along, *from + name_room * wide);
    // Read from left to right.
    if (b.x < a.x) {
      std::ranges::reverse(points);
      from = along.back() - *from - name_room * wide;
    }
    draw_along(drawing, letters, points, *from + (name_room - 1) / 2 * wide, lettering);
    taken.push_back((a + b) * 0.5);
    ++drawn;
  }
}

}  // namespace tepui
