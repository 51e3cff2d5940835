#include "tepui/planet/valley_ice.h"

#include <algorithm>
#include <cmath>

namespace tepui {

int64_t supply_of_child(const LevelScale& scale, const IceCell& cell, const IceSite& site) {
  constexpr double most_melt = 9;  // metres a year
  const auto inflow = static_cast<double>(site.inflow);
  const double share =
      static_cast<double>(cell.supply) / cell.members + scale.ice_gradient * scale.cell * (site.height - cell.height);
  const double snow = std::min(scale.most_snow, 1.1 * site.rain);
  const double yearly = std::clamp(scale.ice_gradient * (site.height - site.snow_line), -most_melt, snow);
  double most = 0;
  if (yearly > 0)
    most = yearly * scale.cell;
  else if (site.inflow > 0)
    most = yearly * 2 * half_trough(inflow) * scale.spacing;
  return static_cast<int64_t>(std::max(std::min(share, most), -inflow));
}

void fill_with_ice(GlacialTrough& trough, double flow) {
  trough.ice = trough.ice_half = 0;
  if (!(flow > 0) || !(trough.half > 0)) return;
  const double half = std::min(half_trough(flow), static_cast<double>(trough.half));
  const double part = half / static_cast<double>(trough.half);
  trough.ice_half = static_cast<float>(half);
  // To where the walls are as far apart as the ice is wide, and on level ground as deep as its own weight lets it be.
  trough.ice = static_cast<float>(0.85 * static_cast<double>(trough.depth) * part * std::sqrt(part) + 0.05 * half);
}

double ice_above(const FineVertices& vertices, size_t v) {
  const GlacialTrough& trough = vertices.trough[v];
  if (!(trough.ice > 0) || vertices.receiver[v] == in_the_sea) return no_ice;
  const double x = static_cast<double>(trough.away) / static_cast<double>(trough.ice_half);
  // Level across, a little higher in the middle; to 1.6 times its width where no wall holds it.
  const double top = static_cast<double>(trough.bed) + static_cast<double>(trough.ice) * (1 - 0.39 * x * x);
  return std::max(top - vertices.height[v], no_ice);
}

}  // namespace tepui
