#include "tepui/hydrology/inflow.h"

#include <fmt/format.h>

#include <cmath>

#include "tepui/core/error.h"

namespace tepui {

namespace {

void add_rain(Grid<double>& supply, const Layer& rain, Vec2 cell) {
  const double area = cell.x * cell.y;
  for (int64_t i = 0; i < supply.size(); ++i) {
    const double mm = rain.grid().data()[i];
    if (mm < 0) refuse(fmt::format("the layer 'rain' has {:g} mm a year", mm), "rain is 0 or more; 'adjust' raises it");
    supply.data()[i] += mm / 1000 * area / seconds_a_year;
  }
}

void add_inflows(Grid<double>& supply, const Lines& inflow, const Frame& frame, const WaterGround& ground) {
  const LineAttribute* feature_discharge = inflow.number("discharge");
  const LineAttribute* vertex_discharge = inflow.vertex_number("discharge");
  if (feature_discharge == nullptr && vertex_discharge == nullptr && !inflow.empty())
    refuse("the points of 'inflow' have no attribute 'discharge'", "give each a number in m3/s");
  for (size_t f = 0; f < inflow.features(); ++f) {
    const LineFeature feature = inflow.feature(f);
    for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v) {
      const Vec3 p = inflow.vertices()[v];
      double amount = vertex_discharge != nullptr ? vertex_discharge->values[v] : std::nan("");
      if (std::isnan(amount) && feature_discharge != nullptr) amount = feature_discharge->values[f];
      const int64_t cell = cell_at(frame, p.x, p.y);
      if (cell < 0)
        refuse(fmt::format("the inflow at {:g}, {:g} lies outside the land", p.x, p.y),
               fmt::format("the land reaches from {:g}, {:g} to {:g}, {:g}", frame.x(0), frame.y(0),
                           frame.x(frame.width - 1), frame.y(frame.height - 1)));
      if (ground.kind.data()[cell] == GroundKind::outside)
        refuse(fmt::format("the inflow at {:g}, {:g} lies in a void outside the land", p.x, p.y),
               "move it to where the land begins");
      if (!(amount >= 0))
        refuse(fmt::format("the inflow at {:g}, {:g} has no discharge of 0 or more", p.x, p.y), "give it in m3/s");
      supply.data()[cell] += amount;
    }
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

std::optional<Grid<double>> water_supply(const Terrain& land, const Terrain* rain, const Lines* inflow,
                                         const WaterGround& ground) {
  const Layer* layer = rain != nullptr ? &rain->layer("rain") : land.find("rain");
  if (rain != nullptr) require_same_frame(land.frame(), "in", rain->frame(), "rain");
  if (layer == nullptr && inflow == nullptr) return std::nullopt;
  Grid<double> supply(land.frame().width, land.frame().height, 0.0);
  if (layer != nullptr) add_rain(supply, *layer, land.frame().cell);
  if (inflow != nullptr) add_inflows(supply, *inflow, land.frame(), ground);
  return supply;
}

}  // namespace tepui
