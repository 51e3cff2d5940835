#include "tepui/landforms/karst.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

#include "tests/landforms/karst_scene.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::karst_test {

using Place = std::tuple<double, double, double>;
Place place_of(Vec3 v) { return {v.x, v.y, v.z}; }

struct Scene {
  Terrain land = test::karst_land();
  Geology rock = test::karst_beds();
  Volume massif = test::karst_massif(land, rock);

  Lines run(const KarstParams& params, const Context& context = {}, const Lines* sinks = nullptr,
            const Lines* springs = nullptr, const Terrain* mask = nullptr) const {
    return karst(land.frame(), massif, nullptr, sinks, springs, mask, nullptr, params, context);
  }
};

const Scene& scene() {
  static const Scene one;
  return one;
}

KarstParams any_params() {
  KarstParams params;
  params.seed.node = *rc::gen::inRange(0, 1000);
  params.outlets = *rc::gen::inRange(0, 4);
  params.hardest = 0.2 + 0.1 * *rc::gen::inRange(0, 5);
  params.step = metres(5 + *rc::gen::inRange(0, 5));
  params.dead_ends = 0.01 * *rc::gen::inRange(0, 5);
  params.joins = *rc::gen::arbitrary<bool>();
  params.limit = *rc::gen::inRange(50, 2'500);
  params.growth = *rc::gen::inRange(0, 11) / 10.0;
  if (*rc::gen::inRange(0, 4) == 0) params.form = KarstForm::paper;
  if (params.form == KarstForm::paper) params.limit = 400;
  return params;
}

/// Sets of places that passages join.
struct Joined {
  std::map<Place, size_t> index;
  std::vector<size_t> parent;

  size_t of(Vec3 v) {
    const auto [found, fresh] = index.try_emplace(place_of(v), parent.size());
    if (fresh) parent.push_back(parent.size());
    return root(found->second);
  }
  size_t root(size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  }
};

RC_GTEST_PROP(Karst, EveryPassageIsConnectedToASinkOrASpring, ()) {
  const Lines lines = scene().run(any_params());
  Joined joined;
  std::vector<Vec3> ends;
  for (size_t f = 0; f < lines.features(); ++f) {
    const LineFeature feature = lines.feature(f);
    for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v) {
      const Vec3 at = lines.vertices()[v];
      if (feature.shape == FeatureShape::point)
        ends.push_back(at);
      else if (v > feature.first_vertex)
        joined.parent[joined.of(at)] = joined.of(lines.vertices()[v - 1]);
    }
  }
  std::set<size_t> reached;
  for (const Vec3& at : ends)
    if (joined.index.contains(place_of(at))) reached.insert(joined.of(at));
  for (size_t i = 0; i < joined.parent.size(); ++i) RC_ASSERT(reached.contains(joined.root(i)));
}

RC_GTEST_PROP(Karst, NothingIsDissolvedAtOrAboveTheThreshold, ()) {
  const KarstParams params = any_params();
  const Lines lines = scene().run(params);
  std::set<Place> sinks;
  for (size_t f = 0; f < lines.features(); ++f)
    if (lines.feature(f).shape == FeatureShape::point)
      sinks.insert(place_of(lines.vertices()[lines.feature(f).first_vertex]));
  const Box3 ground = scene().massif.root().sketch().ground;
  for (size_t v = 0; v < lines.vertices().size(); ++v) {
    const Vec3 at = lines.vertices()[v];
    RC_ASSERT(at.z >= ground.low.z + params.floor.value);
    RC_ASSERT(at.x >= ground.low.x + params.floor.value && at.x <= ground.high.x - params.floor.value);
    if (sinks.contains(place_of(at)) || !scene().massif.inside(at)) continue;
    RC_ASSERT(static_cast<double>(scene().rock.resistance(at)) < *params.hardest);
  }
}

RC_GTEST_PROP(Karst, StagesGrowByTheSamePlaces, ()) {
  KarstParams params = any_params();
  const double late = params.growth;
  std::set<Place> known;
  const Lines after = scene().run(params);
  for (const Vec3& v : after.vertices()) known.insert(place_of(v));
  params.growth = late * *rc::gen::inRange(0, 11) / 10.0;
  const Lines before = scene().run(params);
  RC_ASSERT(extent_of(before).length <= extent_of(after).length);
  for (const Vec3& v : before.vertices()) RC_ASSERT(known.contains(place_of(v)));
}

TEST(Karst, SpreadsAlongWeakBedsAndNearlyLevel) {
  test::Told told;
  const Lines lines = scene().run({}, told.context());
  EXPECT_GT(told.numbers["sinks"], 3);
  EXPECT_GT(told.numbers["springs"], 3);
  EXPECT_GT(told.numbers["length"], 1000);
  EXPECT_GT(told.numbers["level"], 0.7);
  EXPECT_GT(told.numbers["weak_beds"], 0.8);
  EXPECT_NEAR(told.numbers["length"], extent_of(lines).length, 1e-6 * told.numbers["length"]);
  EXPECT_EQ(told.warnings, "");
  test::Told printed;
  KarstParams paper;
  paper.form = KarstForm::paper;
  paper.limit = 4000;
  scene().run(paper, printed.context());
  EXPECT_LT(printed.numbers["level"], 0.5);
}

TEST(Karst, PassagesHaveRadiusDepthOrderAndSink) {
  const Lines lines = scene().run({});
  ASSERT_NE(lines.vertex_number("radius"), nullptr);
  ASSERT_NE(lines.vertex_number("depth"), nullptr);
  ASSERT_NE(lines.number("order"), nullptr);
  ASSERT_NE(lines.number("sink"), nullptr);
  double highest = 0;
  for (size_t f = 0; f < lines.features(); ++f) {
    const LineFeature feature = lines.feature(f);
    EXPECT_GE(lines.number("sink")->values[f], 1);
    if (feature.shape == FeatureShape::point) continue;
    highest = std::max(highest, lines.number("order")->values[f]);
    for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v) {
      EXPECT_GT(lines.vertex_number("radius")->values[v], 0.3);
      EXPECT_LT(lines.vertex_number("radius")->values[v], 25);
    }
  }
  EXPECT_GE(highest, 2);
}

TEST(Karst, IsTheSameForAnyThreadsAndLevel) {
  test::expect_same_bits([] { return scene().run({}).hash(); });
}

TEST(Karst, SinksAndSpringsThatAreGivenAreJoined) {
  const Lines sinks = test::given_points({{220, 150, 0}}), springs = test::given_points({{100, 150, 30}});
  test::Told told;
  KarstParams params;
  params.pits = false;
  const Lines lines = scene().run(params, told.context(), &sinks, &springs);
  EXPECT_EQ(told.numbers["sinks"], 1);
  EXPECT_EQ(told.numbers["springs"], 1);
  EXPECT_GT(told.numbers["length"], 100);
  params.outlets = 1;
  const Lines alone = scene().run(params, told.context(), &sinks);
  EXPECT_EQ(told.numbers["springs"], 1);
  EXPECT_NE(alone.hash(), lines.hash());
}

TEST(Karst, AMaskKeepsWaterWithin) {
  const Frame& frame = scene().land.frame();
  Grid<float> cells(frame.width, frame.height, 0.0f);
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x) cells(x, y) = frame.y(y) < 150 ? 1.0f : 0.0f;
  const Terrain mask = Terrain(frame, {0, 1}).with(make_layer("mask", "", LayerKind::mask, std::move(cells)));
  const Lines lines = scene().run({}, {}, nullptr, nullptr, &mask);
  EXPECT_GT(extent_of(lines).length, 100);
  EXPECT_LT(extent_of(lines).high.y, 150 + 2 * frame.cell.y);
}

TEST(Karst, RefusesAMaskOfAnotherFrame) {
  const Frame other = make_world({300, 300}, 11);
  const Terrain mask = Terrain(other, {0, 1}).with(make_layer("mask", "", LayerKind::mask, Grid<float>(11, 11, 1.0f)));
  EXPECT_CONTAINS(test::error_of([&] { scene().run({}, {}, nullptr, nullptr, &mask); }), "the mask");
}

TEST(Karst, AHundredPuddlesAreNoSinks) {
  const Frame world = make_world({300, 300}, 101);
  Grid<float> height(101, 101, 60.0f);
  for (int64_t y = 5; y < 101; y += 10)
    for (int64_t x = 5; x < 101; x += 10) height(x, y) = 59.0f;
  const Volume land = test::karst_massif(Terrain(world, {0, 100}, std::move(height)), test::karst_beds());
  test::Told told;
  EXPECT_TRUE(karst(world, land, nullptr, nullptr, nullptr, nullptr, nullptr, {}, told.context()).empty());
  EXPECT_CONTAINS(told.warnings, "no hollow");
  // All of them are sinks where they are deep enough, up to the most.
  KarstParams params;
  params.pit_depth = metres(0.3);
  karst(world, land, nullptr, nullptr, nullptr, nullptr, nullptr, params, told.context());
  EXPECT_EQ(told.numbers["sinks"], params.most_sinks);
}

TEST(Karst, LandWithoutWaysForWaterHasNoCaves) {
  const Frame world = make_world({300, 300}, 61);
  const Terrain flat(world, {0, 100}, Grid<float>(61, 61, 50.0f));
  const Geology beds = test::karst_beds();
  const Volume plain = test::karst_massif(flat, beds);
  test::Told told;
  EXPECT_TRUE(karst(world, plain, nullptr, nullptr, nullptr, nullptr, nullptr, {}, told.context()).empty());
  EXPECT_CONTAINS(told.warnings, "no hollow");
  // A sink that is given leads down, though nowhere out.
  const Lines sink = test::given_points({{150, 150, 0}});
  EXPECT_GT(extent_of(karst(world, plain, nullptr, &sink, nullptr, nullptr, nullptr, {}, told.context())).length, 20);
  EXPECT_EQ(told.numbers["springs"], 0);
  // Rock that nothing wears.
  StrataParams hard;
  hard.beds = {{"quartzite", metres(1000), 1}};
  const Geology rock = strata(world, hard, {});
  EXPECT_EQ(
      extent_of(karst(world, scene().massif, &rock, nullptr, nullptr, nullptr, nullptr, {}, told.context())).length, 0);
  EXPECT_CONTAINS(told.warnings, "too hard");
  // All of it sea.
  KarstParams sea;
  sea.sea_level = 500;
  EXPECT_EQ(extent_of(scene().run(sea, told.context())).length, 0);
}

TEST(Karst, UniformRockHasCavesAndPuddlesHaveNone) {
  const Geology uniform;
  test::Told told;
  karst(scene().land.frame(), scene().massif, &uniform, nullptr, nullptr, nullptr, nullptr, {}, told.context());
  EXPECT_GT(told.numbers["length"], 500);
  Grid<float> height = scene().land.height().clone();
  for (int64_t i = 0; i < height.size(); ++i) height.data()[i] += 0.3f * static_cast<float>(i % 7 == 0 ? -1 : 0);
  const Volume puddles = test::karst_massif(scene().land.with_height(std::move(height)), scene().rock);
  const double before = (scene().run({}, told.context()), told.numbers["sinks"]);
  karst(scene().land.frame(), puddles, nullptr, nullptr, nullptr, nullptr, nullptr, {}, told.context());
  EXPECT_LE(std::abs(told.numbers["sinks"] - before), 6);
}

TEST(Karst, SinksOutsideAreToldOfAndImpossibleStepsRefused) {
  const Lines sinks = test::given_points({{-500, 0, 0}, {200, 150, 0}});
  test::Told told;
  KarstParams params;
  params.pits = false;
  scene().run(params, told.context(), &sinks);
  EXPECT_CONTAINS(told.warnings, "1 of 2 sinks");
  EXPECT_EQ(told.numbers["sinks"], 1);
  // Deep in the rock one begins where it is told to.
  params.ends = KarstEnds::points;
  const Lines buried = test::given_points({{200, 150, 40}});
  EXPECT_GT(extent_of(scene().run(params, told.context(), &buried)).length, 20);
  params.spacing = metres(7);
  params.step = metres(6);
  EXPECT_CONTAINS(test::error_of([&] { scene().run(params); }), "'spacing'");
}

}  // namespace tepui::karst_test
