#include "tepui/erode/debris.h"

#include <algorithm>
#include <cmath>

#include "reference/weathering.h"
#include "tepui/core/hash.h"
#include "tepui/core/math.h"
#include "tests/erode/any_land.h"
#include "tests/support/support.h"

namespace tepui::debris_test {

namespace {

const Context quiet;

/// Heaps and holes in whole quanta, some of it rock.
reference::WornState any_state() {
  const Frame frame = test::any_frame();
  const Stream stream(*rc::gen::inRange<uint64_t>(0, 1000));
  const double span = *rc::gen::element(3.0, 500.0, 1e5, 0x1p24);
  const double bare = *rc::gen::element(0.0, 0.3, 1.0);
  reference::WornState s{frame.width, frame.height, {}, {}};
  for (uint64_t i = 0; i < static_cast<uint64_t>(s.width * s.height); ++i) {
    const double ground = std::floor(span * stream.uniform(i));
    s.ground.push_back(static_cast<float>(ground));
    s.rock.push_back(
        static_cast<float>(stream.uniform(i, 1) < bare ? ground : std::floor(ground * stream.uniform(i, 2))));
  }
  return s;
}

Talus any_talus() {
  const auto cells = rc::gen::element(1.0f, 1.0f, 0.3f, 7.0f);
  return {*rc::gen::element(0.0f, 0.0f, 1.0f, 7.0f, 3000.0f, 1e30f), *cells, *cells};
}

Debris debris_of(const reference::WornState& s, TileSize tile = {}) {
  Debris d(s.width, s.height, tile);
  for (int64_t y = 0; y < s.height; ++y)
    for (int64_t x = 0; x < s.width; ++x) {
      d.rock(y)[x] = s.rock[s.at(x, y)];
      d.first_ground(y)[x] = s.ground[s.at(x, y)];
    }
  d.touch_all();
  return d;
}

TileSize any_tile() { return {*rc::gen::element<int64_t>(1, 3, 17, 256), *rc::gen::element<int64_t>(1, 5, 64), 1}; }

bool same_ground(const Debris& d, const reference::WornState& s) {
  for (int64_t y = 0; y < s.height; ++y)
    for (int64_t x = 0; x < s.width; ++x)
      if (d.ground(y)[x] != s.ground[s.at(x, y)]) return false;
  return true;
}

}  // namespace

RC_GTEST_PROP(Debris, SlidesLikeTheReference, ()) {
  reference::WornState plain = any_state();
  Debris debris = debris_of(plain, any_tile());
  const Talus talus = any_talus();
  TileBoxes moved(debris.tiling());
  for (int i = 0; i < 12; ++i) {
    debris.slide(talus, moved, quiet);
    reference::slide(plain, talus);
    RC_ASSERT(same_ground(debris, plain));
  }
}

RC_GTEST_PROP(Debris, NothingIsLostAndNothingLeavesTheRangeOfItsNeighbours, ()) {
  const reference::WornState before = any_state();
  Debris debris = debris_of(before);
  TileBoxes moved(debris.tiling());
  debris.slide(any_talus(), moved, quiet);
  int64_t sum = 0;
  for (int64_t y = 0; y < before.height; ++y)
    for (int64_t x = 0; x < before.width; ++x) {
      float low = before.ground[before.at(x, y)], high = low;
      for (int64_t v = y - 1; v <= y + 1; ++v)
        for (int64_t u = x - 1; u <= x + 1; ++u) {
          if (!before.holds(u, v)) continue;
          low = std::min(low, before.ground[before.at(u, v)]);
          high = std::max(high, before.ground[before.at(u, v)]);
        }
      const float m = debris.ground(y)[x];
      RC_ASSERT(m >= low && m <= high);
      RC_ASSERT(m >= debris.rock(y)[x]);
      RC_ASSERT(debris.rock(y)[x] == before.rock[before.at(x, y)]);
      sum += static_cast<int64_t>(m) - static_cast<int64_t>(before.ground[before.at(x, y)]);
    }
  RC_ASSERT(sum == 0);
}

RC_GTEST_PROP(Debris, TellsWhatMoved, ()) {
  const reference::WornState before = any_state();
  Debris debris = debris_of(before, any_tile());
  TileBoxes moved(debris.tiling());
  debris.slide(any_talus(), moved, quiet);
  TileBoxes changed(debris.tiling());
  for (int64_t y = 0; y < before.height; ++y)
    for (int64_t x = 0; x < before.width; ++x)
      if (debris.ground(y)[x] != before.ground[before.at(x, y)]) changed.add(x, y);
  RC_ASSERT(moved == changed);
  RC_ASSERT(debris.is_active() == !changed.empty());
}

RC_GTEST_PROP(Debris, BareRockRests, ()) {
  reference::WornState bare = any_state();
  bare.rock = bare.ground;
  Debris debris = debris_of(bare);
  TileBoxes moved(debris.tiling());
  debris.slide({}, moved, quiet);
  RC_ASSERT(!debris.is_active());
  RC_ASSERT(!debris.slide({}, moved, quiet));
  RC_ASSERT(same_ground(debris, bare));
}

TEST(Debris, AWokenCellMovesAgainAndSoDoItsNeighbours) {
  Debris debris(40, 40, {4, 4});
  debris.touch_all();
  TileBoxes moved(debris.tiling());
  debris.slide({}, moved, quiet);
  EXPECT_FALSE(debris.is_active());
  // Rock that crumbles where it stands: the same ground, of which some is loose now.
  debris = Debris(40, 40, {4, 4});
  for (int64_t y = 16; y < 20; ++y)
    for (int64_t x = 16; x < 20; ++x) debris.rock(y)[x] = debris.first_ground(y)[x] = 1e6f;
  debris.touch_all();
  while (debris.slide({}, moved, quiet)) continue;
  debris.rock(19)[19] = 0;
  debris.touch(19, 19);
  for (int i = 0; i < 100; ++i) debris.slide({}, moved, quiet);
  EXPECT_GT(debris.ground(20)[20], 0);
  EXPECT_GT(debris.ground(24)[24], 0);
}

TEST(Debris, ASlopeBelowTheTalusRests) {
  Debris debris(20, 20);
  for (int64_t y = 0; y < 20; ++y)
    for (int64_t x = 0; x < 20; ++x) debris.first_ground(y)[x] = static_cast<float>(1000 * x + 700 * y);
  debris.touch_all();
  TileBoxes moved(debris.tiling());
  const float steepness = std::sqrt(1000.0f * 1000.0f + 700.0f * 700.0f);
  debris.slide({steepness}, moved, quiet);
  EXPECT_FALSE(debris.is_active());
  debris.touch_all();
  debris.slide({0.9f * steepness}, moved, quiet);
  EXPECT_TRUE(debris.is_active());
}

TEST(Debris, HeapsAreRound) {
  constexpr int64_t side = 101, middle = 50;
  Debris debris(side, side);
  for (int64_t y = middle - 6; y <= middle + 6; ++y)
    for (int64_t x = middle - 6; x <= middle + 6; ++x) debris.first_ground(y)[x] = 0x1p23f;
  debris.touch_all();
  TileBoxes moved(debris.tiling());
  const float slope = 0x1p23f / 40;
  for (int i = 0; i < 20000 && debris.slide({slope}, moved, quiet); ++i) continue;
  // How far it is from the middle to half of the heap's height, all around.
  const float half = 0.5f * debris.ground(middle)[middle];
  double shortest = 1e9, longest = 0;
  for (int degrees = 0; degrees < 360; degrees += 5) {
    const double angle = math::radians(degrees);
    double r = 0;
    const auto height = [&](double distance) {
      const double x = middle + distance * math::cos(angle), y = middle + distance * math::sin(angle);
      const auto x0 = static_cast<int64_t>(x), y0 = static_cast<int64_t>(y);
      const double s = x - static_cast<double>(x0), t = y - static_cast<double>(y0);
      const auto at = [&](int64_t u, int64_t v) { return static_cast<double>(debris.ground(v)[u]); };
      return (1 - t) * ((1 - s) * at(x0, y0) + s * at(x0 + 1, y0)) +
             t * ((1 - s) * at(x0, y0 + 1) + s * at(x0 + 1, y0 + 1));
    };
    while (r < 40 && height(r) > static_cast<double>(half)) r += 0.1;
    shortest = std::min(shortest, r);
    longest = std::max(longest, r);
  }
  EXPECT_GT(shortest, 8);
  EXPECT_LT(longest, 1.05 * shortest);
}

TEST(Debris, SameBitsOnAnyMachine) {
  test::expect_same_bits([] {
    Debris debris(517, 130, {64, 16, 1});
    const Stream stream(5);
    for (int64_t y = 0; y < 130; ++y)
      for (int64_t x = 0; x < 517; ++x) {
        const auto i = static_cast<uint64_t>(y * 517 + x);
        debris.first_ground(y)[x] = std::floor(static_cast<float>(1e6 * stream.uniform(i)));
        debris.rock(y)[x] = stream.uniform(i, 1) < 0.3 ? debris.ground(y)[x] : 0.0f;
      }
    debris.touch_all();
    TileBoxes moved(debris.tiling());
    for (int i = 0; i < 4; ++i) debris.slide({100, 1, 0.9f}, moved, quiet);
    Hasher hasher;
    for (int64_t y = 0; y < 130; ++y)
      for (int64_t x = 0; x < 517; ++x) hasher.add(static_cast<double>(debris.ground(y)[x]));
    return hasher.finish();
  });
}

}  // namespace tepui::debris_test
