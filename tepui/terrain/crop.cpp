#include "tepui/terrain/crop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// Samples of one axis: the first, counted from the frame's own first, and how many.
struct Span {
  int64_t first = 0, count = 0;
};

Span samples_within(const char* axis, const LengthInterval& wanted, double side, double cell, int64_t first,
                    int64_t count) {
  const auto along = [side](const Length& l) { return l.percent ? l.value * 0.01 * side : l.value; };
  const double low = along(wanted.low), high = along(wanted.high);
  if (low > high)
    refuse(fmt::format("'{}' goes from {:g} m down to {:g} m", axis, low, high), "write the smaller value first");
  // A border on a sample takes it in, whatever the division rounds to. Clamped before the cast: ends may be far off.
  constexpr double slack = 1e-6;
  const double begin = static_cast<double>(first), end = static_cast<double>(first + count - 1);
  const double from = std::clamp(std::ceil(low / cell - slack), begin, end + 1);
  const double to = std::clamp(std::floor(high / cell + slack), begin - 1, end);
  if (from > to)
    refuse(fmt::format("no sample lies within '{}' from {:g} to {:g} m", axis, low, high),
           fmt::format("the land has {} from {:g} to {:g} m, {:g} m apart", count, begin * cell, end * cell, cell));
  return {static_cast<int64_t>(from) - first, static_cast<int64_t>(to - from) + 1};
}

/// Says so where the rectangle reaches beyond the land. Ends at 0 % and 100 % mean all there is.
void warn_of_ends(const char* axis, const LengthInterval& wanted, double side, double cell, int64_t first,
                  int64_t count, const Context& context) {
  const auto along = [side](const Length& l) { return l.percent ? l.value * 0.01 * side : l.value; };
  const double west = static_cast<double>(first) * cell, east = static_cast<double>(first + count - 1) * cell;
  const double low = along(wanted.low), high = along(wanted.high);
  // Less than a cell is a matter of where samples lie.
  const bool before = low <= west - cell && !(wanted.low == percent(0));
  const bool beyond = high >= east + cell && !(wanted.high == percent(100));
  if (before || beyond)
    context.warn(
        fmt::format("'{}' from {:g} to {:g} m reaches beyond the land, which goes from {:g} to {:g} m: only what is "
                    "there is kept",
                    axis, low, high, west, east));
}

}  // namespace

void describe(Fields<CropParams>& f) {
  f.about("Cut out a rectangle of the land, which keeps its place in the world");
  f.reach(Reach::point);
  f.example("circular_faults | materials | gradation | {} x=20%..80% y=30%..70%");
  f("x", &CropParams::x, not_negative, "west and east side, from the world's south-west corner; % of the world's width")
      .sweep("0%..40%", "20%..80%", "60%..100%");
  f("y", &CropParams::y, not_negative,
    "south and north side, from the world's south-west corner; % of the world's depth");
}

Frame crop_frame(const Frame& frame, const CropParams& params) {
  const Span x = samples_within("x", params.x, frame.size.x, frame.cell.x, frame.first_x, frame.width);
  const Span y = samples_within("y", params.y, frame.size.y, frame.cell.y, frame.first_y, frame.height);
  return frame.window(x.first, y.first, x.count, y.count);
}

Terrain crop(const Terrain& in, const CropParams& params, const Context& context) {
  const Frame& frame = in.frame();
  warn_of_ends("x", params.x, frame.size.x, frame.cell.x, frame.first_x, frame.width, context);
  warn_of_ends("y", params.y, frame.size.y, frame.cell.y, frame.first_y, frame.height, context);
  return window(in, crop_frame(in.frame(), params), context);
}

Terrain window(const Terrain& in, const Frame& frame, const Context& context) {
  const Frame& all = in.frame();
  return window(in, frame.first_x - all.first_x, frame.first_y - all.first_y, frame.width, frame.height, context);
}

Terrain window(const Terrain& in, int64_t x0, int64_t y0, int64_t width, int64_t height, const Context& context) {
  const Frame frame = in.frame().window(x0, y0, width, height);
  if (frame == in.frame()) return in;
  Terrain out(frame, in.relief());
  for (const Layer& layer : in.layers()) {
    Grid<float> cells(width, height);
    parallel_chunks(height, rows_per_chunk(width), context, [&](int64_t begin, int64_t end) {
      for (int64_t y = begin; y < end; ++y)
        std::memcpy(cells.row(y), layer.grid().row(y0 + y) + x0, static_cast<size_t>(width) * sizeof(float));
    });
    out = out.with(layer.holding(std::move(cells)));
  }
  return out;
}

}  // namespace tepui
