#include "reference/dunes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tepui::reference {

namespace {

int64_t wrapped(int64_t i, int64_t n) { return ((i % n) + n) % n; }
float whole(float v) { return std::trunc(v); }

/// A map of the land as the wind sees it: row after row, downwind.
template <class T>
class View {
 public:
  View(Grid<T>& map, const WindTurn& turn) : map_(map), turn_(turn) {}
  int64_t width() const { return turn_.across ? map_.height() : map_.width(); }
  int64_t height() const { return turn_.across ? map_.width() : map_.height(); }
  T& operator()(int64_t x, int64_t y) const {
    const int64_t v = turn_.back ? height() - 1 - y : y;
    return turn_.across ? map_(v, x) : map_(x, v);
  }

 private:
  Grid<T>& map_;
  const WindTurn& turn_;
};

class Spell {
 public:
  Spell(DuneGround& ground, const DuneRule& rule, const WindSpell& spell)
      : g_(ground),
        rule_(rule),
        spell_(spell),
        turn_(wind_turn(rule, spell.toward)),
        rows_(wind_rows(rule, turn_, spell.calm)),
        slides_(slide_rule(rule, turn_.across, spell.calm)),
        rock_(g_.rock, turn_),
        sand_(g_.sand, turn_),
        air_(g_.air, turn_),
        share_(g_.share, turn_),
        w_(rock_.width()),
        h_(rock_.height()),
        repeats_(rule.border == DuneBorder::repeats),
        wind_(w_, h_, 0.0f),
        loose_(w_, h_, 0.0f),
        top_(w_, h_, 0) {}

  void run() {
    for (int64_t k = 0; k < spell_.rounds; ++k) {
      if (k % DuneRule::rounds_a_sweep == 0) sweep();
      const int64_t round = spell_.first + k;
      hop(hop_cells(rule_, turn_, round));
      fall(DuneRule::first_row_of_fall(round));
      slide();
    }
  }

 private:
  using Row = std::vector<float>;
  float closed(int64_t x, int64_t y) const { return g_.share.empty() ? 1.0f : share_(x, y); }
  /// Of rows of the sweep beyond their ends.
  float beyond(const Row& row, int64_t x) const {
    return row[static_cast<size_t>(repeats_ ? wrapped(x, w_) : std::clamp<int64_t>(x, 0, w_ - 1))];
  }
  float upwind(const Row& before, int64_t x, const Slant& slant) const {
    const float a = beyond(before, x), b = beyond(before, x + slant.step);
    return a + (b - a) * slant.side;
  }
  float rock(int64_t x, int64_t y) const { return static_cast<float>(rock_(x, y)); }

  Grid<float> before_walls(const Slant& slant) const {
    Grid<float> lines(w_, h_);
    Row row(static_cast<size_t>(w_));
    for (int64_t y = h_ - 1; y >= 0; --y) {
      const Row before = row;
      for (int64_t x = 0; x < w_; ++x)
        row[static_cast<size_t>(x)] = lines(x, y) =
            y + 1 == h_ ? rock(x, y) : std::max(rock(x, y), upwind(before, x, slant) - slant.drop);
    }
    return lines;
  }

  Row smoothed(Row rise) const {
    // Each pass reaches as far beyond the ends as the next ones need.
    const int64_t reach = 6;
    Row wide(static_cast<size_t>(w_ + 2 * reach));
    for (int64_t x = -reach; x < w_ + reach; ++x) wide[static_cast<size_t>(x + reach)] = beyond(rise, x);
    for (int64_t step = 1; step <= 3; ++step) {
      const Row was = wide;
      for (int64_t x = step; x + step < static_cast<int64_t>(wide.size()); ++x) {
        const auto at = [&](int64_t i) { return was[static_cast<size_t>(i)]; };
        wide[static_cast<size_t>(x)] = at(x) * 0.5f + (at(x - step) + at(x + step)) * 0.25f;
      }
    }
    for (int64_t x = 0; x < w_; ++x) rise[static_cast<size_t>(x)] = wide[static_cast<size_t>(x + reach)];
    return rise;
  }

  void sweep() {
    const Grid<float> far = before_walls(rows_.standing), near = before_walls(rows_.turning);
    const auto [low, high] = std::ranges::minmax(g_.rock.cells());
    const auto n = static_cast<size_t>(w_);
    Row line(n);
    std::array<Row, 3> mean{Row(n), Row(n), Row(n)};
    const int64_t first = -rows_before(rule_, h_);
    for (int64_t i = first; i < h_; ++i) {
      const int64_t y = wrapped(i, h_), rock_y = repeats_ ? y : std::max<int64_t>(i, 0);
      const Row before = line;
      const std::array<Row, 3> mean_before = mean;
      Row rise(n, 0.0f);
      for (int64_t x = 0; x < w_; ++x) {
        const auto at = static_cast<size_t>(x);
        const auto ground = static_cast<float>(rock_(x, rock_y) + sand_(x, y));
        line[at] = i == first ? ground : std::max(ground, upwind(before, x, rows_.shadow) - rows_.shadow.drop);
        for (size_t k = 0; k < 3; ++k) {
          const float was = i == first ? line[at] : upwind(mean_before[k], x, rows_.shadow);
          mean[k][at] = was + (line[at] - was) * rows_.mean[k].fresh;
          rise[at] += (line[at] - mean[k][at]) * rows_.mean[k].gain;
        }
      }
      if (i < 0) continue;
      rise = smoothed(rise);
      for (int64_t x = 0; x < w_; ++x) {
        const auto at = static_cast<size_t>(x);
        const float ground = static_cast<float>(rock_(x, y) + sand_(x, y)) + rows_.level;
        float wind = std::min(std::max(rows_.lift + rise[at], 0.0f), rows_.most);
        if (ground < line[at]) wind = dune_shade;
        if (low < high && ground < far(x, y)) wind = dune_shade;
        if (low < high && ground < near(x, y)) wind = dune_eddy - rows_.lift;
        wind_(x, y) = wind;
      }
    }
  }

  void hop(const HopCells& way) {
    Grid<int32_t> next(g_.air.width(), g_.air.height(), 0);
    const View<int32_t> arrives(next, turn_);
    for (int64_t y = 0; y < h_; ++y)
      for (int64_t x = 0; x < w_; ++x) {
        const float wind = wind_(x, y), share = closed(x, y);
        const bool shade = wind == dune_shade, eddy = wind <= dune_eddy;
        const float lift = (eddy ? dune_eddy - wind : std::max(wind, 0.0f)) * share;
        const float stop = (shade             ? 1.0f
                            : eddy            ? 0.0f
                            : sand_(x, y) > 0 ? DuneRule::stop_on_sand
                                              : DuneRule::stop_on_rock) *
                           share;
        const int32_t up = std::min(sand_(x, y), static_cast<int32_t>(lift));
        const int32_t flies = air_(x, y);
        const int32_t down = std::min(flies, static_cast<int32_t>(static_cast<float>(flies) * stop));
        sand_(x, y) += down - up;
        top_(x, y) = share > 0 ? rock_(x, y) + sand_(x, y) : dune_wall;
        const int32_t left = flies - down + up;
        const int64_t u = x + way.x, v = y + way.y;
        if (rule_.border == DuneBorder::open && (u < 0 || u >= w_ || v >= h_))
          g_.left += left;
        else
          arrives(wrapped(u, w_), wrapped(v, h_)) += left;
      }
    g_.air = std::move(next);
  }

  int32_t top(int64_t x, int64_t y) const {
    if (repeats_) return top_(wrapped(x, w_), wrapped(y, h_));
    return x < 0 || y < 0 || x >= w_ || y >= h_ ? dune_wall : top_(x, y);
  }

  void fall(int64_t first_row) {
    const FallSteps steps = fall_steps(rule_, turn_.across);
    for (int64_t y = 0; y + 1 < h_; ++y) {
      if (wrapped(y + 1 - first_row, DuneRule::rows_of_fall) == 0) continue;
      std::vector<std::array<int32_t, 3>> parts(static_cast<size_t>(w_));
      for (int64_t x = 0; x < w_; ++x) {
        auto& part = parts[static_cast<size_t>(x)];
        if (top(x, y) >= dune_wall) continue;
        float over[3], all = 0;
        for (int k = 0; k < 3; ++k)
          over[k] = std::max(
              static_cast<float>(top(x, y) - (k == 1 ? steps.straight : steps.aslant) - top(x + k - 1, y + 1)), 0.0f);
        all = over[0] + over[2] + over[1];
        const float most = std::min(std::max(over[1], std::max(over[0], over[2])), static_cast<float>(sand_(x, y)));
        const float share = most * (1.0f - 0x1p-18f) / std::max(all, 1.0f);
        for (size_t k = 0; k < 3; ++k) part[k] = static_cast<int32_t>(over[k] * share);
      }
      for (int64_t x = 0; x < w_; ++x)
        for (int64_t k = 0; k < 3; ++k) {
          const int32_t moved = parts[static_cast<size_t>(x)][static_cast<size_t>(k)];
          if (moved == 0) continue;
          const int64_t to = repeats_ ? wrapped(x + k - 1, w_) : x + k - 1;
          sand_(x, y) -= moved, top_(x, y) -= moved;
          sand_(to, y + 1) += moved, top_(to, y + 1) += moved;
        }
    }
  }

  float drop(int64_t x, int64_t y, int64_t dx, int64_t dy) const {
    return static_cast<float>(std::max(top(x, y) - top(x + dx, y + dy), 0));
  }

  /// What the cell gives for a quantum of drop.
  float looseness(int64_t x, int64_t y) const {
    const int32_t lies = top_(x, y) - rock_(x, y);
    if (lies <= 0 || top_(x, y) >= dune_wall) return 0;
    const float w = drop(x, y, -1, 0), e = drop(x, y, 1, 0), s = drop(x, y, 0, -1), n = drop(x, y, 0, 1);
    const float a = drop(x, y, -1, -1), b = drop(x, y, 1, 1), c = drop(x, y, 1, -1), d = drop(x, y, -1, 1);
    const float all = ((w + e) + (s + n)) + ((a + b) + (c + d));
    const float gx = std::max(w, e) * slides_.per_x, gy = std::max(s, n) * slides_.per_y;
    const float steep = std::sqrt(gx * gx + gy * gy);
    float share = std::max((1 - slides_.rest / std::max(steep, 1e-6f)) * slides_.haste, slides_.creep);
    if (!spell_.calm && wind_(x, y) >= 0) {
      const float climb = std::max(s, std::max(a, c));
      share = std::max(share, (1 - slides_.face / std::max(climb, 1.0f)) * slides_.pressed);
    }
    const float most = std::max(std::max(w, e), std::max(s, n));
    return std::max(std::min(static_cast<float>(lies), share * most) * (1.0f - 0x1p-18f) / std::max(all, 1.0f), 0.0f);
  }

  void slide() {
    for (int64_t y = 0; y < h_; ++y)
      for (int64_t x = 0; x < w_; ++x) loose_(x, y) = looseness(x, y);
    for (int64_t y = 0; y < h_; ++y)
      for (int64_t x = 0; x < w_; ++x)
        for (int64_t dy = -1; dy <= 1; ++dy)
          for (int64_t dx = -1; dx <= 1; ++dx) {
            const int32_t below = top_(x, y) - top(x + dx, y + dy);
            if (below <= 0) continue;
            const auto moved = static_cast<int32_t>(whole(static_cast<float>(below) * loose_(x, y)));
            if (moved == 0) continue;
            sand_(x, y) -= moved;
            sand_(wrapped(x + dx, w_), wrapped(y + dy, h_)) += moved;
          }
  }

  DuneGround& g_;
  const DuneRule& rule_;
  const WindSpell& spell_;
  WindTurn turn_;
  WindRows rows_;
  SlideRule slides_;
  View<int32_t> rock_, sand_, air_;
  View<float> share_;
  int64_t w_, h_;
  bool repeats_;
  Grid<float> wind_, loose_;
  Grid<int32_t> top_;
};

class Slabs {
 public:
  Slabs(Grid<int32_t>& sand, const WernerRule& rule) : sand_(sand), rule_(rule), w_(sand.width()), h_(sand.height()) {
    const double limit = rule.repose * rule.cell;
    straight_ = static_cast<int32_t>(limit), aslant_ = static_cast<int32_t>(limit * std::sqrt(2.0));
    highest_ = std::ranges::max(sand.cells());
    shadow_ = static_cast<int32_t>(DuneRule::shadow * rule.cell);
  }

  void pick(int64_t x, int64_t y, const Stream& draws, uint64_t number) {
    if (at(x, y) < rule_.slab || shaded(x, y)) return;
    add(x, y, -rule_.slab);
    for (uint64_t hop = 1;; ++hop) {
      x += rule_.hop;
      if (shaded(x, y) || draws.uniform(number, hop + 2) < (at(x, y) > 0 ? 0.6 : 0.4)) break;
    }
    add(x, y, rule_.slab);
  }

 private:
  int32_t& at(int64_t x, int64_t y) { return sand_(wrapped(x, w_), wrapped(y, h_)); }
  bool shaded(int64_t x, int64_t y) {
    const int32_t here = at(x, y);
    int64_t line = here;
    for (int64_t d = 1; d < w_; ++d) {
      line += shadow_;
      if (line > highest_) return false;
      if (at(x - d, y) > line) return true;
    }
    return false;
  }
  /// What is too steep around the cell slides, slab by slab: down from it, or down to it.
  void add(int64_t x, int64_t y, int32_t more) {
    at(x, y) += more;
    highest_ = std::max(highest_, at(x, y));
    const bool down = more > 0;
    int64_t to_x = 0, to_y = 0, worst = 0;
    for (int64_t dy = -1; dy <= 1; ++dy)
      for (int64_t dx = -1; dx <= 1; ++dx) {
        if (dx == 0 && dy == 0) continue;
        const int64_t fall = down ? at(x, y) - at(x + dx, y + dy) : at(x + dx, y + dy) - at(x, y);
        const int64_t over = fall - (dx != 0 && dy != 0 ? aslant_ : straight_);
        if (over <= worst || (!down && at(x + dx, y + dy) < rule_.slab)) continue;
        worst = over, to_x = x + dx, to_y = y + dy;
      }
    if (worst <= 0 || (down && at(x, y) < rule_.slab)) return;
    at(x, y) -= more;
    add(to_x, to_y, more);
  }

  Grid<int32_t>& sand_;
  const WernerRule& rule_;
  int64_t w_, h_;
  int32_t straight_ = 0, aslant_ = 0, highest_ = 0, shadow_ = 0;
};

}  // namespace

void blow(DuneGround& ground, const DuneRule& rule, const WindSpell& spell) { Spell(ground, rule, spell).run(); }

void werner(Grid<int32_t>& sand, const WernerRule& rule, int64_t picks, Stream draws) {
  Slabs slabs(sand, rule);
  for (int64_t i = 0; i < picks; ++i) {
    const auto n = static_cast<uint64_t>(i);
    slabs.pick(static_cast<int64_t>(draws.bits(n, 0) % static_cast<uint64_t>(sand.width())),
               static_cast<int64_t>(draws.bits(n, 1) % static_cast<uint64_t>(sand.height())), draws, n);
  }
}

}  // namespace tepui::reference
