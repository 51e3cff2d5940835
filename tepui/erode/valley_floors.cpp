#include "tepui/erode/valley_floors.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "tepui/core/parallel.h"
#include "tepui/erode/power_table.h"
#include "tepui/hydrology/carve.h"
#include "tepui/hydrology/directions.h"
#include "tepui/hydrology/gather.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr double km2 = 1e6;
constexpr double width_exponent = 0.45;
constexpr double width_share = 0.5;  // by which noise makes widths differ
constexpr double width_scale = 0.1;  // of the world: the wavelength of that noise
constexpr double rise = 0.012;       // of a floor away from the channel, metres a metre
constexpr double foot = 0.12;        // of the walls at its sides: metres a metre of the floor's half width
constexpr double fill = 0.15;        // depth of loose ground in the middle, metres a metre of the half width
constexpr int smoothing_rounds = 12;
constexpr double bed_share = 0.02, least_bed = 0.3, deepest_bed = 3;
constexpr float far = std::numeric_limits<float>::infinity();

/// The lower envelope of parabolas of one curvature (Felzenszwalb and Huttenlocher 2012).
class Envelope {
 public:
  void clear() { size_ = 0; }

  /// Vertices must come from left to right; `height` is in squares of the step.
  void add(double at, double height, int32_t place) {
    while (size_ > 0) {
      const Parabola& last = list_[size_ - 1];
      const double from = ((height + at * at) - (last.height + last.at * last.at)) / (2 * (at - last.at));
      if (from > last.from) {
        push({at, height, from, place});
        return;
      }
      --size_;
    }
    push({at, height, -std::numeric_limits<double>::infinity(), place});
  }

  /// Places must come from left to right after begin().
  void begin() { next_ = 0; }
  template <class Act>
  void at(double x, const Act& act) {
    if (size_ == 0) return;
    while (next_ + 1 < size_ && list_[next_ + 1].from <= x) ++next_;
    const Parabola& p = list_[next_];
    act((x - p.at) * (x - p.at) + p.height, p.place);
  }

 private:
  struct Parabola {
    double at = 0, height = 0, from = 0;
    int32_t place = -1;
  };
  void push(Parabola p) {
    if (size_ == list_.size()) list_.emplace_back();
    list_[size_++] = p;
  }

  std::vector<Parabola> list_;
  size_t size_ = 0, next_ = 0;
};

/// The same for a line of samples whose values and places are known.
void spread_line(Envelope& envelope, float* least, int32_t* place, int64_t count, int64_t stride, double step) {
  envelope.clear();
  const double per_square = 1 / (step * step);
  for (int64_t i = 0; i < count; ++i)
    if (place[i * stride] >= 0)
      envelope.add(static_cast<double>(i), static_cast<double>(least[i * stride]) * per_square, place[i * stride]);
  envelope.begin();
  for (int64_t i = 0; i < count; ++i)
    envelope.at(static_cast<double>(i), [&](double squares, int32_t nearest) {
      least[i * stride] = static_cast<float>(squares * step * step);
      place[i * stride] = nearest;
    });
}

/// Half the width of the floor around each channel; 0 where there is none.
Grid<float> channel_radius(const Grid<int32_t>& cells, const Grid<WaterCell>& kind, const Grid<float>& mobility,
                           const Lattice& lattice, const ValleyFloorRule& rule, const Context& context) {
  const int64_t w = lattice.width;
  const double area = lattice.cell.x * lattice.cell.y, least = 0.75 * std::min(lattice.cell.x, lattice.cell.y);
  const PowerTable power(width_exponent);
  NoiseSpec spec;
  spec.octaves = 2;
  spec.scale = width_scale * rule.world;
  spec.key = rule.draws.bits(0, 3);
  const Noise noise(spec);
  Grid<float> radius(w, lattice.height);
  parallel_chunks(lattice.height, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    const auto n = static_cast<size_t>(w);
    std::vector<double> xs(n);
    std::vector<float> vary(n);
    for (size_t x = 0; x < n; ++x) xs[x] = lattice.origin.x + static_cast<double>(x) * lattice.cell.x;
    for (int64_t y = begin; y < end; ++y) {
      noise.row(xs, lattice.origin.y + static_cast<double>(y) * lattice.cell.y, vary);
      for (int64_t x = 0; x < w; ++x) {
        const double factor =
            std::max(0.1, 1 + width_share * rule.variety * static_cast<double>(vary[static_cast<size_t>(x)]));
        const double soft = mobility.empty() ? 1 : std::sqrt(static_cast<double>(mobility(x, y)));
        const double r =
            0.5 * rule.width * factor * soft * power(static_cast<double>(std::max(cells(x, y), 1)) * area / km2);
        const bool land = kind(x, y) != WaterCell::sea && kind(x, y) != WaterCell::outside;
        radius(x, y) = land && r >= least ? static_cast<float>(r) : 0.0f;
      }
    }
  });
  return radius;
}

/// Means over the samples of the floor, again and again: floors of neighbouring channels meet without a seam.
void smooth_floor(Grid<float>& height, const Grid<uint8_t>& floor, const Context& context) {
  const int64_t w = height.width(), h = height.height();
  Grid<float> next = height.clone();
  for (int round = 0; round < smoothing_rounds; ++round) {
    parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
      for (int64_t y = begin; y < end; ++y)
        for (int64_t x = 0; x < w; ++x) {
          if (floor(x, y) == 0) continue;
          float sum = 4 * height(x, y), weight = 4;
          for (size_t k = 0; k < 8; k += 2) {
            const int64_t nx = x + d8_x[k], ny = y + d8_y[k];
            if (nx < 0 || ny < 0 || nx >= w || ny >= h || floor(nx, ny) == 0) continue;
            sum += height(nx, ny), weight += 1;
          }
          next(x, y) = sum / weight;
        }
    });
    std::swap(height, next);
  }
}

}  // namespace

PowerDistance power_distance(const Grid<float>& radius, Vec2 cell, const Context& context) {
  const int64_t w = radius.width(), h = radius.height();
  PowerDistance out{Grid<float>(w, h), Grid<int32_t>(w, h)};
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    Envelope envelope;
    for (int64_t y = begin; y < end; ++y) {
      for (int64_t i = y * w; i < (y + 1) * w; ++i) {
        const float r = radius.data()[i];
        out.least.data()[i] = r > 0 ? -r * r : far;
        out.place.data()[i] = r > 0 ? static_cast<int32_t>(i) : -1;
      }
      spread_line(envelope, out.least.row(y), out.place.row(y), w, 1, cell.x);
    }
  });
  parallel_chunks(w, 16, context, [&](int64_t begin, int64_t end) {
    Envelope envelope;
    for (int64_t x = begin; x < end; ++x)
      spread_line(envelope, out.least.data() + x, out.place.data() + x, h, w, cell.y);
  });
  return out;
}

Grid<float> lay_valley_floors(Grid<float>& height, Grid<WaterCell>& kind, const Lattice& lattice,
                              const Grid<float>& mobility, const ValleyFloorRule& rule, const Context& context) {
  if (!(rule.width > 0)) return {};
  const int64_t w = lattice.width, h = lattice.height;
  WaterGround ground{&height, lattice.cell, std::move(kind)};
  Grid<uint8_t> codes = steepest_directions(ground, context);
  Watercourses water = watercourses_of(std::move(ground), std::move(codes), context);
  const FlowOrder order(water.directions, context);
  carve_ways_out(
      height, water, [](int) { return 0.0f; }, mobility, context);
  const Grid<int32_t> cells = cells_upstream(water, order, context);
  kind = std::move(water.ground.kind);
  const Grid<float> radius = channel_radius(cells, kind, mobility, lattice, rule, context);
  const PowerDistance discs = power_distance(radius, lattice.cell, context);

  const auto stays = [&](int64_t i) {
    const WaterCell k = kind.data()[i];
    return k == WaterCell::sea || k == WaterCell::outside || (!mobility.empty() && mobility.data()[i] == 0);
  };
  Grid<uint8_t> floor(w, h);
  Grid<float> loose(w, h);
  const Grid<float> before = height.clone();
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i) {
      floor.data()[i] = discs.place.data()[i] >= 0 && discs.least.data()[i] < 0 && !stays(i) ? 1 : 0;
      loose.data()[i] = 0;
      if (floor.data()[i] == 0) continue;
      const int64_t place = discs.place.data()[i];
      const double r = radius.data()[place];
      const double d = std::sqrt(std::max(0.0, static_cast<double>(discs.least.data()[i]) + r * r));
      const double side = d / r;
      loose.data()[i] = static_cast<float>(fill * r * std::max(0.0, 1 - side * side));
      const double level = static_cast<double>(before.data()[place]) + rise * d + foot * r * side * side * side * side;
      height.data()[i] = static_cast<float>(std::min<double>(before.data()[i], level));
    }
  });
  smooth_floor(height, floor, context);
  for (int64_t i = 0; i < height.size(); ++i) {
    const double r = radius.data()[i];
    if (!(r > 0) || floor.data()[i] == 0) continue;
    height.data()[i] -= static_cast<float>(std::clamp(bed_share * 2 * r, least_bed, deepest_bed));
  }
  return loose;
}

}  // namespace tepui
