#include "tepui/volume/land_sheet.h"

#include <algorithm>
#include <cmath>

namespace tepui {

namespace {

constexpr int64_t first_block = 16;

/// A place along one axis: the four samples around it and their weights. Samples beyond the border weigh nothing, and
/// are told as ones that exist.
struct Taps {
  int64_t index[4];
  double weight[4];
};

struct Axis {
  double origin, cell;
  int64_t first, samples;

  /// Within the samples, whatever the place is: one that is not a number lies at the first.
  double cells(double at) const {
    const double u = (at - origin) / cell - static_cast<double>(first);
    return u > 0 ? std::min(u, static_cast<double>(samples - 1)) : 0.0;
  }
};

Axis axis_x(const Frame& f) { return {f.origin.x, f.cell.x, f.first_x, f.width}; }
Axis axis_y(const Frame& f) { return {f.origin.y, f.cell.y, f.first_y, f.height}; }

/// What lies beyond a border is on the line through the two samples before it.
void fold_border(int64_t cell, int64_t samples, double* w) {
  if (cell == 0) {
    w[1] += 2 * w[0];
    w[2] -= w[0];
    w[0] = 0;
  }
  if (cell + 2 >= samples) {
    w[2] += 2 * w[3];
    w[1] -= w[3];
    w[3] = 0;
  }
}

void set_indices(int64_t cell, int64_t samples, Taps& taps) {
  for (int64_t k = 0; k < 4; ++k) taps.index[k] = std::clamp<int64_t>(cell - 1 + k, 0, samples - 1);
}

Taps taps_at(const Axis& axis, double at) {
  const double u = axis.cells(at);
  const int64_t cell = std::clamp<int64_t>(static_cast<int64_t>(u), 0, std::max<int64_t>(axis.samples - 2, 0));
  const double t = u - static_cast<double>(cell);
  Taps taps{{},
            {((-0.5 * t + 1) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1, ((-1.5 * t + 2) * t + 0.5) * t,
             (0.5 * t - 0.5) * t * t}};
  if (axis.samples > 1) fold_border(cell, axis.samples, taps.weight);
  set_indices(cell, axis.samples, taps);
  return taps;
}

/// Of the derivative, per metre.
Taps slope_taps_at(const Axis& axis, double at) {
  const double u = axis.cells(at);
  const int64_t cell = std::clamp<int64_t>(static_cast<int64_t>(u), 0, std::max<int64_t>(axis.samples - 2, 0));
  const double t = u - static_cast<double>(cell);
  const bool beyond = at < axis.origin + static_cast<double>(axis.first) * axis.cell ||
                      at > axis.origin + static_cast<double>(axis.first + axis.samples - 1) * axis.cell;
  Taps taps{{}, {}};
  if (axis.samples > 1 && !beyond) {
    const double w[4] = {(-1.5 * t + 2) * t - 0.5, (4.5 * t - 5) * t, (-4.5 * t + 4) * t + 0.5, (1.5 * t - 1) * t};
    for (int k = 0; k < 4; ++k) taps.weight[k] = w[k] / axis.cell;
    fold_border(cell, axis.samples, taps.weight);
  }
  set_indices(cell, axis.samples, taps);
  return taps;
}

/// Sums along y come first: a row of a brick needs those of each column of samples once.
struct Rows {
  const float* row[4];
  double weight[4];

  Rows(const Grid<float>& grid, const Taps& y) {
    for (int k = 0; k < 4; ++k) row[k] = grid.row(y.index[k]), weight[k] = y.weight[k];
  }
  double column(int64_t i) const {
    return weight[0] * static_cast<double>(row[0][i]) + weight[1] * static_cast<double>(row[1][i]) +
           weight[2] * static_cast<double>(row[2][i]) + weight[3] * static_cast<double>(row[3][i]);
  }
};

double across(const Taps& x, double a, double b, double c, double d) {
  return x.weight[0] * a + x.weight[1] * b + x.weight[2] * c + x.weight[3] * d;
}

double apply(const Grid<float>& grid, const Taps& x, const Taps& y) {
  const Rows rows(grid, y);
  return across(x, rows.column(x.index[0]), rows.column(x.index[1]), rows.column(x.index[2]), rows.column(x.index[3]));
}

}  // namespace

LandSheet::LandSheet(const Terrain& land)
    : frame_(land.frame()), data_(land.layer("height").data), cells_(cells_hash(*data_)) {
  const Grid<float>& grid = *data_;
  Level level;
  level.width = (grid.width() + first_block - 1) / first_block;
  level.height = (grid.height() + first_block - 1) / first_block;
  level.blocks.resize(static_cast<size_t>(level.width * level.height),
                      {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()});
  for (int64_t y = 0; y < grid.height(); ++y)
    for (int64_t x = 0; x < grid.width(); ++x) {
      Block& block = level.blocks[static_cast<size_t>(y / first_block * level.width + x / first_block)];
      block.low = std::min(block.low, grid(x, y));
      block.high = std::max(block.high, grid(x, y));
    }
  levels_.push_back(std::move(level));
  while (levels_.back().width > 1 || levels_.back().height > 1) {
    const Level& fine = levels_.back();
    Level coarse{(fine.width + 1) / 2, (fine.height + 1) / 2, {}};
    for (int64_t y = 0; y < coarse.height; ++y)
      for (int64_t x = 0; x < coarse.width; ++x) {
        Block block = fine.blocks[static_cast<size_t>(2 * y * fine.width + 2 * x)];
        for (int64_t j = 2 * y; j < std::min(2 * y + 2, fine.height); ++j)
          for (int64_t i = 2 * x; i < std::min(2 * x + 2, fine.width); ++i) {
            const Block& other = fine.blocks[static_cast<size_t>(j * fine.width + i)];
            block = {std::min(block.low, other.low), std::max(block.high, other.high)};
          }
        coarse.blocks.push_back(block);
      }
    levels_.push_back(std::move(coarse));
  }
  const Box3 plan_box = plan();
  all_ = between({plan_box.low.x, plan_box.low.y}, {plan_box.high.x, plan_box.high.y});
}

void LandSheet::heights(const double* x, const double* y, int64_t count, double* h) const {
  const Axis ax = axis_x(frame_), ay = axis_y(frame_);
  for (int64_t i = 0; i < count; ++i) h[i] = apply(*data_, taps_at(ax, x[i]), taps_at(ay, y[i]));
}

void LandSheet::lattice(const double* x, int64_t nx, const double* y, int64_t ny, double* h) const {
  const Axis ax = axis_x(frame_), ay = axis_y(frame_);
  Taps columns[FieldPoints::most];
  int64_t first = frame_.width, last = 0;
  for (int64_t i = 0; i < nx; ++i) {
    columns[i] = taps_at(ax, x[i]);
    first = std::min(first, columns[i].index[0]);
    last = std::max(last, columns[i].index[3]);
  }
  constexpr int64_t most = 4 * FieldPoints::most;
  const bool dense = last - first < std::min(most, 8 * nx + 8);
  double sums[most];
  for (int64_t j = 0; j < ny; ++j) {
    const Taps row = taps_at(ay, y[j]);
    if (!dense) {
      for (int64_t i = 0; i < nx; ++i) h[j * nx + i] = apply(*data_, columns[i], row);
      continue;
    }
    const Rows rows(*data_, row);
    for (int64_t i = first; i <= last; ++i) sums[i - first] = rows.column(i);
    for (int64_t i = 0; i < nx; ++i) {
      const int64_t* at = columns[i].index;
      h[j * nx + i] =
          across(columns[i], sums[at[0] - first], sums[at[1] - first], sums[at[2] - first], sums[at[3] - first]);
    }
  }
}

double LandSheet::slope(double x, double y, double& east, double& north) const {
  const Axis ax = axis_x(frame_), ay = axis_y(frame_);
  const Taps tx = taps_at(ax, x), ty = taps_at(ay, y);
  east = apply(*data_, slope_taps_at(ax, x), ty);
  north = apply(*data_, tx, slope_taps_at(ay, y));
  return apply(*data_, tx, ty);
}

Interval LandSheet::between(Vec2 low, Vec2 high) const {
  const Axis ax = axis_x(frame_), ay = axis_y(frame_);
  const auto first = [](const Axis& axis, double at) {
    return std::max<int64_t>(static_cast<int64_t>(axis.cells(at)) - 1, 0);
  };
  const auto last = [](const Axis& axis, double at) {
    return std::min<int64_t>(static_cast<int64_t>(axis.cells(at)) + 2, axis.samples - 1);
  };
  const int64_t x0 = first(ax, low.x), x1 = last(ax, high.x), y0 = first(ay, low.y), y1 = last(ay, high.y);
  float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
  if ((x1 - x0 + 1) * (y1 - y0 + 1) <= first_block * first_block) {
    for (int64_t y = y0; y <= y1; ++y)
      for (int64_t x = x0; x <= x1; ++x) {
        lowest = std::min(lowest, (*data_)(x, y));
        highest = std::max(highest, (*data_)(x, y));
      }
  } else {
    size_t k = 0;
    int64_t side = first_block;
    while (k + 1 < levels_.size() && std::max(x1 - x0, y1 - y0) > 3 * side) ++k, side *= 2;
    for (int64_t y = y0 / side; y <= y1 / side; ++y)
      for (int64_t x = x0 / side; x <= x1 / side; ++x) {
        const Block& block = levels_[k].blocks[static_cast<size_t>(y * levels_[k].width + x)];
        lowest = std::min(lowest, block.low);
        highest = std::max(highest, block.high);
      }
  }
  // Along one axis the curve leaves its samples' range by at most an eighth of it; both axes make 9/32.
  const double a = static_cast<double>(lowest), b = static_cast<double>(highest), over = (b - a) * 0.2813;
  return {a - over, b + over};
}

Interval LandSheet::samples() const {
  const Block& block = levels_.back().blocks.front();
  return {static_cast<double>(block.low), static_cast<double>(block.high)};
}

Box3 LandSheet::plan() const {
  return {{frame_.x(0), frame_.y(0), 0}, {frame_.x(frame_.width - 1), frame_.y(frame_.height - 1), 0}};
}

Hash LandSheet::hash() const {
  Hasher hasher;
  return hasher.add("land").add(frame_.hash()).add(cells_).finish();
}

size_t LandSheet::bytes() const {
  size_t blocks = 0;
  for (const Level& level : levels_) blocks += level.blocks.size() * sizeof(Block);
  return sizeof *this + blocks;
}

Box3 land_plan(const Solid& solid) {
  constexpr double far = Box3::far;
  const SurfaceSketch sketch = solid.sketch();
  const LandSheet* land = land_in(sketch);
  if (land == nullptr) return {{-far, -far, -far}, {far, far, far}};
  const Box3 plan = land->plan();
  return {{plan.low.x, plan.low.y, -far}, {plan.high.x, plan.high.y, far}};
}

}  // namespace tepui
