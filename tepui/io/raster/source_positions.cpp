#include "tepui/io/raster/source_positions.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <vector>

#include "tepui/core/grid.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/io/place/crs.h"

namespace tepui {

namespace {

constexpr int64_t node_step = tile_side / 2;

/// Transformations for as many threads as ask at once.
class TransformPool {
 public:
  explicit TransformPool(CrsTransform first) : first_(std::move(first)) {}

  void operator()(std::span<double> x, std::span<double> y) {
    std::optional<CrsTransform> mine;
    {
      const std::lock_guard lock(mutex_);
      if (idle_.empty()) {
        mine.emplace(first_.clone());
      } else {
        mine.emplace(std::move(idle_.back()));
        idle_.pop_back();
      }
    }
    (*mine)(x, y);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(*mine));
  }

 private:
  std::mutex mutex_;
  CrsTransform first_;
  std::vector<CrsTransform> idle_;
};

}  // namespace

SourcePlace::SourcePlace(const Frame& frame, double turn) : step_(frame.geo->step), turn_(turn) {
  origin_ = {frame.geo->origin.x + static_cast<double>(frame.first_x) * step_.x,
             frame.geo->origin.y + static_cast<double>(frame.first_y) * step_.y};
  middle_ = origin_.x + 0.5 * static_cast<double>(frame.width - 1) * step_.x;
}

Vec2 SourcePlace::position(double u, double v) const {
  Vec2 at{origin_.x + u * step_.x, origin_.y + v * step_.y};
  if (turn_ > 0) {
    const double half = 0.5 * turn_ * (1 - 1e-9);
    at.x = std::clamp(at.x, middle_ - half, middle_ + half);
    at.y = std::clamp(at.y, -0.25 * turn_, 0.25 * turn_);
  }
  return at;
}

Vec2 SourcePlace::sample(double x, double y) const {
  if (turn_ > 0) x -= turn_ * std::round((x - middle_) / turn_);
  return {rounded_position((x - origin_.x) / step_.x), rounded_position((y - origin_.y) / step_.y)};
}

struct SourcePositions::Data {
  SourcePlace from;
  Vec2 origin, step;  ///< of the new samples
  int64_t width, height;
  mutable TransformPool transforms;
  Grid<double> u{}, v{};   ///< at every node_step-th sample, beyond the last where a tile ends there
  Grid<uint8_t> smooth{};  ///< of tiles: whether positions between nodes may be interpolated

  /// Of rows of samples from (x, y), `apart` samples apart, one row after the other.
  void ask(int64_t x, int64_t y, int64_t columns, int64_t rows, int64_t apart, double* out_u, double* out_v) const {
    const size_t count = static_cast<size_t>(columns * rows);
    for (int64_t j = 0; j < rows; ++j)
      for (int64_t i = 0; i < columns; ++i) {
        out_u[j * columns + i] = origin.x + static_cast<double>(x + i * apart) * step.x;
        out_v[j * columns + i] = origin.y + static_cast<double>(y + j * apart) * step.y;
      }
    transforms(std::span(out_u, count), std::span(out_v, count));
    for (size_t i = 0; i < count; ++i) {
      const Vec2 at = from.sample(out_u[i], out_v[i]);
      out_u[i] = at.x;
      out_v[i] = at.y;
    }
  }

  bool is_smooth(int64_t column, int64_t row) const {
    for (const Grid<double>* g : {&u, &v}) {
      const auto at = [&](int64_t i, int64_t j) { return (*g)(2 * column + i, 2 * row + j); };
      const double west = 0.5 * (at(0, 0) + at(0, 2)), east = 0.5 * (at(2, 0) + at(2, 2));
      const double errors[] = {at(1, 0) - 0.5 * (at(0, 0) + at(2, 0)), at(1, 2) - 0.5 * (at(0, 2) + at(2, 2)),
                               at(0, 1) - west, at(2, 1) - east, at(1, 1) - 0.5 * (west + east)};
      for (const double error : errors)
        if (!(std::abs(error) <= reproject_tolerance)) return false;
    }
    return true;
  }
};

SourcePositions::SourcePositions(const Frame& from, CrsTransform way_back, double turn, const Frame& to,
                                 const Context& context)
    : data_(new Data{SourcePlace(from, turn), to.geo->origin, to.geo->step, to.width, to.height,
                     TransformPool(std::move(way_back))}) {
  Data& d = *data_;
  const int64_t columns = (to.width + tile_side - 1) / tile_side, rows = (to.height + tile_side - 1) / tile_side;
  d.u = Grid<double>(2 * columns + 1, 2 * rows + 1);
  d.v = Grid<double>(2 * columns + 1, 2 * rows + 1);
  parallel_chunks(d.u.height(), 4, context, [&](int64_t begin, int64_t end) {
    for (int64_t j = begin; j < end; ++j) d.ask(0, j * node_step, d.u.width(), 1, node_step, d.u.row(j), d.v.row(j));
  });
  d.smooth = Grid<uint8_t>(columns, rows);
  for (int64_t j = 0; j < rows; ++j)
    for (int64_t i = 0; i < columns; ++i) d.smooth(i, j) = d.is_smooth(i, j);
}

SourcePositions::~SourcePositions() = default;

int64_t SourcePositions::tile_columns() const { return data_->smooth.width(); }
int64_t SourcePositions::tile_rows() const { return data_->smooth.height(); }

int64_t SourcePositions::exact_tiles() const { return std::ranges::count(data_->smooth.cells(), uint8_t{0}); }

void SourcePositions::fill(int64_t column, int64_t row, Tile& tile) const {
  const Data& d = *data_;
  tile.x = column * tile_side;
  tile.y = row * tile_side;
  tile.width = std::min(tile_side, d.width - tile.x);
  tile.height = std::min(tile_side, d.height - tile.y);
  if (d.smooth(column, row) == 0) {
    d.ask(tile.x, tile.y, tile_side, tile.height, 1, tile.u.data(), tile.v.data());
    return;
  }
  for (int64_t y = 0; y < tile.height; ++y) {
    double* u = tile.u.data() + y * tile_side;
    double* v = tile.v.data() + y * tile_side;
    const int64_t j = 2 * row + y / node_step;
    const double t = static_cast<double>(y % node_step) / node_step;
    for (int64_t half = 0; half < 2; ++half) {
      const int64_t i = 2 * column + half;
      const auto line = [&](const Grid<double>& g, double* out) {
        const double west = g(i, j) + (g(i, j + 1) - g(i, j)) * t;
        const double east = g(i + 1, j) + (g(i + 1, j + 1) - g(i + 1, j)) * t;
        for (int64_t x = 0; x < node_step; ++x)
          out[half * node_step + x] = west + (east - west) * (static_cast<double>(x) / node_step);
      };
      line(d.u, u);
      line(d.v, v);
    }
  }
}

}  // namespace tepui
