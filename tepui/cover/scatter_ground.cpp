#include "tepui/cover/scatter_ground.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/cover/scatter_params.h"

namespace tepui {

namespace {

constexpr double plenty = 0.5;      // metres of a layer of metres
constexpr double bare_rocks = 0.1;  // share of steep ground where nothing is known of debris

/// Loose debris on floors is sand and silt; blocks lie where it is steep.
double stony(double slope) { return math::smoothstep(8, 25, slope); }
/// Blocks that came to rest, without layers that say so.
double blocks_by_slope(double slope) {
  return bare_rocks * math::smoothstep(22, 32, slope) * (1 - math::smoothstep(36, 44, slope));
}

}  // namespace

ScatterGround::ScatterGround(const Terrain& land, const Terrain* mask_land)
    : land_(land), mask_land_(mask_land != nullptr ? *mask_land : Terrain()), frame_(land.frame()) {
  height = &land_.height();
  mask = mask_land != nullptr ? &mask_layer(mask_land_).grid() : nullptr;
  water = find("water");
  ice = find("ice");
  snow = find("snow");
  soil = find("soil");
  summer = find("temperature_summer");
}

const Grid<float>* ScatterGround::find(std::string_view name) const {
  const Layer* layer = land_.find(name);
  return layer != nullptr ? &layer->grid() : nullptr;
}

ScatterGround::Spot ScatterGround::spot(double x, double y) const {
  // By global samples, so that a window gives the same bits.
  const auto along = [](double at, double origin, double cell, int64_t first, int64_t count, int64_t& index) {
    const double global = (at - origin) / cell;
    index = std::clamp<int64_t>(static_cast<int64_t>(std::floor(global)) - first, 0, std::max<int64_t>(count - 2, 0));
    return std::clamp(global - static_cast<double>(first + index), 0.0, 1.0);
  };
  Spot spot;
  spot.east = along(x, frame_.origin.x, frame_.cell.x, frame_.first_x, frame_.width, spot.column);
  spot.north = along(y, frame_.origin.y, frame_.cell.y, frame_.first_y, frame_.height, spot.row);
  return spot;
}

double ScatterGround::at(const Grid<float>& grid, const Spot& spot) {
  const float* low = grid.row(spot.row) + spot.column;
  const float* high = spot.row + 1 < grid.height() ? low + grid.width() : low;
  const int64_t next = spot.column + 1 < grid.width() ? 1 : 0;
  const auto between = [&](const float* row) {
    const auto a = static_cast<double>(row[0]), b = static_cast<double>(row[next]);
    return a + (b - a) * spot.east;
  };
  const double a = between(low), b = between(high);
  return a + (b - a) * spot.north;
}

ScatterGround::Slope ScatterGround::slope(double x, double y) const {
  const auto rise = [&](double dx, double dy) {
    const double x0 = std::max(x - dx, west()), x1 = std::min(x + dx, east());
    const double y0 = std::max(y - dy, south()), y1 = std::min(y + dy, north());
    const double run = (x1 - x0) + (y1 - y0) - (dx > 0 ? y1 - y0 : x1 - x0);
    return run > 0 ? (at(*height, spot(x1, y1)) - at(*height, spot(x0, y0))) / run : 0;
  };
  const double east = -rise(std::max(scatter_slope_length, frame_.cell.x), 0);
  const double north = -rise(0, std::max(scatter_slope_length, frame_.cell.y));
  const double tangent = std::sqrt(east * east + north * north);
  if (!(tangent > 0)) return {};
  return {math::degrees(math::atan(tangent)), east / tangent, north / tangent};
}

ScatterShare::ScatterShare(const ScatterGround& ground, std::string_view layer) : ground_(ground) {
  if (layer == everywhere_layer) return;
  if (layer == debris_layer) {
    if (const Grid<float>* talus = ground.find("talus")) parts_.push_back({talus, plenty, false});
    if (const Grid<float>* sediment = ground.find("sediment")) parts_.push_back({sediment, plenty, true});
    known_ = !parts_.empty();
    by_slope_ = !known_;
    return;
  }
  const Layer* found = ground.land().find(layer);
  known_ = found != nullptr;
  if (!known_) return;
  if (found->kind == LayerKind::category || !(found->unit.empty() || found->unit == "m"))
    refuse(fmt::format("the layer '{}' is neither a share nor metres", layer), "name a mask, or a layer such as talus");
  parts_.push_back({&found->grid(), found->unit == "m" ? plenty : 1, false});
}

double ScatterShare::at(double x, double y) const {
  const ScatterGround::Spot spot = ground_.spot(x, y);
  const double mask = ground_.mask != nullptr ? std::clamp(ScatterGround::at(*ground_.mask, spot), 0.0, 1.0) : 1;
  if (!(mask > 0)) return 0;
  if (by_slope_) return mask * blocks_by_slope(ground_.slope(x, y).degrees);
  if (parts_.empty()) return known_ ? mask : 0;
  double share = 0;
  for (const Part& part : parts_) {
    const double plain = std::clamp(ScatterGround::at(*part.grid, spot) / part.full, 0.0, 1.0);
    if (plain > share) share = std::max(share, part.slopes_only ? plain * stony(ground_.slope(x, y).degrees) : plain);
  }
  return mask * share;
}

double ScatterShare::most(double west, double south, double east, double north) const {
  const ScatterGround::Spot low = ground_.spot(west, south), high = ground_.spot(east, north);
  const auto largest = [&](const Grid<float>& grid) {
    float most = 0;
    for (int64_t row = low.row; row <= std::min(high.row + 1, grid.height() - 1); ++row)
      for (int64_t column = low.column; column <= std::min(high.column + 1, grid.width() - 1); ++column)
        most = std::max(most, grid(column, row));
    return static_cast<double>(most);
  };
  const double mask = ground_.mask != nullptr ? std::min(largest(*ground_.mask), 1.0) : 1;
  if (by_slope_) return mask * bare_rocks;
  if (parts_.empty()) return known_ ? mask : 0;
  double share = 0;
  for (const Part& part : parts_) share = std::max(share, largest(*part.grid) / part.full);
  return mask * std::min(share, 1.0);
}

}  // namespace tepui
