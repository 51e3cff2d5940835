#include "tepui/erode/stream_result.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tepui/core/parallel.h"
#include "tepui/erode/height_quanta.h"
#include "tepui/erode/talus_limit.h"
#include "tepui/erode/valley_floors.h"
#include "tepui/hydrology/carve.h"
#include "tepui/hydrology/gather.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// Least fall of the ways out, metres a metre.
constexpr double least_fall = 1e-4;

float raise_at(const StreamPlan& plan, int64_t i) { return plan.raise.empty() ? 0.0f : plan.raise.data()[i]; }

/// Quanta that hold the land before, raised, and after.
HeightQuanta quanta_for(const Terrain& in, const Grid<float>& height, const StreamPlan& plan) {
  double low = 0, high = 0;
  const float* before = in.height().data();
  for (int64_t i = 0; i < height.size(); ++i) {
    const double was = before[i], is = height.data()[i], raise = raise_at(plan, i);
    if (i == 0) low = high = was;
    low = std::min({low, was, is}), high = std::max({high, was + raise, is});
  }
  // What is carved on the way out may lie a little lower.
  const Frame& frame = in.frame();
  const double way = static_cast<double>(frame.width) * frame.cell.x + static_cast<double>(frame.height) * frame.cell.y;
  const double below = 0.01 * (high - low) + 2 * least_fall * way;
  return HeightQuanta::of({low - below, high + below});
}

Layer metres_layer(const char* name, int64_t width, int64_t height, const auto& at, const Context& context) {
  Grid<float> cells(width, height);
  parallel_chunks(height, rows_per_chunk(width), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * width; i < end * width; ++i) cells.data()[i] = at(i);
  });
  return make_layer(name, "m", LayerKind::continuous, std::move(cells));
}

double sum_of(const Grid<float>& cells) {
  double sum = 0;
  for (float c : cells.cells()) sum += static_cast<double>(c);
  return sum;
}

/// Lays the floors, and lets slopes come to rest. Returns how deep the loose ground of the floors is.
Grid<float> rest(Grid<float>& height, const Lattice& lattice, StreamGround& ground, const StreamPlan& plan,
                 const ValleyFloorRule& floors, const Context& context) {
  StreamRock::Variety variety = plan.rock.variety(lattice, nullptr, context);
  const bool rock = plan.rock.has_rock();
  if (rock)
    plan.rock.apply(lattice, nullptr, height, variety, ground, context);
  else
    plan.rock.apply_once(lattice, std::move(variety), ground, context);
  Grid<float> loose = lay_valley_floors(height, ground.kind, lattice, ground.mobility, floors, context);
  // Rock is that of the height at which slopes come to rest.
  for (int round = 0; round < (rock ? 4 : 1); ++round) {
    if (round > 0) plan.rock.apply(lattice, nullptr, height, variety, ground, context);
    if (!plan.own_slope.empty()) allow_slopes(ground.steepest, plan.own_slope);
    limit_slope(height, ground.steepest, lattice.cell, context);
  }
  ground.softness = {}, ground.steepest = {};
  return loose;
}

/// Carves the ways out of pits, heights being in quanta, and gives the flow afterwards.
Watercourses drained(StreamLand& land, const HeightQuanta& quanta, const Context& context) {
  raise_divides(land.ground, 1, land.height);
  land.carve_drawn_rivers(1);
  const Lattice& lattice = land.lattice();
  Grid<uint8_t> codes = land.directions(context);
  Watercourses water =
      watercourses_of({&land.height, lattice.cell, std::move(land.ground.kind)}, std::move(codes), context);
  const D8 d8(lattice.width, lattice.cell);
  carve_ways_out(
      land.height, water,
      [&](int code) {
        const double fall = least_fall * d8.distance[static_cast<size_t>(code)] / quanta.quantum;
        return static_cast<float>(std::max(1.0, std::ceil(fall)));
      },
      land.ground.mobility, context);
  for (float& z : land.height.cells()) z = std::max(z, 0.0f);
  return water;
}

}  // namespace

Terrain stream_result(const Terrain& in, StreamedLand rivers, const StreamPlan& plan, const StreamPowerParams& params,
                      const Context& context) {
  const Context quiet = context.told_to(nullptr);
  const Lattice lattice = own_lattice(in.frame());
  const int64_t w = lattice.width, h = lattice.height;
  Grid<float>& height = rivers.height;
  StreamLand land(lattice, nullptr, plan.law, quiet);
  StreamGround& ground = land.ground;
  ground.kind = stream_kinds(in, lattice, in.height(), plan, quiet);
  plan.guides.apply(lattice, nullptr, ground, height);
  support_heights(lattice, plan.rock.talus(), ground, height, quiet);
  const Grid<float> loose =
      rest(height, lattice, ground, plan,
           {params.valley_floor.in(in.frame()), params.variety, in.frame().shorter_side(), plan.draws}, quiet);

  const HeightQuanta q = quanta_for(in, height, plan);
  parallel_chunks(h, rows_per_chunk(w), quiet, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i) height.data()[i] = q.quanta(static_cast<double>(height.data()[i]));
  });
  // Directions and pits are those of the heights in quanta: no bit of a slope is lost.
  land.height = std::move(height);
  const Grid<int32_t> cells = [&] {
    const Watercourses water = drained(land, q, quiet);
    return cells_upstream(water, FlowOrder(water.directions, quiet), quiet);
  }();
  const float* z = land.height.data();
  const double area = lattice.cell.x * lattice.cell.y;
  const float* before = in.height().data();
  const auto raise_quanta = [&](int64_t i) {
    const double was = before[i];
    return q.quanta(static_cast<double>(before[i] + raise_at(plan, i))) - q.quanta(was);
  };
  const Layer* sediment_in = in.find("sediment");
  const auto had = [&](int64_t i) {
    return sediment_in == nullptr ? 0.0f : std::round(static_cast<float>(sediment_in->grid().data()[i] / q.quantum));
  };
  // What rivers took they took from the sediment first; what they laid down or left above the raised land, and the
  // floors of valleys, is sediment.
  const auto has = [&](int64_t i) {
    const float raised = q.quanta(static_cast<double>(before[i])) + raise_quanta(i);
    const auto depth = [&](const Grid<float>& of) {
      return of.empty() ? 0.0f : std::round(static_cast<float>(of.data()[i] / q.quantum));
    };
    return std::max({0.0f, depth(loose), depth(rivers.alluvium), had(i) + (z[i] - raised)});
  };
  const auto bedrock = [&](int64_t i) { return z[i] - has(i); };
  const auto wear = [&](int64_t i) {
    return q.quanta(static_cast<double>(before[i])) + raise_quanta(i) - had(i) - bedrock(i);
  };
  const auto layer = [&](const char* name, const auto& at) { return metres_layer(name, w, h, at, quiet); };
  Terrain out = in.with(layer("uplift", [&](int64_t i) { return q.depth(raise_quanta(i)); }))
                    .with(layer("sediment", [&](int64_t i) { return q.depth(has(i)); }))
                    .with(layer("deposits", [&](int64_t i) { return q.depth(has(i) - had(i)); }))
                    .with(layer("wear", [&](int64_t i) { return q.depth(wear(i)); }))
                    .with(layer("bedrock", [&](int64_t i) { return q.height(bedrock(i)); }));
  Layer drainage = layer("drainage", [&](int64_t i) { return to_cell(static_cast<double>(cells.data()[i]) * area); });
  drainage.unit = "m2";
  out = out.with(std::move(drainage));
  context.tell("left", (sum_of(out.layer("wear").grid()) - sum_of(out.layer("deposits").grid())) * area, "m3");
  out = out.with(layer("height", [&](int64_t i) { return q.height(z[i]); }));
  const auto [low, high] = std::ranges::minmax(out.height().cells());
  return low < high ? out.with_relief({static_cast<double>(low), static_cast<double>(high)}) : out;
}

Terrain unworn(const Terrain& in, std::optional<double> sea_level, const Context& context) {
  const Watercourses water = watercourses(in, sea_level, context);
  const Grid<int32_t> cells = cells_upstream(water, FlowOrder(water.directions, context), context);
  const double area = in.frame().cell.x * in.frame().cell.y;
  Grid<float> none(in.frame().width, in.frame().height, 0.0f);
  Terrain out = in;
  for (const char* name : {"uplift", "deposits", "wear"})
    out = out.with(make_layer(name, "m", LayerKind::continuous, none.clone()));
  if (in.find("sediment") == nullptr) out = out.with(make_layer("sediment", "m", LayerKind::continuous, none.clone()));
  Grid<float> bedrock = in.height().clone();
  for (int64_t i = 0; i < bedrock.size(); ++i) bedrock.data()[i] -= out.layer("sediment").grid().data()[i];
  out = out.with(make_layer("bedrock", "m", LayerKind::continuous, std::move(bedrock)));
  for (int64_t i = 0; i < none.size(); ++i) none.data()[i] = to_cell(static_cast<double>(cells.data()[i]) * area);
  return out.with(make_layer("drainage", "m2", LayerKind::continuous, std::move(none)));
}

}  // namespace tepui
