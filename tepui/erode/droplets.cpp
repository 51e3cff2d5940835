#include "tepui/erode/droplets.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tepui/core/parallel.h"
#include "tepui/erode/between_samples.h"
#include "tepui/erode/droplet_run.h"
#include "tepui/erode/height_quanta.h"
#include "tepui/erode/lattice_ladder.h"
#include "tepui/erode/stream_rock.h"
#include "tepui/hydrology/carve.h"
#include "tepui/hydrology/directions.h"
#include "tepui/hydrology/sea_level.h"
#include "tepui/hydrology/watercourses.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// What droplets take and lay down, over what they would.
constexpr double bite = 0.08;
/// Room for deposits above the land and for cuts below it, as a share of its relief.
constexpr double room = 0.25;

/// The lattice whose cells are nearest to the scale: one that lands of other resolutions share, or the land's own.
Lattice chosen_lattice(const Frame& land, double scale) {
  Lattice chosen = own_lattice(land);
  const auto side = [](const Lattice& lattice) { return std::sqrt(lattice.cell.x * lattice.cell.y); };
  if (!(scale > side(chosen))) return chosen;
  const auto off = [&](const Lattice& lattice) {
    return std::max(scale, side(lattice)) / std::min(scale, side(lattice));
  };
  for (const Lattice& lattice : lattice_ladder(land))
    if (lattice.step > 1 && off(lattice) < off(chosen)) chosen = lattice;
  return chosen;
}

template <class At>
Grid<float> map_of(int64_t width, int64_t height, const At& at, const Context& context) {
  Grid<float> out(width, height);
  parallel_chunks(height, rows_per_chunk(width), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * width; i < end * width; ++i) out.data()[i] = static_cast<float>(at(i));
  });
  return out;
}

/// How soft the rock is where the land lies now.
void read_softness(const Geology& rock, const Lattice& lattice, const HeightQuanta& quanta, const Grid<float>& height,
                   Grid<float>& softness, const Context& context) {
  const int64_t w = lattice.width;
  if (softness.empty()) softness = Grid<float>(w, lattice.height);
  parallel_chunks(lattice.height, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    const auto n = static_cast<size_t>(w);
    std::vector<double> xs(n), ys(n), zs(n);
    std::vector<float> rho(n);
    for (int64_t y = begin; y < end; ++y) {
      for (size_t x = 0; x < n; ++x) {
        xs[x] = lattice.origin.x + static_cast<double>(x) * lattice.cell.x;
        ys[x] = lattice.origin.y + static_cast<double>(y) * lattice.cell.y;
        zs[x] = static_cast<double>(quanta.height(height.row(y)[x]));
      }
      rock.resistance({xs.data(), ys.data(), zs.data(), w}, rho.data());
      for (size_t x = 0; x < n; ++x)
        softness.row(y)[x] = static_cast<float>(StreamRock::softness_of(static_cast<double>(rho[x])));
    }
  });
}

/// The land before and after, on its own samples and in quanta.
class WashedLand {
 public:
  WashedLand(const Terrain& in, const Geology* rock, const Terrain* mask, const DropletsParams& params,
             const Context& context)
      : in_(in), rock_(rock), params_(params), own_(own_lattice(in.frame())), quiet_(context.told_to(nullptr)) {
    const auto [low, high] = std::ranges::minmax(in.height().cells());
    const double margin = room * (static_cast<double>(high) - static_cast<double>(low));
    quanta_ = HeightQuanta::of({static_cast<double>(low) - margin, static_cast<double>(high) + margin});
    if (mask != nullptr) share_ = mask_layer(*mask).grid().clone();
    water_ = watercourses(in, params.sea_level, quiet_);
    const auto at = [&](int64_t i) { return quanta_.quanta(static_cast<double>(in.height().data()[i])); };
    before_ = map_of(own_.width, own_.height, at, quiet_);
    after_ = before_.clone();
    if (rock_ != nullptr) read_softness(*rock_, own_, quanta_, before_, softness_, quiet_);
  }

  /// Lets droplets run, and brings what they changed to the land's samples.
  void wash(const Context& context) {
    const Lattice lattice = chosen_lattice(in_.frame(), params_.scale.in(in_.frame()));
    DropletRule rule;
    rule.amount = params_.amount, rule.steps = params_.steps;
    rule.inertia = static_cast<float>(params_.inertia), rule.capacity = static_cast<float>(params_.capacity);
    rule.bite = static_cast<float>(bite * params_.strength);
    rule.quanta_a_cell = static_cast<float>(std::sqrt(lattice.cell.x * lattice.cell.y) / quanta_.quantum);
    rule.draws = params_.seed.stream("droplets");
    if (!(rule.bite > 0) || !(rule.amount > 0) || !(rule.capacity > 0)) return;
    DropletGround ground = on(lattice);
    const Grid<float> start = ground.height.clone();
    run_droplets(
        ground, rule,
        [&](DropletGround& now) {
          if (rock_ != nullptr) read_softness(*rock_, lattice, quanta_, now.height, now.softness, quiet_);
        },
        context);
    const int64_t w = lattice.width;
    const Grid<float> change = map_of(
        w, lattice.height, [&](int64_t i) { return ground.height.data()[i] - start.data()[i]; }, quiet_);
    after_ = map_of(
        own_.width, own_.height,
        [&](int64_t i) {
          const float d = between_samples(change, static_cast<double>(i % own_.width) / lattice.step,
                                          static_cast<double>(i / own_.width) / lattice.step);
          return changed(i, d);
        },
        quiet_);
  }

  /// Carves the ways out of pits that the land did not have.
  void drain() {
    Grid<WaterCell> kind = water_.ground.kind.clone();
    for (int64_t i = 0; i < before_.size(); ++i)
      if (water_.filled(i) > in_.height().data()[i] && kind.data()[i] == WaterCell::inner)
        kind.data()[i] = WaterCell::sea;
    Grid<float> kept = map_of(
        own_.width, own_.height, [&](int64_t i) { return may_wear(i) ? 1 : 0; }, quiet_);
    Grid<float> z = std::move(after_);
    WaterGround ground{&z, own_.cell, std::move(kind)};
    Grid<uint8_t> codes = steepest_directions(ground, quiet_);
    const Watercourses now = watercourses_of(std::move(ground), std::move(codes), quiet_);
    carve_ways_out(
        z, now, [](int) { return 1.0f; }, kept, quiet_);
    for (float& q : z.cells()) q = std::max(q, 0.0f);
    after_ = std::move(z);
  }

  Terrain finish(const Context& context) const;

 private:
  bool may_wear(int64_t i) const {
    return (share_.empty() || share_.data()[i] > 0) && (softness_.empty() || softness_.data()[i] > 0);
  }
  float changed(int64_t i, float d) const {
    if ((d < 0 && !may_wear(i)) || (!share_.empty() && share_.data()[i] == 0)) d = 0;
    const double z = static_cast<double>(before_.data()[i]) + std::round(static_cast<double>(d));
    return static_cast<float>(std::clamp(z, 0.0, quanta_.most));
  }

  DropletGround on(const Lattice& lattice) const {
    DropletGround out;
    const bool own = lattice.step == 1;
    out.height = own ? before_.clone() : point_samples(before_, lattice, quiet_);
    for (float& z : out.height.cells()) z = std::round(z);
    if (!share_.empty()) out.share = own ? share_.clone() : point_samples(share_, lattice, quiet_);
    const auto takes = [&](WaterCell kind) { return kind == WaterCell::sea || kind == WaterCell::outside; };
    const auto& kinds = water_.ground.kind;
    if (std::ranges::none_of(kinds.cells(), takes)) return out;
    out.takes_all = Grid<uint8_t>(lattice.width, lattice.height);
    for (int64_t y = 0; y < lattice.height; ++y)
      for (int64_t x = 0; x < lattice.width; ++x) {
        const auto i = std::min<int64_t>(std::llround(static_cast<double>(x) * lattice.step), own_.width - 1);
        const auto j = std::min<int64_t>(std::llround(static_cast<double>(y) * lattice.step), own_.height - 1);
        out.takes_all(x, y) = takes(kinds(i, j)) ? 1 : 0;
      }
    return out;
  }

  const Terrain& in_;
  const Geology* rock_;
  const DropletsParams& params_;
  Lattice own_;
  Context quiet_;
  HeightQuanta quanta_;
  Watercourses water_;
  Grid<float> share_, softness_, before_, after_;
};

/// Layers, each a whole number of quanta.
Terrain WashedLand::finish(const Context& context) const {
  const Layer* sediment = in_.find("sediment");
  const auto had = [&](int64_t i) {
    return sediment == nullptr ? 0.0f : std::round(static_cast<float>(sediment->grid().data()[i] / quanta_.quantum));
  };
  const auto has = [&](int64_t i) { return std::max(0.0f, had(i) + (after_.data()[i] - before_.data()[i])); };
  const auto wear = [&](int64_t i) { return (before_.data()[i] - had(i)) - (after_.data()[i] - has(i)); };
  const auto layer = [&](const char* name, const auto& at) {
    return make_layer(name, "m", LayerKind::continuous, map_of(own_.width, own_.height, at, quiet_));
  };
  double left = 0;
  for (int64_t i = 0; i < after_.size(); ++i)
    left += static_cast<double>(before_.data()[i]) - static_cast<double>(after_.data()[i]);
  context.tell("left", left * quanta_.quantum * own_.cell.x * own_.cell.y, "m3");
  Terrain out = in_.with(layer("sediment", [&](int64_t i) { return quanta_.depth(has(i)); }))
                    .with(layer("deposits", [&](int64_t i) { return quanta_.depth(has(i) - had(i)); }))
                    .with(layer("wear", [&](int64_t i) { return quanta_.depth(wear(i)); }))
                    .with(layer("bedrock", [&](int64_t i) { return quanta_.height(after_.data()[i] - has(i)); }))
                    .with(layer("height", [&](int64_t i) { return quanta_.height(after_.data()[i]); }));
  const auto [low, high] = std::ranges::minmax(out.height().cells());
  return low < high ? out.with_relief({static_cast<double>(low), static_cast<double>(high)}) : out;
}

}  // namespace

void describe(Fields<DropletsParams>& f) {
  using P = DropletsParams;
  f.about("Let rain run down drop by drop: gullies in steep slopes and aprons below them, as a finish");
  f.reach(Reach::whole);
  f.example("noise height=900m | stream_power | {}");
  f("amount", &P::amount, Range{0, 100}, "droplets for each cell").slider(0, 2).sweep("0.1", "0.3", "1.5");
  f("strength", &P::strength, Range{0, 20}, "how much each droplet takes and lays down")
      .slider(0, 4)
      .sweep("0.3", "1", "3");
  f("steps", &P::steps, Range{1, 10000}, "how far a droplet runs, in cells").slider(1, 200);
  f("inertia", &P::inertia, Range{0, 0.99}, "how much a droplet keeps its direction").slider(0, 0.9);
  f("capacity", &P::capacity, Range{0, 1000}, "how much a droplet can carry").slider(0, 16);
  f("scale", &P::scale, Range{0, 1e9}, "size of the cells that droplets run over; finer land gets the same gullies")
      .slider(0, 1);
  describe_sea_level(f);
  f.seed(&P::seed);
}

Terrain droplets(const Terrain& in, const Geology* rock, const Terrain* mask, const DropletsParams& params,
                 const Context& context) {
  if (mask != nullptr) require_same_frame(in.frame(), "in", mask->frame(), "mask");
  if (in.height().empty()) return in;
  WashedLand land(in, rock, mask, params, context);
  land.wash(context.stage("droplets", 0, 0.95));
  land.drain();
  return land.finish(context);
}

}  // namespace tepui
