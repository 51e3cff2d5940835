#include "tepui/render/page/map_water.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/render/page/contours.h"

namespace tepui {

namespace {

/// A ring of its own, and what it lies in.
struct Ring {
  std::vector<Vec2> points;
  double area = 0;  ///< sign aside
  Vec2 low, high;
};

Ring make_ring(std::vector<Vec2> points) {
  Ring ring;
  ring.low = ring.high = points.front();
  double twice = 0;
  for (size_t i = 0; i + 1 < points.size(); ++i) {
    twice += points[i].x * points[i + 1].y - points[i + 1].x * points[i].y;
    ring.low = {std::min(ring.low.x, points[i].x), std::min(ring.low.y, points[i].y)};
    ring.high = {std::max(ring.high.x, points[i].x), std::max(ring.high.y, points[i].y)};
  }
  ring.area = std::abs(twice) / 2;
  ring.points = std::move(points);
  return ring;
}

bool holds(const Ring& ring, Vec2 p) {
  if (p.x < ring.low.x || p.x > ring.high.x || p.y < ring.low.y || p.y > ring.high.y) return false;
  bool inside = false;
  for (size_t i = 0; i + 1 < ring.points.size(); ++i) {
    const Vec2 a = ring.points[i], b = ring.points[i + 1];
    if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)) inside = !inside;
  }
  return inside;
}

/// One sample more on every side, so low that lines cross halfway to it.
Grid<float> framed(const Grid<float>& grid) {
  Grid<float> out(grid.width() + 2, grid.height() + 2);
  for (int64_t y = 0; y < out.height(); ++y)
    for (int64_t x = 0; x < out.width(); ++x) {
      const int64_t i = std::clamp<int64_t>(x - 1, 0, grid.width() - 1),
                    j = std::clamp<int64_t>(y - 1, 0, grid.height() - 1);
      const bool own = i == x - 1 && j == y - 1;
      out(x, y) = own ? grid(i, j) : -std::max(std::abs(grid(i, j)), 1e-6f);
    }
  return out;
}

}  // namespace

std::vector<WaterArea> areas_above_zero(const Grid<float>& grid, const Context& context) {
  std::vector<Ring> rings;
  for (ContourLine& line : contour_lines(framed(grid), {0.0}, context)) {
    if (line.points.size() < 4 || line.points.front() != line.points.back()) continue;
    for (Vec2& p : line.points) p = p - Vec2{1, 1};
    rings.push_back(make_ring(std::move(line.points)));
  }
  std::ranges::stable_sort(rings, std::greater(), &Ring::area);
  // Around an even number of others it is an outer shore, else that of an island in the smallest of them.
  std::vector<WaterArea> areas;
  std::vector<int> area_of(rings.size(), -1);
  for (size_t i = 0; i < rings.size(); ++i) {
    int around = 0;
    size_t nearest = 0;
    for (size_t k = 0; k < i; ++k)
      if (holds(rings[k], rings[i].points.front())) ++around, nearest = k;
    if (around % 2 == 0) {
      area_of[i] = static_cast<int>(areas.size());
      areas.push_back({{rings[i].points}});
    } else if (area_of[nearest] >= 0) {
      areas[static_cast<size_t>(area_of[nearest])].rings.push_back(rings[i].points);
    }
  }
  return areas;
}

Grid<float> water_over_ground(const InlandWater& water, int64_t most, const Context& context) {
  const int64_t w = water.level().width(), h = water.level().height(), longer = std::max(w, h);
  const auto count = [&](int64_t samples) {
    return longer <= most ? samples : std::max<int64_t>(1, samples * most / longer);
  };
  Grid<float> out(count(w), count(h));
  parallel_chunks(out.height(), 8, context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < out.width(); ++x) {
        const int64_t x0 = x * w / out.width(), x1 = (x + 1) * w / out.width();
        const int64_t y0 = y * h / out.height(), y1 = (y + 1) * h / out.height();
        // Clipped only where several are one: between two samples the shore is where the true numbers say.
        if (x1 - x0 == 1 && y1 - y0 == 1) {
          out(x, y) = water.over_ground_at(x0, y0);
          continue;
        }
        double sum = 0;
        for (int64_t j = y0; j < y1; ++j)
          for (int64_t i = x0; i < x1; ++i)
            sum += static_cast<double>(std::clamp(water.over_ground_at(i, j), -1.0f, 1.0f));
        out(x, y) = static_cast<float>(sum / static_cast<double>((x1 - x0) * (y1 - y0)));
      }
  });
  return out;
}

void draw_water_areas(Drawing& drawing, const std::vector<WaterArea>& areas, Vec2 last,
                      const std::function<Vec2(Vec2)>& to_page, const WaterStyle& style) {
  for (const WaterArea& area : areas) {
    std::vector<std::vector<Vec2>> rings = area.rings;
    for (std::vector<Vec2>& ring : rings)
      for (Vec2& p : ring) p = to_page(p);
    drawing.area(std::move(rings), style.fill);
  }
  const auto beyond = [&](Vec2 p) { return p.x < -0.25 || p.y < -0.25 || p.x > last.x + 0.25 || p.y > last.y + 0.25; };
  for (const WaterArea& area : areas)
    for (const std::vector<Vec2>& ring : area.rings) {
      std::vector<Vec2> run;
      const auto flush = [&] {
        drawing.line(std::move(run), {style.shore, style.shore_width, false, true});
        run.clear();
      };
      for (size_t i = 0; i < ring.size(); ++i) {
        if (i > 0 && beyond(ring[i - 1]) && beyond(ring[i])) flush();
        run.push_back(to_page(ring[i]));
      }
      flush();
    }
}

void draw_lakes(Drawing& drawing, const PlotArea& area, const InlandWater& water, const WaterStyle& style,
                const Context& context) {
  constexpr int64_t most_samples = 2048;
  const Grid<float> over = water_over_ground(water, most_samples, context);
  const auto w = static_cast<double>(over.width()), h = static_cast<double>(over.height());
  const auto to_page = [&](Vec2 p) {
    return area.corner + Vec2{(p.x + 0.5) / w * area.size.x, area.size.y - (p.y + 0.5) / h * area.size.y};
  };
  draw_water_areas(drawing, areas_above_zero(over, context), {w - 1, h - 1}, to_page, style);
}

}  // namespace tepui
