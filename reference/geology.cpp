#include "reference/geology.h"

#include <algorithm>
#include <cmath>

#include "tepui/geology/minerals.h"

namespace tepui::reference {

Terrain materials(const Terrain& in, const MaterialsParams& params) { return materials(in, in, params); }

Terrain materials(const Terrain& in, const Terrain& from, const MaterialsParams& params) {
  const Relief relief = from.relief();
  const double mat = static_cast<double>(params.count);
  const Grid<float>& z = from.height();
  Grid<float> result(z.width(), z.height());
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      // 2 (mat - 1) G, multiplied before divided: exact where the height is on a border.
      const double steps = 2 * (mat - 1);
      const double step = relief.span() > 0 ? (z(x, y) - relief.base) * steps / relief.span() : 0.0;
      result(x, y) = static_cast<float>(std::floor(std::ceil(std::clamp(step, 0.0, steps)) / 2) + 0.0);
    }
  Layer layer = make_layer("material", "", LayerKind::category, std::move(result));
  layer.classes = static_cast<int>(params.count);
  return in.with(std::move(layer));
}

Terrain hardness(const Terrain& in, const HardnessParams& params) {
  const Layer& material = in.layer("material");
  const Grid<float>& m = material.grid();
  Grid<float> result(m.width(), m.height());
  for (int64_t y = 0; y < m.height(); ++y)
    for (int64_t x = 0; x < m.width(); ++x) {
      const auto given = [&](size_t index) {
        if (params.minerals) return mineral_hardness((*params.minerals)[index].mineral);
        if (params.values) return (*params.values)[index];
        return material.classes > 1 ? static_cast<double>(index) / (material.classes - 1) : 0.0;
      };
      const auto index = static_cast<int64_t>(m(x, y)), count = static_cast<int64_t>(material.classes);
      double h = given(static_cast<size_t>(index));
      if (index >= count - params.combine_top)
        for (int64_t other = count - params.combine_top; other < count; ++other)
          h = std::max(h, given(static_cast<size_t>(other)));
      result(x, y) = static_cast<float>(h);
    }
  return in.with(make_layer("hardness", "", LayerKind::continuous, std::move(result)));
}

}  // namespace tepui::reference
