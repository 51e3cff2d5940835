#include "tepui/hydrology/flow.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/hydrology/flow_order.h"
#include "tepui/hydrology/gather.h"
#include "tepui/hydrology/inflow.h"
#include "tepui/hydrology/sea_level.h"
#include "tepui/hydrology/spread.h"
#include "tepui/hydrology/watercourses.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr int spread_bits = 37;
constexpr int gather_bits = 61;

/// Sums along the flow of one land by one method.
class Sums {
 public:
  Sums(const Watercourses& water, const FlowOrder& order, const FlowParams& params)
      : water_(water), order_(order), params_(params) {}

  /// Square metres.
  Grid<float> drainage(const Context& context) const {
    const double area = water_.ground.cell.x * water_.ground.cell.y;
    if (params_.method == FlowMethod::d8) {
      const Grid<int32_t> cells = cells_upstream(water_, order_, context);
      return scaled(cells, area, context);
    }
    return gathered([&](int64_t) { return area; }, context);
  }

  /// Of amount(cell); nothing comes from outside.
  template <class Amount>
  Grid<float> gathered(const Amount& amount, const Context& context) const {
    const int64_t w = water_.ground.width(), h = water_.ground.height->height();
    const auto [gains, losses] = parallel_reduce(
        h, rows_per_chunk(w), context, Vec2{},
        [&](int64_t begin, int64_t end) {
          Vec2 sum;
          for (int64_t i = begin * w; i < end * w; ++i) {
            const double a = water_.ground.kind.data()[i] == WaterCell::outside ? 0 : amount(i);
            (a > 0 ? sum.x : sum.y) += std::abs(a);
          }
          return sum;
        },
        [](Vec2 a, Vec2 b) { return a + b; });
    Grid<float> sums = part(amount, gains, 1, context);
    if (!(losses > 0)) return sums;
    const Grid<float> negative = part(amount, losses, -1, context);
    for (int64_t i = 0; i < sums.size(); ++i)
      sums.data()[i] = to_cell(static_cast<double>(sums.data()[i]) - negative.data()[i]);
    return sums;
  }

 private:
  /// Of what has the sign, as positive amounts.
  template <class Amount>
  Grid<float> part(const Amount& amount, double total, double sign, const Context& context) const {
    const int64_t w = water_.ground.width(), h = water_.ground.height->height();
    const double quanta = quanta_a_unit(total, 1, params_.method == FlowMethod::d8 ? gather_bits : spread_bits);
    Grid<int64_t> amounts(w, h);
    parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin * w; i < end * w; ++i) {
        const bool outside = water_.ground.kind.data()[i] == WaterCell::outside;
        const double a = outside ? 0 : sign * amount(i);
        amounts.data()[i] = a > 0 ? static_cast<int64_t>(a * quanta + 0.5) : 0;
      }
    });
    switch (params_.method) {
      case FlowMethod::d8:
        gather_downstream(order_, amounts, context);
        break;
      case FlowMethod::d_infinity:
        spread_downstream(water_, Spreading::d_infinity, 1, amounts, context);
        break;
      case FlowMethod::freeman:
        spread_downstream(water_, Spreading::freeman, params_.exponent, amounts, context);
        break;
    }
    return scaled(amounts, 1 / quanta, context);
  }

  template <class T>
  static Grid<float> scaled(const Grid<T>& sums, double unit, const Context& context) {
    Grid<float> result(sums.width(), sums.height());
    parallel_chunks(sums.height(), rows_per_chunk(sums.width()), context, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin * sums.width(); i < end * sums.width(); ++i)
        result.data()[i] = to_cell(static_cast<double>(sums.data()[i]) * unit);
    });
    return result;
  }

  const Watercourses& water_;
  const FlowOrder& order_;
  const FlowParams& params_;
};

Layer direction_layer(const Grid<uint8_t>& directions, const Context& context) {
  const int64_t w = directions.width(), h = directions.height();
  Grid<float> codes(w, h);
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i) codes.data()[i] = directions.data()[i];
  });
  Layer layer = make_layer("flow_direction", "", LayerKind::category, std::move(codes));
  layer.classes = 9;
  return layer;
}

/// 1 where the edge drains through a cell.
Grid<float> incomplete(const Watercourses& water, const FlowOrder& order, const Context& context) {
  const int64_t w = water.ground.width(), h = water.ground.height->height();
  Grid<float> mask(w, h);
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i)
      mask.data()[i] = water.ground.kind.data()[i] == WaterCell::edge ? 1.0f : 0.0f;
  });
  float* cells = mask.data();
  order.downstream(context, [&](int64_t cell, int64_t to) { cells[to] = std::max(cells[to], cells[cell]); });
  return mask;
}

}  // namespace

void describe(Fields<FlowParams>& f) {
  f.about("Find where water goes: directions, drainage area, discharge");
  f.example("noise height=400m | {}");
  f("method", &FlowParams::method, {"d8", "d_infinity", "freeman"},
    "how a sample divides its water: all to the steepest neighbour, between two, or among all lower ones")
      .sweep("d8", "d_infinity", "freeman");
  f("exponent", &FlowParams::exponent, Range{0.1, 20}, "of the slope, with freeman; more keeps flow together");
  f("gather", &FlowParams::gather, "a layer to be summed downstream, as the layer 'gathered'");
  describe_sea_level(f);
}

Terrain flow(const Terrain& in, const Terrain* rain, const Lines* inflow, const FlowParams& params,
             const Context& context) {
  const Layer* gather = params.gather.empty() ? nullptr : &in.layer(params.gather);
  const Watercourses water = watercourses(in, params.sea_level, context.stage("ground", 0, 0.4));
  const FlowOrder order(water.directions, context.stage("order", 0.4, 0.6));
  const Sums sums(water, order, params);
  Terrain out =
      in.with(make_layer("drainage", "m2", LayerKind::continuous, sums.drainage(context.stage("drainage", 0.6, 0.8))))
          .with(direction_layer(water.directions, context))
          .with(make_layer("incomplete", "", LayerKind::mask, incomplete(water, order, context)));
  const Context rest = context.stage("sums", 0.8, 1);
  if (const std::optional<Grid<double>> supply = water_supply(in, rain, inflow, water.ground))
    out = out.with(make_layer("discharge", "m3/s", LayerKind::continuous,
                              sums.gathered([&](int64_t i) { return supply->data()[i]; }, rest)));
  if (gather != nullptr)
    out = out.with(make_layer("gathered", gather->unit, LayerKind::continuous,
                              sums.gathered([&](int64_t i) { return gather->grid().data()[i]; }, rest)));
  return out;
}

}  // namespace tepui
