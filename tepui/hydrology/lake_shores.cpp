#include "tepui/hydrology/lake_shores.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "tepui/hydrology/chosen_lakes.h"
#include "tepui/hydrology/d8.h"
#include "tepui/hydrology/sea_level.h"
#include "tepui/terrain/lines_builder.h"

namespace tepui {

namespace {

/// Follows the shore of one lake around its cells: marching squares, corners that touch diagonally being joined.
class Shore {
 public:
  /// `open` is 0 before and after; it serves one lake after the other.
  Shore(const ChosenLakes& lakes, int32_t lake, const Frame& frame, Grid<uint8_t>& open)
      : lakes_(lakes),
        lake_(lake),
        frame_(frame),
        level_(lakes.water.ways.level[static_cast<size_t>(lake)]),
        open_(open) {}

  /// Every ring, with water on the left, from the westernmost steps on.
  std::vector<std::vector<Vec3>> rings(const std::vector<int32_t>& cells) {
    std::vector<Step> steps;
    for (int32_t cell : cells)
      for (int side = 0; side < 8; side += 2) {
        const Step step{cell % frame_.width, cell / frame_.width, side};
        if (is_wet(step.x + d8_x[static_cast<size_t>(side)], step.y + d8_y[static_cast<size_t>(side)])) continue;
        steps.push_back(step);
        open_(step.x, step.y) |= bit(step);
      }
    std::vector<std::vector<Vec3>> rings;
    for (const Step& step : by_column(steps))
      if ((open_(step.x, step.y) & bit(step)) != 0) rings.push_back(follow(step));
    return rings;
  }

 private:
  // A step of the shore crosses the line from a wet cell to the dry one on its side.
  struct Step {
    int64_t x, y;
    int side;
    friend bool operator==(const Step&, const Step&) = default;
  };
  static uint8_t bit(const Step& s) { return static_cast<uint8_t>(1 << (s.side / 2)); }

  /// Steps from south to north, in the order of their columns.
  static std::vector<Step> by_column(const std::vector<Step>& steps) {
    if (steps.empty()) return {};
    const auto [least, most] = std::ranges::minmax(steps, {}, &Step::x);
    std::vector<size_t> next(static_cast<size_t>(most.x - least.x) + 2);
    const auto column = [first = least.x](const Step& s) { return static_cast<size_t>(s.x - first); };
    for (const Step& s : steps) ++next[column(s) + 1];
    for (size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    std::vector<Step> sorted(steps.size());
    for (const Step& s : steps) sorted[next[column(s)]++] = s;
    return sorted;
  }

  bool is_wet(int64_t x, int64_t y) const {
    return x >= 0 && y >= 0 && x < frame_.width && y < frame_.height && lakes_.lake_at(y * frame_.width + x) == lake_;
  }

  Vec3 crossing(const Step& s) const {
    const auto k = static_cast<size_t>(s.side);
    const Grid<float>& z = *lakes_.water.ground.height;
    const double wet = z(s.x, s.y), dry = z(s.x + d8_x[k], s.y + d8_y[k]);
    const double t = dry > wet ? std::clamp((level_ - wet) / (dry - wet), 0.0, 1.0) : 1;
    const auto at = [&](int64_t first, int step, double cell, double start) {
      return start + (static_cast<double>(first) + t * step) * cell;
    };
    return {at(s.x, d8_x[k], frame_.cell.x, frame_.x(0)), at(s.y, d8_y[k], frame_.cell.y, frame_.y(0)), level_};
  }

  /// The step that comes next, water on the left: the dry cell is on the right, so the shore turns left around the wet
  /// cell, goes straight on, or turns right into the next wet cell.
  Step next(const Step& s) const {
    const int ahead = (s.side + 2) & 7;
    const auto a = static_cast<size_t>(ahead), r = static_cast<size_t>(s.side);
    const int64_t ax = s.x + d8_x[a], ay = s.y + d8_y[a];
    const int64_t dx = ax + d8_x[r], dy = ay + d8_y[r];
    if (is_wet(dx, dy)) return {dx, dy, (ahead + 4) & 7};
    if (is_wet(ax, ay)) return {ax, ay, s.side};
    return {s.x, s.y, ahead};
  }

  std::vector<Vec3> follow(const Step& first) {
    std::vector<Vec3> ring;
    Step step = first;
    do {
      open_(step.x, step.y) &= static_cast<uint8_t>(~bit(step));
      ring.push_back(crossing(step));
      step = next(step);
    } while (step != first);
    return ring;
  }

  const ChosenLakes& lakes_;
  int32_t lake_;
  const Frame& frame_;
  double level_;
  Grid<uint8_t>& open_;  ///< A bit for each step of a wet cell that no ring has passed yet.
};

/// The point of the outer ring nearest to where the lake spills over.
Vec3 outlet(const ChosenLakes& lakes, size_t lake, const Frame& frame, const std::vector<Vec3>& ring) {
  const Saddle& saddle = lakes.water.saddles[static_cast<size_t>(lakes.water.ways.saddle[lake])];
  const Vec2 at{frame.x(saddle.cell % frame.width), frame.y(saddle.cell / frame.width)};
  return *std::min_element(ring.begin(), ring.end(), [&](const Vec3& a, const Vec3& b) {
    const auto far = [&](const Vec3& p) { return (p.x - at.x) * (p.x - at.x) + (p.y - at.y) * (p.y - at.y); };
    return far(a) < far(b);
  });
}

std::vector<std::vector<int32_t>> cells_of_lakes(const ChosenLakes& lakes, std::vector<size_t>& numbers) {
  std::vector<int32_t> place(lakes.chosen.size(), -1);
  for (size_t i = 0; i < numbers.size(); ++i) place[numbers[i]] = static_cast<int32_t>(i);
  std::vector<std::vector<int32_t>> cells(numbers.size());
  for (int64_t i = 0; i < lakes.water.ground.size(); ++i)
    if (const int32_t lake = lakes.lake_at(i); lake != 0)
      cells[static_cast<size_t>(place[static_cast<size_t>(lake)])].push_back(static_cast<int32_t>(i));
  return cells;
}

}  // namespace

void describe(Fields<LakeShoresParams>& f) {
  f.about("Draw the shores of lakes as polygons with level, area, volume and outlet");
  f.example("noise height=400m | {}");
  f("depth", &LakeShoresParams::depth, Range{0, 1e6}, "lakes that are nowhere this deep are left out")
      .unit("m")
      .slider(0, 20)
      .sweep("0.5", "5", "15");
  f("area", &LakeShoresParams::area, Range{0, 1e15},
    "smaller lakes are left out; auto: those of less than four samples")
      .unit("m2")
      .slider(0, 1e6);
  describe_sea_level(f);
}

Lines lake_shores(const Terrain& in, const LakeShoresParams& params, const Context& context) {
  const ChosenLakes lakes =
      chosen_lakes(in, params.depth, params.area, params.sea_level, context.stage("lakes", 0, 0.7));
  std::vector<size_t> numbers;
  for (size_t lake = 1; lake < lakes.chosen.size(); ++lake)
    if (lakes.chosen[lake] != 0) numbers.push_back(lake);
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](size_t a, size_t b) { return lakes.measures.cells[a] > lakes.measures.cells[b]; });
  const std::vector<std::vector<int32_t>> cells = cells_of_lakes(lakes, numbers);
  LinesBuilder builder;
  const NumberColumn level = builder.number("level", "m"), area = builder.number("area", "m2");
  const NumberColumn volume = builder.number("volume", "m3"), depth = builder.number("depth", "m");
  const NumberColumn outlet_x = builder.number("outlet_x", "m"), outlet_y = builder.number("outlet_y", "m");
  const Context shores = context.stage("shores", 0.7, 1);
  Grid<uint8_t> open(in.frame().width, in.frame().height, 0);
  for (size_t i = 0; i < numbers.size(); ++i) {
    shores.check();
    const size_t lake = numbers[i];
    std::vector<std::vector<Vec3>> rings = Shore(lakes, static_cast<int32_t>(lake), in.frame(), open).rings(cells[i]);
    double square_metres = 0;
    for (const std::vector<Vec3>& ring : rings) square_metres += twice_signed_area(ring) / 2;
    // The outline is the largest ring; all others lie within it.
    std::iter_swap(rings.begin(), std::max_element(rings.begin(), rings.end(), [](const auto& a, const auto& b) {
                     return std::abs(twice_signed_area(a)) < std::abs(twice_signed_area(b));
                   }));
    builder.begin(FeatureShape::polygon);
    // An island that just touches the level has no area.
    for (const std::vector<Vec3>& ring : rings)
      if (twice_signed_area(ring) != 0) builder.part(ring);
    builder.set(level, lakes.water.ways.level[lake]);
    builder.set(area, square_metres);
    builder.set(volume, lakes.measures.volume[lake]);
    builder.set(depth, lakes.measures.deepest[lake]);
    const Vec3 out = outlet(lakes, lake, in.frame(), rings.front());
    builder.set(outlet_x, out.x);
    builder.set(outlet_y, out.y);
  }
  if (const auto geo = lines_geo(in.frame())) builder.set_geo(*geo);
  return std::move(builder).build();
}

}  // namespace tepui
