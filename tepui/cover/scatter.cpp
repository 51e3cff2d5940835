#include "tepui/cover/scatter.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/cover/crown_room.h"
#include "tepui/cover/scatter_candidates.h"
#include "tepui/cover/scatter_ground.h"

namespace tepui {

namespace {

constexpr int passes = 5;

/// The columns of the points.
struct Points {
  explicit Points(size_t count) : at(count), height(count), turn(count), lean(count), crown(count), form(count) {}

  std::vector<Vec3> at;
  std::vector<double> height, turn, lean, crown, form;
};

/// Tenths of a degree.
double tenths(double degrees) { return std::floor(degrees * 10 + 0.5) / 10; }

/// Sets point `to` where candidate `from` stands.
void set_point(const ScatterGround& ground, const SpeciesHabit& species, int forms, const Stream& stream,
               const ScatterCandidates& all, size_t from, size_t to, Points& out) {
  const double x = static_cast<double>(all.x[from]) / 100, y = static_cast<double>(all.y[from]) / 100;
  const ScatterGround::Spot spot = ground.spot(x, y);
  const double foot = ScatterGround::at(*ground.height, spot) - ScatterGround::at(ground.snow, spot);
  out.at[to] = {x, y, std::floor(foot * 100 + 0.5) / 100};
  out.height[to] = static_cast<double>(all.height[from]) / 100;
  out.crown[to] = static_cast<double>(all.crown[from]) / 100;
  const uint64_t key = all.key[from];
  const double around = 2 * math::pi * stream.uniform(key, 4), sway = species.sway * stream.uniform(key, 5);
  const ScatterGround::Slope slope = ground.slope(x, y);
  const double east = species.lean * slope.degrees * slope.east + sway * math::sin(around);
  const double north = species.lean * slope.degrees * slope.north + sway * math::cos(around);
  const bool upright = east == 0 && north == 0;
  const double towards = math::degrees(upright ? around : math::atan2(east, north));
  const double turn = tenths(towards < 0 ? towards + 360 : towards);
  out.turn[to] = turn >= 360 ? 0 : turn;
  out.lean[to] = tenths(std::min(std::sqrt(east * east + north * north), 90.0));
  out.form[to] = std::floor(stream.uniform(key, 6) * forms);
}

/// All columns of one point each.
Lines lines_of(Points points, const std::vector<size_t>& species_ends, const ScatterParams& params,
               const Frame& frame) {
  const size_t count = points.at.size();
  LinesColumns c;
  c.vertices = std::move(points.at);
  c.part_starts.resize(count + 1);
  for (size_t i = 0; i <= count; ++i) c.part_starts[i] = i;
  c.feature_starts = c.part_starts;
  c.part_closed.assign(count, 0);
  c.shapes.assign(count, FeatureShape::point);
  c.names.starts.assign(count + 1, 0);
  c.numbers = {{"height", "m", std::move(points.height)},
               {"turn", "deg", std::move(points.turn)},
               {"lean", "deg", std::move(points.lean)},
               {"crown", "m", std::move(points.crown)},
               {"form", "", std::move(points.form)}};
  LineTextAttribute species{"species", {}, std::vector<uint8_t>(count, 1)};
  species.values.starts.reserve(count + 1);
  for (size_t s = 0, i = 0; s < species_ends.size(); ++s)
    for (; i < species_ends[s]; ++i) species.values.add(params.species[s].species);
  c.texts.push_back(std::move(species));
  c.geo = lines_geo(frame);
  return Lines(std::move(c));
}

}  // namespace

Lines scatter(const Terrain& in, const Terrain* mask, const ScatterParams& params, const Context& context) {
  if (mask != nullptr) require_same_frame(in.frame(), "in", mask->frame(), "mask");
  const ScatterGround ground(in, mask);
  const ScatterCandidates all = scatter_candidates(ground, params, context.stage("drawing", 0, 0.6));
  const std::vector<uint8_t> room =
      crown_room({all.x, all.y, all.crown, all.chance}, params.spacing, passes, context.stage("making room", 0.6, 0.9));
  std::vector<uint32_t> kept;
  std::vector<size_t> ends;
  for (size_t s = 0, i = 0; s < all.species_ends.size(); ++s) {
    for (; i < all.species_ends[s]; ++i)
      if (room[i] != 0) kept.push_back(static_cast<uint32_t>(i));
    ends.push_back(kept.size());
  }
  const std::vector<Stream> streams = scatter_streams(params);
  std::vector<SpeciesHabit> habits;
  for (const ScatterSpecies& species : params.species) habits.push_back(habit_of(species));
  Points points(kept.size());
  parallel_chunks(static_cast<int64_t>(kept.size()), 4096, context.stage("setting", 0.9, 1),
                  [&](int64_t begin, int64_t end) {
                    auto i = static_cast<size_t>(begin);
                    auto s = static_cast<size_t>(std::ranges::upper_bound(ends, i) - ends.begin());
                    for (; i < static_cast<size_t>(end); ++i) {
                      while (i >= ends[s]) ++s;
                      set_point(ground, habits[s], params.species[s].forms, streams[s], all, kept[i], i, points);
                    }
                  });
  return lines_of(std::move(points), ends, params, in.frame());
}

double scatter_reach(const Frame& frame, const ScatterParams& params) {
  double crown = 0;
  for (const ScatterSpecies& species : params.species) {
    const SpeciesHabit habit = habit_of(species);
    crown = std::max(crown, (1 + crown_spread) * habit.crown * habit.height.high + 0.01);
  }
  // And the slope where the farthest of them stands.
  return crown_reach(crown, params.spacing, passes) + 2 * std::max({scatter_slope_length, frame.cell.x, frame.cell.y});
}

}  // namespace tepui
