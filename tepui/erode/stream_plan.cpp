#include "tepui/erode/stream_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/erode/between_samples.h"
#include "tepui/erode/creep.h"
#include "tepui/hydrology/inflow.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr double km2 = 1e6;
constexpr double units_of_age = 8;   // time to equilibrium, in units in which K A^m is 1000 m at 1 km2
constexpr double coarse_step = 0.1;  // such units
constexpr double fine_step = 0.2;
constexpr double usual_steepness = 0.12;
constexpr float least_uplift = 0.25f;
constexpr double low_share = 0.3;  // of the border that drains
// Of a world of 8 km: the usual creep is 20 m2, the usual channel head 4000 m2.
constexpr double creep_share = 3.125e-7, head_share = 6.25e-5;
// What rivers laid down spreads by 2000 m2 in such a world.
constexpr double spreading_share = 3.125e-5;

/// The height that the lowest part of the border reaches, on the coarsest lattice.
double low_edge_level(const Grid<float>& height, double share) {
  std::vector<float> border;
  const int64_t w = height.width(), h = height.height();
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; x += y == 0 || y == h - 1 || w == 1 ? 1 : w - 1) border.push_back(height(x, y));
  const auto place = static_cast<size_t>(share * static_cast<double>(border.size() - 1));
  std::nth_element(border.begin(), border.begin() + static_cast<std::ptrdiff_t>(place), border.end());
  return static_cast<double>(border[place]);
}

/// How steep a river that drains 1 km2 must be for the land to keep its height: the relief over what the slopes of the
/// present rivers would add up to.
double steepness_for_relief(const Terrain& in, const Grid<float>& height, const Grid<float>& pattern,
                            const Lattice& lattice, const StreamPlan& plan, double relief, const Context& context) {
  StreamLand land(lattice, nullptr, plan.law, context);
  land.height = height.clone();
  land.ground.quanta_area = lattice.cell.x * lattice.cell.y;
  land.ground.kind = stream_kinds(in, lattice, height, plan, context);
  Grid<uint8_t> codes = land.directions(context);
  const Watercourses water =
      watercourses_of({&land.height, lattice.cell, std::move(land.ground.kind)}, std::move(codes), context);
  const FlowOrder order(water.directions, context);
  Grid<int32_t> cells(lattice.width, lattice.height, 1);
  Grid<float> rise(lattice.width, lattice.height, 0.0f);
  order.downstream(context, [&](int64_t cell, int64_t to) { cells.data()[to] += cells.data()[cell]; });
  const D8 d8(lattice.width, lattice.cell);
  const PowerTable power(-plan.law.m / plan.law.n);
  order.upstream(context, [&](int64_t cell, int64_t to) {
    if (to < 0) return;
    const double slope =
        power(land.effective_area(cells.data()[cell]) / km2) * d8.distance[water.directions.data()[cell]];
    const double share = pattern.empty() ? 1 : static_cast<double>(pattern.data()[cell]);
    rise.data()[cell] = static_cast<float>(static_cast<double>(rise.data()[to]) + slope * share);
  });
  // Single odd places do not count.
  std::vector<float> all(rise.data(), rise.data() + rise.size());
  const auto place = all.begin() + static_cast<std::ptrdiff_t>(0.98 * static_cast<double>(all.size() - 1));
  std::nth_element(all.begin(), place, all.end());
  return *place > 0 ? std::clamp(relief / static_cast<double>(*place), 0.002, 1.0) : usual_steepness;
}

/// The land's broad shape on the coarsest lattice: smoothed over about a twelfth of it; its highest counts as 1,
/// its lowest as `least_uplift`, so that lowlands have valleys, too.
Grid<float> broad_shape(Grid<float> height, const Lattice& lattice, const Context& context) {
  const double length = 0.08 * static_cast<double>(coarsest_cells) * lattice.cell.x;
  creep(height, {}, lattice.cell, length * length / 2, context);
  const auto [low, high] = std::ranges::minmax(height.cells());
  for (float& z : height.cells()) z = high > low ? least_uplift + (1 - least_uplift) * (z - low) / (high - low) : 1.0f;
  return height;
}

const Layer& pattern_layer(const Terrain& map) {
  if (const Layer* layer = map.find("uplift")) return *layer;
  if (map.layers().size() == 1) return map.layers().front();
  return map.layer("uplift");
}

/// A map given on the land's own samples, its highest counting as 1.
Grid<float> given_pattern(const Terrain& in, const Terrain& map) {
  require_same_frame(in.frame(), "in", map.frame(), "uplift");
  Grid<float> pattern = pattern_layer(map).grid().clone();
  const auto [low, high] = std::ranges::minmax(pattern.cells());
  if (low < 0)
    refuse(fmt::format("the map of uplift goes down to {:g}", low), "uplift is 0 or more; 'adjust' raises it");
  for (float& u : pattern.cells()) u = high > 0 ? u / high : 0.0f;
  return pattern;
}

/// The pattern at the land's own samples: a given one, or one of the coarsest lattice.
Grid<float> pattern_at_samples(const Terrain& in, const Grid<float>& coarse, const Lattice& lattice,
                               const Context& context) {
  Grid<float> out(in.frame().width, in.frame().height);
  parallel_chunks(out.height(), rows_per_chunk(out.width()), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < out.width(); ++x)
        out(x, y) =
            between_samples(coarse, static_cast<double>(x) / lattice.step, static_cast<double>(y) / lattice.step);
  });
  return out;
}

void plan_outlets(StreamPlan& plan, const Terrain& in, const Grid<float>& coarse, const StreamPowerParams& params) {
  plan.sea_level = params.sea_level;
  const bool has_sea = params.sea_level && std::ranges::any_of(in.height().cells(), [&](float z) {
                         return static_cast<double>(z) <= *params.sea_level;
                       });
  plan.outlets = params.outlets.value_or(has_sea ? Outlets::sea : Outlets::low_edges);
  if (plan.outlets == Outlets::sea && !has_sea)
    refuse("water is to leave the land into the sea, but no sample lies below its level",
           "lower the land, or choose other 'outlets'");
  if (plan.outlets == Outlets::points && plan.guides.outlets.empty())
    refuse("water is to leave the land at points, but the guides have no 'outlet'",
           "name points of 'guides' outlet, or choose other 'outlets'");
  plan.edge_level = low_edge_level(coarse, low_share);
}

/// Rain relative to the usual, and rivers from outside as the areas that would feed them.
void plan_water(StreamPlan& plan, const Terrain& in, const Terrain* rain, const Lines* inflow,
                const StreamPowerParams& params) {
  if (const Layer* layer = rain_layer(in, rain)) {
    plan.supply = layer->grid().clone();
    for (float& mm : plan.supply.cells()) mm = static_cast<float>(static_cast<double>(mm) / params.runoff);
  }
  std::vector<PointInflow> points = plan.guides.inflows;
  if (inflow != nullptr)
    for (const PointInflow& point : point_inflows(*inflow, in.frame())) points.push_back(point);
  const double metres_a_second = params.runoff / 1000 / seconds_a_year;
  for (const PointInflow& point : points)
    plan.inflows.push_back({{point.x, point.y}, point.discharge / metres_a_second});
}

/// Law, time and uplift in units of `age`, or in years.
void plan_time(StreamPlan& plan, const Frame& frame, const StreamPowerParams& params) {
  StreamLaw& law = plan.law;
  law.n = params.slope_exponent;
  law.m = params.concavity * law.n;
  const double world = frame.shorter_side() * frame.shorter_side();
  law.head = params.channel_head.value_or(head_share * world);
  law.creep = params.creep.value_or(params.erodibility ? 0 : creep_share * world);
  law.deposition = params.deposition;
  plan.time = params.erodibility ? params.years : units_of_age * params.age;
  // In steps of time that count: K A^m is 1000 m for 1 km2 in one unit.
  const double unit = params.erodibility ? 1000 / (*params.erodibility * math::pow(km2, law.m)) : 1;
  law.k = 1000 / (unit * math::pow(km2, law.m));
  // Rivers that lay down G / A of what is worn wear 1 / (1 + G) of it where all land wears alike: K makes up for that,
  // so that rivers come to be as steep as was asked for.
  if (!params.erodibility) law.k *= 1 + law.deposition;
  if (plan.displaced) law.spreading = spreading_share * world / unit;
  const double units = plan.time / unit;
  plan.coarse_steps =
      params.steps.value_or(static_cast<int>(std::clamp(std::ceil(units / coarse_step - 1e-9), 1.0, 1e5)));
  plan.fine_time = std::min(plan.time, fine_step * plan.fine_steps * unit);
}

}  // namespace

StreamPlan plan_streams(const StreamInputs& inputs, const std::vector<Lattice>& ladder, const StreamPowerParams& params,
                        const Context& context) {
  const Terrain& in = inputs.in;
  const Frame& frame = in.frame();
  StreamPlan plan;
  plan.draws = params.seed.stream("stream_power");
  plan.displaced = params.levels.value_or(0) != 1;
  plan_time(plan, frame, params);
  if (inputs.guides != nullptr) plan.guides = StreamGuides::from(*inputs.guides, frame);
  const Lattice& lattice = ladder.front();
  const Grid<float> coarse = point_samples(in.height(), lattice, context);
  plan_outlets(plan, in, coarse, params);
  plan_water(plan, in, inputs.rain, inputs.inflow, params);
  plan.fall = params.fall.in(frame);
  plan.rock = StreamRock(inputs.rock, math::tan(math::radians(params.talus.degrees)), params.variety,
                         frame.shorter_side(), plan.draws);
  if (inputs.uplift == nullptr && params.uplift_shape == UpliftShape::none) return plan;

  Grid<float> pattern, shape;
  if (inputs.uplift != nullptr) {
    pattern = given_pattern(in, *inputs.uplift);
    shape = point_samples(pattern, lattice, context);
  } else if (params.uplift_shape == UpliftShape::broad) {
    shape = broad_shape(coarse.clone(), lattice, context);
    pattern = pattern_at_samples(in, shape, lattice, context);
  } else {
    pattern = Grid<float>(frame.width, frame.height, 1.0f);
  }
  double rate = params.uplift_rate;
  if (!params.erodibility) {
    const auto [low, high] = std::ranges::minmax(coarse.cells());
    const double steepness = params.steepness.value_or(steepness_for_relief(
        in, coarse, shape, lattice, plan, static_cast<double>(high) - static_cast<double>(low), context));
    // K S^n takes the place of K S, so that the time it takes stays the same.
    plan.law.k *= math::pow(steepness, 1 - plan.law.n);
    rate = 1000 * steepness;
  }
  for (float& u : pattern.cells()) u = static_cast<float>(static_cast<double>(u) * rate * plan.time);
  plan.raise = std::move(pattern);
  return plan;
}

}  // namespace tepui
