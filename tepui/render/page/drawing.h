#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tepui/core/image.h"
#include "tepui/core/vec.h"
#include "tepui/render/page/drawing_styles.h"

namespace tepui {

struct DrawingItem;

/// The numbers that a plot shows, for those who plot them in their own way.
struct PlotNumbers {
  std::vector<std::string> columns;  ///< names that a table's header takes, with units: "distance_m"
  std::vector<std::vector<double>> rows;

  bool empty() const { return columns.empty(); }
  /// A header and a line for each row.
  std::string csv() const;
};

/// A figure as a list of strokes, areas, text and pictures, in pixels from the upper left corner, y down: one drawing
/// becomes a PNG or an SVG. Text is UTF-8 in DejaVu Sans; what is not text for a reader (control characters, broken
/// bytes) shows as a replacement character.
class Drawing {
 public:
  Drawing(double width, double height, uint32_t background = 0xffffff);
  double width() const { return width_; }
  double height() const { return height_; }

  void line(std::vector<Vec2> points, const Stroke& stroke);
  /// Filled by the even-odd rule.
  void area(std::vector<Vec2> points, uint32_t rgb, double opacity = 1);
  /// What lies inside an odd number of rings.
  void area(std::vector<std::vector<Vec2>> rings, uint32_t rgb, double opacity = 1);
  /// The same in colours that change down the page: stops from the top down, evenly between them in sRGB.
  void area(std::vector<Vec2> points, std::vector<GradientStop> stops);
  void rectangle(Vec2 corner, Vec2 size, uint32_t rgb, double opacity = 1);
  /// `at` is on the baseline.
  void text(Vec2 at, std::string text, const TextStyle& style);
  /// Stretched over the rectangle; `smooth` or with hard pixels.
  void picture(Vec2 corner, Vec2 size, Image image, bool smooth = true);
  /// All of another drawing, moved, its background included.
  void place(Vec2 corner, const Drawing& other);

  /// Of a plot.
  void set_numbers(PlotNumbers numbers) { numbers_ = std::move(numbers); }
  const PlotNumbers& numbers() const { return numbers_; }

  /// With smooth edges, `scale` pixels to a unit.
  Image raster(double scale = 1) const;
  /// With `notes` in its metadata.
  std::string svg(const std::map<std::string, std::string>& notes = {}) const;

 private:
  double width_ = 0, height_ = 0;
  uint32_t background_ = 0xffffff;
  std::vector<std::shared_ptr<const DrawingItem>> items_;
  PlotNumbers numbers_;
};

}  // namespace tepui
