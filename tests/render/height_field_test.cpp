#include "tepui/render/light/height_field.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reference/derivatives.h"
#include "reference/height_field.h"
#include "tepui/core/random.h"
#include "tests/support/support.h"

namespace tepui::height_field_test {

namespace {

constexpr double no_end = INFINITY;

/// Rough, smooth, level, stepped or tremendous heights.
Grid<float> some_heights(int64_t width, int64_t height, uint64_t seed) {
  const Stream stream(seed);
  const uint64_t kind = stream.bits(0, 9) % 6;
  Grid<float> z = test::sample_land(width, height, seed, 1, {-3, 5}).height().clone();
  for (float& h : z.cells()) {
    if (kind == 1) h = 2.5f;
    if (kind == 2) h = 4 * std::floor(0.6f * h);
    if (kind == 3) h *= 1e6f;
    if (kind == 4) h = 1000 + 1e-3f * h;
  }
  if (kind == 5)
    for (int64_t y = 0; y < height; ++y)
      for (int64_t x = 0; x < width; ++x) z(x, y) = 0.5f * static_cast<float>(x) - 0.25f * static_cast<float>(y);
  return z;
}

std::pair<double, double> range_of(const Grid<float>& z) {
  const auto [low, high] = std::ranges::minmax(z.cells());
  return {static_cast<double>(low), static_cast<double>(high)};
}

HeightPlacement some_placement(uint64_t seed) {
  const Stream stream(seed);
  if (stream.bits(0) % 2 == 0) return {};
  return {{stream.uniform(1, 0, -2, 2), stream.uniform(2, 0, -2, 2), stream.uniform(3, 0, -2, 2)},
          {stream.uniform(4, 0, 0.01, 3), stream.uniform(5, 0, 0.01, 3)},
          stream.uniform(6, 0, 0.01, 3)};
}

Vec3 in_space(const HeightPlacement& p, Vec3 at) {
  return p.origin + Vec3{at.x * p.cell.x, at.y * p.cell.y, at.z * p.lift};
}

Vec3 along(const HeightPlacement& p, Vec3 d) { return {d.x * p.cell.x, d.y * p.cell.y, d.z * p.lift}; }

/// What all squares together answer; `blocked` must agree with each.
std::optional<HeightField::Hit> cast(const HeightField& field, Vec3 from, Vec3 d, double near = 0,
                                     double far = no_end) {
  std::optional<HeightField::Hit> first;
  const HeightField::Ray ray = field.ray(from, d);
  for (size_t square = 0; square < field.squares(); ++square) {
    const auto hit = field.hit(square, ray, near, far);
    EXPECT_EQ(field.blocked(square, ray, near, far), hit.has_value());
    if (hit && (!first || hit->distance < first->distance)) first = hit;
  }
  return first;
}

/// A ray in samples between two random points around the land: through it, beside it, from above, from below, upright
/// or along an axis.
struct Segment {
  Vec3 from, direction;
};
Segment some_ray(const Grid<float>& z, const Stream& stream, uint64_t ray) {
  const auto [low, high] = range_of(z);
  const double span = std::max(high - low, 1e-3 * std::abs(high) + 1e-3);
  const auto point = [&, low = low](uint64_t channel) {
    const double out = stream.bits(ray, 20) % 4 == 0 ? 0.5 : 0.0;
    const auto across = [&](uint64_t k, double wide) { return wide * stream.uniform(ray, channel + k, -out, 1 + out); };
    return Vec3{across(0, static_cast<double>(z.width() - 1)), across(1, static_cast<double>(z.height() - 1)),
                low + span * stream.uniform(ray, channel + 2, -0.3, 1.3)};
  };
  const Vec3 a = point(0), b = point(3);
  Vec3 d = b - a;
  switch (stream.bits(ray, 21) % 6) {
    case 0:
      d = {0, 0, d.z};
      break;
    case 1:
      d.x = 0;
      break;
    case 2:
      d.y = 0;
      break;
    case 3:
      d.z = 0;
      break;
    default:
      break;
  }
  return {a, d * std::exp(stream.uniform(ray, 22, -3, 3))};
}

}  // namespace

RC_GTEST_PROP(HeightField, HitsWhereTheTwinHits, (uint64_t seed)) {
  const auto w = *rc::gen::inRange<int64_t>(2, 40), h = *rc::gen::inRange<int64_t>(2, 40);
  const int64_t widen = *rc::gen::element<int64_t>(0, 0, 100);
  const Grid<float> z = some_heights(w + widen, h, seed);
  const HeightPlacement place = some_placement(seed);
  const HeightField field(z, place, Context());
  const Stream stream(seed + 1);
  for (uint64_t ray = 0; ray < 30; ++ray) {
    const auto [from, d] = some_ray(z, stream, ray);
    const double far = stream.bits(ray, 30) % 2 == 0 ? no_end : stream.uniform(ray, 31);
    const double near = stream.bits(ray, 32) % 2 == 0 ? 0 : 0.5 * stream.uniform(ray, 33);
    const auto expected = reference::first_hit(z, from, d, near, far);
    const auto found = cast(field, in_space(place, from), along(place, d), near, far);
    RC_ASSERT(found.has_value() == expected.has_value());
    if (!found) continue;
    RC_ASSERT(std::abs(found->distance - expected->distance) < 1e-7 * (1 + expected->distance));
    RC_ASSERT(std::abs(found->u - expected->u) < 1e-6 && std::abs(found->v - expected->v) < 1e-6);
    RC_ASSERT(found->distance > near && found->distance <= far);
  }
}

/// Rays that no surface of double precision can lose: through samples, along lines of samples, through the corners of
/// blocks and squares, from clearly above to clearly below and back.
RC_GTEST_PROP(HeightField, NoRaySlipsThrough, (uint64_t seed)) {
  const auto w = *rc::gen::inRange<int64_t>(2, 150), h = *rc::gen::inRange<int64_t>(2, 150);
  const Grid<float> z = some_heights(w, h, seed);
  const HeightPlacement place = some_placement(seed);
  const HeightField field(z, place, Context());
  const auto [low, high] = range_of(z);
  const double margin = 0.1 * (high - low) + 1e-3 * std::abs(high) + 1e-3;
  const Stream stream(seed + 2);
  for (uint64_t ray = 0; ray < 60; ++ray) {
    const auto lattice = [&](uint64_t channel, int64_t samples) {
      const int64_t step = std::array<int64_t, 4>{1, 1, 8, 32}[stream.bits(ray, 9) % 4];
      const int64_t at = static_cast<int64_t>(stream.bits(ray, channel) % static_cast<uint64_t>(samples));
      return static_cast<double>(at / step * step);
    };
    Vec3 top{lattice(0, w), lattice(1, h), high + margin}, foot{lattice(2, w), lattice(3, h), low - margin};
    if (stream.bits(ray, 4) % 3 == 0) foot.x = top.x;
    if (stream.bits(ray, 4) % 5 == 0) foot.y = top.y;
    if (stream.bits(ray, 4) % 7 == 0) {  // a diagonal
      const double run = std::min(std::abs(foot.x - top.x), std::abs(foot.y - top.y));
      foot.x = top.x + std::copysign(run, foot.x - top.x);
      foot.y = top.y + std::copysign(run, foot.y - top.y);
    }
    const bool down = stream.bits(ray, 5) % 2 == 0;
    const Vec3 from = down ? top : foot, d = (down ? foot - top : top - foot);
    const auto hit = cast(field, in_space(place, from), along(place, d), 0, 1);
    RC_ASSERT(hit.has_value());
    const double over = in_space(place, from + d * hit->distance).z - field.height_at(hit->u, hit->v);
    RC_ASSERT(std::abs(over) < 1e-7 * place.lift * (margin + std::abs(high) + std::abs(low)));
  }
}

/// On a plane, whose slopes and samples are exact, nothing but rounding could send a ray back.
RC_GTEST_PROP(HeightField, RaysThatLeaveAPlaneNeverMeetItAgain, (uint64_t seed)) {
  const int64_t side = *rc::gen::element<int64_t>(5, 131, 300);
  const Stream stream(seed);
  const float sx = static_cast<float>(static_cast<int>(stream.bits(0, 0) % 401) - 200) / 8;
  const float sy = static_cast<float>(static_cast<int>(stream.bits(0, 1) % 401) - 200) / 8;
  Grid<float> z(side, side);
  for (int64_t y = 0; y < side; ++y)
    for (int64_t x = 0; x < side; ++x) z(x, y) = 1500 + sx * static_cast<float>(x) + sy * static_cast<float>(y);
  const double cell = 1.0 / static_cast<double>(side - 1);
  const HeightField field(z, {{-0.5, -0.5, -0.3}, {cell, cell}, cell / 3}, Context());
  for (uint64_t ray = 0; ray < 40; ++ray) {
    const auto draw = [&](uint64_t k) { return stream.uniform(ray, k, -1, 1); };
    const double u = static_cast<double>(side - 1) * stream.uniform(ray, 2),
                 v = static_cast<double>(side - 1) * stream.uniform(ray, 3);
    const Vec3 aim{-0.5 + u * cell, -0.5 + v * cell, field.height_at(u, v)};
    const Vec3 n = field.facet_at(u, v), eye = aim + Vec3{draw(4), draw(5), draw(6)} * 3;
    const auto hit = cast(field, eye, aim - eye);
    RC_ASSERT(hit.has_value());
    RC_ASSERT(std::abs(hit->distance - 1) < 1e-9 / std::max(1e-6, std::abs(dot(aim - eye, n))));
    const double towards = dot(eye - aim, n) > 0 ? 1 : -1;
    const Vec3 start = eye + (aim - eye) * hit->distance + n * (1e-7 * towards);
    Vec3 d{draw(7), draw(8), draw(9)};
    // From straight up to exactly along the plane.
    const double grazing = std::array<double, 4>{1, 1e-3, 1e-9, 0}[ray % 4];
    d = d + n * (towards * grazing * std::abs(dot(d, n)) - dot(d, n));
    RC_ASSERT(!cast(field, start, d).has_value());
  }
}

RC_GTEST_PROP(HeightField, RaysFromTheSurfaceHitWhereTheTwinHits, (uint64_t seed)) {
  const Grid<float> z = some_heights(30, 25, seed);
  const auto [low, high] = range_of(z);
  const HeightPlacement place{{-0.5, -0.5, 0.1}, {1.0 / 29, 1.0 / 29}, 0.3 / std::max(high - low, 1.0)};
  const HeightField field(z, place, Context());
  const Stream stream(seed + 3);
  for (uint64_t ray = 0; ray < 30; ++ray) {
    const auto draw = [&](uint64_t k) { return stream.uniform(ray, k, -1, 1); };
    const double u = 29 * stream.uniform(ray, 0), v = 24 * stream.uniform(ray, 1);
    const Vec3 n = field.facet_at(u, v);
    const Vec3 start = in_space(place, {u, v, 0}) + Vec3{0, 0, field.height_at(u, v) - place.origin.z} + n * 1e-7;
    Vec3 d{draw(2), draw(3), draw(4)};
    if (dot(d, n) < 0) d = d * -1;
    const Vec3 from = start - place.origin;
    const auto expected = reference::first_hit(z, {from.x / place.cell.x, from.y / place.cell.y, from.z / place.lift},
                                               {d.x / place.cell.x, d.y / place.cell.y, d.z / place.lift}, 0, no_end);
    const auto found = cast(field, start, d);
    RC_ASSERT(found.has_value() == expected.has_value());
    if (found) RC_ASSERT(std::abs(found->distance - expected->distance) < 1e-7 * (1 + expected->distance));
  }
}

TEST(HeightField, CountsOnlyWhatIsAfterNearAndNotAfterFar) {
  const Grid<float> z(70, 9, 5.0f);
  const HeightField field(z, {}, Context());
  for (const double u : {0.0, 0.5, 8.0, 63.0, 64.0, 69.0})
    for (const double v : {0.0, 3.25, 8.0})
      for (const double side : {-1.0, 1.0}) {
        const Vec3 from{u, v, 5 + 4 * side}, d{0, 0, -2 * side};
        const auto hit = cast(field, from, d);
        ASSERT_TRUE(hit.has_value()) << u << " " << v;
        EXPECT_EQ(hit->distance, 2);
        EXPECT_EQ(hit->u, u);
        EXPECT_EQ(hit->v, v);
        EXPECT_TRUE(cast(field, from, d, 0, 2).has_value());
        EXPECT_TRUE(cast(field, from, d, 1.99, 2.01).has_value());
        EXPECT_FALSE(cast(field, from, d, 0, 1.99).has_value());
        EXPECT_FALSE(cast(field, from, d, 2, no_end).has_value());
        EXPECT_FALSE(cast(field, from, d * -1).has_value());
      }
  EXPECT_FALSE(cast(field, {20, 4, 9}, {1, 0.1, 0}).has_value());
  EXPECT_FALSE(cast(field, {20, 4, 1}, {1, 0.1, 0}).has_value());
  EXPECT_FALSE(cast(field, {-1, 4, 9}, {0, 0, -1}).has_value());
  EXPECT_FALSE(cast(field, {70, 4, 9}, {0, 0, -1}).has_value());
}

RC_GTEST_PROP(HeightField, BoundsHoldEveryPoint, (uint64_t seed)) {
  const auto w = *rc::gen::inRange<int64_t>(2, 200), h = *rc::gen::inRange<int64_t>(2, 200);
  const Grid<float> z = some_heights(w, h, seed);
  const HeightPlacement place = some_placement(seed);
  const HeightField field(z, place, Context());
  const Stream stream(seed + 4);
  for (uint64_t k = 0; k < 200; ++k) {
    const double u = stream.uniform(k, 0) * static_cast<double>(w - 1),
                 v = stream.uniform(k, 1) * static_cast<double>(h - 1);
    Vec3 at = in_space(place, {u, v, 0});
    at.z = field.height_at(u, v);
    const double slack = 1e-12 * (std::abs(at.z) + 10);
    int holding = 0;
    for (size_t square = 0; square < field.squares(); ++square) {
      const auto [low, high] = field.bounds(square);
      if (low.x - slack <= at.x && at.x <= high.x + slack && low.y - slack <= at.y && at.y <= high.y + slack) {
        ++holding;
        RC_ASSERT(low.z - slack <= at.z && at.z <= high.z + slack);
      }
    }
    RC_ASSERT(holding >= 1);
  }
}

RC_GTEST_PROP(HeightField, FacetsFollowThePatch, (uint64_t seed)) {
  const auto w = *rc::gen::inRange<int64_t>(2, 20), h = *rc::gen::inRange<int64_t>(2, 20);
  const Grid<float> z = some_heights(w, h, seed);
  const HeightPlacement place = some_placement(seed);
  const HeightField field(z, place, Context());
  const Stream stream(seed + 5);
  for (uint64_t k = 0; k < 50; ++k) {
    // Well inside a patch, where a central difference is exact.
    const auto inside = [&](uint64_t channel, int64_t samples) {
      return static_cast<double>(stream.bits(k, channel) % static_cast<uint64_t>(samples - 1)) +
             stream.uniform(k, channel + 1, 0.2, 0.8);
    };
    const double u = inside(0, w), v = inside(2, h), step = 0.125;
    const double rise_x = (field.height_at(u + step, v) - field.height_at(u - step, v)) / (2 * step * place.cell.x);
    const double rise_y = (field.height_at(u, v + step) - field.height_at(u, v - step)) / (2 * step * place.cell.y);
    const Vec3 n = field.facet_at(u, v);
    RC_ASSERT(std::abs(length(n) - 1) < 1e-12);
    RC_ASSERT(n.z > 0);
    RC_ASSERT(std::abs(n.x + rise_x * n.z) < 1e-6 && std::abs(n.y + rise_y * n.z) < 1e-6);
  }
}

RC_GTEST_PROP(HeightField, NormalsAreHornsAtSamplesAndSmoothBetween, (uint64_t seed)) {
  const auto w = *rc::gen::inRange<int64_t>(2, 20), h = *rc::gen::inRange<int64_t>(2, 20);
  const Grid<float> z = some_heights(w, h, seed);
  HeightPlacement place = some_placement(seed);
  place.lift = 1;
  const HeightField field(z, place, Context());
  const Grid<float> tangent = reference::slope(z, place.cell);
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      const Vec3 n = field.normal_at(static_cast<double>(x), static_cast<double>(y));
      RC_ASSERT(std::abs(length(n) - 1) < 1e-12);
      RC_ASSERT(n.z > 0);
      const double expected = static_cast<double>(tangent(x, y));
      RC_ASSERT(std::abs(std::hypot(n.x, n.y) / n.z - expected) <= 1e-5 * (1 + expected));
    }
  const Stream stream(seed + 6);
  for (uint64_t k = 0; k < 50; ++k) {
    const double u = static_cast<double>(stream.bits(k, 0) % static_cast<uint64_t>(w));
    const double v = stream.uniform(k, 1) * static_cast<double>(h - 1);
    const Vec3 west = field.normal_at(u - 1e-12, v), east = field.normal_at(u + 1e-12, v);
    RC_ASSERT(length(west - east) < 1e-6);
  }
}

TEST(HeightField, RaysThatAreNoNumbersMeetNothing) {
  const Grid<float> z = some_heights(70, 50, 3);
  const HeightField field(z, {}, Context());
  for (int k = 0; k < 6; ++k)
    for (const double bad : {static_cast<double>(NAN), no_end, -no_end}) {
      double v[6] = {20, 20, 9, 0.1, 0.2, -1};
      v[k] = bad;
      EXPECT_FALSE(cast(field, {v[0], v[1], v[2]}, {v[3], v[4], v[5]}).has_value()) << k << " " << bad;
    }
  EXPECT_FALSE(cast(field, {20, 20, 9}, {0, 0, 0}).has_value());
}

TEST(HeightField, TakesTheHighestHeightsThereAre) {
  Grid<float> z(20, 20, -3e38f);
  for (int64_t y = 0; y < 20; ++y)
    for (int64_t x = 10; x < 20; ++x) z(x, y) = 3e38f;
  const HeightField field(z, {{}, {1, 1}, 1e-38}, Context());
  const auto hit = cast(field, {4, 4.5, 0}, {1, 0, 0});
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->distance, 5.5, 1e-9);
}

TEST(HeightField, IsSmallBesideItsHeights) {
  const Grid<float> z(8192, 8192, 7.0f);
  const HeightField field(z, {}, Context());
  EXPECT_LT(field.bytes(), size_t{20} << 20);
  EXPECT_EQ(field.squares(), 256u * 256u);
  const auto hit = cast(field, {8190.5, 4000.25, 9}, {0, 0, -1});
  ASSERT_TRUE(hit.has_value());
  EXPECT_EQ(hit->distance, 2);
}

}  // namespace tepui::height_field_test
