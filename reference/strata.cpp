#include "reference/strata.h"

#include <algorithm>
#include <cmath>

namespace tepui::reference {

double strata(const Frame& world, const StrataParams& params, Vec3 at) {
  const double degree = std::acos(-1.0) / 180;
  const double dip = params.dip.degrees * degree, azimuth = params.direction.degrees * degree;
  const double east = at.x - (world.origin.x + world.size.x / 2), north = at.y - (world.origin.y + world.size.y / 2);
  const double along_dip = east * std::sin(azimuth) + north * std::cos(azimuth);
  double above = (at.z - params.elevation.in(world)) * std::cos(dip) + along_dip * std::sin(dip);
  const bool down = params.order == BedOrder::down;
  if (down) above = -above;
  // A bed holds its floor: going down, the plane between two beds belongs to the first of them.
  for (size_t i = 0; i + 1 < params.beds.size(); ++i) {
    above -= params.beds[i].thickness.in(world);
    if (down ? above <= 0 : above < 0) return params.beds[i].resistance;
  }
  return params.beds.back().resistance;
}

double geology_from_materials(const Terrain& in, const GeologyFromMaterialsParams& params, Vec3 at) {
  const Layer &material = in.layer("material"), *hardness = in.find("hardness");
  const Frame& frame = in.frame();
  const Grid<float>& m = material.grid();
  double best = 0, h = 0;
  bool found = false;
  const double steps = 2.0 * (material.classes - 1);
  const double share = in.relief().span() > 0 ? (at.z - in.relief().base) * steps / in.relief().span() : 0;
  const double wanted = std::floor(std::ceil(std::clamp(share, 0.0, steps)) / 2);
  for (int64_t y = 0; y < m.height(); ++y)
    for (int64_t x = 0; x < m.width(); ++x) {
      const double dx = frame.x(x) - at.x, dy = frame.y(y) - at.y;
      // Of bands, the sample whose material is nearest, rather below than above; of columns, the nearest sample.
      double far = std::hypot(dx, dy);
      if (params.shape == RockShape::bands) far = m(x, y) <= wanted ? wanted - m(x, y) : 1000 + m(x, y) - wanted;
      if (found && far >= best) continue;
      found = true;
      best = far;
      h = hardness != nullptr ? hardness->grid()(x, y) : material.classes > 1 ? m(x, y) / (material.classes - 1.0) : 0;
    }
  if (params.shape == RockShape::bands && hardness == nullptr)
    h = material.classes > 1 ? wanted / (material.classes - 1.0) : 0;
  h = std::clamp(h, 0.0, 1.0);
  return params.resistance.low + h * (params.resistance.high - params.resistance.low);
}

}  // namespace tepui::reference
