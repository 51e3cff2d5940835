#include "tepui/terrain/derivatives.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/terrain/derivatives.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

/// The three rows around a row of samples, how many samples apart its columns are, and 1/(8 distance) of each axis.
struct Horn {
  const float *south, *middle, *north;
  int64_t step;
  float per_x, per_y;
};

/// Differences come first: those of near heights are exact, and mirrored land gives mirrored bits.
inline void horn_at(const Horn& h, int64_t x, V& east, V& north) {
  const D d;
  const V two = hn::Set(d, 2.0f);
  const int64_t a = x - h.step, b = x + h.step;
  const V sw = hn::LoadU(d, h.south + a), s = hn::LoadU(d, h.south + x), se = hn::LoadU(d, h.south + b);
  const V w = hn::LoadU(d, h.middle + a), e = hn::LoadU(d, h.middle + b);
  const V nw = hn::LoadU(d, h.north + a), n = hn::LoadU(d, h.north + x), ne = hn::LoadU(d, h.north + b);
  const V along_x = hn::Add(hn::Add(hn::Sub(ne, nw), hn::Sub(se, sw)), hn::Mul(two, hn::Sub(e, w)));
  const V along_y = hn::Add(hn::Add(hn::Sub(ne, se), hn::Sub(nw, sw)), hn::Mul(two, hn::Sub(n, s)));
  east = hn::Mul(along_x, hn::Set(d, h.per_x));
  north = hn::Mul(along_y, hn::Set(d, h.per_y));
}

inline void horn_one(const Horn& h, int64_t x, int64_t width, float& east, float& north) {
  const int64_t farther = x > width - 1 - x ? x : width - 1 - x, step = h.step < farther ? h.step : farther;
  const bool inside = x >= step && x + step < width;
  // At a border, twice the one-sided difference: what the sample beyond it, on a straight line, would give.
  const int64_t a = x >= step ? x - step : x, b = x + step < width ? x + step : x;
  const float shorter = step > 0 ? static_cast<float>(h.step) / static_cast<float>(step) : 0;
  const float factor = inside ? shorter : 2.0f * shorter;
  const float along_x =
      factor * (((h.north[b] - h.north[a]) + (h.south[b] - h.south[a])) + 2.0f * (h.middle[b] - h.middle[a]));
  const float sides = inside ? (h.north[b] - h.south[b]) + (h.north[a] - h.south[a]) : 2.0f * (h.north[x] - h.south[x]);
  const float along_y = sides + 2.0f * (h.north[x] - h.south[x]);
  east = along_x * h.per_x;
  north = along_y * h.per_y;
}

/// Calls put(x, east, north) for whole vectors and put_one for the rest.
template <class Put, class PutOne>
void horn_row(const Horn& h, int64_t width, const Put& put, const PutOne& put_one) {
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(D()));
  const auto one = [&](int64_t x) {
    float east, north;
    horn_one(h, x, width, east, north);
    put_one(x, east, north);
  };
  int64_t x = 0;
  for (; x < width && x < h.step; ++x) one(x);
  for (; x + lanes + h.step <= width; x += lanes) {
    V east, north;
    horn_at(h, x, east, north);
    put(x, east, north);
  }
  for (; x < width; ++x) one(x);
}

void gradient_row(const float* const* rows, int64_t step, float per_x, float per_y, int64_t width, float* out_east,
                  float* out_north) {
  const D d;
  horn_row(
      {rows[0], rows[1], rows[2], step, per_x, per_y}, width,
      [&](int64_t x, V east, V north) {
        hn::StoreU(east, d, out_east + x);
        hn::StoreU(north, d, out_north + x);
      },
      [&](int64_t x, float east, float north) {
        out_east[x] = east;
        out_north[x] = north;
      });
}

void slope_row(const float* const* rows, int64_t step, float per_x, float per_y, int64_t width, float* out) {
  const D d;
  horn_row(
      {rows[0], rows[1], rows[2], step, per_x, per_y}, width,
      [&](int64_t x, V east, V north) {
        hn::StoreU(hn::Sqrt(hn::Add(hn::Mul(east, east), hn::Mul(north, north))), d, out + x);
      },
      [&](int64_t x, float east, float north) { out[x] = __builtin_sqrtf(east * east + north * north); });
}

}  // namespace
}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

HWY_EXPORT(gradient_row);
HWY_EXPORT(slope_row);

/// How many cells the samples of a bend lie apart.
int64_t bend_cells(double distance, double cell, int64_t samples) {
  const double cells = std::min(std::round(distance / cell), static_cast<double>(samples));
  return std::clamp<int64_t>(static_cast<int64_t>(cells), 1, std::max<int64_t>((samples - 1) / 2, 1));
}

/// How many cells the samples of a gradient lie apart.
int64_t gradient_cells(double distance, double cell) {
  return static_cast<int64_t>(std::clamp(std::round(distance / cell), 1.0, 0x1p40));
}

/// How many cells apart samples are compared, along x and along y.
struct Steps {
  int64_t x = 1, y = 1;
};

/// A row with those that it is compared with; beyond the border the land goes on in a straight line.
class RowsAround {
 public:
  RowsAround(const Terrain& land, Steps steps)
      : z_(land.height()),
        steps_(steps),
        cell_y_(land.frame().cell.y),
        per_x_(static_cast<float>(0.125 / (land.frame().cell.x * static_cast<double>(steps.x)))) {}

  /// Calls body(rows, step, per_x, per_y) with the rows south of it, its own and north of it.
  template <class Body>
  void at(int64_t y, const Body& body) const {
    thread_local std::vector<float> beyond;
    const int64_t width = z_.width(), height = z_.height();
    const auto continued = [&](const float* border, const float* inner) {
      beyond.resize(static_cast<size_t>(width));
      for (int64_t x = 0; x < width; ++x) beyond[static_cast<size_t>(x)] = 2 * border[x] - inner[x];
      return beyond.data();
    };
    const float* middle = z_.row(y);
    const float* rows[3] = {middle, middle, middle};
    const int64_t step = std::min(steps_.y, std::max(y, height - 1 - y));
    if (step > 0) {
      rows[0] = y >= step ? z_.row(y - step) : continued(middle, z_.row(y + step));
      rows[2] = y + step < height ? z_.row(y + step) : continued(middle, z_.row(y - step));
    }
    const double apart = cell_y_ * static_cast<double>(std::max<int64_t>(step, 1));
    body(rows, steps_.x, per_x_, static_cast<float>(0.125 / apart));
  }

 private:
  const Grid<float>& z_;
  Steps steps_;
  double cell_y_;
  float per_x_;
};

/// Calls body(y, rows, step, per_x, per_y) for each row y with the rows around it.
template <class Body>
void with_neighbours(const Terrain& land, double distance, const Context& context, const Body& body) {
  const Vec2 cell = land.frame().cell;
  const RowsAround around(land, {gradient_cells(distance, cell.x), gradient_cells(distance, cell.y)});
  parallel_chunks(land.height().height(), rows_per_chunk(land.height().width()), context,
                  [&](int64_t begin, int64_t end) {
                    for (int64_t y = begin; y < end; ++y)
                      around.at(y, [&](const float* const* rows, int64_t step, float per_x, float per_y) {
                        body(y, rows, step, per_x, per_y);
                      });
                  });
}

/// The whole cells of a distance, and how much the gradient over one more counts.
struct CellsBelow {
  int64_t cells = 1;
  float more = 0;

  CellsBelow(double distance, double cell) {
    const double exact = std::clamp(distance / cell, 0.0, 0x1p30), whole = std::max(std::floor(exact), 1.0);
    cells = static_cast<int64_t>(whole);
    more = static_cast<float>((exact * exact - whole * whole) / (2 * whole + 1));
  }
};

constexpr float steepest = 1e6f;

}  // namespace

Gradient gradient(const Terrain& land, double distance, const Context& context) {
  const int64_t width = land.frame().width;
  Gradient result{Grid<float>(width, land.frame().height), Grid<float>(width, land.frame().height)};
  const auto row = HWY_DYNAMIC_DISPATCH(gradient_row);
  with_neighbours(land, distance, context,
                  [&](int64_t y, const float* const* rows, int64_t step, float per_x, float per_y) {
                    row(rows, step, per_x, per_y, width, result.east.row(y), result.north.row(y));
                  });
  return result;
}

Grid<float> slope_grid(const Terrain& land, double distance, const Context& context) {
  const int64_t width = land.frame().width;
  Grid<float> result(width, land.frame().height);
  const auto row = HWY_DYNAMIC_DISPATCH(slope_row);
  with_neighbours(land, distance, context,
                  [&](int64_t y, const float* const* rows, int64_t step, float per_x, float per_y) {
                    row(rows, step, per_x, per_y, width, result.row(y));
                  });
  return result;
}

Grid<float> slope_over(const Terrain& land, double metres, const Context& context) {
  const Frame& frame = land.frame();
  const CellsBelow x_cells(metres, frame.cell.x), y_cells(metres, frame.cell.y);
  const RowsAround near(land, {x_cells.cells, y_cells.cells}), far(land, {x_cells.cells + 1, y_cells.cells + 1});
  const bool blends = x_cells.more != 0 || y_cells.more != 0;
  const auto row = HWY_DYNAMIC_DISPATCH(gradient_row);
  Grid<float> result(frame.width, frame.height);
  parallel_chunks(frame.height, rows_per_chunk(frame.width), context, [&](int64_t begin, int64_t end) {
    const auto count = static_cast<size_t>(frame.width);
    std::vector<float> east(count), north(count), far_east(count), far_north(count);
    for (int64_t y = begin; y < end; ++y) {
      const auto into = [&](std::vector<float>& to_east, std::vector<float>& to_north) {
        return [&](const float* const* rows, int64_t step, float per_x, float per_y) {
          row(rows, step, per_x, per_y, frame.width, to_east.data(), to_north.data());
        };
      };
      near.at(y, into(east, north));
      if (blends) far.at(y, into(far_east, far_north));
      float* out = result.row(y);
      for (size_t x = 0; x < count; ++x) {
        const float e = blends ? east[x] + x_cells.more * (far_east[x] - east[x]) : east[x];
        const float n = blends ? north[x] + y_cells.more * (far_north[x] - north[x]) : north[x];
        const float slope = __builtin_sqrtf(e * e + n * n);
        out[x] = slope < steepest ? slope : steepest;
      }
    }
  });
  return result;
}

Grid<float> aspect_grid(const Terrain& land, double distance, const Context& context) {
  const int64_t width = land.frame().width;
  Grid<float> result(width, land.frame().height);
  const auto row = HWY_DYNAMIC_DISPATCH(gradient_row);
  with_neighbours(land, distance, context,
                  [&](int64_t y, const float* const* rows, int64_t step, float per_x, float per_y) {
                    thread_local std::vector<float> east, north;
                    east.resize(static_cast<size_t>(width));
                    north.resize(static_cast<size_t>(width));
                    row(rows, step, per_x, per_y, width, east.data(), north.data());
                    for (int64_t x = 0; x < width; ++x) {
                      const double p = east[static_cast<size_t>(x)], q = north[static_cast<size_t>(x)];
                      const double bearing = math::degrees(math::atan2(-p, -q));
                      const float degrees = static_cast<float>(bearing < 0 ? bearing + 360 : bearing);
                      result(x, y) = p == 0 && q == 0 ? -1.0f : degrees < 360 ? degrees : 0.0f;
                    }
                  });
  return result;
}

Gradient gradient(const Terrain& land, const Context& context) { return gradient(land, 0, context); }
Grid<float> slope_grid(const Terrain& land, const Context& context) { return slope_grid(land, 0, context); }
Grid<float> aspect_grid(const Terrain& land, const Context& context) { return aspect_grid(land, 0, context); }

Halo gradient_halo(const Frame& frame, double distance) {
  return {std::min(gradient_cells(distance, frame.cell.x), std::max<int64_t>(frame.width, 1)),
          std::min(gradient_cells(distance, frame.cell.y), std::max<int64_t>(frame.height, 1))};
}

Halo slope_over_halo(const Frame& frame, double metres) {
  return {std::min(CellsBelow(metres, frame.cell.x).cells + 1, std::max<int64_t>(frame.width, 1)),
          std::min(CellsBelow(metres, frame.cell.y).cells + 1, std::max<int64_t>(frame.height, 1))};
}

Halo curvature_halo(const Frame& frame, double distance) {
  return {2 * bend_cells(distance, frame.cell.x, frame.width), 2 * bend_cells(distance, frame.cell.y, frame.height)};
}

Grid<float> curvature_grid(const Terrain& land, double distance, const Context& context) {
  const Grid<float>& z = land.height();
  const int64_t width = z.width(), height = z.height();
  const Vec2 cell = land.frame().cell;
  const int64_t i = bend_cells(distance, cell.x, width), j = bend_cells(distance, cell.y, height);
  const double dx = cell.x * static_cast<double>(i), dy = cell.y * static_cast<double>(j);
  const double per_x = width > 2 ? 0.5 / (dx * dx) : 0, per_y = height > 2 ? 0.5 / (dy * dy) : 0;
  Grid<float> result(width, height);
  parallel_chunks(height, rows_per_chunk(width), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const int64_t cy = height > 2 ? std::clamp(y, j, height - 1 - j) : y;
      const float* middle = z.row(y);
      const float* centre = z.row(cy);
      const float* south = z.row(height > 2 ? cy - j : y);
      const float* north = z.row(height > 2 ? cy + j : y);
      float* out = result.row(y);
      for (int64_t x = 0; x < width; ++x) {
        const int64_t cx = width > 2 ? std::clamp(x, i, width - 1 - i) : x;
        const double c = middle[cx];
        const double bend_x = width > 2 ? (c - middle[cx - i]) + (c - middle[cx + i]) : 0;
        const double bend_y = (static_cast<double>(centre[x]) - south[x]) + (static_cast<double>(centre[x]) - north[x]);
        out[x] = to_cell(bend_x * per_x + bend_y * per_y);
      }
    }
  });
  return result;
}

}  // namespace tepui

#endif
