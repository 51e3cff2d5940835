#include "tepui/landforms/shore.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/volume/land_sheet.h"

namespace tepui {

namespace {

/// The largest of as many neighbours on either side, along rows or columns.
std::vector<uint8_t> spread(const std::vector<uint8_t>& from, int64_t count, int64_t stride, int64_t lines,
                            int64_t line_stride, int64_t around) {
  std::vector<uint8_t> to(from.size(), 0);
  parallel_chunks(lines, 64, Context(), [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      int64_t last = -around - 1;
      const auto at = [&](int64_t i) { return static_cast<size_t>(line * line_stride + i * stride); };
      for (int64_t i = 0; i < count; ++i) {
        if (from[at(i)] != 0) last = i;
        if (i - last <= around) to[at(i)] = 1;
      }
      last = count + around + 1;
      for (int64_t i = count - 1; i >= 0; --i) {
        if (from[at(i)] != 0) last = i;
        if (last - i <= around) to[at(i)] = 1;
      }
    }
  });
  return to;
}

}  // namespace

int64_t Shore::column(double x) const { return static_cast<int64_t>(std::floor(x / step_)) - first_x_; }
int64_t Shore::row(double y) const { return static_cast<int64_t>(std::floor(y / step_)) - first_y_; }

Shore::Shore(const Volume& volume, const Box3& region, double level, double step, double width, const Context& context)
    : plan_(land_plan(volume.root())), step_(step) {
  if (!(step > 0) || region.empty()) return;
  const Box3 box = region.grown(width + step);
  if (!((box.high.x - box.low.x) / step * ((box.high.y - box.low.y) / step) < 1e9))
    refuse("the sea's waves are too small for so large a land", "use a larger 'depth', or a smaller region");
  first_x_ = static_cast<int64_t>(std::floor(box.low.x / step));
  first_y_ = static_cast<int64_t>(std::floor(box.low.y / step));
  width_ = column(box.high.x) + 1;
  height_ = row(box.high.y) + 1;
  std::vector<uint8_t> rock(static_cast<size_t>(width_ * height_)), water(rock.size());
  constexpr int64_t tile = 16;
  const int64_t across = (width_ + tile - 1) / tile, tiles = across * ((height_ + tile - 1) / tile);
  parallel_chunks(tiles, 16, context, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) {
      const int64_t x0 = t % across * tile, y0 = t / across * tile;
      const int64_t nx = std::min(tile, width_ - x0), ny = std::min(tile, height_ - y0);
      double x[tile], y[tile], px[tile * tile], py[tile * tile], pz[tile * tile];
      float v[tile * tile];
      for (int64_t i = 0; i < nx; ++i) x[i] = (static_cast<double>(first_x_ + x0 + i) + 0.5) * step;
      for (int64_t j = 0; j < ny; ++j) y[j] = (static_cast<double>(first_y_ + y0 + j) + 0.5) * step;
      const Box3 in{{x[0], y[0], level}, {x[nx - 1], y[ny - 1], level}};
      const FieldRange range = volume.root().range(in);
      if (range.low > 0 || range.high <= 0) {
        std::fill_n(v, nx * ny, range.low > 0 ? 1.0f : -1.0f);
      } else {
        for (int64_t i = 0; i < nx * ny; ++i) px[i] = x[i % nx], py[i] = y[i / nx], pz[i] = level;
        const FieldLattice lattice{x, y, &level, nx, ny, 1};
        volume.root().values({px, py, pz, nx * ny, in, &lattice}, v);
      }
      for (int64_t i = 0; i < nx * ny; ++i) {
        const auto at = static_cast<size_t>((y0 + i / nx) * width_ + x0 + i % nx);
        if (on_land(x[i % nx], y[i / nx])) (v[i] > 0 ? rock : water)[at] = 1;
      }
    }
  });
  const auto around = static_cast<int64_t>(std::ceil(width / step));
  for (std::vector<uint8_t>* map : {&rock, &water}) {
    *map = spread(*map, width_, 1, height_, width_, around);
    *map = spread(*map, height_, width_, width_, 1, around);
  }
  near_.resize(rock.size());
  for (size_t i = 0; i < near_.size(); ++i) near_[i] = rock[i] & water[i];
}

bool Shore::near(double x, double y) const {
  const int64_t i = column(x), j = row(y);
  return on_land(x, y) && i >= 0 && j >= 0 && i < width_ && j < height_ &&
         near_[static_cast<size_t>(j * width_ + i)] != 0;
}

bool Shore::may(const Box3& box) const {
  const int64_t i0 = std::max<int64_t>(column(box.low.x), 0), i1 = std::min(column(box.high.x), width_ - 1);
  const int64_t j0 = std::max<int64_t>(row(box.low.y), 0), j1 = std::min(row(box.high.y), height_ - 1);
  for (int64_t j = j0; j <= j1; ++j)
    for (int64_t i = i0; i <= i1; ++i)
      if (near_[static_cast<size_t>(j * width_ + i)] != 0) return true;
  return false;
}

}  // namespace tepui
