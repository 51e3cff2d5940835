#include "tepui/hydrology/breach.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tepui/hydrology/basins.h"
#include "tepui/hydrology/d8.h"
#include "tepui/hydrology/directions.h"
#include "tepui/hydrology/fill.h"
#include "tepui/hydrology/sea_level.h"
#include "tepui/hydrology/water_ground.h"

namespace tepui {

namespace {

/// Cuts the ways out of one pit after the other into a land.
class Notches {
 public:
  Notches(const WaterGround& ground, Grid<float>& z, double most_cut, double most_distance)
      : ground_(ground), z_(z), d8_(z.width(), ground.cell), most_cut_(most_cut), most_distance_(most_distance) {}

  /// Whether there was a way within the limits.
  bool cut(int64_t pit, const Context& context) {
    visited_.clear();
    open_ = {};
    const float floor = z_.data()[pit];
    visited_[pit] = {0, 0, d8_none, false};
    open_.push({0, pit});
    for (int64_t count = 0; !open_.empty(); ++count) {
      if (count % 4096 == 0) context.check();
      const auto [cost, cell] = open_.top();
      open_.pop();
      Visit& here = visited_[cell];
      if (std::exchange(here.done, true)) continue;
      if (cell != pit && is_way_out(cell, floor)) {
        carve(pit, cell, floor);
        return true;
      }
      spread(cell, Visit(here), floor);
    }
    return false;
  }

 private:
  struct Visit {
    double cost, distance;
    int came_by;  ///< The direction from the cell before.
    bool done;
  };

  bool is_way_out(int64_t cell, float floor) const {
    return ground_.kind.data()[cell] != WaterCell::inner || z_.data()[cell] < floor;
  }

  void spread(int64_t cell, const Visit& here, float floor) {
    for (size_t k = 0; k < 8; ++k) {
      const int64_t next = cell + d8_.step[k];
      if (ground_.kind.data()[next] == WaterCell::outside) continue;
      const double down = std::max(0.0, static_cast<double>(z_.data()[next]) - floor);
      const double distance = here.distance + d8_.distance[k];
      if (static_cast<double>(ground_.height->data()[next]) - floor > most_cut_ || distance > most_distance_) continue;
      // A metre of way costs next to nothing, but more than none: across flats the shortest way wins.
      const double cost = here.cost + down * d8_.distance[k] + 1e-6 * d8_.distance[k];
      const auto [found, fresh] = visited_.try_emplace(next, Visit{cost, distance, static_cast<int>(k), false});
      if (!fresh) {
        if (found->second.done || cost >= found->second.cost) continue;
        found->second = {cost, distance, static_cast<int>(k), false};
      }
      open_.push({cost, next});
    }
  }

  /// Lowers the cells on the way to the even fall between its ends, as far as the deepest cut allows: upstream of a
  /// cell that it holds up, the notch is level.
  void carve(int64_t pit, int64_t end, float floor) {
    const double length = visited_[end].distance, low = std::min(z_.data()[end], floor);
    float held = z_.data()[end];
    for (int64_t cell = end; cell != pit; cell -= d8_.step[static_cast<size_t>(visited_[cell].came_by)]) {
      const double even = floor + (low - floor) * (visited_[cell].distance / length);
      const double deepest = static_cast<double>(ground_.height->data()[cell]) - most_cut_;
      const auto wanted = std::min(static_cast<float>(std::max(even, deepest)), floor);
      held = cell == end ? wanted : std::max(held, wanted);
      z_.data()[cell] = std::min(z_.data()[cell], held);
    }
  }

  const WaterGround& ground_;
  Grid<float>& z_;
  D8 d8_;
  double most_cut_, most_distance_;
  using Entry = std::pair<double, int64_t>;
  std::unordered_map<int64_t, Visit> visited_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;
};

}  // namespace

void describe(Fields<BreachParams>& f) {
  f.about("Let pits drain through the cheapest notch instead of filling them");
  f.example("noise height=400m | {}");
  f("cut", &BreachParams::cut, Range{0, 1e7}, "the deepest cut; auto: any depth")
      .unit("m")
      .slider(0, 100)
      .sweep("1", "5", "40");
  f("distance", &BreachParams::distance, not_negative, "the longest notch; auto: any length").slider(0, 5000);
  f("rest", &BreachParams::rest, {"fill", "keep"},
    "what happens to pits that need more: they are filled, or stay, for lakes");
  describe_sea_level(f);
}

Terrain breach(const Terrain& in, const BreachParams& params, const Context& context) {
  constexpr double any = std::numeric_limits<double>::infinity();
  const double distance = params.distance ? params.distance->in(in.frame()) : any;
  const WaterGround ground = water_ground(in, params.sea_level, context);
  const Grid<uint8_t> directions = steepest_directions(ground, context.stage("directions", 0, 0.1));
  std::vector<int32_t> pits = basins_of(ground, directions, context.stage("pits", 0.1, 0.2)).pits;
  pits.erase(pits.begin());
  Grid<float> z = in.height().clone();
  // From the highest down: a pit then finds the floors of those above it as they were, and drains those that drain to
  // it.
  std::stable_sort(pits.begin(), pits.end(),
                   [&](int32_t a, int32_t b) { return in.height().data()[a] > in.height().data()[b]; });
  Notches notches(ground, z, params.cut.value_or(any), distance);
  bool all = true;
  const Context cutting = context.stage("cut", 0.2, 0.9);
  for (size_t i = 0; i < pits.size(); ++i) {
    if (i % 256 == 0) cutting.progress(static_cast<double>(i) / static_cast<double>(pits.size()));
    all = notches.cut(pits[i], cutting) && all;
  }
  FillParams rest;
  rest.sea_level = params.sea_level;
  const Terrain cut = in.with_height(std::move(z));
  return all || params.rest == BreachRest::keep ? cut : fill(cut, rest, context.stage("fill", 0.9, 1));
}

}  // namespace tepui
