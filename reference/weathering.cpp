#include "reference/weathering.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/erode/exposure.h"
#include "tepui/erode/weathering_rule.h"

namespace tepui::reference {

namespace {

/// What a share is held back by, so that rounded parts never add up to more than there is.
constexpr float held_back = 1.0f - 0x1p-20f;

Talus talus_of(Angle angle, const Frame& frame, double quantum) {
  return {static_cast<float>(math::tan(math::radians(angle.degrees)) / quantum), static_cast<float>(1 / frame.cell.x),
          static_cast<float>(1 / frame.cell.y)};
}

double cell_of(const Terrain& land, const char* layer, size_t i, double otherwise) {
  const Layer* found = land.find(layer);
  return found != nullptr ? static_cast<double>(found->grid().data()[i]) : otherwise;
}

}  // namespace

void slide(WornState& state, const Talus& talus) {
  // Opposite neighbours side by side: sums then round alike however the land is turned.
  constexpr int64_t dx[8] = {1, -1, 0, 0, 1, -1, -1, 1}, dy[8] = {0, 0, 1, -1, 1, -1, 1, -1};
  std::vector<float> next = state.ground;
  for (int64_t y = 0; y < state.height; ++y)
    for (int64_t x = 0; x < state.width; ++x) {
      const size_t here = state.at(x, y);
      float d[8] = {};
      for (int i = 0; i < 8; ++i)
        if (state.holds(x + dx[i], y + dy[i]))
          d[i] = std::max(state.ground[here] - state.ground[state.at(x + dx[i], y + dy[i])], 0.0f);
      const float sum = ((d[0] + d[1]) + (d[2] + d[3])) + ((d[4] + d[5]) + (d[6] + d[7]));
      float slides = sum * 0.125f;
      if (talus.slope > 0) {
        const float east = std::max(d[0], d[1]) * talus.per_x, north = std::max(d[2], d[3]) * talus.per_y;
        slides *= std::max(1.0f - talus.slope / std::sqrt(east * east + north * north), 0.0f);
      }
      const float most = std::min(state.ground[here] - state.rock[here], slides) * held_back;
      if (!(most > 0)) continue;
      const float share = most / sum;
      for (int i = 0; i < 8; ++i) {
        if (!(d[i] > 0)) continue;
        const float part = std::trunc(d[i] * share);
        next[here] -= part;
        next[state.at(x + dx[i], y + dy[i])] += part;
      }
    }
  state.ground = next;
}

WornStart::WornStart(const Terrain& in, bool all_loose, double cover, bool resumed) {
  const Grid<float>& height = in.height();
  const auto cells = static_cast<size_t>(height.size());
  state = {height.width(), height.height(), std::vector<float>(cells), std::vector<float>(cells)};
  first_rock.resize(cells);
  first_ground.resize(cells);
  if (cells == 0) return;
  const auto [low, high] = std::ranges::minmax(height.cells());
  const double depth = std::min(cover, std::max(static_cast<double>(high) - static_cast<double>(low), 1000.0));
  std::vector<double> rock(cells), ground(cells), rock_then(cells), ground_then(cells);
  for (size_t i = 0; i < cells; ++i) {
    ground[i] = static_cast<double>(height.data()[i]);
    rock[i] = ground[i] - cell_of(in, "sediment", i, 0);
    if (in.find("sediment") == nullptr) rock[i] = ground[i] - depth;
    if (all_loose) rock[i] = ground[i];
    rock_then[i] = rock[i] + (resumed && !all_loose ? cell_of(in, "wear", i, 0) : 0);
    ground_then[i] = rock_then[i] + (ground[i] - rock[i]) - (resumed ? cell_of(in, "deposits", i, 0) : 0);
    if (all_loose) rock_then[i] = ground_then[i];
  }
  const double highest_rock = *std::ranges::max_element(rock_then);
  quanta = HeightQuanta::of({*std::ranges::min_element(rock_then), *std::ranges::max_element(ground_then)});
  relief = std::max(quanta.quanta(highest_rock), 1.0f);
  for (size_t i = 0; i < cells; ++i) {
    first_rock[i] = quanta.quanta(rock_then[i]);
    first_ground[i] = quanta.quanta(ground_then[i]);
    state.rock[i] = all_loose ? -0x1p24f : quanta.quanta(rock[i]);
    state.ground[i] = quanta.quanta(ground[i]);
  }
}

Terrain WornStart::land(const Terrain& in, const WornState& now, bool all_loose) const {
  Terrain out = in;
  const auto add = [&](const char* name, const auto& at) {
    Grid<float> cells(now.width, now.height);
    for (int64_t i = 0; i < cells.size(); ++i) cells.data()[i] = at(static_cast<size_t>(i));
    out = out.with(make_layer(name, "m", LayerKind::continuous, std::move(cells)));
  };
  if (!all_loose) add("sediment", [&](size_t i) { return quanta.depth(now.ground[i] - now.rock[i]); });
  add("deposits", [&](size_t i) {
    const float gained = now.ground[i] - first_ground[i];
    return quanta.depth(all_loose ? gained : gained + (first_rock[i] - now.rock[i]));
  });
  add("height", [&](size_t i) { return quanta.height(now.ground[i]); });
  if (all_loose) {
    add("talus", [&](size_t i) { return std::max(quanta.depth(now.ground[i] - first_ground[i]), 0.0f); });
    return out;
  }
  add("wear", [&](size_t i) { return quanta.depth(first_rock[i] - now.rock[i]); });
  add("bedrock", [&](size_t i) { return quanta.height(now.rock[i]); });
  return out;
}

Weathering::Weathering(const Terrain& in, const Geology* rock, const WeatheringParams& params)
    : in_(in),
      rock_(rock),
      params_(params),
      start_(in, false, params.cover.in(in.frame()), params.from > 0),
      rule_(params, in.frame(), start_.relief),
      talus_(talus_of(params.talus, in.frame(), start_.quanta.quantum)),
      now_(start_.state) {
  keys_ = rule_.cell_keys({});
  mean_bell_ = bell_mean(params.spread);
  if (params.steps) return;
  Grid<float> first_rock(now_.width, now_.height), first_ground(now_.width, now_.height);
  std::ranges::copy(start_.first_rock, first_rock.data());
  std::ranges::copy(start_.first_ground, first_ground.data());
  rule_.fit_walls(first_rock, first_ground, {});
}

/// The weakest rock between rim and foot: looked for at up to 64 places, half a step below the rim, then a step apart.
WeakBed Weathering::weak_bed(int64_t x, int64_t y, float rim, float foot) const {
  const double face = static_cast<double>(rim - foot);
  if (rock_ == nullptr) {
    const double hardness = cell_of(in_, "hardness", now_.at(x, y), 0);
    return {1.0f - static_cast<float>(std::clamp(hardness, 0.0, 1.0)), 0, rim - foot};
  }
  const int looks = std::clamp(static_cast<int>(std::ceil((rim - foot) * 64 / start_.relief)), 1, 64);
  const double step = face / looks;
  std::vector<float> softness;
  for (int i = 0; i < looks; ++i) {
    const double level = static_cast<double>(rim) - (i + 0.5) * step;
    const Vec3 at{in_.frame().x(x), in_.frame().y(y), start_.quanta.base + level * start_.quanta.quantum};
    softness.push_back(1.0f - rock_->resistance(at));
  }
  WeakBed bed{*std::ranges::max_element(softness), 0, 0};
  int i = 0;
  while (softness[static_cast<size_t>(i)] < 0.5f * bed.softness) ++i;
  bed.top = static_cast<float>(i * step);
  while (i < looks && softness[static_cast<size_t>(i)] >= 0.5f * bed.softness) ++i;
  bed.bottom = i == looks ? rim - foot : static_cast<float>(i * step);
  return bed;
}

/// pace h^2 / H G: a bell curve about 1 from the eight bytes that the block draws in the step, cut off at 0.
double Weathering::fall(float h, uint64_t bytes) const {
  int sum = 0;
  for (; bytes > 0; bytes >>= 8) sum += static_cast<int>(bytes & 255);
  const double bell = std::max(0.0, 1 + params_.spread * (sum - 1020.0) / 209.02153);
  const double height = static_cast<double>(h), relief = static_cast<double>(start_.relief);
  return params_.pace / mean_bell_ * height * height / relief * bell;
}

/// The part of a fall from the height `top` to a cell that is a step, for it does not go on beyond that cell.
float Weathering::step_to(float top, int64_t x, int64_t y, int64_t dx, int64_t dy) const {
  if (!now_.holds(x + dx, y + dy)) return 0;
  const float here = now_.ground[now_.at(x, y)], beyond = now_.ground[now_.at(x + dx, y + dy)];
  return std::max(std::max(top - here, 0.0f) - std::abs(here - beyond), 0.0f);
}

/// Whole quanta of rock that the cell loses in the step.
float Weathering::loss(int64_t x, int64_t y, int64_t step) const {
  const float h = now_.rock[now_.at(x, y)];
  float largest = 0, low = h, high = h, share = 1;
  // The foot lies at `reach`, which may be between two cells.
  const auto free = [&](int64_t dx, int64_t dy, const FootReach& reach) {
    const int64_t u = x + dx * reach.next(), v = y + dy * reach.next();
    if (!now_.holds(u, v)) return 0.0f;
    const float near = now_.ground[now_.at(x + dx * reach.cells, y + dy * reach.cells)];
    const float between = near + (now_.ground[now_.at(u, v)] - near) * reach.share;
    const float ledge = reach.share > 0 ? step_to(reach.cells > 0 ? near : h, u, v, dx, dy) : 0.0f;
    const float e = std::max(h - (between - ledge * reach.edge), 0.0f);
    // A share of the cell sees beyond the ledge, the rest does not.
    const float beyond = between - ledge * (1 - reach.share), before = between + ledge * reach.share;
    if (e > largest || (e == largest && (beyond < low || (beyond == low && before < high)))) {
      low = beyond;
      high = before;
      share = reach.share;
    }
    largest = std::max(largest, e);
    return e;
  };
  const FootReach &x_reach = rule_.along(), &y_reach = rule_.across();
  const float along = free(1, 0, x_reach) + free(-1, 0, x_reach);
  const float across = free(0, 1, y_reach) + free(0, -1, y_reach);
  if (!(largest > 0)) return 0;
  const uint64_t step_key = rule_.step_key(step);
  const uint32_t key = keys_(x, y);
  const float chance = largest * largest * rule_.chance_scale(), drawn = draw(key + static_cast<uint32_t>(step_key));
  if (params_.mode == WeatheringMode::block && !(drawn <= chance)) return 0;
  const bool sees_both = rock_ != nullptr && low < high && high < h;
  const WeakBed lower = weak_bed(x, y, h, low), upper = sees_both ? weak_bed(x, y, h, high) : lower;
  const float below = share * (h - low), above = (1 - share) * (h - high);
  const float of_lower = sees_both ? below / (below + above) : 1.0f;
  double thickness = 0, most = static_cast<double>(largest);
  if (params_.mode == WeatheringMode::smooth) {
    const auto worn = [&](const WeakBed& bed) {
      return std::min(rule_.worn_thickness(along + across) * static_cast<double>(bed.softness),
                      static_cast<double>(bed.bottom));
    };
    const auto of_low = static_cast<double>(of_lower);
    thickness = of_low * worn(lower) + (1 - of_low) * worn(upper);
  } else {
    const float by_lower = chance * (of_lower * lower.softness), by_upper = chance * ((1 - of_lower) * upper.softness);
    if (!(drawn <= by_lower + by_upper)) return 0;
    const WeakBed& bed = drawn <= by_lower ? lower : upper;
    const double block = fall(h, mix_bits(step_key ^ uint64_t{key} << 32));
    // What stands on the weak rock falls with a quarter of a block of it.
    thickness = std::max(block, static_cast<double>(bed.top) + 0.25 * block);
    most = std::min(most, static_cast<double>(bed.bottom));
  }
  return static_cast<float>(std::floor(std::min(thickness, most)));
}

void Weathering::step(int64_t step) {
  std::vector<float> rock = now_.rock;
  for (int64_t y = 0; y < now_.height; ++y)
    for (int64_t x = 0; x < now_.width; ++x) rock[now_.at(x, y)] -= loss(x, y, step);
  now_.rock = rock;
  for (int64_t i = rule_.slides_until(step); i < rule_.slides_until(step + 1); ++i) slide(now_, talus_);
}

Terrain weathering(const Terrain& in, const Geology* rock, const WeatheringParams& params) {
  const auto steps_at = [&](double age) {
    return params.steps ? static_cast<int64_t>(std::floor(age + 0.5)) : weathering_steps(params, age, in.frame());
  };
  const bool counted = params.steps.has_value();
  const double end = counted ? static_cast<double>(*params.steps) : params.retreat.in(in.frame());
  const double start = counted ? params.from : Length{params.from, params.retreat.percent}.in(in.frame());
  Weathering twin(in, rock, params);
  for (int64_t step = steps_at(start); step < steps_at(end); ++step) twin.step(step);
  return twin.land();
}

Terrain thermal(const Terrain& in, const ThermalParams& params) {
  const WornStart start(in, true, 0, params.from > 0);
  const Talus talus = talus_of(params.talus, in.frame(), start.quanta.quantum);
  WornState now = start.state;
  for (auto step = static_cast<int64_t>(std::floor(params.from + 0.5)); step < params.steps; ++step) slide(now, talus);
  return start.land(in, now, true);
}

}  // namespace tepui::reference
