#include "tepui/render/ground/covers.h"

#include <algorithm>
#include <array>

#include "tepui/render/ground/slope.h"
#include "tepui/render/light/colour.h"

namespace tepui {

namespace {

bool is_depth(const Covers::Cover& cover) { return cover.row->by == LaidBy::depth; }

/// What lies on slopes of any kind as it does on level ground, where it lies at all.
bool is_mantle(const Covers::Cover& cover) {
  const auto kind = cover.row->kind;
  return kind == GroundKind::soil || kind == GroundKind::sand || kind == GroundKind::ice || kind == GroundKind::snow;
}

/// The samples around a place, and the shares between them.
struct Corners {
  int64_t x[2], y[2];
  double s = 0, t = 0;

  Corners(double u, double v, const Grid<float>& grid) {
    u = std::clamp(u, 0.0, static_cast<double>(grid.width() - 1));
    v = std::clamp(v, 0.0, static_cast<double>(grid.height() - 1));
    x[0] = static_cast<int64_t>(u), y[0] = static_cast<int64_t>(v);
    x[1] = std::min(x[0] + 1, grid.width() - 1), y[1] = std::min(y[0] + 1, grid.height() - 1);
    s = u - static_cast<double>(x[0]), t = v - static_cast<double>(y[0]);
  }

  template <class Value>
  double between(const Grid<float>& grid, const Value& value) const {
    const auto along = [&](int64_t row) {
      const double a = value(grid(x[0], row));
      return a + s * (value(grid(x[1], row)) - a);
    };
    const double a = along(y[0]);
    return a + t * (along(y[1]) - a);
  }
};

double own(float v) { return static_cast<double>(v); }
double thickness(float v) { return std::max(0.0, static_cast<double>(v)); }

}  // namespace

Covers::Covers(const Terrain& land) {
  if (const Layer* height = land.find("height")) heights_ = height->data;
  for (const CoverRow& row : cover_rows()) {
    const Layer* layer = row.by == LaidBy::nothing ? nullptr : land.find(row.layer);
    if (layer == nullptr || layer->kind == LayerKind::category) continue;
    if (layer->kind == LayerKind::continuous || row.by == LaidBy::share) list_.push_back({&row, layer->data});
  }
  snow_ = index_of("snow");
}

float Covers::rounded_snow(double u, double v) const {
  const Grid<float>& grid = *list_[snow_].thickness;
  const Corners at(u, v, grid);
  const auto weights = [](double t) {
    const double r = 1 - t;
    return std::array{r * r * r / 6, 2.0 / 3 - t * t * (1 - 0.5 * t), 2.0 / 3 - r * r * (1 - 0.5 * r), t * t * t / 6};
  };
  const auto wx = weights(at.s), wy = weights(at.t);
  double sum = 0;
  for (int64_t j = 0; j < 4; ++j) {
    const float* row = grid.row(std::clamp<int64_t>(at.y[0] + j - 1, 0, grid.height() - 1));
    for (int64_t i = 0; i < 4; ++i)
      sum += wy[static_cast<size_t>(j)] * wx[static_cast<size_t>(i)] *
             thickness(row[std::clamp<int64_t>(at.x[0] + i - 1, 0, grid.width() - 1)]);
  }
  return static_cast<float>(sum);
}

size_t Covers::index_of(std::string_view layer) const {
  size_t i = 0;
  while (i < list_.size() && layer != list_[i].row->layer) ++i;
  return i;
}

Covers::Depths Covers::lying(double u, double v) const {
  Depths depths{};
  for (size_t i = 0; i < list_.size(); ++i) {
    const Grid<float>& grid = *list_[i].thickness;
    if (is_depth(list_[i])) depths[i] = static_cast<float>(Corners(u, v, grid).between(grid, thickness));
  }
  return depths;
}

Covers::Depths Covers::seen(double u, double v, Vec3 normal) const {
  Depths depths = lying(u, v);
  for (size_t i = 0; i < list_.size(); ++i) {
    const Grid<float>& grid = *list_[i].thickness;
    if (!is_depth(list_[i])) depths[i] = static_cast<float>(Corners(u, v, grid).between(grid, thickness));
  }
  // Loose matter lies at up to about 40 degrees.
  const float face = smooth_step(0.75f, 1.4f, slope_of(normal));
  if (list_.empty() || heights_ == nullptr || !(face > 0)) return depths;
  const Grid<float>& z = *heights_;
  const Corners at(u, v, z);
  int64_t x = at.x[0], y = at.y[0];
  for (const int64_t j : at.y)
    for (const int64_t i : at.x)
      if (z(i, j) > z(x, y)) x = i, y = j;
  double above = own(z(x, y)) - at.between(z, own);
  for (size_t i = list_.size(); i-- > 0;) {
    if (!is_depth(list_[i])) continue;
    const double whole = thickness((*list_[i].thickness)(x, y));
    // The surface lies `above` metres below the top of this cover; the rest of it is what is seen there.
    const auto column = static_cast<float>(above > 0 ? std::max(0.0, whole - above) : whole);
    if (!is_mantle(list_[i])) depths[i] += face * (column - depths[i]);
    above -= whole;
  }
  return depths;
}

}  // namespace tepui
