#include "tepui/terrain/window_sums.h"

#include <algorithm>
#include <vector>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// What is added up of a sample: its height, the square of it, and its height times its column and its row.
struct Terms {
  WideSum sum = 0, squares = 0, by_column = 0, by_row = 0;
};

/// The window of rows, as a sum for each column, and its running sums from west to east.
class Columns {
 public:
  Columns(const Terrain& land, Halo reach, bool planes)
      : z_(land.height()),
        steps_(land.frame()),
        reach_(reach),
        planes_(planes),
        columns_(static_cast<size_t>(z_.width())),
        before_(static_cast<size_t>(z_.width()) + 1) {}

  void start(int64_t y) {
    std::ranges::fill(columns_, Terms());
    for (int64_t row = std::max<int64_t>(y - reach_.y, 0); row <= std::min(y + reach_.y, z_.height() - 1); ++row)
      add(row, 1);
  }
  /// From the window of the row before.
  void move_to(int64_t y) {
    if (y + reach_.y < z_.height()) add(y + reach_.y, 1);
    if (y - reach_.y > 0) add(y - reach_.y - 1, -1);
  }
  void sums(int64_t y, std::vector<WindowSum>& row) {
    run_up();
    const int64_t south = std::max<int64_t>(y - reach_.y, 0), north = std::min(y + reach_.y, z_.height() - 1);
    for (int64_t x = 0; x < z_.width(); ++x) {
      const int64_t west = std::max<int64_t>(x - reach_.x, 0), east = std::min(x + reach_.x, z_.width() - 1);
      const Terms &low = before_[static_cast<size_t>(west)], &high = before_[static_cast<size_t>(east) + 1];
      WindowSum& out = row[static_cast<size_t>(x)];
      out.across = east - west + 1;
      out.along = north - south + 1;
      out.sum = high.sum - low.sum;
      out.squares = high.squares - low.squares;
      if (!planes_) continue;
      out.twist_x = 2 * (high.by_column - low.by_column) - (west + east) * out.sum;
      out.twist_y = 2 * (high.by_row - low.by_row) - (south + north) * out.sum;
    }
  }

 private:
  void add(int64_t row, int64_t sign) {
    const float* z = z_.row(row);
    for (size_t x = 0; x < columns_.size(); ++x) {
      const int64_t q = steps_.steps(z[x]), signed_q = sign * q;
      Terms& c = columns_[x];
      c.sum += signed_q;
      c.squares += static_cast<WideSum>(signed_q) * q;
      if (planes_) c.by_row += static_cast<WideSum>(signed_q) * row;
    }
  }
  void run_up() {
    Terms total;
    for (size_t x = 0; x < columns_.size(); ++x) {
      const Terms& c = columns_[x];
      total.sum += c.sum;
      total.squares += c.squares;
      if (planes_) {
        total.by_column += c.sum * static_cast<int64_t>(x);
        total.by_row += c.by_row;
      }
      before_[x + 1] = total;
    }
  }

  const Grid<float>& z_;
  HeightSteps steps_;
  Halo reach_;
  bool planes_;
  std::vector<Terms> columns_, before_;
};

}  // namespace

Halo window_halo(const Frame& frame, double radius) {
  const auto cells = [&](double cell, int64_t count) {
    const double most = static_cast<double>(std::max<int64_t>(count, 1));
    return static_cast<int64_t>(std::clamp(std::floor(radius / cell + 0.5), 1.0, most));
  };
  return {cells(frame.cell.x, frame.width), cells(frame.cell.y, frame.height)};
}

HeightSteps::HeightSteps(const Frame& frame)
    : quantum(std::ldexp(1.0, std::ilogb(std::min(frame.cell.x, frame.cell.y)) - 22)) {}

void for_window_sums(const Terrain& land, Halo reach, bool planes, const Context& context,
                     const std::function<void(int64_t y, std::span<const WindowSum> sums)>& body) {
  const int64_t height = land.height().height();
  // Few blocks, since each begins with the sum of a whole window of rows.
  const int64_t blocks = 4 * thread_count(), rows = std::max<int64_t>((height + blocks - 1) / blocks, 1);
  parallel_chunks(height, rows, context, [&](int64_t begin, int64_t end) {
    Columns columns(land, reach, planes);
    std::vector<WindowSum> row(static_cast<size_t>(land.height().width()));
    for (int64_t y = begin; y < end; ++y) {
      context.check();
      if (y == begin)
        columns.start(y);
      else
        columns.move_to(y);
      columns.sums(y, row);
      body(y, row);
    }
  });
}

}  // namespace tepui
