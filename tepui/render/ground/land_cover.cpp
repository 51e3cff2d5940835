#include "tepui/render/ground/land_cover.h"

#include <algorithm>
#include <cmath>

namespace tepui {

namespace {

/// How far beside the land its surface may have been moved without being another.
constexpr double unsure_cells = 0.1;

}  // namespace

bool LandCover::tells(const Terrain& land) {
  if (land.find("height") == nullptr) return false;
  const auto has = [&](const char* name) {
    const Layer* layer = land.find(name);
    return layer != nullptr && layer->kind != LayerKind::category;
  };
  return has("temperature_summer") || has("water_level") || std::ranges::any_of(cover_rows(), [&](const CoverRow& row) {
           return row.by != LaidBy::nothing && has(row.layer);
         });
}

LandCover::LandCover(const Terrain& land, const SkinParams& skin, const Context& context)
    : sheet_(land), ground_(land, skin, {}, context), any_(ground_.point(0, 0, {0, 0, 1}, 0)) {}

float LandCover::share(Vec3 at, Vec3 normal, double near) const {
  const Box3 plan = sheet_.plan();
  if (!(at.x >= plan.low.x && at.x <= plan.high.x && at.y >= plan.low.y && at.y <= plan.high.y)) return 0;
  const Vec2 cell = sheet_.frame().cell;
  near += unsure_cells * std::min(cell.x, cell.y);
  Vec3 up{0, 0, 1};
  const double height = sheet_.slope(at.x, at.y, up.x, up.y);
  up.x = -up.x, up.y = -up.y;
  const double steep = length(up), away = std::abs(at.z - height) / steep;
  if (!(away < 2 * near)) return 0;
  const float lies = 1 - smooth_step(static_cast<float>(near), static_cast<float>(2 * near), static_cast<float>(away));
  return lies * smooth_step(0.3f, 0.6f, static_cast<float>(dot(normal, up) / steep));
}

void LandCover::tell(GroundPoint& point, Vec3 at, float share) const {
  GroundPoint land = any_;
  if (share > 0) {
    const Frame& frame = sheet_.frame();
    land = ground_.point((at.x - frame.x(0)) / frame.cell.x, (at.y - frame.y(0)) / frame.cell.y, point.normal,
                         static_cast<double>(point.footprint));
    point.warmest = land.warmest;
  }
  for (size_t k = 0; k < ground_kinds; ++k)
    if (land.laid[k] >= 0) point.laid[k] = share * land.laid[k];
  if (land.sediment >= 0) point.sediment = share * land.sediment;
  if (share > 0.5f) point.above_water = std::min(point.above_water, land.above_water);
}

}  // namespace tepui
