#include "tepui/landforms/percolation.h"

#include <cmath>

#include "reference/percolation.h"
#include "tests/support/support.h"

namespace tepui::percolation_test {

double uniform(double low, double high) { return low + (high - low) * (*rc::gen::inRange(0, 10001)) / 10000.0; }

/// A block of beds with air above a slope and around a hole, and an end on every side.
AskRock beds(double contrast, double side) {
  return [=](std::span<const Vec3> at, std::span<float> field, std::span<float> resistance) {
    for (size_t i = 0; i < at.size(); ++i) {
      const Vec3 p = at[i];
      field[i] = static_cast<float>(40 - 0.2 * p.x - p.z);
      if (std::abs(p.x) > side || std::abs(p.y) > side || p.z < -40) field[i] = NAN;
      const double wave = p.z / 9 - std::floor(p.z / 9);
      resistance[i] = static_cast<float>(0.45 + contrast * (wave - 0.5));
    }
  };
}

struct Case {
  PercolationRule rule;
  std::vector<PercolationStart> starts;
  Stream stream{0};
  AskRock ask;
};

Case any_case() {
  Case c;
  c.rule.step = uniform(4, 9);
  c.rule.spacing = c.rule.step * uniform(0.6, 0.99);
  c.rule.hardest = uniform(0.2, 0.8);
  c.rule.wander = uniform(0, 0.3);
  c.rule.stop = uniform(0, 0.2);
  c.rule.shallow = *rc::gen::inRange(0, 2) * uniform(0, 12);
  c.rule.most = *rc::gen::inRange<int64_t>(1, 500);
  c.stream = Stream(*rc::gen::arbitrary<uint64_t>());
  c.ask = beds(uniform(0, 0.6), uniform(15, 60));
  const int count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i)
    c.starts.push_back({{uniform(-70, 70), uniform(-70, 70), uniform(-45, 45)}, *rc::gen::inRange(0, 4) == 0});
  return c;
}

Percolation run(const Case& c) { return percolate(c.starts, c.rule, c.stream, c.ask, {}); }

RC_GTEST_PROP(Percolation, EqualsItsDefinition, ()) {
  const Case c = any_case();
  const Percolation fast = run(c), plain = reference::percolate(c.starts, c.rule, c.stream, c.ask);
  RC_ASSERT(fast.points.size() == plain.points.size());
  RC_ASSERT(fast.taken == plain.taken);
  for (size_t i = 0; i < fast.points.size(); ++i) {
    const PercolationPoint &a = fast.points[i], &b = plain.points[i];
    RC_ASSERT(a.at == b.at);
    RC_ASSERT(a.parent == b.parent && a.start == b.start && a.taken == b.taken && a.open == b.open);
  }
  RC_ASSERT(fast.touches.size() == plain.touches.size());
  for (size_t i = 0; i < fast.touches.size(); ++i)
    RC_ASSERT(fast.touches[i].a == plain.touches[i].a && fast.touches[i].b == plain.touches[i].b);
}

RC_GTEST_PROP(Percolation, TakesOfAllThatItHasReachedTheLeastResistantFirst, ()) {
  Case c = any_case();
  c.rule.wander = 0;
  const Percolation water = run(c);
  const auto turn = [&](int32_t p) { return water.points[static_cast<size_t>(p)].taken; };
  for (const PercolationPoint& a : water.points)
    for (const PercolationPoint& b : water.points) {
      if (a.open || b.open || a.parent < 0 || b.parent < 0 || a.taken < 0) continue;
      // b was known when it was a's turn, and came later or never.
      const bool waited = turn(b.parent) < a.taken && (b.taken < 0 || b.taken > a.taken);
      RC_ASSERT(!waited || a.resistance <= b.resistance);
    }
}

RC_GTEST_PROP(Percolation, StaysInRockThatIsWeakEnoughAndKeepsItsDistances, ()) {
  const Case c = any_case();
  const Percolation water = run(c);
  for (size_t i = 0; i < water.points.size(); ++i) {
    const PercolationPoint& p = water.points[i];
    float field = 0, resistance = 0;
    c.ask({&p.at, 1}, {&field, 1}, {&resistance, 1});
    RC_ASSERT(!std::isnan(field));
    RC_ASSERT(p.parent < 0 || p.open == !(field > 0));
    RC_ASSERT(p.parent < 0 || p.open || static_cast<double>(resistance) < c.rule.hardest);
    RC_ASSERT(p.parent < static_cast<int32_t>(i));
    for (size_t k = 0; k < i; ++k) RC_ASSERT(length(water.points[k].at - p.at) >= c.rule.spacing);
    if (p.parent < 0) continue;
    const PercolationPoint& up = water.points[static_cast<size_t>(p.parent)];
    RC_ASSERT(std::abs(length(up.at - p.at) - c.rule.step) < 1e-9 * c.rule.step);
    RC_ASSERT(up.taken >= 0 && up.start == p.start && !up.open);
  }
}

TEST(Percolation, SpringsAreFollowedUpwards) {
  Case c;
  c.rule.most = 400;
  c.stream = Stream(3);
  c.ask = beds(0.3, 60);
  c.starts = {{{0, 0, -38}, true}};
  double highest = -40;
  for (const PercolationPoint& p : run(c).points) highest = std::max(highest, p.at.z);
  EXPECT_GT(highest, 0);
}

TEST(Percolation, MeetsEveryPairOfWatersOnce) {
  Case c;
  c.rule.most = 100'000;
  c.rule.hardest = 1;
  c.stream = Stream(7);
  c.ask = beds(0.3, 60);
  c.starts = {{{-40, 0, 30}}, {{40, 0, 20}}, {{0, 40, 30}}, {{0, 41, 30}}};
  const Percolation water = run(c);
  EXPECT_EQ(water.touches.size(), 3u);  // the fourth is too close to the third to take part
}

}  // namespace tepui::percolation_test
