#include "tepui/cover/rockfall.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>
#include <utility>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

namespace {

constexpr double slope_share = 0.3, steady = 37, falling = 48, rest = 39, most_kept = 5;
/// Grains that slide at least: less is not worth it.
constexpr double least_slide = 64;

class Fall {
 public:
  explicit Fall(const Terrain& land)
      : z_(land.height()), cell_(land.frame().cell), comes_(z_.width(), z_.height(), int64_t{0}) {}

  /// Lets what lies deep come to rest: what stands steeper than `rest` over a neighbour slides there, a half of it.
  void settle(const Context& context) {
    const double steepest = math::tan(math::radians(rest));
    std::deque<int64_t> loose;
    std::vector<uint8_t> waits(static_cast<size_t>(comes_.size()), 0);
    const auto call = [&](int64_t i) {
      if (comes_.data()[i] > 0 && waits[static_cast<size_t>(i)] == 0)
        loose.push_back(i), waits[static_cast<size_t>(i)] = 1;
    };
    for (int64_t i = 0; i < comes_.size(); ++i) call(i);
    for (int64_t count = 0; !loose.empty(); ++count) {
      if (count % 4096 == 0) context.check();
      const int64_t i = loose.front();
      loose.pop_front();
      waits[static_cast<size_t>(i)] = 0;
      double most = least_slide * rockfall_grain;
      int64_t to = -1;
      for_neighbours(i, [&](int64_t j, double far) {
        const double over = top(i) - top(j) - steepest * far;
        if (over > most) most = over, to = j;
      });
      if (to < 0) continue;
      const int64_t part = std::min(comes_.data()[i], static_cast<int64_t>(std::min(0.5 * most, 1e9) / rockfall_grain));
      comes_.data()[i] -= part;
      comes_.data()[to] += part;
      call(i), call(to);
      for_neighbours(i, [&](int64_t j, double) { call(j); });
    }
  }

  Grid<int64_t> comes() && { return std::move(comes_); }

  void start(int64_t i, int64_t grains) {
    if (comes_.data()[i] == 0 && grains > 0) next_.push(at(i));
    comes_.data()[i] += grains;
  }

  /// Lets all run down; holds[i] is what a sample keeps.
  void run(const Grid<float>& holds, const Context& context) {
    for (int64_t count = 0; !next_.empty(); ++count) {
      if (count % 4096 == 0) context.check();
      const int64_t i = -next_.top().second;
      next_.pop();
      const auto keeps = static_cast<int64_t>(holds.data()[i]);
      if (const int64_t more = comes_.data()[i] - keeps; more > 0) comes_.data()[i] -= pass_on(i, more);
    }
  }

 private:
  /// Highest first; of equal ones the first.
  std::pair<float, int64_t> at(int64_t i) const { return {z_.data()[i], -i}; }

  /// The surface with what lies there.
  double top(int64_t i) const {
    return static_cast<double>(z_.data()[i]) + static_cast<double>(comes_.data()[i]) * rockfall_grain;
  }

  /// Calls body(neighbour, how far it is).
  template <class Body>
  void for_neighbours(int64_t i, const Body& body) const {
    const int64_t w = z_.width(), x = i % w, y = i / w;
    for (int k = 0; k < 9; ++k) {
      const int64_t u = x + k % 3 - 1, v = y + k / 3 - 1;
      if (k == 4 || u < 0 || v < 0 || u >= w || v >= z_.height()) continue;
      const double dx = static_cast<double>(u - x) * cell_.x, dy = static_cast<double>(v - y) * cell_.y;
      body(v * w + u, std::sqrt(dx * dx + dy * dy));
    }
  }

  /// Hands so much to lower neighbours; returns how much went.
  int64_t pass_on(int64_t i, int64_t grains) {
    struct Lower {
      int64_t to;
      double share;
    };
    std::vector<Lower> lower;
    double sum = 0;
    for_neighbours(i, [&](int64_t j, double far) {
      const double drop = static_cast<double>(z_.data()[i]) - static_cast<double>(z_.data()[j]);
      if (!(drop > 0)) return;
      lower.push_back({j, drop / far * (drop / far)});
      sum += lower.back().share;
    });
    if (lower.empty() || !(sum > 0) || !std::isfinite(sum)) return 0;
    int64_t left = grains;
    for (const Lower& l : lower) {
      const bool last = &l == &lower.back();
      const auto part = static_cast<int64_t>(static_cast<double>(grains) * (l.share / sum));
      start(l.to, last ? left : std::min(left, part));
      left -= std::min(left, part);
    }
    return grains;
  }

  const Grid<float>& z_;
  Vec2 cell_;
  Grid<int64_t> comes_;
  std::priority_queue<std::pair<float, int64_t>> next_;
};

}  // namespace

Terrain rockfall(const Terrain& in, const Terrain* mask, const SoilParams& params, const Context& context) {
  const Frame& frame = in.frame();
  const Grid<float> slope = slope_grid(in, slope_share * params.smoothing.in(frame), context);
  const Grid<float>* shares = mask != nullptr ? &mask_layer(*mask).grid() : nullptr;
  const int64_t count = slope.size();
  Grid<float> holds(slope.width(), slope.height()), lost(slope.width(), slope.height());
  parallel_chunks(count, 1 << 14, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double degrees = math::degrees(math::atan(static_cast<double>(slope.data()[i])));
      const double share = shares != nullptr ? std::clamp(static_cast<double>(shares->data()[i]), 0.0, 1.0) : 1;
      const double falls = params.rockfall * share * math::smoothstep(steady, falling, degrees);
      lost.data()[i] = static_cast<float>(std::floor(falls / rockfall_grain));
      holds.data()[i] = static_cast<float>(std::floor(most_kept * std::max(1 - degrees / rest, 0.0) / rockfall_grain));
    }
  });
  Fall fall(in);
  for (int64_t i = 0; i < count; ++i) fall.start(i, static_cast<int64_t>(lost.data()[i]));
  fall.run(holds, context);
  fall.settle(context);
  const Grid<int64_t> lies = std::move(fall).comes();
  const Layer* before = in.find("talus");
  Grid<float> talus(slope.width(), slope.height()), height(slope.width(), slope.height());
  int64_t fell = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double laid = static_cast<double>(lies.data()[i]) * rockfall_grain;
    const double gone = static_cast<double>(lost.data()[i]) * rockfall_grain;
    fell += static_cast<int64_t>(lost.data()[i]);
    talus.data()[i] = to_cell(laid + (before != nullptr ? static_cast<double>(before->grid().data()[i]) : 0));
    height.data()[i] = to_cell(static_cast<double>(in.height().data()[i]) - gone + laid);
  }
  context.tell("rockfall", static_cast<double>(fell) * rockfall_grain * frame.cell.x * frame.cell.y, "m3");
  return in.with(make_layer("talus", "m", LayerKind::continuous, std::move(talus))).with_height(std::move(height));
}

}  // namespace tepui
