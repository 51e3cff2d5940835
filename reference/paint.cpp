#include "reference/paint.h"

#include <algorithm>
#include <cmath>

#include "tepui/terrain/brush_stroke.h"
#include "tepui/terrain/cells.h"

namespace tepui::reference {

namespace {

BrushTouch touch_at(const BrushStroke& stroke, double x, double y) {
  BrushTouch best;
  for (const StrokeStep& step : stroke.steps) {
    const BrushTouch touch = touch_of(stroke, step, x, y);
    if (touch.beats(best)) best = touch;
  }
  if (is_inside(stroke, x, y)) {
    if (best.share <= 0) best.height = stroke.rings.front().front().z;
    best.share = 1;
  }
  best.share *= stroke.strength;
  return best;
}

/// Of the samples' unit squares, how much of the one at `i` lies within `half` of the middle of the one at `at`.
double overlap(double i, double at, double half) {
  return std::max(0.0, std::min(i + 0.5, at + half) - std::max(i - 0.5, at - half));
}

Grid<double> square_mean(const Grid<double>& z, double half_x, double half_y) {
  Grid<double> mean(z.width(), z.height());
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      double sum = 0, weight = 0;
      for (int64_t v = 0; v < z.height(); ++v)
        for (int64_t u = 0; u < z.width(); ++u) {
          const double share = overlap(static_cast<double>(u), static_cast<double>(x), half_x) *
                               overlap(static_cast<double>(v), static_cast<double>(y), half_y);
          sum += share * z(u, v);
          weight += share;
        }
      mean(x, y) = sum / weight;
    }
  return mean;
}

double bilinear(const Frame& f, const Grid<float>& z, double x, double y) {
  const double column =
      std::clamp((x - f.origin.x) / f.cell.x - static_cast<double>(f.first_x), 0.0, static_cast<double>(f.width - 1));
  const double row =
      std::clamp((y - f.origin.y) / f.cell.y - static_cast<double>(f.first_y), 0.0, static_cast<double>(f.height - 1));
  double sum = 0;
  for (int64_t v = 0; v < f.height; ++v)
    for (int64_t u = 0; u < f.width; ++u)
      sum += std::max(0.0, 1 - std::abs(column - static_cast<double>(u))) *
             std::max(0.0, 1 - std::abs(row - static_cast<double>(v))) * z(u, v);
  return sum;
}

/// The heights that the land would have under the full brush.
Grid<double> smooth_land(const Frame& f, const Grid<float>& height, double radius) {
  Grid<double> z(f.width, f.height);
  for (int64_t i = 0; i < z.size(); ++i) z.data()[i] = height.data()[i];
  for (int round = 0; round < 3; ++round)
    z = square_mean(z, std::max(radius / 3 / f.cell.x, 0.5), std::max(radius / 3 / f.cell.y, 0.5));
  return z;
}

}  // namespace

Terrain paint(const Terrain& in, const Lines& strokes, const PaintParams& params) {
  const Frame& f = in.frame();
  Terrain land = in;
  for (const BrushStroke& stroke : brush_strokes(f, strokes, params)) {
    const bool heights = stroke.tool != PaintTool::layer;
    if (!heights && land.find(stroke.layer) == nullptr)
      land = land.with(make_layer(stroke.layer, "", stroke.layer == "mask" ? LayerKind::mask : LayerKind::continuous,
                                  Grid<float>(f.width, f.height, 0.0f)));
    const Layer& layer = land.layer(heights ? "height" : stroke.layer);
    const Vec3 start = stroke.steps.front().from;
    const double level = stroke.target.value_or(heights ? bilinear(f, layer.grid(), start.x, start.y) : 0);
    const Grid<double> mean =
        stroke.tool == PaintTool::smooth ? smooth_land(f, layer.grid(), stroke.radius) : Grid<double>();
    Grid<float> cells = layer.grid().clone();
    for (int64_t y = 0; y < f.height; ++y)
      for (int64_t x = 0; x < f.width; ++x) {
        const BrushTouch touch = touch_at(stroke, f.x(x), f.y(y));
        const double z = cells(x, y);
        switch (stroke.tool) {
          case PaintTool::raise:
            cells(x, y) = to_cell(z + stroke.amount * touch.share);
            break;
          case PaintTool::lower:
            cells(x, y) = to_cell(z - stroke.amount * touch.share);
            break;
          case PaintTool::level:
            cells(x, y) = to_cell(blend(z, level, touch.share));
            break;
          case PaintTool::set:
            cells(x, y) = to_cell(blend(z, stroke.target.value_or(touch.height), touch.share));
            break;
          case PaintTool::smooth:
            cells(x, y) = to_cell(blend(z, mean(x, y), touch.share));
            break;
          case PaintTool::layer:
            cells(x, y) = to_cell(blend(
                z, layer.kind == LayerKind::mask ? std::clamp(stroke.value, 0.0, 1.0) : stroke.value, touch.share));
            break;
        }
      }
    land = heights ? land.with_height(std::move(cells)) : land.with(layer.holding(std::move(cells)));
  }
  return land;
}

}  // namespace tepui::reference
