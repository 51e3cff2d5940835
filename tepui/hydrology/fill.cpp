#include "tepui/hydrology/fill.h"

#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/hydrology/d8.h"
#include "tepui/hydrology/lake_measures.h"
#include "tepui/hydrology/sea_level.h"
#include "tepui/hydrology/watercourses.h"

namespace tepui {

namespace {

/// Marks the deepest pit of each lake beyond the limits as one that stays, and looks again at the lakes that are left
/// within, until none is beyond them.
void keep_large_lakes(Watercourses& water, const FillParams& params, const Context& context) {
  std::vector<uint8_t> kept(water.basins.count());
  const double cell = water.ground.cell.x * water.ground.cell.y;
  const double depth = params.keep_deeper.value_or(std::numeric_limits<double>::infinity());
  const double area = params.keep_larger.value_or(std::numeric_limits<double>::infinity());
  for (bool more = true; more;) {
    more = false;
    const LakeMeasures lakes = lake_measures(water, context);
    for (size_t b = 1; b < kept.size(); ++b) {
      if (!(lakes.deepest[b] > depth) && !(static_cast<double>(lakes.cells[b]) * cell > area)) continue;
      kept[static_cast<size_t>(lakes.bottom[b])] = 1;
      more = true;
    }
    if (more) water.ways = ways_out(water.basins, water.saddles, kept);
  }
}

/// Raises what lies too low for the slope, from the ways out upstream: Dijkstra's search over the cells that do not
/// already fall steeply enough all the way.
class SlopeFill {
 public:
  SlopeFill(const Watercourses& water, Grid<float> ground, double slope)
      : water_(water), ground_(std::move(ground)), d8_(ground_.width(), water.ground.cell), slope_(slope) {}

  Grid<float> run(const Context& context) && {
    begin();
    for (int64_t visited = 0; !open_.empty(); ++visited) {
      if (visited % 65536 == 0) context.check();
      const auto [height, cell] = open_.top();
      open_.pop();
      if (done_[static_cast<size_t>(cell)]) continue;
      done_[static_cast<size_t>(cell)] = true;
      for (size_t k = 0; k < 8; ++k)
        if (water_.ground.has_neighbour(cell, k)) reach(cell + d8_.step[k], risen(height, k));
    }
    return std::move(level_);
  }

 private:
  using Entry = std::pair<float, int64_t>;

  bool is_end(int64_t i) const {
    const WaterCell kind = water_.ground.kind.data()[i];
    if (kind != WaterCell::inner) return true;
    const int32_t basin = water_.basins.of.data()[i];
    return water_.ways.saddle[static_cast<size_t>(basin)] < 0 && basin != 0 &&
           water_.basins.pits[static_cast<size_t>(basin)] == i;
  }
  float risen(float height, size_t k) const {
    return std::max(static_cast<float>(height + slope_ * d8_.distance[k]),
                    std::nextafter(height, std::numeric_limits<float>::infinity()));
  }
  void reach(int64_t cell, float height) {
    const float wanted = std::max(ground_.data()[cell], height);
    if (wanted < level_.data()[cell]) open_.emplace(level_.data()[cell] = wanted, cell);
  }
  void begin() {
    level_ = Grid<float>(ground_.width(), ground_.height(), std::numeric_limits<float>::infinity());
    done_.resize(static_cast<size_t>(ground_.size()));
    for (int64_t i = 0; i < ground_.size(); ++i) {
      if (water_.ground.kind.data()[i] == WaterCell::outside)
        level_.data()[i] = ground_.data()[i];
      else if (is_end(i))
        open_.emplace(level_.data()[i] = ground_.data()[i], i);
    }
  }

  const Watercourses& water_;
  Grid<float> ground_;
  D8 d8_;
  double slope_;
  Grid<float> level_;
  std::vector<bool> done_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;
};

}  // namespace

void describe(Fields<FillParams>& f) {
  f.about("Raise pits until water runs off to the border or the sea");
  f.example("noise height=400m | {}");
  f("slope", &FillParams::slope, Range{0, 10}, "least fall along the way out; 0 leaves filled pits level")
      .unit("degrees")
      .slider(0, 0.5)
      .sweep("0", "0.2", "2");
  f("keep_deeper", &FillParams::keep_deeper, Range{0, 1e7}, "pits deeper than this stay; auto fills all")
      .unit("m")
      .slider(0, 100);
  f("keep_larger", &FillParams::keep_larger, Range{0, 1e15},
    "pits that fill to more than this area stay; auto fills all")
      .unit("m2")
      .slider(0, 1e6);
  describe_sea_level(f);
}

Terrain fill(const Terrain& in, const FillParams& params, const Context& context) {
  if (in.height().empty()) return in;
  Watercourses water = watercourses(in, params.sea_level, context.stage("basins", 0, 0.7));
  if (params.keep_deeper || params.keep_larger) keep_large_lakes(water, params, context);
  Grid<float> filled = filled_heights(water, context.stage("fill", 0.7, 1));
  if (params.slope > 0)
    filled = SlopeFill(water, std::move(filled), math::tan(math::radians(params.slope))).run(context);
  return in.with_height(std::move(filled));
}

}  // namespace tepui
