#include "tepui/landforms/karst.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/hydrology/pits.h"
#include "tepui/landforms/cave_ground.h"
#include "tepui/landforms/cave_lines.h"
#include "tepui/landforms/cave_network.h"

namespace tepui {

namespace {

constexpr int smoothing_rounds = 3;
/// Of the threshold: below land it is about 5 m of rock.
constexpr double shallow = 0.55;
/// The paper's spheres: a step is R / 1.5, the spacing R / 1.52.
constexpr double paper_step = 8, paper_spacing = 1.5 / 1.52;

PercolationRule rule_of(const KarstParams& params, const Frame& world, double threshold) {
  const bool paper = params.form == KarstForm::paper;
  PercolationRule rule;
  rule.step = params.step ? params.step->in(world) : paper ? paper_step : 6;
  rule.spacing = params.spacing ? params.spacing->in(world) : rule.step * (paper ? paper_spacing : 5.0 / 6);
  if (!(rule.spacing < rule.step))
    refuse(fmt::format("'spacing' ({:g} m) must be less than 'step' ({:g} m), or water could not leave a point",
                       rule.spacing, rule.step),
           fmt::format("for example {:.3g}", rule.step * 5 / 6));
  rule.hardest = params.hardest.value_or(paper ? 0.7 : 0.6);
  rule.stop = params.clogging.value_or(paper ? 0.15 : 0.03);
  rule.wander = params.wander;
  rule.most = params.limit;
  rule.shallow = paper ? 0 : shallow * threshold;
  if (paper) {
    rule.fans[0] = {6, -1, 0};
    rule.fans[1] = {};
  }
  return rule;
}

CaveRule caves_of(const KarstParams& params, const PercolationRule& rule, const Frame& world) {
  CaveRule caves;
  caves.everything = params.form == KarstForm::paper;
  caves.outlets = params.outlets;
  caves.outlet_distance = params.outlet_distance.in(world);
  caves.joins = params.joins;
  caves.dead_ends = params.dead_ends;
  caves.width = params.width.in(world);
  caves.variation = params.variation;
  caves.hardest = rule.hardest;
  return caves;
}

/// The points that are given, on the ground where that is asked for. Those outside are told of and left out.
void add_given(const Lines* given, bool rising, const CaveGround& ground, const KarstParams& params,
               std::vector<PercolationStart>& starts, const Context& context) {
  if (given == nullptr) return;
  std::vector<Vec3> places(given->vertices().begin(), given->vertices().end());
  if (params.ends == KarstEnds::ground) {
    const std::vector<double> heights = ground.heights(places);
    for (size_t i = 0; i < places.size(); ++i) places[i].z = heights[i];
  }
  std::vector<float> field(places.size()), resistance(places.size());
  ground.ask(places, field, resistance);
  size_t left_out = 0;
  for (size_t i = 0; i < places.size(); ++i) {
    if (std::isnan(field[i]))
      ++left_out;
    else
      starts.push_back({places[i], rising});
  }
  if (left_out > 0)
    context.warn(
        fmt::format("karst: {} of {} {} lie outside the land, below its floor or where water must not go, and "
                    "are left out",
                    left_out, places.size(), rising ? "springs" : "sinks"));
}

/// The hollows of the land, the deepest first.
void add_pits(const CaveGround& ground, const KarstParams& params, double step, const Frame& world,
              std::vector<PercolationStart>& starts, const Context& context) {
  if (!params.pits || params.most_sinks == 0) return;
  // Two samples a step, and fewer where the land is wide.
  const double side = ground.within().longest_side();
  const Terrain land = ground.land(std::clamp(side / 400, step / 2, step), context);
  PitsParams wanted;
  wanted.depth = params.pit_depth.in(world);
  wanted.sea_level = params.sea_level;
  const Lines found = pits(land, wanted, context);
  const LineAttribute* depths = found.number("depth");
  std::vector<size_t> order(found.features());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater(), [&](size_t i) { return depths->values[i]; });
  order.resize(std::min(order.size(), static_cast<size_t>(params.most_sinks)));
  std::vector<Vec3> places;
  for (const size_t i : order) places.push_back(found.vertices()[i]);
  const std::vector<double> heights = ground.heights(places);
  std::vector<float> field(places.size()), resistance(places.size());
  for (size_t i = 0; i < places.size(); ++i) places[i].z = heights[i];
  ground.ask(places, field, resistance);
  for (size_t i = 0; i < places.size(); ++i)
    if (!std::isnan(field[i])) starts.push_back({places[i], false});
}

size_t count_sinks(std::span<const PercolationStart> starts, const CaveNetwork& caves) {
  return static_cast<size_t>(std::ranges::count_if(caves.starts, [&](int32_t p) {
    return !starts[static_cast<size_t>(caves.points[static_cast<size_t>(p)].start)].rising;
  }));
}

void tell_facts(std::span<const PercolationStart> starts, const CaveNetwork& caves, std::span<const uint8_t> grown,
                const Percolation& water, const Context& context) {
  const CaveFacts facts = cave_facts(caves, grown);
  const size_t sinks = count_sinks(starts, caves);
  context.tell("sinks", static_cast<double>(sinks));
  context.tell("springs", static_cast<double>(caves.springs.size() + caves.starts.size() - sinks));
  context.tell("length", facts.length, "m");
  context.tell("level", facts.level);
  context.tell("weak_beds", facts.weak);
  context.tell("points", static_cast<double>(water.points.size()));
  if (caves.points.size() > sinks) return;
  context.warn(starts.empty() ? "karst: no hollow of the land is deep enough to swallow water, and no sinks are given"
                              : "karst: the rock at the sinks is too hard for water to find a way");
}

}  // namespace

Lines karst(const Frame& world, const Volume& in, const Geology* rock, const Lines* sinks, const Lines* springs,
            const Terrain* mask, const Lines* region, const KarstParams& params, const Context& context) {
  check_params(params);
  const PercolationRule rule = rule_of(params, world, in.threshold());
  const CaveRule kept = caves_of(params, rule, world);
  const Where where(params, world, in, mask, region);
  const CaveGround ground(in, rock, &where, params.floor.in(world), params.sea_level);
  const AskRock ask = [&](std::span<const Vec3> at, std::span<float> field, std::span<float> resistance) {
    ground.ask(at, field, resistance);
  };
  std::vector<PercolationStart> starts;
  add_given(sinks, false, ground, params, starts, context);
  add_given(springs, true, ground, params, starts, context);
  if (!ground.within().empty()) add_pits(ground, params, rule.step, world, starts, context);

  const Stream stream = params.seed.stream("karst");
  const Percolation water = percolate(starts, rule, stream, ask, context);
  context.progress(0.8);
  CaveNetwork caves = cave_network(water, starts, kept, stream);
  if (!kept.everything) smooth_caves(caves, kept, ask, smoothing_rounds);
  widen_caves(caves, kept, stream.bits(0, 1));
  const std::vector<uint8_t> grown = grown_caves(caves, params.growth);
  std::vector<Vec3> places;
  for (const CavePoint& p : caves.points) places.push_back(p.at);
  tell_facts(starts, caves, grown, water, context);
  return cave_lines(caves, starts, grown, ground.heights(places), lines_geo(world));
}

}  // namespace tepui
