#include "tepui/render/page/section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// Between which samples a place lies, and how far from the first.
struct Between {
  int64_t at = 0, next = 0;
  double part = 0;
};

Between between(double position, double first, double cell, int64_t count) {
  const double index = std::clamp((position - first) / cell, 0.0, static_cast<double>(count - 1));
  Between b;
  b.at = std::min(static_cast<int64_t>(index), std::max<int64_t>(count - 2, 0));
  b.next = std::min(b.at + 1, count - 1);
  b.part = index - static_cast<double>(b.at);
  return b;
}

double value_at(const Layer& layer, const Between& x, const Between& y) {
  const Grid<float>& z = layer.grid();
  if (layer.kind == LayerKind::category)
    return static_cast<double>(z(x.part < 0.5 ? x.at : x.next, y.part < 0.5 ? y.at : y.next));
  const auto row = [&](int64_t r) {
    const double a = static_cast<double>(z(x.at, r)), b = static_cast<double>(z(x.next, r));
    return a * (1 - x.part) + b * x.part;
  };
  return row(y.at) * (1 - y.part) + row(y.next) * y.part;
}

/// A thousandth of a cell beyond the border is rounding, not a mistake.
void require_inside(const Frame& frame, Vec2 p, const char* which) {
  const double slack = 1e-3;
  const double west = frame.x(0), east = frame.x(frame.width - 1);
  const double south = frame.y(0), north = frame.y(frame.height - 1);
  if (!(p.x >= west - slack * frame.cell.x && p.x <= east + slack * frame.cell.x &&
        p.y >= south - slack * frame.cell.y && p.y <= north + slack * frame.cell.y))
    refuse(fmt::format("the line's {} ({:.10g}, {:.10g}) lies outside the land", which, p.x, p.y),
           fmt::format("x from {:.10g} to {:.10g} and y from {:.10g} to {:.10g} metres", west, east, south, north));
}

}  // namespace

SectionLine section_line(const Frame& frame, const FigureParams& params) {
  if (params.from.has_value() != params.to.has_value())
    refuse("a line needs both 'from' and 'to', and one of them is missing", "give both, or neither");
  SectionLine line{params.from.value_or(Vec2{}), params.to.value_or(Vec2{}), 0};
  if (params.from && *params.from == *params.to) refuse("'from' and 'to' are the same point", "leave both out");
  if (!params.from) {
    const Vec2 low{frame.x(0), frame.y(0)}, high{frame.x(frame.width - 1), frame.y(frame.height - 1)};
    const Vec2 middle = (low + high) * 0.5;
    // Land of a single column is cut from south to north.
    line.from = frame.width > 1 ? Vec2{low.x, middle.y} : Vec2{middle.x, low.y};
    line.to = frame.width > 1 ? Vec2{high.x, middle.y} : Vec2{middle.x, high.y};
  }
  const Vec2 d = line.to - line.from;
  line.length = std::sqrt(d.x * d.x + d.y * d.y);
  if (!(line.length > 0)) refuse("land of a single sample has no section", "give the world a resolution of 2 or more");
  return line;
}

std::string line_text(const SectionLine& line) {
  // Decimetres, without exponents far from the origin.
  const auto rounded = [](double v) { return std::round(v * 10) / 10; };
  return fmt::format("({:.12g}, {:.12g}) to ({:.12g}, {:.12g}) m", rounded(line.from.x), rounded(line.from.y),
                     rounded(line.to.x), rounded(line.to.y));
}

std::vector<SectionSample> sample_section(const Terrain& land, Vec2 from, Vec2 to, int64_t count,
                                          const Context& context) {
  const Frame& frame = land.frame();
  if (count < 2 || count > (int64_t{1} << 24))
    refuse(fmt::format("a section of {} samples", count), fmt::format("2 to {}", int64_t{1} << 24));
  require_inside(frame, from, "start");
  require_inside(frame, to, "end");
  const Vec2 step = to - from;
  const double length = std::sqrt(step.x * step.x + step.y * step.y);
  std::vector<SectionSample> samples(static_cast<size_t>(count));
  parallel_chunks(count, 4096, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double t = static_cast<double>(i) / static_cast<double>(count - 1);
      SectionSample& sample = samples[static_cast<size_t>(i)];
      sample.distance = length * t;
      // Both ends as they are given.
      sample.at = {from.x * (1 - t) + to.x * t, from.y * (1 - t) + to.y * t};
      const Between x = between(sample.at.x, frame.x(0), frame.cell.x, frame.width);
      const Between y = between(sample.at.y, frame.y(0), frame.cell.y, frame.height);
      for (const Layer& layer : land.layers()) sample.values.push_back(value_at(layer, x, y));
    }
  });
  return samples;
}

}  // namespace tepui
