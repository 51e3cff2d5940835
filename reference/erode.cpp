#include "reference/erode.h"

#include <algorithm>
#include <cmath>

namespace tepui::reference {

namespace {

/// Hardness at a cell: the layer of that name, else the material normalised.
double hardness_at(const Layer* hardness, const Layer* material, int64_t x, int64_t y) {
  if (hardness != nullptr) return std::clamp(static_cast<double>(hardness->grid()(x, y)), 0.0, 1.0);
  return material->classes > 1 ? material->grid()(x, y) / static_cast<double>(material->classes - 1) : 0.0;
}

}  // namespace

Terrain gradation(const Terrain& in, const GradationParams& params) {
  const Relief relief = in.relief();
  const Layer *hardness = in.find("hardness"), *material = in.find("material");
  const Grid<float>& z = in.height();
  Grid<float> result(z.width(), z.height());
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      const double h = hardness_at(hardness, material, x, y);
      const double g = relief.span() > 0 ? (z(x, y) - relief.base) / relief.span() : 0.0;
      const double graded = g - params.erosion * (1 - h);
      const double flat = relief.span() > 0 ? 0.0 : z(x, y) - relief.base;
      result(x, y) =
          static_cast<float>(params.caprock && h == 1 ? relief.top : relief.base + flat + graded * relief.span());
    }
  return in.with_height(std::move(result));
}

Terrain gradation(const Terrain& in, const Geology& rock, const GradationParams& params) {
  Grid<float> hardness(in.height().width(), in.height().height());
  for (int64_t y = 0; y < hardness.height(); ++y)
    for (int64_t x = 0; x < hardness.width(); ++x)
      hardness(x, y) = rock.resistance({in.frame().x(x), in.frame().y(y), in.height()(x, y)});
  const Terrain hard = in.with(make_layer("hardness", "", LayerKind::continuous, std::move(hardness)));
  // Rock in space is worn, never lifted.
  return in.with_height(gradation(hard, {params.erosion, false}).height().clone());
}

Terrain levelling(const Terrain& in, const LevellingParams& params) {
  const Frame& frame = in.frame();
  const double radius = params.radius.in(frame);
  const Grid<float>& z = in.height();
  const auto kx = static_cast<int64_t>(std::min(std::round(radius / frame.cell.x), static_cast<double>(z.width())));
  const auto ky = static_cast<int64_t>(std::min(std::round(radius / frame.cell.y), static_cast<double>(z.height())));
  Grid<float> result(z.width(), z.height());
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      const int64_t x0 = std::max<int64_t>(x - kx, 0), x1 = std::min(x + kx, z.width() - 1);
      const int64_t y0 = std::max<int64_t>(y - ky, 0), y1 = std::min(y + ky, z.height() - 1);
      double sum = 0;
      for (int64_t v = y0; v <= y1; ++v)
        for (int64_t u = x0; u <= x1; ++u) sum += z(u, v);
      const auto neighbours = static_cast<double>((x1 - x0 + 1) * (y1 - y0 + 1) - 1);
      const double point = z(x, y);
      result(x, y) = static_cast<float>(neighbours > 0 ? 0.5 * ((sum - point) / neighbours + point) : point);
    }
  return in.with_height(std::move(result));
}

}  // namespace tepui::reference
