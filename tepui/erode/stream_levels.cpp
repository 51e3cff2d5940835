#include "tepui/erode/stream_levels.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tepui/core/parallel.h"
#include "tepui/erode/between_samples.h"
#include "tepui/erode/displaced_nodes.h"
#include "tepui/erode/low_pass.h"
#include "tepui/hydrology/gather.h"
#include "tepui/hydrology/water_ground.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// Metres of erosion or burial, as a share of a cell, at which half of the input's detail is gone.
constexpr double fading_share = 0.2;

/// How much of the input's detail is left where land was eroded or buried by so many metres.
struct Fading {
  explicit Fading(const Lattice& lattice)
      : per_metre(static_cast<float>(1 / (fading_share * std::min(lattice.cell.x, lattice.cell.y)))) {}
  float kept(float change) const {
    const float lost = change * per_metre;
    return 1 / (1 + lost * lost);
  }
  float per_metre;
};

/// One over the metres of what rivers laid down at which finer lattices cut half as fast.
constexpr float per_spared_depth = 0.5f;

/// The noise that finer lattices of an amplified land begin with, over the detail they should have.
constexpr double roughening = 6;

/// Share of the time in which outlets sink.
constexpr double sinking_share = 0.25;

/// Bits of the sums of water.
constexpr int supply_bits = 52;

/// Rivers lay down what they carry on the coarsest lattice only: on a finer one they would lose it over fewer metres.
/// There the law is that of the slopes that have come about.
StreamLaw law_of_detail(StreamLaw law) {
  law.k /= 1 + law.deposition;
  law.deposition = 0;
  return law;
}

/// Nodes from the border on over which land whose outlets are points is lifted, and by which share of its relief.
constexpr int64_t lifted_nodes = 8;
constexpr double lifted_share = 0.25;

/// Where water leaves at points only, the border is no wall along which rivers gather: while they find their way, land
/// near it is lifted by so much, but not where they enter or leave.
Grid<float> border_lift(const Lattice& lattice, const StreamGround& ground, const Grid<float>& height) {
  const int64_t w = lattice.width, h = lattice.height;
  std::vector<int64_t> gates = ground.river_heads;
  for (int64_t i = 0; i < height.size(); ++i)
    if (ground.kind.data()[i] == WaterCell::edge) gates.push_back(i);
  const auto [low, high] = std::ranges::minmax(height.cells());
  const double most = lifted_share * (static_cast<double>(high) - static_cast<double>(low));
  const auto share = [](double nodes) { return std::clamp(nodes / static_cast<double>(lifted_nodes), 0.0, 1.0); };
  Grid<float> lift(w, h, 0.0f);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      const double inside = 1 - share(static_cast<double>(std::min({x, y, w - 1 - x, h - 1 - y})));
      if (!(inside > 0)) continue;
      double gate = 1;
      for (int64_t i : gates) {
        const auto dx = static_cast<double>(i % w - x), dy = static_cast<double>(i / w - y);
        gate = std::min(gate, share(std::sqrt(dx * dx + dy * dy)));
      }
      // In steps of a quarter of a metre, which heights hold exactly.
      lift(x, y) = static_cast<float>(std::floor(4 * most * inside * inside * gate) / 4);
    }
  return lift;
}

void add_to(Grid<float>& height, const Grid<float>& lift) {
  for (int64_t i = 0; i < lift.size(); ++i) height.data()[i] += lift.data()[i];
}

/// The nodes of one lattice: where they lie, what the land was there, and what it has become.
class Level {
 public:
  Level(const Terrain& in, const Lattice& lattice, int index, bool displaced, const StreamPlan& plan,
        const Context& context)
      : plan_(plan), lattice_(lattice), law_(index == 0 ? plan.law : law_of_detail(plan.law)) {
    if (displaced) {
      warp_ = std::make_unique<NodeWarp>(lattice.width, lattice.height,
                                         Stream(plan.draws.bits(static_cast<uint64_t>(index), 7)));
      nodes_ = std::make_unique<DisplacedNodes>(lattice, *warp_, context);
    }
    start_ = at_nodes(point_samples(in.height(), lattice, context), context);
    raised_ = start_.clone();
    if (!plan.raise.empty()) {
      Grid<float> raise = at_nodes(point_samples(plan.raise, lattice, context), context);
      for (int64_t i = 0; i < raised_.size(); ++i) raised_.data()[i] += raise.data()[i];
      if (index == 0) raise_ = std::move(raise);
    }
    kind_ = stream_kinds(in, lattice, start_, plan, context);
    if (!plan.rock.has_rock() && index > 0) start_ = {};
    if (plan.detail != nullptr) amount_ = at_nodes(point_samples(plan.detail->amount(), lattice, context), context);
  }

  const Lattice& lattice() const { return lattice_; }
  const DisplacedNodes* nodes() const { return nodes_.get(); }
  const Grid<float>& raised() const { return raised_; }

  /// All of the time, from the input.
  void run_coarse(const Context& context) {
    begin(start_.clone(), context);
    Grid<float> lift;
    if (plan_.outlets == Outlets::points && plan_.displaced) lift = border_lift(lattice_, land_->ground, start_);
    add_to(land_->height, lift);
    const double dt = plan_.time / plan_.coarse_steps;
    if (!raise_.empty()) {
      land_->ground.uplift = std::move(raise_);
      for (float& u : land_->ground.uplift.cells()) u = static_cast<float>(static_cast<double>(u) / plan_.time);
    }
    if (plan_.law.deposition > 0) {
      land_->ground.bed = land_->height.clone();
      land_->ground.shingle_softness = plan_.rock.has_rock() ? 1 : 0;
    }
    // Outlets sink early, so that what they set off has time to reach the heads of valleys.
    const int sinking = std::max(1, static_cast<int>(sinking_share * plan_.coarse_steps));
    for (int i = 0; i < plan_.coarse_steps; ++i) {
      land_->fall = i < sinking ? plan_.fall / (sinking * dt) : 0;
      read_rock(context);
      land_->step(dt, context);
      support_heights(lattice_, plan_.rock.talus(), land_->ground, land_->height, context);
      context.progress(static_cast<double>(i + 1) / plan_.coarse_steps);
    }
    take_back(lift);
    Grid<float> bed = std::move(land_->ground.bed);
    end(context);
    if (!bed.empty()) {
      for (int64_t i = 0; i < bed.size(); ++i) bed.data()[i] = std::max(0.0f, land_->height.data()[i] - bed.data()[i]);
      alluvium_ = std::move(bed);
    }
    plan_.rock.hold_hardest(lattice_, nodes_.get(), start_, raised_, alluvium_, land_->height,
                            context.told_to(nullptr));
    start_ = {};
  }

  /// Lowers what was lifted and is still the input's; what rivers made has forgotten where it began.
  void take_back(const Grid<float>& lift) {
    const Fading fading(lattice_);
    for (int64_t i = 0; i < lift.size(); ++i) {
      float& z = land_->height.data()[i];
      const float kept = fading.kept(z - raised_.data()[i] - lift.data()[i]) * lift.data()[i];
      z -= kept;
      if (!land_->ground.bed.empty()) land_->ground.bed.data()[i] -= kept;
    }
  }

  /// What rivers laid down on this lattice, at the samples of another; empty if they did not.
  Grid<float> alluvium_at(const Lattice& to, const DisplacedNodes* to_nodes, const Context& context) const {
    if (alluvium_.empty()) return {};
    Grid<float> out(to.width, to.height);
    parallel_chunks(to.height, rows_per_chunk(to.width), context, [&](int64_t begin, int64_t end) {
      for (int64_t y = begin; y < end; ++y)
        for_nodes_at(lattice_, nodes_.get(), to, to_nodes, y, [&](int64_t x, Vec2 node) {
          out(x, y) = BetweenSamples(lattice_.width, lattice_.height, node.x, node.y)(alluvium_);
        });
    });
    return out;
  }

  /// No time at all: the land is as it is given.
  void take(const Grid<float>& height) {
    land_ = std::make_unique<StreamLand>(lattice_, nullptr, law_, Context());
    land_->height = height.clone();
    start_ = {}, kind_ = {};
  }

  /// A few steps from what a coarser level has made of the land, which add detail only.
  void run_fine(Grid<float> from_coarser, Grid<float> alluvium, int steps, const Context& context) {
    const Context quiet = context.told_to(nullptr);
    plan_.rock.hold_hardest(lattice_, nodes_.get(), start_, raised_, alluvium, from_coarser, quiet);
    start_ = {};
    laid_before_ = std::move(alluvium);
    const Grid<float> noise =
        plan_.detail == nullptr ? Grid<float>{} : plan_.detail->noise(lattice_, nodes_.get(), quiet);
    begin(std::move(from_coarser), context);
    land_->cap_along_rivers = false;
    const Grid<float> broad = low_pass(land_->height, quiet);
    const Grid<float> smooth = noise.empty() ? Grid<float>{} : land_->height.clone();
    if (!noise.empty()) roughen(noise);
    const auto share = [&](int64_t node) { return touched(node); };
    const double dt = plan_.fine_time / steps;
    for (int i = 0; i < steps; ++i) {
      read_rock(context);
      land_->step(dt, context);
      read_rock(context);
      land_->let_slopes_fail(quiet);
      // Valleys of a land that is amplified find their places before its broad shape holds them: they would lie side by
      // side otherwise, all as far apart as that allows.
      if (plan_.detail != nullptr && i + 1 < steps)
        restore_wide_low_pass(land_->height, broad, share, quiet);
      else
        restore_low_pass(land_->height, broad, share, quiet);
      support_heights(lattice_, plan_.rock.talus(), land_->ground, land_->height, context);
      context.progress(static_cast<double>(i + 1) / steps);
    }
    if (plan_.detail != nullptr) fit(smooth, broad, quiet);
    end(context);
    laid_before_ = {};
  }

  /// The land at the samples of another lattice, `raised` being what its own samples would be without rivers.
  Grid<float> carried_to(const Lattice& to, const DisplacedNodes* to_nodes, const Grid<float>& raised,
                         const Context& context) const {
    Grid<float> out(to.width, to.height);
    const Fading fading(to);
    parallel_chunks(to.height, rows_per_chunk(to.width), context, [&](int64_t begin, int64_t end) {
      for (int64_t y = begin; y < end; ++y)
        for_nodes_at(lattice_, nodes_.get(), to, to_nodes, y, [&](int64_t x, Vec2 node) {
          const BetweenSamples at(lattice_.width, lattice_.height, node.x, node.y);
          const float z = at(land_->height), was = at(raised_);
          const float kept = fading.kept(z - was);
          // Where nothing changed, this is the input's own height to the bit.
          out(x, y) = z == was ? raised(x, y) : z + kept * (raised(x, y) - was);
        });
    });
    return out;
  }

 private:
  Grid<float> at_nodes(Grid<float> samples, const Context& context) const {
    if (nodes_ == nullptr) return samples;
    Grid<float> out(samples.width(), samples.height());
    parallel_chunks(
        out.height(), rows_per_chunk(out.width()), context.told_to(nullptr), [&](int64_t begin, int64_t end) {
          for (int64_t y = begin; y < end; ++y)
            for (int64_t x = 0; x < out.width(); ++x) {
              const Vec2 d = nodes_->displacement(x, y);
              out(x, y) = between_samples(samples, static_cast<double>(x) + d.x, static_cast<double>(y) + d.y);
            }
        });
    return out;
  }

  /// Adds noise several times as strong as the detail will be, so that water finds its way by it, but no stronger than
  /// slopes are steep.
  void roughen(const Grid<float>& noise) {
    const double cell = std::min(lattice_.cell.x, lattice_.cell.y) / lattice_.step;
    const auto share = static_cast<float>(roughening * plan_.detail->share(lattice_));
    for (int64_t i = 0; i < noise.size(); ++i) {
      const float rise = own_slope_.data()[i] * static_cast<float>(cell), amount = amount_.data()[i];
      const float most = std::min(amount + 0.12f * rise, 0.5f * rise + 0.2f * amount);
      if (touched(i) > 0) land_->height.data()[i] += share * most * noise.data()[i];
    }
  }

  /// Makes what was added to the land as strong as it should be.
  void fit(const Grid<float>& smooth, const Grid<float>& broad, const Context& context) {
    const auto share = static_cast<float>(plan_.detail->share(lattice_));
    for (float& a : amount_.cells()) a *= share;
    Grid<float> added = land_->height.clone();
    for (int64_t i = 0; i < added.size(); ++i) added.data()[i] -= smooth.data()[i];
    fit_detail(added, amount_, static_cast<int>(std::lround(1 / lattice_.step)), context);
    for (int64_t i = 0; i < added.size(); ++i)
      if (touched(i) > 0) land_->height.data()[i] = smooth.data()[i] + added.data()[i];
    restore_low_pass(
        land_->height, broad, [&](int64_t node) { return touched(node); }, context);
  }

  /// From 0 where the land is still the input's to 1 where it is all of rivers' making: what is still the input's must
  /// not ring around cliffs that become sharper. What does not move, never.
  float touched(int64_t i) const {
    if (!land_->ground.mobility.empty() && land_->ground.mobility.data()[i] == 0) return 0;
    if (plan_.detail != nullptr) return 1;
    return 1 - Fading(lattice_).kept(land_->height.data()[i] - raised_.data()[i]);
  }

  void set_supply(const Context& context) {
    const double area = lattice_.cell.x * lattice_.cell.y;
    double total = 0;
    Grid<float> share(lattice_.width, lattice_.height, 1.0f);
    if (!plan_.supply.empty()) share = at_nodes(point_samples(plan_.supply, lattice_, context), context);
    for (float s : share.cells()) total += static_cast<double>(s) * area;
    for (const StreamInflow& inflow : plan_.inflows) total += inflow.area;
    const double quanta = quanta_a_unit(std::max(total, area), 1, supply_bits);
    Grid<int64_t> supply(lattice_.width, lattice_.height);
    for (int64_t i = 0; i < supply.size(); ++i)
      supply.data()[i] = static_cast<int64_t>(std::max(0.0, static_cast<double>(share.data()[i])) * area * quanta) + 1;
    for (const StreamInflow& inflow : plan_.inflows) {
      Vec2 place{(inflow.at.x - lattice_.origin.x) / lattice_.cell.x,
                 (inflow.at.y - lattice_.origin.y) / lattice_.cell.y};
      if (warp_ != nullptr) place = warp_->node_at(place);
      const int64_t x = std::clamp<int64_t>(std::llround(place.x), 0, lattice_.width - 1);
      const int64_t y = std::clamp<int64_t>(std::llround(place.y), 0, lattice_.height - 1);
      supply(x, y) += static_cast<int64_t>(inflow.area * quanta);
    }
    land_->ground.supply = std::move(supply);
    land_->ground.quanta_area = 1 / quanta;
  }

  /// What steps need is made only now, when what they do not need is gone.
  void begin(Grid<float> height, const Context& context) {
    const Context quiet = context.told_to(nullptr);
    land_ = std::make_unique<StreamLand>(lattice_, warp_.get(), law_, quiet);
    land_->height = std::move(height);
    land_->ground.kind = std::move(kind_);
    if (!plan_.supply.empty() || !plan_.inflows.empty()) set_supply(quiet);
    variety_ = plan_.rock.variety(lattice_, nodes_.get(), quiet);
    if (!plan_.own_slope.empty()) own_slope_ = at_nodes(point_samples(plan_.own_slope, lattice_, quiet), quiet);
    if (land_->ground.supply.empty()) land_->ground.quanta_area = lattice_.cell.x * lattice_.cell.y;
    plan_.guides.apply(lattice_, warp_.get(), land_->ground, land_->height);
    support_heights(lattice_, plan_.rock.talus(), land_->ground, land_->height, context);
    read_rock(context);
    // Only rock needs to know where nodes lie; they are made again in the end.
    if (!plan_.rock.has_rock()) nodes_ = nullptr;
  }

  void read_rock(const Context& context) {
    const Context quiet = context.told_to(nullptr);
    const Grid<float>& rock_height = land_->ground.bed.empty() ? land_->height : land_->ground.bed;
    const bool once = !plan_.rock.has_rock();
    if (once && !land_->ground.steepest.empty()) return;
    if (once)
      plan_.rock.apply_once(lattice_, std::move(variety_), land_->ground, quiet);
    else
      plan_.rock.apply(lattice_, nodes_.get(), rock_height, variety_, land_->ground, quiet);
    spare_alluvium();
    if (!own_slope_.empty()) allow_slopes(land_->ground.steepest, own_slope_);
  }

  /// Rivers that lay down what they carry have no strength left to cut gullies into it.
  void spare_alluvium() {
    if (laid_before_.empty()) return;
    Grid<float>& softness = land_->ground.softness;
    if (softness.empty()) softness = Grid<float>(lattice_.width, lattice_.height, 1.0f);
    for (int64_t i = 0; i < softness.size(); ++i) {
      const float depth = laid_before_.data()[i] * per_spared_depth;
      softness.data()[i] /= 1 + depth * depth;
    }
  }

  void end(const Context& context) {
    variety_ = {};
    if (land_->cap_along_rivers) land_->let_slopes_fail(context.told_to(nullptr));
    land_->ground = {};
    land_->forget_distances();
    if (nodes_ == nullptr && warp_ != nullptr)
      nodes_ = std::make_unique<DisplacedNodes>(lattice_, *warp_, context.told_to(nullptr));
  }

  const StreamPlan& plan_;
  Lattice lattice_;
  std::unique_ptr<NodeWarp> warp_;
  std::unique_ptr<DisplacedNodes> nodes_;
  StreamLaw law_;
  Grid<float> start_, raised_, raise_, own_slope_, amount_;
  Grid<float> alluvium_;     ///< What rivers laid down on this lattice.
  Grid<float> laid_before_;  ///< What they laid down on the coarsest, while this one runs.
  Grid<WaterCell> kind_;
  StreamRock::Variety variety_;
  std::unique_ptr<StreamLand> land_;
};

}  // namespace

Grid<WaterCell> stream_kinds(const Terrain& in, const Lattice& lattice, const Grid<float>& height,
                             const StreamPlan& plan, const Context& context) {
  const Context quiet = context.told_to(nullptr);
  Frame frame;
  frame.origin = lattice.origin;
  frame.cell = lattice.cell;
  frame.width = lattice.width, frame.height = lattice.height;
  frame.size = {lattice.cell.x * static_cast<double>(lattice.width - 1),
                lattice.cell.y * static_cast<double>(lattice.height - 1)};
  Terrain land(frame, in.relief(), height.clone());
  if (const Layer* voids = in.find("void"))
    land = land.with(voids->holding(point_samples(voids->grid(), lattice, quiet)));
  Grid<WaterCell> kind = std::move(water_ground(land, plan.sea_level, quiet).kind);
  for (int64_t i = 0; i < kind.size(); ++i) {
    const bool low = static_cast<double>(height.data()[i]) <= plan.edge_level;
    const bool drains = plan.outlets == Outlets::all_edges || (plan.outlets == Outlets::low_edges && low);
    if (kind.data()[i] == WaterCell::edge && !drains) kind.data()[i] = WaterCell::wall;
  }
  return kind;
}

void allow_slopes(Grid<float>& steepest, const Grid<float>& own) {
  for (int64_t i = 0; i < steepest.size(); ++i) steepest.data()[i] = std::max(steepest.data()[i], own.data()[i]);
}

StreamedLand stream_levels(const Terrain& in, const std::vector<Lattice>& ladder, const StreamPlan& plan,
                           const Context& context) {
  // A level takes four times as long as the one before; the coarsest has more steps.
  std::vector<double> ends{0};
  for (size_t i = 0; i < ladder.size(); ++i)
    ends.push_back(ends.back() +
                   static_cast<double>(ladder[i].size()) * (i == 0 ? plan.coarse_steps : plan.fine_steps));
  std::unique_ptr<Level> level, coarsest;
  for (size_t i = 0; i < ladder.size(); ++i) {
    const Context part = context.stage("rivers", ends[i] / ends.back(), ends[i + 1] / ends.back());
    const Context quiet = part.told_to(nullptr);
    auto finer = std::make_unique<Level>(in, ladder[i], static_cast<int>(i), plan.displaced, plan, quiet);
    if (level == nullptr) {
      finer->run_coarse(part);
    } else {
      Grid<float> height = level->carried_to(finer->lattice(), finer->nodes(), finer->raised(), quiet);
      if (i == 1) coarsest = std::move(level);
      level = nullptr;
      Grid<float> alluvium = coarsest->alluvium_at(finer->lattice(), finer->nodes(), quiet);
      finer->run_fine(std::move(height), std::move(alluvium), plan.fine_steps, part);
    }
    level = std::move(finer);
  }
  const Lattice own = own_lattice(in.frame());
  Grid<float> raised = in.height().clone();
  if (!plan.raise.empty())
    for (int64_t i = 0; i < raised.size(); ++i) raised.data()[i] += plan.raise.data()[i];
  const Context quiet = context.told_to(nullptr);
  StreamedLand out{level->carried_to(own, nullptr, raised, quiet),
                   (coarsest == nullptr ? level : coarsest)->alluvium_at(own, nullptr, quiet)};
  plan.rock.hold_hardest(own, nullptr, in.height(), raised, out.alluvium, out.height, quiet);
  return out;
}

Grid<float> amplified_levels(const Terrain& in, const Grid<float>& breached, const std::vector<Lattice>& ladder,
                             const StreamPlan& plan, const Context& context) {
  const Context quiet = context.told_to(nullptr);
  auto level = std::make_unique<Level>(in, own_lattice(in.frame()), 0, false, plan, quiet);
  level->take(breached);
  double done = 0;
  for (size_t i = 0; i < ladder.size(); ++i) {
    const double to = static_cast<double>(ladder[i].size()) / static_cast<double>(ladder.back().size());
    auto finer = std::make_unique<Level>(in, ladder[i], static_cast<int>(i) + 1, true, plan, quiet);
    Grid<float> height = level->carried_to(finer->lattice(), finer->nodes(), finer->raised(), quiet);
    level = nullptr;
    finer->run_fine(std::move(height), {}, i == 0 ? plan.coarse_steps : plan.fine_steps,
                    context.stage("detail", done, to));
    level = std::move(finer);
    done = to;
  }
  const Grid<float> plain = point_samples(in.height(), ladder.back(), quiet);
  Grid<float> height = level->carried_to(ladder.back(), nullptr, plain, quiet);
  Grid<float> none;
  plan.rock.hold_hardest(ladder.back(), nullptr, plain, plain, none, height, quiet);
  return height;
}

}  // namespace tepui
