#include "tepui/landforms/where.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/volume/drawn_region.h"
#include "tepui/volume/land_sheet.h"

namespace tepui {

namespace {

/// From 1 at 0 to 0 at 1, as `Region` has it.
double ramp(double u) { return u <= 0 ? 1 : u >= 1 ? 0 : 1 - u * u * u * (u * (6 * u - 15) + 10); }

}  // namespace

Where::Where(const WhereParams& params, const Frame& world, const Volume& in, const Terrain* mask, const Lines* region)
    : region_(params, Placing(world, &in, params.positions, params.heights), in.support()),
      intensity_(params.intensity),
      levels_(params.levels),
      levels_falloff_(params.levels_falloff.in(world)),
      falloff_(params.falloff.in(world)),
      box_(region_.box().within(in.support())) {
  if (levels_) {
    if (!(levels_->low <= levels_->high)) refuse("'levels' end below their beginning", "give the lower height first");
    if (!(levels_falloff_ > 0)) refuse("'levels_falloff' must be above 0, so that the change fades out");
    box_.low.z = std::max(box_.low.z, levels_->low - levels_falloff_);
    box_.high.z = std::min(box_.high.z, levels_->high + levels_falloff_);
  }
  if (region != nullptr) {
    drawn_ = std::make_shared<const DrawnRegion>(*region, falloff_);
    box_ = box_.within(drawn_->box());
  }
  if (mask != nullptr) {
    const SurfaceSketch sketch = in.root().sketch();
    const LandSheet* sheet = land_in(sketch);
    require_same_frame(sheet != nullptr ? sheet->frame() : world, sheet != nullptr ? "the land" : "the world",
                       mask->frame(), "the mask");
    mask_ = mask_layer(*mask).data;
    mask_frame_ = mask->frame();
    box_ = box_.within({{mask_frame_.x(0), mask_frame_.y(0), -Box3::far},
                        {mask_frame_.x(mask_frame_.width - 1), mask_frame_.y(mask_frame_.height - 1), Box3::far}});
  }
}

double Where::weight(Vec3 at) const {
  if (!box_.holds(at)) return 0;
  double w = intensity_ * region_.weight(at);
  if (levels_ && w > 0) w *= ramp(std::max(levels_->low - at.z, at.z - levels_->high) / levels_falloff_);
  if (drawn_ != nullptr && w > 0) w *= drawn_->weight(at);
  if (mask_ != nullptr && w > 0) w *= mask_at(at.x, at.y);
  return w;
}

/// Straight between the samples.
double Where::mask_at(double x, double y) const {
  const Grid<float>& m = *mask_;
  const auto along = [](double place, double first, double cell, int64_t count, int64_t& i) {
    const double at = std::clamp((place - first) / cell, 0.0, static_cast<double>(count - 1));
    i = std::min(static_cast<int64_t>(at), std::max<int64_t>(count - 2, 0));
    return at - static_cast<double>(i);
  };
  int64_t i = 0, j = 0;
  const double u = along(x, mask_frame_.x(0), mask_frame_.cell.x, m.width(), i);
  const double v = along(y, mask_frame_.y(0), mask_frame_.cell.y, m.height(), j);
  const int64_t i1 = std::min(i + 1, m.width() - 1), j1 = std::min(j + 1, m.height() - 1);
  const auto at = [&](int64_t a, int64_t b) { return static_cast<double>(m(a, b)); };
  const double low = at(i, j) + (at(i1, j) - at(i, j)) * u, high = at(i, j1) + (at(i1, j1) - at(i, j1)) * u;
  return std::clamp(low + (high - low) * v, 0.0, 1.0);
}

bool Where::may(const Box3& box) const {
  if (!box.meets(box_) || !(intensity_ > 0)) return false;
  const Vec2 low{box.low.x, box.low.y}, high{box.high.x, box.high.y};
  if (drawn_ != nullptr && !drawn_->may(box)) return false;
  if (mask_ == nullptr) return true;
  const auto index = [](double place, double first, double cell, int64_t count) {
    return std::clamp<int64_t>(static_cast<int64_t>(std::floor(std::clamp((place - first) / cell, -1.0, 1e9))), 0,
                               count - 1);
  };
  const Grid<float>& m = *mask_;
  const int64_t i0 = index(low.x, mask_frame_.x(0), mask_frame_.cell.x, m.width());
  const int64_t i1 = index(high.x + mask_frame_.cell.x, mask_frame_.x(0), mask_frame_.cell.x, m.width());
  const int64_t j0 = index(low.y, mask_frame_.y(0), mask_frame_.cell.y, m.height());
  const int64_t j1 = index(high.y + mask_frame_.cell.y, mask_frame_.y(0), mask_frame_.cell.y, m.height());
  if ((i1 - i0 + 1) * (j1 - j0 + 1) > 65536) return true;
  for (int64_t j = j0; j <= j1; ++j)
    for (int64_t i = i0; i <= i1; ++i)
      if (m(i, j) > 0) return true;
  return false;
}

}  // namespace tepui
