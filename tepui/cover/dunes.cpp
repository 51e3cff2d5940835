#include "tepui/cover/dunes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/cover/dune_field.h"
#include "tepui/cover/sand_rest.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/resample.h"

namespace tepui {

namespace {

/// Cells of the field from one dune to the next.
constexpr double cells_a_dune = 80;
/// Rounds in which dunes of that size take shape.
constexpr int64_t rounds_of_shape = 1800;
/// Rounds after which another wind may blow.
constexpr int64_t rounds_a_spell = 30;
/// Calm rounds at the end, in which what is in the air comes down and slopes come to rest.
constexpr int64_t calm_rounds = 60;
/// Way from heap to heap, and their reach, in sizes of dunes.
constexpr double heap_way = 1.5, heap_reach = 0.9;
constexpr double most_cells = 16384;

double power_of_two_below(double v) {
  int exponent = 0;
  std::frexp(std::clamp(v, 1e-30, 1e30), &exponent);
  return std::ldexp(1.0, exponent - 1);
}

template <class T, class At>
Grid<T> map_of(int64_t width, int64_t height, const At& at, const Context& context) {
  Grid<T> out(width, height);
  parallel_chunks(height, rows_per_chunk(width), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * width; i < end * width; ++i) out.data()[i] = static_cast<T>(at(i));
  });
  return out;
}

struct SandWind {
  double from = 0, strength = 1;  ///< degrees
};

std::vector<SandWind> winds_of(const DunesParams& p) {
  if (p.wind.empty()) refuse("there is no wind", "'wind' lists where winds come from, in degrees from north");
  if (p.strengths && p.strengths->size() != p.wind.size())
    refuse(fmt::format("there are {} winds and {} strengths", p.wind.size(), p.strengths->size()),
           "'strengths' has a number for each wind");
  std::vector<SandWind> winds;
  for (size_t i = 0; i < p.wind.size(); ++i) {
    const double strength = p.strengths ? (*p.strengths)[i] : 1;
    if (!(std::abs(p.wind[i]) <= 360) || !(strength >= 0))
      refuse(fmt::format("a wind from {:g} degrees with strength {:g}", p.wind[i], strength),
             "directions are from -360 to 360 degrees, strengths at least 0");
    if (strength > 0) winds.push_back({p.wind[i], strength});
  }
  if (winds.empty()) refuse("no wind has any strength", "at least one of 'strengths' must be above 0");
  return winds;
}

/// Winds that blow in turn, each as long as its strength says, and stray from their direction.
class WindTurns {
 public:
  WindTurns(std::vector<SandWind> winds, double spread, Stream draws)
      : winds_(std::move(winds)), blown_(winds_.size(), 0.0), spread_(spread), draws_(draws) {}

  WindSpell next(int64_t first, int64_t rounds) {
    size_t now = 0;
    for (size_t i = 1; i < winds_.size(); ++i)
      if (blown_[i] < blown_[now]) now = i;
    blown_[now] += static_cast<double>(rounds) / winds_[now].strength;
    const double stray = spread_ * draws_.uniform(static_cast<uint64_t>(count_++), 1, -1, 1);
    const double from = math::radians(winds_[now].from + stray);
    return {{-math::sin(from), -math::cos(from)}, first, rounds, false};
  }

 private:
  std::vector<SandWind> winds_;
  std::vector<double> blown_;  ///< rounds over strength
  double spread_;
  Stream draws_;
  int64_t count_ = 0;
};

/// Where sand moves: samples over the land, as many to a dune whatever the land's own are.
Frame field_frame(const Frame& land, double scale, DuneBorder border) {
  const bool repeats = border == DuneBorder::repeats;
  Frame frame;
  frame.origin = {land.x(0), land.y(0)};
  const auto axis = [&](int64_t samples, double cell, double& size, double& step) {
    size = static_cast<double>(repeats ? samples : samples - 1) * cell;
    const double cells = std::round(size / scale);
    if (!(cells <= most_cells))
      refuse(fmt::format("dunes {:g} m apart on {:g} m of land are too many", scale * cells_a_dune, size),
             fmt::format("'size' must be at least {:g} m here", std::ceil(size / most_cells * cells_a_dune)));
    const auto count = std::max<int64_t>(1, static_cast<int64_t>(cells) + (repeats ? 0 : 1));
    const auto steps = static_cast<double>(repeats ? count : count - 1);
    step = steps > 0 && size > 0 ? size / steps : scale;
    size = std::max(size, step);
    return count;
  };
  frame.width = axis(land.width, land.cell.x, frame.size.x, frame.cell.x);
  frame.height = axis(land.height, land.cell.y, frame.size.y, frame.cell.y);
  return frame;
}

/// Round heaps of sand at places drawn by chance, about 1 on average.
Grid<float> heaps_over(const Frame& field, double way, double reach, Stream draws, const Context& context) {
  const auto places = [&](double size) { return std::max<int64_t>(1, static_cast<int64_t>(std::round(size / way))); };
  const int64_t columns = places(field.size.x), rows = places(field.size.y);
  const double dx = field.size.x / static_cast<double>(columns), dy = field.size.y / static_cast<double>(rows);
  return map_of<float>(
      field.width, field.height,
      [&](int64_t i) {
        const double x = static_cast<double>(i % field.width) * field.cell.x;
        const double y = static_cast<double>(i / field.width) * field.cell.y;
        const auto column = static_cast<int64_t>(x / dx), row = static_cast<int64_t>(y / dy);
        double sum = 0;
        for (int64_t v = std::max<int64_t>(0, row - 2); v <= std::min(rows - 1, row + 2); ++v)
          for (int64_t u = std::max<int64_t>(0, column - 2); u <= std::min(columns - 1, column + 2); ++u) {
            const auto n = static_cast<uint64_t>(v * columns + u);
            const double at_x = (static_cast<double>(u) + draws.uniform(n, 2, 0.2, 0.8)) * dx - x;
            const double at_y = (static_cast<double>(v) + draws.uniform(n, 3, 0.2, 0.8)) * dy - y;
            const double near = 1 - (at_x * at_x + at_y * at_y) / (reach * reach);
            if (near > 0) sum += near * near * draws.uniform(n, 4, 0.3, 1.7);
          }
        return sum;
      },
      context);
}

/// A land before and after the wind.
class SandyLand {
 public:
  SandyLand(const Terrain& in, const Terrain* mask, const DunesParams& params, const Context& context)
      : in_(in),
        params_(params),
        quiet_(context.told_to(nullptr)),
        size_(params.size.in(in.frame())),
        draws_(params.seed.stream("dunes")) {
    if (!(size_ > 0)) refuse("dunes without a size", "'size' is the way from one dune to the next");
    const Layer* sand = in.find("sand");
    const double laid = params.sand ? *params.sand : sand != nullptr ? 0 : size_ / 80;
    const Grid<float>& z = in.height();
    if (mask != nullptr) share_ = mask_layer(*mask).grid().clone();
    if (mask != nullptr)
      open_ = map_of<uint8_t>(
          z.width(), z.height(), [&](int64_t i) { return share_.data()[i] > 0 ? 1 : 0; }, quiet_);
    const auto [low, high] = std::ranges::minmax(z.cells());
    double deepest = laid;
    if (sand != nullptr) deepest += static_cast<double>(std::ranges::max(sand->grid().cells()));
    const double range = static_cast<double>(high) - static_cast<double>(low) + 2 * deepest;
    quantum_ = power_of_two_below(std::max({size_ * 0x1p-18, deepest * 0x1p-23, range * 0x1p-28}));
    base_ = static_cast<double>(low);
    range_ = range;
    const auto lies = [&](int64_t i) {
      return sand == nullptr ? 0.0 : std::max(0.0, static_cast<double>(sand->grid().data()[i]));
    };
    ground_ = map_of<float>(
        z.width(), z.height(), [&](int64_t i) { return static_cast<double>(z.data()[i]) - lies(i); }, quiet_);
    sand_ = map_of<int32_t>(
        z.width(), z.height(),
        [&](int64_t i) {
          const double share = share_.empty() ? 1 : static_cast<double>(share_.data()[i]);
          return std::round(lies(i) / quantum_) + std::round(laid * share / quantum_);
        },
        quiet_);
  }

  void blow(const Context& context);
  void rest(const Context& context) {
    const Grid<int32_t> rock = map_of<int32_t>(
        ground_.width(), ground_.height(),
        [&](int64_t i) { return std::round((static_cast<double>(ground_.data()[i]) - base_) / quantum_); }, quiet_);
    const Vec2 cell{in_.frame().cell.x / quantum_, in_.frame().cell.y / quantum_};
    rest_sand(rock, sand_, open_, cell, math::tan(math::radians(params_.repose.degrees)), context);
  }
  Terrain finish() const;

 private:
  double depth(int64_t i) const { return static_cast<double>(sand_.data()[i]) * quantum_; }
  DuneGround on(const Frame& field, const Terrain& land, double quantum) const;
  void bring(const Frame& field, const DuneGround& blown, const Grid<float>& rock, double quantum, double kept);

  const Terrain& in_;
  const DunesParams& params_;
  Context quiet_;
  double size_, quantum_ = 1, base_ = 0, range_ = 0;
  Stream draws_;
  Grid<float> ground_, share_;
  Grid<int32_t> sand_;
  Grid<uint8_t> open_;
};

/// The field's ground from the land as it lies on the field's samples.
DuneGround SandyLand::on(const Frame& field, const Terrain& land, double quantum) const {
  DuneGround ground;
  const int64_t w = field.width, h = field.height;
  const Grid<float>&rock = land.height(), &sand = land.layer("sand").grid();
  ground.rock = map_of<int32_t>(
      w, h, [&](int64_t i) { return std::round((static_cast<double>(rock.data()[i]) - base_) / quantum); }, quiet_);
  Grid<float> heaps;
  const double share = params_.heaps;
  if (share > 0) heaps = heaps_over(field, heap_way * size_, heap_reach * size_, draws_, quiet_);
  double mean = 0;
  for (const float v : heaps.cells()) mean += static_cast<double>(v);
  mean = mean > 0 ? static_cast<double>(heaps.size()) / mean : 0;
  ground.sand = map_of<int32_t>(
      w, h,
      [&](int64_t i) {
        double depth = std::max(0.0, static_cast<double>(sand.data()[i]));
        if (mean > 0) depth *= 1 - share + share * mean * static_cast<double>(heaps.data()[i]);
        // Waves grow from anything that is not quite level.
        const double noise = std::min(0.5 * depth, 0.3 * size_ / cells_a_dune);
        depth += noise * draws_.uniform(static_cast<uint64_t>(i), 0, -1, 1);
        return std::round(depth / quantum);
      },
      quiet_);
  ground.air = Grid<int32_t>(w, h, 0);
  if (!share_.empty()) ground.share = land.layer("mask").grid().clone();
  return ground;
}

/// Lets the wind blow over the field, and brings what it made to the land's samples.
void SandyLand::blow(const Context& context) {
  WindTurns winds(winds_of(params_), params_.spread.degrees, draws_);
  DuneRule rule;
  rule.scale = size_ / cells_a_dune;
  const double a_round =
      DuneRule::lift * DuneRule::hop / static_cast<double>(DuneRule::stop_on_sand) * rule.scale * rule.scale;
  const int64_t rounds =
      params_.years ? std::llround(std::min(*params_.years * params_.transport / a_round, 1e9)) : rounds_of_shape;
  if (rounds == 0) return;
  const Frame field = field_frame(in_.frame(), rule.scale, params_.border);
  Terrain land(in_.frame(), in_.relief(), ground_.clone());
  land = land.with(make_layer("sand", "m", LayerKind::continuous,
                              map_of<float>(
                                  ground_.width(), ground_.height(), [&](int64_t i) { return depth(i); }, quiet_)));
  if (!share_.empty()) land = land.with(make_layer("mask", "", LayerKind::mask, share_.clone()));
  const Terrain like(field, in_.relief(), Grid<float>(field.width, field.height, 0.0f));
  land = resample(land, &like, {}, quiet_);
  rule.cell = field.cell;
  rule.quantum = power_of_two_below(std::max(rule.scale * 0x1p-10, range_ * 0x1p-27));
  rule.repose = math::tan(math::radians(params_.repose.degrees));
  rule.border = params_.border;
  DuneGround start = on(field, land, rule.quantum);
  const auto sum = [](const DuneGround& g) {
    int64_t all = g.left;
    for (const int32_t q : g.sand.cells()) all += q;
    return static_cast<double>(all);
  };
  const double before = sum(start);
  DuneField dunes(std::move(start), rule);
  WindSpell spell;
  for (int64_t k = 0; k < rounds; k += spell.rounds) {
    spell = winds.next(k, std::min(rounds_a_spell, rounds - k));
    const auto at = [&](int64_t round) { return static_cast<double>(round) / static_cast<double>(rounds); };
    dunes.blow(spell, context.stage("dunes", at(k), at(k + spell.rounds)));
  }
  spell.calm = true, spell.first = rounds, spell.rounds = calm_rounds;
  dunes.blow(spell, quiet_);
  dunes.slide(calm_rounds, quiet_);
  const DuneGround blown = dunes.finish();
  const double left = before > 0 ? static_cast<double>(blown.left) / before : 0;
  bring(field, blown, land.height(), rule.quantum, 1 - left);
}

/// `kept` is the share of the sand that is still there.
void SandyLand::bring(const Frame& field, const DuneGround& blown, const Grid<float>& rock, double quantum,
                      double kept) {
  Terrain made(field, in_.relief(), rock.clone());
  made = made.with(
      make_layer("sand", "m", LayerKind::continuous,
                 map_of<float>(
                     field.width, field.height,
                     [&](int64_t i) { return static_cast<double>(blown.sand.data()[i]) * quantum; }, quiet_)));
  made = resample(made, &in_, {}, quiet_);
  const Grid<float>&floor = made.height(), &sand = made.layer("sand").grid();
  // Sand levels what is too small for the field's samples, as far as there is enough of it.
  const Grid<float> depths = map_of<float>(
      ground_.width(), ground_.height(),
      [&](int64_t i) {
        const double depth = std::max(0.0, static_cast<double>(sand.data()[i]));
        const double hollow = static_cast<double>(floor.data()[i]) - static_cast<double>(ground_.data()[i]);
        return depth + std::clamp(hollow, -depth, depth);
      },
      quiet_);
  int64_t total = 0;
  for (int64_t i = 0; i < sand_.size(); ++i)
    if (open_.empty() || open_.data()[i] != 0) total += sand_.data()[i];
  const auto now = static_cast<int64_t>(std::round(static_cast<double>(total) * kept));
  Grid<int32_t> shared = shared_quanta(depths, open_, now);
  for (int64_t i = 0; i < sand_.size(); ++i)
    if (open_.empty() || open_.data()[i] != 0) sand_.data()[i] = shared.data()[i];
}

Terrain SandyLand::finish() const {
  const auto layer = [&](const char* name, const auto& at) {
    return make_layer(name, "m", LayerKind::continuous, map_of<float>(sand_.width(), sand_.height(), at, quiet_));
  };
  const Layer* had = in_.find("sand");
  const auto height = [&](int64_t i) {
    const float old = had == nullptr ? 0.0f : had->grid().data()[i];
    if (static_cast<double>(old) == depth(i)) return static_cast<double>(in_.height().data()[i]);
    return static_cast<double>(ground_.data()[i]) + depth(i);
  };
  const Terrain out = in_.with(layer("height", height)).with(layer("sand", [&](int64_t i) { return depth(i); }));
  const auto [low, high] = std::ranges::minmax(out.height().cells());
  const Relief& was = in_.relief();
  return out.with_relief({std::min(was.base, static_cast<double>(low)), std::max(was.top, static_cast<double>(high))});
}

}  // namespace

void describe(Fields<DunesParams>& f) {
  using P = DunesParams;
  f.about("Let wind move sand over the land: barchans, dunes across and along the wind, stars");
  f.reach(Reach::whole);
  f.example("shape kind=cylinder width=12% depth=15% height=7% | {}");
  f("sand", &P::sand, Range{0, 10000},
    "mean depth of sand that is spread before; auto: an 80th of 'size', or none where the land has a layer sand")
      .unit("m")
      .slider(0, 50);
  f("wind", &P::wind, Range{-360, 360}, "where winds come from, one after the other: 0 is north, 90 east");
  f("strengths", &P::strengths, Range{0, 1e6}, "how much sand each of the winds moves; auto: alike");
  f("spread", &P::spread, Range{0, 180}, "how far winds stray from their direction");
  f("size", &P::size, Range{1e-3, 1e6}, "way from one dune to the next").slider(1, 20).sweep("8%", "15%", "30%");
  f("years", &P::years, Range{0, 1e6}, "how long the wind blows; auto: until dunes have taken shape").unit("yr");
  f("transport", &P::transport, Range{0, 1e4},
    "sand that the winds carry over level sand in a year, to a metre of width")
      .unit("m2");
  f("heaps", &P::heaps, Range{0, 1}, "share of the sand that lies in heaps at first: stars grow from them");
  f("repose", &P::repose, Range{1, 60}, "slope at which sand comes to rest").slider(25, 40);
  f("border", &P::border, {"returns", "repeats", "open"},
    "what is blown out comes in on the other side, or the land repeats and tiles, or it is lost");
  f.seed(&P::seed);
}

Terrain dunes(const Terrain& in, const Terrain* mask, const DunesParams& params, const Context& context) {
  if (mask != nullptr) require_same_frame(in.frame(), "in", mask->frame(), "mask");
  winds_of(params);
  if (in.height().empty()) return in;
  SandyLand land(in, mask, params, context);
  land.blow(context.stage("dunes", 0, 0.95));
  land.rest(context);
  return land.finish();
}

}  // namespace tepui
