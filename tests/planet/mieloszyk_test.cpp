#include "reference/mieloszyk.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tepui/core/math.h"
#include "tepui/core/random.h"
#include "tepui/planet/ice_sheets.h"
#include "tepui/planet/paper_rules.h"
#include "tepui/planet/refine_rules.h"
#include "tepui/planet/sphere_noise.h"
#include "tepui/planet/view_mesh.h"
#include "tests/support/support.h"

namespace tepui::mieloszyk_test {

namespace {

const Context quiet;

/// Numbers by a seed of rapidcheck's, evenly spread.
class Drawn {
 public:
  double real(double low, double high) { return stream_.uniform(next_++, 0, low, high); }
  Vec3 unit() { return drawn_direction(stream_, next_++, 0); }
  Vec3 vector(double size) { return unit() * real(0.01 * size, size); }
  bool flag() { return real(-1, 1) < 0; }

 private:
  Stream stream_{*rc::gen::arbitrary<uint64_t>()};
  uint64_t next_ = 0;
};

void expect_near(Vec3 a, Vec3 b, double bound) { RC_ASSERT(length(a - b) <= bound); }

}  // namespace

// Eqs. 1 and 2.

RC_GTEST_PROP(MieloszykStress, AsPrintedBothEquationsAreTheSameForAnyAngle, ()) {
  Drawn drawn;
  const Vec3 v = drawn.vector(0.1), e = drawn.vector(5e4);
  RC_PRE(length(cross(normalised(v), normalised(e))) > 1e-3 && std::fabs(dot(normalised(v), normalised(e))) > 1e-3);
  const double ratio = length(v) / length(e);
  RC_ASSERT(std::fabs(reference::normal_stress_as_printed(v, e) / ratio - 1) < 1e-9);
  RC_ASSERT(std::fabs(reference::shear_stress_as_printed(v, e) / ratio - 1) < 1e-9);
}

RC_GTEST_PROP(MieloszykStress, IsDotAndCross, ()) {
  Drawn drawn;
  const Vec3 v = drawn.vector(0.1), e = drawn.vector(5e4), unit_e = normalised(e);
  RC_ASSERT(std::fabs(reference::normal_stress(v, e) - dot(v, unit_e) / length(e)) < 1e-15);
  RC_ASSERT(std::fabs(reference::shear_stress(v, e) - length(cross(v, unit_e)) / length(e)) < 1e-15);
  const Strain strain = strain_along(v, e);
  const double bound = 1e-12 * length(v) / length(e);
  RC_ASSERT(std::fabs(strain.opening - reference::normal_stress(v, e)) <= bound);
  RC_ASSERT(std::fabs(strain.shear - reference::shear_stress(v, e)) <= bound);
}

RC_GTEST_PROP(MieloszykStress, IsZeroInsideAPlateThatTurns, ()) {
  Drawn drawn;
  const Vec3 omega = drawn.vector(1e-8), p = drawn.unit(), q = normalised(p + drawn.vector(0.01));
  const Vec3 v = reference::velocity_difference(omega, p, omega, q), e = (q - p) * earth_radius;
  RC_ASSERT(reference::normal_stress(v, e) == 0);
  RC_ASSERT(reference::shear_stress(v, e) == 0);
  RC_ASSERT(stress_of(strain_along(v * earth_radius, e)) == 0);
  // As printed a plate shears where its axis is not level.
  const Vec3 printed = reference::velocity_difference_as_printed(omega, p, omega, q);
  RC_PRE(length(cross(omega, normalised(q - p))) > 1e-10);
  RC_ASSERT(length(printed) > 0);
}

// Eqs. 3 and 4.

TEST(MieloszykUplift, SumsToTheHeightOfHighMountains) {
  double sum = 0;
  for (int n = 1; n <= 40; ++n) sum += reference::uplift(n, 1);
  EXPECT_NEAR(sum * earth_radius, 9650, 10);
  // As printed there is no bound: the less stress, the higher.
  EXPECT_GT(reference::uplift_as_printed(10, 1e-9) * earth_radius, 1e6);
}

TEST(MieloszykUplift, RisesWithStressAndFallsFromLevelToLevel) {
  for (int n = 1; n < 30; ++n) {
    EXPECT_EQ(reference::uplift(n, 0), 0);
    EXPECT_LT(reference::uplift(n, 0.2), reference::uplift(n, 0.3));
    EXPECT_LT(reference::uplift(n + 1, 1), reference::uplift(n, 1));
  }
}

RC_GTEST_PROP(MieloszykUplift, OfTheFastTwinIsThatOfTheEquation, ()) {
  Drawn drawn;
  const int level = *rc::gen::inRange(1, 25);
  const double rate = drawn.real(0, 1e-5), s = std::min(1.0, rate / 2e-6),
               rise = earth_radius * reference::uplift(level, s);
  const double bound = 1e-9 * (1 + rise);
  RC_ASSERT(std::fabs(fault_uplift(level, {-rate, 0}, 1) - rise) < bound);
  RC_ASSERT(std::fabs(fault_uplift(level, {rate, 0}, 1) + rise) < bound);
  RC_ASSERT(std::fabs(fault_uplift(level, {0, rate}, 1) - 0.25 * rise) < bound);
  RC_ASSERT(std::fabs(fault_uplift(level, {0, rate}, -1) + 0.25 * rise) < bound);
}

RC_GTEST_PROP(MieloszykUplift, ANewVertexTakesTheVelocityMoreNearlyAcrossItsEdge, ()) {
  Drawn drawn;
  const Vec3 first = drawn.vector(0.1), second = drawn.vector(0.1), edge = drawn.vector(5e6);
  const double cosine_first = std::fabs(dot(normalised(first), normalised(edge)));
  const double cosine_second = std::fabs(dot(normalised(second), normalised(edge)));
  RC_PRE(std::fabs(cosine_first - cosine_second) > 1e-6);
  RC_ASSERT(velocity_of(first, second, edge, {1e-9, 0}) ==
            (cosine_first < cosine_second ? VelocityOf::first : VelocityOf::second));
  RC_ASSERT(velocity_of(first, second, edge, {-1e-5, 0}) == VelocityOf::both);
}

// Eqs. 5 and 6.

RC_GTEST_PROP(MieloszykBanks, AreAsSteepWhereNothingIsClamped, ()) {
  Drawn drawn;
  const Vec3 up = drawn.unit(), north = normalised(cross(up, drawn.unit())), east = cross(north, up);
  const auto place = [&](double x, double y, double z) { return east * x + north * y + up * z; };
  const double width = drawn.real(10, 1e4), height = drawn.real(0, 1000);
  const double a_height = drawn.real(1, 500), b_height = a_height * drawn.real(0.12, 8);
  const Vec3 a = place(0, drawn.real(-9, 9), height + a_height), b = place(width, drawn.real(-9, 9), height + b_height);
  const Vec3 p = place(drawn.real(0.2, 0.8) * width, drawn.real(-9, 9), height);
  const double l = length((b - a) - up * dot(b - a, up));
  const double l_a = reference::distance_from_bank(l, a_height, b_height);
  const Vec3 moved = reference::moved_between_banks(p, a, b, up, l_a);
  const Vec3 across = normalised((b - a) - up * dot(b - a, up));
  const double from_a = dot(moved - a, across), from_b = dot(b - moved, across);
  RC_ASSERT(std::fabs(dot(moved - p, up)) < 1e-9);
  RC_ASSERT(std::fabs(a_height / from_a - b_height / from_b) < 1e-9);
  RC_ASSERT(std::fabs(share_between_banks(a_height, b_height) - from_a / l) < 1e-9);
}

TEST(MieloszykBanks, AreNeverReached) {
  EXPECT_EQ(share_between_banks(1, 1e9), 0.1);
  EXPECT_EQ(share_between_banks(1e9, 1), 0.9);
}

/// Rule 1 of mode `stable` goes 0.8 of the way that Eq. 5 asks for, as a share of the way to a bank, and 0.2 at most.
RC_GTEST_PROP(MieloszykBanks, OfTheLocalRulesFollowTheEquation, ()) {
  Drawn drawn;
  LevelScale scale = level_scale(*rc::gen::inRange(9, 20), 8);
  Diamond diamond;
  diamond.length = scale.length;
  diamond.at_c = {0.5 * scale.length, 0.8 * scale.length};
  diamond.at_d = {0.5 * scale.length, -0.8 * scale.length};
  diamond.stream = StreamAlong::to_second;
  diamond.a.height = diamond.b.height = 100;
  // So small a river that it bends freely.
  diamond.a.discharge = diamond.b.discharge = 1;
  diamond.c.height = 100 + drawn.real(0.1, 1) * scale.length;
  diamond.d.height = 100 + drawn.real(0.1, 1) * scale.length;
  const Vec2 place = birthplace(scale, diamond, {});
  const double asked = 0.5 - reference::distance_from_bank(1, diamond.c.height - 100, diamond.d.height - 100);
  const double w = std::clamp(0.8 * asked, -0.2, 0.2);
  RC_ASSERT(std::fabs(place.y - w / 3 * 0.8 * scale.length) < 1e-9 * scale.length);
  scale.banks = false;
  RC_ASSERT(birthplace(scale, diamond, {}).y == 0);
}

// Eqs. 7 to 11.

RC_GTEST_PROP(MieloszykSnow, LiesLowerInHollowsThanOnRidges, ()) {
  Drawn drawn;
  const Vec3 n_0 = drawn.unit(), n_1 = normalised(n_0 + drawn.vector(0.5));
  for (const bool hollow : {false, true})
    RC_ASSERT(std::fabs(edge_opening(n_0, n_1, hollow) - reference::edge_opening(n_0, n_1, hollow)) < 1e-15);
  const double open = reference::edge_opening(n_0, n_1, true), shut = reference::edge_opening(n_0, n_1, false);
  const double in_hollow = reference::environment_stability(1, 1, std::vector<double>(6, open));
  const double on_ridge = reference::environment_stability(1, 1, std::vector<double>(6, shut));
  RC_ASSERT(in_hollow >= 1 && in_hollow <= most_stability && on_ridge <= 1 && on_ridge >= least_stability);
  const reference::SnowClimate climate{drawn.real(-10, 25)};
  RC_ASSERT(reference::height_to_0(climate, in_hollow, 0) <= reference::height_to_0(climate, on_ridge, 0));
}

RC_GTEST_PROP(MieloszykSnow, ItIsFreezingAtTheHeightOfEquation10, ()) {
  Drawn drawn;
  const reference::SnowClimate climate{drawn.real(-10, 25), drawn.real(0, 10), drawn.real(1000, 50000)};
  const double stability = drawn.real(0.1, 10), snow = reference::snow_cover(drawn.real(0, 1.5), drawn.real(0, 1));
  const double height = reference::height_to_0(climate, stability, snow);
  RC_ASSERT(std::fabs(reference::temperature(climate, height, stability, snow)) < 1e-9);
}

TEST(MieloszykSnow, PrintedGradientIsATwentiethOfTheAirs) {
  EXPECT_NEAR(2500 / earth_radius, 0.39e-3, 0.01e-3);
  EXPECT_NEAR(lapse_rate * earth_radius, 41400, 50);
}

/// Mode `stable` has heat from the seasons, and as much snow as rain falls, 1.5 m a year being plenty.
RC_GTEST_PROP(MieloszykSnow, LineOfTheGlobalStageIsThatOfEquation10, ()) {
  Drawn drawn;
  const double mean = drawn.real(-20, 30), season = drawn.real(0, 30), rain = drawn.real(0, 4);
  IceSpec spec;
  spec.colder = drawn.real(0, 10);
  const reference::SnowClimate climate{mean - spec.colder, spec.least_heat + spec.summer_heat * season,
                                       lapse_rate * earth_radius};
  const double cover = reference::snow_cover(0, std::min(rain / 1.5, 1.0));
  const double line = reference::height_to_0(climate, 1, cover) * earth_radius;
  RC_ASSERT(std::fabs(snow_line(mean, season, rain, spec) - line) < 1e-6);
}

TEST(MieloszykSnow, DoesNotRestOnSlopesOfSixtyDegrees) {
  EXPECT_EQ(reference::snow_cover(1.06, 1), 0);
  EXPECT_NEAR(reference::snow_cover(0, 1), 3.8, 1e-12);
  EXPECT_EQ(lasting_snow(5000, 1000, 0, std::tan(1.06)), 0);
  EXPECT_EQ(lasting_snow(5000, 1000, 0, 0), 1);
  EXPECT_GT(lasting_snow(1000, 1000, 0.2, 0.3), lasting_snow(1000, 1000, -0.2, 0.3));
}

// Eqs. 12 and 13.

RC_GTEST_PROP(MieloszykIce, KeepsTheDirectionOfLargeGlaciersAround, ()) {
  Drawn drawn;
  const Vec3 fall_a = drawn.unit(), fall_b = drawn.unit(), ice = drawn.unit();
  RC_PRE(length(fall_a + fall_b) > 0.01);
  const std::vector<reference::IceAt> none, much{{ice, 1e9}},
      some{{ice, drawn.real(0, 3)}, {drawn.unit(), drawn.real(0, 3)}};
  expect_near(reference::ice_direction(fall_a, fall_b, none), normalised(fall_a + fall_b), 1e-12);
  expect_near(reference::ice_direction(fall_a, fall_b, much), ice, 1e-8);
  Vec3 sum{};
  for (const auto& [n_ice, ice_sum] : some) sum = sum + n_ice * ice_sum;
  RC_PRE(length(normalised(fall_a + fall_b) + sum) > 1e-3);
  expect_near(ice_direction(fall_a, fall_b, sum), reference::ice_direction(fall_a, fall_b, some), 1e-10);
}

TEST(MieloszykIce, WithoutFallOrIceHasNoDirection) {
  EXPECT_EQ(reference::ice_direction({1, 0, 0}, {-1, 0, 0}, {}), Vec3{});
  EXPECT_EQ(ice_direction({1, 0, 0}, {-1, 0, 0}, {}), Vec3{});
}

RC_GTEST_PROP(MieloszykIce, MeltsOrReachesTheSeaAsMuchAsGrows, ()) {
  Drawn drawn;
  const auto count = *rc::gen::inRange<int32_t>(1, 200);
  reference::IceGraph graph;
  graph.order.resize(static_cast<size_t>(count));
  std::iota(graph.order.begin(), graph.order.end(), 0);
  for (int32_t t = 0; t < count; ++t) {
    graph.balance.push_back(drawn.real(-3, 3));
    auto& out = graph.outflow.emplace_back();
    const double share = drawn.real(0, 1);
    if (t + 2 < count) out = {{t + 1, share}, {*rc::gen::inRange(t + 1, count), 1 - share}};
  }
  const reference::IceFlow flow = reference::ice_flow(graph);
  RC_ASSERT(std::fabs(flow.gained - flow.melted - flow.carried_off) < 1e-9 * (1 + flow.gained));
  for (const double sum : flow.sum) RC_ASSERT(sum >= 0);
}

/// The ice of the global stage, on made-up land of an icosphere.
TEST(MieloszykIce, OfTheGlobalStageIsThatOfEquation13) {
  const SphereMesh mesh = icosphere(4, 0.3, 5, quiet);
  const Neighbours around = neighbours(mesh);
  const std::vector<double> areas = cell_areas(mesh);
  const std::vector<float> noise = noise_at(mesh.directions, {.scale = 0.6, .octaves = 4, .key = 9}, quiet);
  std::vector<double> height(noise.size());
  for (size_t v = 0; v < height.size(); ++v) height[v] = 4000 * static_cast<double>(noise[v]);
  const std::vector<uint8_t> sea = find_seas(height, around);
  const Drainage water = drain(mesh, around, height, sea, quiet);
  PlanetClimate climate;
  climate.temperature.assign(height.size(), 2);
  climate.season.assign(height.size(), 5);
  climate.rain.assign(height.size(), 0.8f);
  const IceSpec spec;
  const Ice ice = make_ice(mesh, around, icosphere_parents(4), water, sea, areas, climate, spec, quiet);
  reference::IceGraph graph;
  graph.balance.assign(height.size(), 0);
  graph.outflow.resize(height.size());
  graph.order.assign(water.order.rbegin(), water.order.rend());
  int64_t iced = 0;
  for (size_t v = 0; v < height.size(); ++v) {
    if (sea[v] != 0) continue;
    graph.balance[v] = areas[v] * earth_radius * earth_radius *
                       ice_balance(water.surface[v], static_cast<double>(ice.snow_line[v]), 0.8f, spec);
    const int32_t down = water.receiver[v];
    if (sea[static_cast<size_t>(down)] == 0) graph.outflow[v] = {{down, 1.0}};
  }
  const reference::IceFlow flow = reference::ice_flow(graph);
  for (size_t v = 0; v < height.size(); ++v) {
    EXPECT_NEAR(static_cast<double>(ice.flow[v]), flow.sum[v], 1e-6 * flow.sum[v]);
    iced += flow.sum[v] > 0 ? 1 : 0;
  }
  EXPECT_GT(iced, 100);
  EXPECT_NEAR(flow.gained, flow.melted + flow.carried_off, 1e-9 * flow.gained);
}

// Eqs. 14 to 18.

RC_GTEST_PROP(MieloszykBed, StaysWhereItIsFlat, ()) {
  Drawn drawn;
  const Vec3 n = drawn.unit(), level = normalised(cross(n, drawn.unit()));
  const reference::OnGlacier a{drawn.vector(1000), n}, b{a.place + level * drawn.real(1, 100), n};
  const Vec3 p = (a.place + b.place) * 0.5;
  expect_near(reference::glacier_bed(p, a, b), p, 1e-9);
  expect_near(reference::deep_glacier_bed(p, a, b), p, 1e-9);
}

RC_GTEST_PROP(MieloszykBed, OfTheFastTwinIsThatOfTheEquations, ()) {
  Drawn drawn;
  const reference::OnGlacier a{drawn.vector(100), drawn.unit(), drawn.flag()},
      b{drawn.vector(100), drawn.unit(), drawn.flag()};
  const Vec3 p = (a.place + b.place) * 0.5 + drawn.vector(10);
  const GlacierEnd fast_a{a.place, a.normal, a.touches}, fast_b{b.place, b.normal, b.touches};
  expect_near(glacier_bed(p, fast_a, fast_b, false), reference::glacier_bed(p, a, b, 0.5), 1e-10);
  expect_near(glacier_bed(p, fast_a, fast_b, true), reference::deep_glacier_bed(p, a, b, 0.5), 1e-10);
}

RC_GTEST_PROP(MieloszykBed, IsNeverRaisedNorMovedWhereNoIceTouches, ()) {
  Drawn drawn;
  const reference::OnGlacier a{drawn.vector(100), drawn.unit()}, b{drawn.vector(100), drawn.unit()};
  const Vec3 p = drawn.vector(100);
  const Vec3 moved = reference::glacier_bed(p, a, b) - p;
  RC_ASSERT(dot(moved, a.normal * std::max(0.0, dot(p - a.place, a.normal)) +
                           b.normal * std::max(0.0, dot(p - b.place, b.normal))) <= 1e-9);
  const reference::OnGlacier dry_a{a.place, a.normal, false}, dry_b{b.place, b.normal, false};
  RC_ASSERT(reference::glacier_bed(p, dry_a, dry_b) == p);
}

namespace {

/// A cross-section: places of a polyline, the first and the last of which no ice touches.
using Section = std::vector<Vec3>;

Vec3 normal_at(const Section& line, size_t i) {
  const Vec3 along = line[std::min(i + 1, line.size() - 1)] - line[i > 0 ? i - 1 : 0];
  return normalised({-along.z, 0, along.x});
}

/// Every edge split, with Eqs. 14-16 or without.
Section finer(const Section& line, bool ice, double gain) {
  Section out;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    const Vec3 p = (line[i] + line[i + 1]) * 0.5;
    const reference::OnGlacier a{line[i], normal_at(line, i), i > 0},
        b{line[i + 1], normal_at(line, i + 1), i + 2 < line.size()};
    out.push_back(line[i]);
    out.push_back(ice ? reference::glacier_bed(p, a, b, gain) : p);
  }
  out.push_back(line.back());
  return out;
}

/// The largest turn from one edge to the next, in radians, in the inner half of the section.
double sharpest(const Section& line) {
  double most = 0;
  for (size_t i = line.size() / 4 + 1; i < 3 * line.size() / 4; ++i) {
    const Vec3 p = normalised(line[i] - line[i - 1]), q = normalised(line[i + 1] - line[i]);
    most = std::max(most, std::acos(std::clamp(dot(p, q), -1.0, 1.0)));
  }
  return most;
}

}  // namespace

TEST(MieloszykBed, OfGlaciersIsSmoothAndOfRiversHasAKink) {
  Section river{{-1000, 0, 600}, {-500, 0, 300}, {0, 0, 0}, {500, 0, 300}, {1000, 0, 600}};
  Section glacier = river, printed = river;
  for (int level = 0; level < 6; ++level) {
    river = finer(river, false, 0);
    glacier = finer(glacier, true, 0.5);
    printed = finer(printed, true, 1);
  }
  EXPECT_GT(sharpest(river), 1.0);
  EXPECT_LT(sharpest(glacier), 0.1 * sharpest(river));
  // The gain that is printed leaves kinks of every size, and a floor that is deeper at its sides.
  EXPECT_GT(sharpest(printed), 0.3 * sharpest(river));
  const size_t middle = glacier.size() / 2;
  EXPECT_EQ(glacier[middle].z, 0);
  EXPECT_EQ(std::min_element(glacier.begin(), glacier.end(), [](Vec3 p, Vec3 q) { return p.z < q.z; }),
            glacier.begin() + static_cast<std::ptrdiff_t>(middle));
  EXPECT_LT(printed[middle + 8].z, -1);
  // Where the V has risen by 75 m, the trough is not much more than half as high; half way there, a third of it.
  EXPECT_NEAR(river[middle + 16].z, 75, 1e-9);
  EXPECT_LT(glacier[middle + 16].z, 40);
  EXPECT_LT(glacier[middle + 8].z, glacier[middle + 16].z / 3 + 1);
}

TEST(MieloszykBed, HalfTheGainMakesACircle) {
  const double radius = 1000;
  for (const double angle : {0.05, 0.1, 0.2, 0.4}) {
    const auto end = [&](double turn) {
      return reference::OnGlacier{{radius * std::sin(turn), 0, radius - radius * std::cos(turn)},
                                  {-std::sin(turn), 0, std::cos(turn)}};
    };
    const reference::OnGlacier a = end(-angle), b = end(angle);
    const Vec3 p = (a.place + b.place) * 0.5;
    const double circle = radius - length(reference::glacier_bed(p, a, b, 0.5) - Vec3{0, 0, radius});
    // A chord stands above the circle by radius * angle^2 / 2; half of the gain leaves a quarter of angle^2 of that.
    EXPECT_LT(std::fabs(circle), radius * angle * angle / 2 * angle * angle);
    EXPECT_LT(reference::glacier_bed(p, a, b, 1).z, reference::glacier_bed(p, a, b, 0.5).z);
  }
}

}  // namespace tepui::mieloszyk_test
