#include "tepui/render/ground/covers.h"

#include <algorithm>

#include "tepui/render/ground/slope.h"
#include "tepui/render/light/colour.h"

namespace tepui {

namespace {

constexpr std::array<CoverKind, most_covers> kinds = {{{"sediment", 0xdcae62},
                                                       {"talus", 0xb39b80},
                                                       {"soil", 0x9b7b56},
                                                       {"sand", 0xe6d396},
                                                       {"water", 0x8fbbd9},
                                                       {"ice", 0xcfe3ee},
                                                       {"snow", 0xf6fafc}}};

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

std::span<const CoverKind, most_covers> cover_kinds() { return kinds; }

float hiding_thickness(double relief) { return static_cast<float>(std::clamp(0.004 * relief, 1e-6, 0.5)); }

Covers::Covers(const Terrain& land) {
  if (const Layer* height = land.find("height")) heights_ = height->data;
  for (const CoverKind& kind : kinds)
    if (const Layer* layer = land.find(kind.name); layer != nullptr && layer->kind == LayerKind::continuous)
      list_.push_back({kind, layer->data});
  water_ = index_of("water");
}

size_t Covers::index_of(std::string_view name) const {
  size_t i = 0;
  while (i < list_.size() && name != list_[i].kind.name) ++i;
  return i;
}

Covers::Depths Covers::lying(double u, double v) const {
  Depths depths{};
  for (size_t i = 0; i < list_.size(); ++i) {
    const Grid<float>& grid = *list_[i].thickness;
    if (i == water_) continue;
    depths[i] = static_cast<float>(Corners(u, v, grid).between(grid, thickness));
  }
  return depths;
}

Covers::Depths Covers::seen(double u, double v, Vec3 normal) const {
  Depths depths = lying(u, v);
  if (water_ < list_.size()) {
    const Grid<float>& water = *list_[water_].thickness;
    depths[water_] = static_cast<float>(Corners(u, v, water).between(water, thickness));
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
    if (i == water_) continue;
    const double whole = thickness((*list_[i].thickness)(x, y));
    // The surface lies `above` metres below the top of this cover; the rest of it is what is seen there.
    const auto column = static_cast<float>(above > 0 ? std::max(0.0, whole - above) : whole);
    depths[i] += face * (column - depths[i]);
    above -= whole;
  }
  return depths;
}

}  // namespace tepui
