#include "tepui/erode/amplify.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/erode/stream_levels.h"
#include "tepui/erode/stream_result.h"
#include "tepui/erode/talus_limit.h"
#include "tepui/hydrology/breach.h"
#include "tepui/hydrology/sea_level.h"
#include "tepui/terrain/resample.h"

namespace tepui {

namespace {

constexpr double km2 = 1e6;
// Slopes of the land that may stay, over those it has.
constexpr double own_slope_share = 1.2;
// In square cells of the land: of creep, and of the area at which channels begin; and how suddenly they do. Where they
// began little by little, even slopes would have furrows all over.
constexpr double creep_cells = 0.15, head_cells = 3;
constexpr int head_power = 3;
// Rock and slopes differ over a few cells of the land, whatever its extent.
constexpr double variety_cells = 40;
// Of the walls of notches: tan 60 degrees.
constexpr float gorge_slope = 1.7320508f;
constexpr int first_steps = 10, steps = 6;
constexpr double cutting_time = 1.5;

std::vector<Lattice> finer_lattices(const Frame& land, int factor) {
  std::vector<Lattice> ladder;
  for (int f = 2; f <= factor; f *= 2) {
    const double step = 1.0 / f;
    ladder.push_back({(land.width - 1) * f + 1,
                      (land.height - 1) * f + 1,
                      {land.cell.x * step, land.cell.y * step},
                      {land.x(0), land.y(0)},
                      step});
  }
  return ladder;
}

/// How steep the land is at each sample, towards its steepest neighbour along an axis, and a little more.
Grid<float> own_slopes(const Terrain& in) {
  const Grid<float>& z = in.height();
  const int64_t w = z.width(), h = z.height();
  const Vec2 cell = in.frame().cell;
  Grid<float> out(w, h);
  const auto step = [&](int64_t x, int64_t y, int64_t nx, int64_t ny, double length) {
    if (nx < 0 || ny < 0 || nx >= w || ny >= h) return 0.0;
    return std::abs(static_cast<double>(z(nx, ny)) - static_cast<double>(z(x, y))) / length;
  };
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      const double along = std::max(step(x, y, x - 1, y, cell.x), step(x, y, x + 1, y, cell.x));
      const double across = std::max(step(x, y, x, y - 1, cell.y), step(x, y, x, y + 1, cell.y));
      out(x, y) = static_cast<float>(own_slope_share * std::sqrt(along * along + across * across));
    }
  return out;
}

StreamPlan plan_detail(const Terrain& in, const Geology* rock, const AmplifyParams& params) {
  const Frame& frame = in.frame();
  const double cell = frame.cell.x * frame.cell.y;
  StreamPlan plan;
  plan.draws = params.seed.stream("amplify");
  plan.law.m = params.concavity;
  plan.law.k = 1000 / math::pow(km2, params.concavity);
  plan.law.head = params.channel_head.value_or(head_cells * cell);
  plan.law.head_power = head_power;
  plan.law.creep = params.creep.value_or(creep_cells * cell) / cutting_time;
  plan.fine_time = plan.time = cutting_time;
  plan.coarse_steps = first_steps, plan.fine_steps = steps;
  plan.outlets = Outlets::all_edges;
  plan.sea_level = params.sea_level;
  const double size = variety_cells * std::min(frame.cell.x, frame.cell.y);
  plan.rock = StreamRock(rock, math::tan(math::radians(params.talus.degrees)), params.variety, size, plan.draws);
  return plan;
}

/// The land breached. The walls of notches lie back as those of gorges do.
Grid<float> without_pits(const Terrain& in, const StreamPlan& plan, const Context& context) {
  BreachParams params;
  params.sea_level = plan.sea_level;
  Grid<float> out = breach(in, params, context).height().clone();
  Grid<float> steepest(out.width(), out.height(), gorge_slope);
  allow_slopes(steepest, plan.own_slope);
  limit_slope(out, steepest, in.frame().cell, context);
  return out;
}

}  // namespace

void describe(Fields<AmplifyParams>& f) {
  using P = AmplifyParams;
  f.about("Add detail that drains below the cells of a land: gullies and small valleys; its broad shape is kept");
  f.reach(Reach::whole);
  f.example("noise height=900m octaves=5 | resample resolution=65 | {}");
  f("factor", &P::factor, Range{2, 8}, "how many times as many samples along each axis: 2, 4 or 8")
      .sweep("2", "4", "8");
  f("strength", &P::strength, Range{0, 10}, "how strong the detail is; 1: as the land's own goes on")
      .slider(0, 3)
      .sweep("0.2", "1", "3");
  f("concavity", &P::concavity, Range{0.05, 1.5}, "how fast rivers become gentle downstream").slider(0.3, 0.7);
  f("talus", &P::talus, Range{0, 89.9}, "slope at which new hillsides fail; what was steeper in the land stays")
      .slider(20, 70);
  f("creep", &P::creep, Range{0, 1e9}, "how much soil creeps and rounds the new detail; auto: by the size of the cells")
      .unit("m2")
      .slider(0, 500);
  f("channel_head", &P::channel_head, Range{0, 1e12},
    "area that must drain to a place before water cuts a channel; auto: by the size of the cells")
      .unit("m2")
      .slider(0, 1e5);
  f("variety", &P::variety, Range{0, 2}, "how much slopes and rock differ from place to place").slider(0, 1);
  describe_sea_level(f);
  f.seed(&P::seed);
}

Frame amplified_frame(const Frame& land, const AmplifyParams& params) {
  if (!std::has_single_bit(static_cast<unsigned>(params.factor)))
    refuse(fmt::format("a land cannot be amplified {} times", params.factor), "'factor' is 2, 4 or 8");
  Frame frame = land;
  frame.cell = {land.cell.x / params.factor, land.cell.y / params.factor};
  frame.first_x *= params.factor, frame.first_y *= params.factor;
  frame.width = std::max<int64_t>(0, (land.width - 1) * params.factor + 1);
  frame.height = std::max<int64_t>(0, (land.height - 1) * params.factor + 1);
  if (land.geo != nullptr) {
    Georeference geo = *land.geo;
    geo.step = {geo.step.x / params.factor, geo.step.y / params.factor};
    frame.geo = std::make_shared<const Georeference>(std::move(geo));
  }
  return frame;
}

Terrain amplify(const Terrain& in, const Geology* rock, const AmplifyParams& params, const Context& context) {
  const Frame frame = amplified_frame(in.frame(), params);
  if (in.height().empty()) return in;
  const Context quiet = context.told_to(nullptr);
  StreamPlan plan = plan_detail(in, rock, params);
  plan.own_slope = own_slopes(in);
  const FineDetail detail(in, params.strength, plan.draws, quiet);
  plan.detail = &detail;
  const Grid<float> drained = without_pits(in, plan, quiet);
  const std::vector<Lattice> ladder = finer_lattices(in.frame(), params.factor);
  Grid<float> height = amplified_levels(in, drained, ladder, plan, context.stage("detail", 0, 0.9));
  plan.own_slope = point_samples(plan.own_slope, ladder.back(), quiet);
  const Terrain like(frame, in.relief(), Grid<float>(frame.width, frame.height, 0.0f));
  const Terrain finer = resample(in, &like, {}, quiet);
  return stream_result(finer, std::move(height), plan, {}, context.stage("drainage", 0.9, 1));
}

}  // namespace tepui
