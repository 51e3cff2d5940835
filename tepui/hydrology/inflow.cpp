#include "tepui/hydrology/inflow.h"

#include <fmt/format.h>

#include <cmath>

#include "tepui/core/error.h"

namespace tepui {

namespace {

void add_rain(Grid<double>& supply, const Layer& rain, Vec2 cell) {
  const double area = cell.x * cell.y;
  for (int64_t i = 0; i < supply.size(); ++i) {
    supply.data()[i] += static_cast<double>(rain.grid().data()[i]) / 1000 * area / seconds_a_year;
  }
}

}  // namespace

int64_t cell_at(const Frame& frame, double x, double y) {
  const double column = std::floor((x - frame.x(0)) / frame.cell.x + 0.5);
  const double row = std::floor((y - frame.y(0)) / frame.cell.y + 0.5);
  if (!(column >= 0 && row >= 0 && column < static_cast<double>(frame.width) &&
        row < static_cast<double>(frame.height)))
    return -1;
  return static_cast<int64_t>(row) * frame.width + static_cast<int64_t>(column);
}

PointInflow point_inflow(const Lines& lines, size_t feature, size_t vertex, const Frame& frame) {
  const LineAttribute* of_feature = lines.number("discharge");
  const LineAttribute* of_vertex = lines.vertex_number("discharge");
  if (of_feature == nullptr && of_vertex == nullptr)
    refuse("the points of 'inflow' have no attribute 'discharge'", "give each a number in m3/s");
  const Vec3 p = lines.vertices()[vertex];
  double amount = of_vertex != nullptr ? of_vertex->values[vertex] : std::nan("");
  if (std::isnan(amount) && of_feature != nullptr) amount = of_feature->values[feature];
  const int64_t cell = cell_at(frame, p.x, p.y);
  if (cell < 0)
    refuse(fmt::format("the inflow at {:g}, {:g} lies outside the land", p.x, p.y),
           fmt::format("the land reaches from {:g}, {:g} to {:g}, {:g}", frame.x(0), frame.y(0),
                       frame.x(frame.width - 1), frame.y(frame.height - 1)));
  if (!(amount >= 0))
    refuse(fmt::format("the inflow at {:g}, {:g} has no discharge of 0 or more", p.x, p.y), "give it in m3/s");
  return {p.x, p.y, cell, amount};
}

std::vector<PointInflow> point_inflows(const Lines& inflow, const Frame& frame) {
  std::vector<PointInflow> points;
  for (size_t f = 0; f < inflow.features(); ++f) {
    const LineFeature feature = inflow.feature(f);
    for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v)
      points.push_back(point_inflow(inflow, f, v, frame));
  }
  return points;
}

const Layer* rain_layer(const Terrain& land, const Terrain* rain) {
  const Layer* layer = rain != nullptr ? &rain->layer("rain") : land.find("rain");
  if (rain != nullptr) require_same_frame(land.frame(), "in", rain->frame(), "rain");
  if (layer == nullptr) return nullptr;
  for (float mm : layer->grid().cells())
    if (mm < 0) refuse(fmt::format("the layer 'rain' has {:g} mm a year", mm), "rain is 0 or more; 'adjust' raises it");
  return layer;
}

std::optional<Grid<double>> water_supply(const Terrain& land, const Terrain* rain, const Lines* inflow,
                                         const WaterGround& ground) {
  const Layer* layer = rain_layer(land, rain);
  if (layer == nullptr && inflow == nullptr) return std::nullopt;
  Grid<double> supply(land.frame().width, land.frame().height, 0.0);
  if (layer != nullptr) add_rain(supply, *layer, land.frame().cell);
  if (inflow == nullptr) return supply;
  for (const PointInflow& point : point_inflows(*inflow, land.frame())) {
    if (ground.kind.data()[point.cell] == WaterCell::outside)
      refuse(fmt::format("the inflow at {:g}, {:g} lies in a void outside the land", point.x, point.y),
             "move it to where the land begins");
    supply.data()[point.cell] += point.discharge;
  }
  return supply;
}

}  // namespace tepui
