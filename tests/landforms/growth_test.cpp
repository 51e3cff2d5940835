#include "tepui/landforms/growth.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "tepui/landforms/rule_checks.h"
#include "tepui/landforms/rule_file.h"
#include "tepui/landforms/shipped_rules.h"

namespace tepui::growth_test {

/// Beds of so many metres, by turns hard and weak.
class Banded : public Rock {
 public:
  Banded(double thickness, float weak, float hard) : thickness_(thickness), weak_(weak), hard_(hard) {}
  void resistance(const RockPoints& at, float* rho) const override {
    for (int64_t i = 0; i < at.count; ++i)
      rho[i] = static_cast<int64_t>(std::floor(at.z[i] / thickness_)) % 2 == 0 ? weak_ : hard_;
  }
  void hash(Hasher& hasher) const override { hasher.add("banded"); }
  size_t bytes() const override { return sizeof *this; }

 private:
  double thickness_;
  float weak_, hard_;
};

Geology banded(double thickness, float weak, float hard) {
  return Geology(std::make_shared<const Banded>(thickness, weak, hard));
}

double uniform(double low, double high) { return low + (high - low) * (*rc::gen::inRange(0, 10001)) / 10000.0; }

const RuleSet& any_rules() {
  return shipped_rule_set(shipped_rules()[*rc::gen::inRange<size_t>(0, shipped_rules().size())].name);
}

Seedling any_seedling() {
  Seedling seedling;
  seedling.foot = {uniform(-1e4, 1e4), uniform(-1e4, 1e4), uniform(-100, 3000)};
  seedling.top = seedling.foot.z + uniform(-1, 30);
  seedling.bound = seedling.top + uniform(-5, 10);
  seedling.key = *rc::gen::arbitrary<uint64_t>();
  seedling.factor = uniform(0.2, 4);
  return seedling;
}

std::vector<FieldPoint> grown(const RuleSet& rules, const Geology& rock, const Seedling& seedling) {
  std::vector<FieldPoint> points;
  grow(rules, rock, Volume::usual_threshold, seedling, points);
  return points;
}

RC_GTEST_PROP(Growth, NothingReachesAboveItsBound, ()) {
  const RuleSet& rules = any_rules();
  const Seedling seedling = any_seedling();
  const Geology rock = banded(uniform(0.3, 6), static_cast<float>(uniform(0, 1)), static_cast<float>(uniform(0, 1)));
  const std::vector<FieldPoint> points = grown(rules, rock, seedling);
  RC_ASSERT(static_cast<double>(points.size()) <= most_points_of(rules));
  for (const FieldPoint& point : points) {
    RC_ASSERT(point.at.z + point.falloff <= seedling.bound);
    RC_ASSERT(point.at.z + point.falloff <= seedling.foot.z + rules.tallest);
    RC_ASSERT(point.falloff > 0 && point.energy > 0);
  }
}

RC_GTEST_PROP(Growth, TheSameSeedlingIsTheSameFeatureAndAnotherKeyAnother, ()) {
  const RuleSet& rules = any_rules();
  Seedling seedling = any_seedling();
  seedling.top = seedling.foot.z + 12;
  seedling.bound = seedling.top + 30;
  seedling.factor = 1;
  const Geology rock = banded(2, 0.2f, 0.8f);
  const auto same = [](const FieldPoint& a, const FieldPoint& b) { return a.at == b.at && a.energy == b.energy; };
  const std::vector<FieldPoint> first = grown(rules, rock, seedling);
  RC_ASSERT(!first.empty());
  RC_ASSERT(std::ranges::equal(first, grown(rules, rock, seedling), same));
  ++seedling.key;
  RC_ASSERT(!std::ranges::equal(first, grown(rules, rock, seedling), same));
}

TEST(Growth, HardBedsAreWideAndWeakOnesNecks) {
  const RuleSet& rules = shipped_rule_set("hoodoos");
  double wide = 0, narrow = 0;
  int wides = 0, narrows = 0;
  for (uint64_t key = 0; key < 50; ++key)
    for (const FieldPoint& point : grown(rules, banded(2, 0.1f, 0.9f), {{0, 0, 0}, 14, 40, key})) {
      if (point.at.z > 9) continue;  // below their heads
      const double within = std::fmod(point.at.z + 4, 4);
      if (within > 0.3 && within < 1.7) narrow += point.falloff, ++narrows;
      if (within > 2.3 && within < 3.7) wide += point.falloff, ++wides;
    }
  // Strata erosion does the rest: with more than this, necks are so thin that columns read as strings of beads.
  EXPECT_GT(wide / wides, 1.25 * narrow / narrows);
  EXPECT_LT(wide / wides, 1.6 * narrow / narrows);
}

TEST(Growth, ThePapersRulesStackAboutSixPrimitivesASymbol) {
  const RuleSet& rules = shipped_rule_set("paper");
  double points = 0, tallest = 0;
  for (uint64_t key = 0; key < 200; ++key) {
    const auto list = grown(rules, banded(3, 0.3f, 0.6f), {{0, 0, 0}, 31.25, 100, key});
    EXPECT_EQ(list.size() % 6, 0u);
    points += static_cast<double>(list.size());
    for (const FieldPoint& point : list) tallest = std::max(tallest, point.at.z);
  }
  EXPECT_GT(points / 200, 20);
  EXPECT_LT(points / 200, 80);
  EXPECT_LT(tallest, 31.25);
}

TEST(Growth, WhereNoAlternativeHasOddsItEnds) {
  const RuleSet rules = parse_rules(
      R"({ "axiom": "A", "limits": { "depth": 100 }, "symbols": {
           "A": [{ "odds": { "hardness": 1 }, "then": ["a", "A"] }, { "from": 0.9, "then": [] }] },
           "shapes": { "a": { "step": 0.5 } } })",
      "mine.json");
  EXPECT_TRUE(grown(rules, banded(2, 0.1f, 0.1f), {{0, 0, 0}, 20, 60, 1}).empty());
  EXPECT_EQ(grown(rules, banded(10, 0.9f, 0.1f), {{0, 0, 0}, 20, 60, 1}).size(), 20u);
}

}  // namespace tepui::growth_test
