#include "tepui/core/noise.h"

#include <algorithm>
#include <cmath>

#include "reference/noise.h"
#include "tepui/core/random.h"
#include "tepui/core/vec.h"
#include "tests/support/support.h"

namespace tepui::noise_test {

namespace {

struct Cloud {
  std::vector<double> x, y, z;
};

Cloud cloud(size_t count, double radius, double centre = 0, uint64_t key = 1) {
  Cloud c;
  const Stream stream(key);
  for (size_t i = 0; i < count; ++i) {
    c.x.push_back(centre + stream.uniform(i, 0, -radius, radius));
    c.y.push_back(centre + stream.uniform(i, 1, -radius, radius));
    c.z.push_back(centre + stream.uniform(i, 2, -radius, radius));
  }
  return c;
}

std::vector<float> in_plane(const NoiseSpec& spec, const Cloud& c) {
  std::vector<float> out(c.x.size());
  Noise(spec).points(c.x, c.y, out);
  return out;
}

std::vector<float> in_space(const NoiseSpec& spec, const Cloud& c) {
  std::vector<float> out(c.x.size());
  Noise(spec).points(c.x, c.y, c.z, out);
  return out;
}

NoiseSpec spec_of(NoiseKind kind, NoiseSum sum, double scale = 1, int octaves = 1, uint64_t key = 5) {
  NoiseSpec spec;
  spec.kind = kind;
  spec.sum = sum;
  spec.scale = scale;
  spec.octaves = octaves;
  spec.key = key;
  return spec;
}

const std::vector<NoiseKind> kinds = {NoiseKind::simplex, NoiseKind::value};
const std::vector<NoiseSum> sums = {NoiseSum::fbm, NoiseSum::ridged, NoiseSum::billow};

double correlation(const std::vector<float>& a, const std::vector<float>& b) {
  double aa = 0, bb = 0, ab = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    aa += static_cast<double>(a[i]) * static_cast<double>(a[i]);
    bb += static_cast<double>(b[i]) * static_cast<double>(b[i]);
    ab += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return ab / std::sqrt(aa * bb);
}

}  // namespace

RC_GTEST_PROP(Noise, EqualsItsPlainTwin, ()) {
  const NoiseKind kind = *rc::gen::elementOf(kinds);
  const NoiseSum sum = *rc::gen::elementOf(sums);
  NoiseSpec spec =
      spec_of(kind, sum, *rc::gen::element(0.5, 10.0, 333.0), *rc::gen::inRange(1, 9), *rc::gen::arbitrary<uint64_t>());
  spec.lacunarity = *rc::gen::element(1.0, 1.9, 2.0, 3.7);
  spec.gain = *rc::gen::element(0.0, 0.4, 0.5, 1.0);
  const Cloud c = cloud(*rc::gen::inRange<size_t>(1, 600), 1000, *rc::gen::element(0.0, -5e4, 1e6), spec.key);
  const auto octaves = noise_octaves(spec);
  const auto plane = in_plane(spec, c), space = in_space(spec, c);
  for (size_t i = 0; i < c.x.size(); ++i) {
    RC_ASSERT(std::abs(static_cast<double>(plane[i]) - reference::noise(spec, octaves, c.x[i], c.y[i])) < 1e-5);
    RC_ASSERT(std::abs(static_cast<double>(space[i]) - reference::noise(spec, octaves, c.x[i], c.y[i], c.z[i])) < 1e-5);
  }
}

/// Also of another compiler or machine, and tomorrow: hence the number.
TEST(Noise, HasTheSameBitsAtEveryLevel) {
  const Cloud c = cloud(1000, 300, 12345.678);
  const auto make = [&] {
    Hasher hasher;
    for (const NoiseKind kind : kinds)
      for (const NoiseSum sum : sums)
        for (const auto& values : {in_plane(spec_of(kind, sum, 7, 5), c), in_space(spec_of(kind, sum, 7, 5), c)})
          hasher.add(hash_bytes(values.data(), values.size() * sizeof(float)));
    return hasher.finish();
  };
  test::expect_same_bits(make);
  EXPECT_EQ(make().text(), "16a3b1650e3e854596f9d80dc1c5b975");
}

RC_GTEST_PROP(Noise, ValueOfAPointDoesNotDependOnItsBatch, ()) {
  const NoiseSpec spec = spec_of(*rc::gen::elementOf(kinds), *rc::gen::elementOf(sums), 3, 4);
  const Cloud c = cloud(700, 100);
  const auto whole_plane = in_plane(spec, c), whole_space = in_space(spec, c);
  const auto first = *rc::gen::inRange<size_t>(0, 700);
  const auto count = *rc::gen::inRange<size_t>(0, 701 - first);
  const Noise noise(spec);
  std::vector<float> part(count);
  const auto cut = [&](const std::vector<double>& v) { return std::span(v).subspan(first, count); };
  noise.points(cut(c.x), cut(c.y), part);
  RC_ASSERT(std::equal(part.begin(), part.end(), whole_plane.begin() + static_cast<std::ptrdiff_t>(first)));
  noise.points(cut(c.x), cut(c.y), cut(c.z), part);
  RC_ASSERT(std::equal(part.begin(), part.end(), whole_space.begin() + static_cast<std::ptrdiff_t>(first)));
}

TEST(Noise, RowsHaveTheBitsOfPoints) {
  for (const size_t width : {1u, 15u, 256u, 700u}) {
    Cloud c = cloud(width, 100);
    std::fill(c.y.begin(), c.y.end(), -17.25);
    const NoiseSpec spec = spec_of(NoiseKind::simplex, NoiseSum::fbm, 3, 4);
    std::vector<float> row(width);
    Noise(spec).row(c.x, -17.25, row);
    EXPECT_EQ(row, in_plane(spec, c));
  }
}

TEST(Noise, StaysWithinItsRangeAndUsesIt) {
  const Cloud c = cloud(200'000, 1000);
  for (const NoiseKind kind : kinds)
    for (const NoiseSum sum : sums)
      for (const int octaves : {1, 6})
        for (const auto& values :
             {in_plane(spec_of(kind, sum, 1, octaves), c), in_space(spec_of(kind, sum, 1, octaves), c)}) {
          const auto [low, high] = std::ranges::minmax(values);
          EXPECT_GE(low, -1);
          EXPECT_LE(high, 1);
          EXPECT_GT(high - low, octaves == 1 ? 1.5f : 0.9f);
        }
}

/// The bound that lattice::simplex_scale_* is one over: the best gradient of every corner, searched over a simplex.
TEST(Noise, SimplexScaleIsTheInverseOfTheLargestSum) {
  double worst_2d = 0, worst_3d = 0;
  const auto falloff = [](double square) { return std::pow(std::max(0.0, 0.5 - square), 4); };
  const double g = (3 - std::sqrt(3.0)) / 6;
  const int steps = 240;
  for (int a = 0; a <= steps; ++a)
    for (int b = 0; b <= a; ++b) {
      const double u = static_cast<double>(a) / steps, v = static_cast<double>(b) / steps;
      double sum = 0;
      for (const auto& [i, j] : {std::pair{0, 0}, {1, 0}, {1, 1}}) {
        const double du = u - i, dv = v - j, x = du - (du + dv) * g, y = dv - (du + dv) * g;
        sum += falloff(x * x + y * y) * std::hypot(x, y);
      }
      worst_2d = std::max(worst_2d, sum);
      for (int c = 0; c <= b; c += 4) {
        const double w = static_cast<double>(c) / steps;
        sum = 0;
        for (int corner = 0; corner < 4; ++corner) {
          const double du = u - (corner > 0), dv = v - (corner > 1), dw = w - (corner > 2), back = (du + dv + dw) / 6;
          const double x = std::abs(du - back), y = std::abs(dv - back), z = std::abs(dw - back);
          sum += falloff(x * x + y * y + z * z) * (x + y + z - std::min({x, y, z}));
        }
        worst_3d = std::max(worst_3d, sum);
      }
    }
  EXPECT_NEAR(worst_2d * lattice::simplex_scale_2d, 1, 1e-3);
  EXPECT_NEAR(worst_3d * lattice::simplex_scale_3d, 1, 1e-3);
  EXPECT_LE(worst_2d * lattice::simplex_scale_2d, 1);
  EXPECT_LE(worst_3d * lattice::simplex_scale_3d, 1);
}

/// Over a step of 1/1000 lattice unit noise moves little, and so does its slope: no seams between cells.
TEST(Noise, AndItsSlopeAreContinuous) {
  constexpr size_t count = 60'000;
  constexpr double step = 1e-3;
  for (const NoiseKind kind : kinds)
    for (const bool space : {false, true}) {
      const NoiseSpec spec = spec_of(kind, NoiseSum::fbm);
      const auto octaves = noise_octaves(spec);
      const auto at = [&](size_t i) {
        const double x = static_cast<double>(i) * step * 0.6, y = static_cast<double>(i) * step * 0.8;
        return space ? reference::noise(spec, octaves, x, y, 0.3 * x) : reference::noise(spec, octaves, x, y);
      };
      double worst_step = 0, worst_bend = 0, before = at(0), here = at(1);
      for (size_t i = 2; i < count; ++i) {
        const double next = at(i);
        worst_step = std::max(worst_step, std::abs(next - here));
        worst_bend = std::max(worst_bend, std::abs(next - 2 * here + before));
        before = here;
        here = next;
      }
      EXPECT_LT(worst_step / step, 12);
      EXPECT_LT(worst_bend / (step * step), 120);
      EXPECT_GT(worst_step / step, 1);
    }
}

TEST(Noise, IsAsFineFarFromTheOriginAsNearIt) {
  NoiseSpec spec = spec_of(NoiseKind::simplex, NoiseSum::fbm, 10, 6);
  const auto octaves = noise_octaves(spec);
  const Cloud far = cloud(5000, 50, 1e6);
  const auto plane = in_plane(spec, far), space = in_space(spec, far);
  double worst = 0;
  for (size_t i = 0; i < far.x.size(); ++i) {
    worst =
        std::max(worst, std::abs(static_cast<double>(plane[i]) - reference::noise(spec, octaves, far.x[i], far.y[i])));
    worst = std::max(
        worst, std::abs(static_cast<double>(space[i]) - reference::noise(spec, octaves, far.x[i], far.y[i], far.z[i])));
  }
  EXPECT_LT(worst, 2e-6);
}

TEST(Noise, KeysAndOctavesAreIndependent) {
  const Cloud c = cloud(40'000, 300);
  for (const NoiseKind kind : kinds) {
    const auto a = in_space(spec_of(kind, NoiseSum::fbm, 1, 1, 1), c),
               b = in_space(spec_of(kind, NoiseSum::fbm, 1, 1, 2), c);
    EXPECT_LT(std::abs(correlation(a, b)), 0.02);
    const auto d = in_plane(spec_of(kind, NoiseSum::fbm, 1, 1, 1), c),
               e = in_plane(spec_of(kind, NoiseSum::fbm, 1, 1, 2), c);
    EXPECT_LT(std::abs(correlation(d, e)), 0.02);
    // Octaves of one frequency differ: with lacunarity 1 the sum is not one octave again.
    NoiseSpec two = spec_of(kind, NoiseSum::fbm, 1, 2, 1);
    two.lacunarity = 1;
    two.gain = 1;
    const double share = correlation(in_plane(two, c), d);
    EXPECT_NEAR(share, std::sqrt(0.5), 0.02);
  }
}

TEST(Noise, MeanIsNearZeroAndNoDirectionIsPreferred) {
  const Cloud c = cloud(200'000, 2000);
  const double turn[4][2] = {{1, 0}, {0, 1}, {std::sqrt(0.5), std::sqrt(0.5)}, {std::sqrt(0.5), -std::sqrt(0.5)}};
  const NoiseSpec spec = spec_of(NoiseKind::simplex, NoiseSum::fbm);
  const auto here = in_plane(spec, c);
  double mean = 0;
  for (const float v : here) mean += static_cast<double>(v);
  EXPECT_LT(std::abs(mean / static_cast<double>(here.size())), 0.005);
  std::vector<double> alike;
  for (const auto& t : turn) {
    Cloud moved = c;
    for (size_t i = 0; i < c.x.size(); ++i) {
      moved.x[i] += 0.25 * t[0];
      moved.y[i] += 0.25 * t[1];
    }
    alike.push_back(correlation(here, in_plane(spec, moved)));
  }
  const auto [low, high] = std::ranges::minmax(alike);
  EXPECT_LT(high - low, 0.03);
}

TEST(Noise, GradientsAreEquallyLikelyAndNeighboursUncorrelated) {
  int axes[3] = {}, signs[4] = {};
  double products[3] = {};
  constexpr int side = 40;
  const auto number = [](uint32_t i, uint32_t j, uint32_t k) {
    return static_cast<double>(static_cast<int32_t>(lattice::hash(i, j, k, 77, 99))) * 0x1p-31;
  };
  for (uint32_t i = 0; i < side; ++i)
    for (uint32_t j = 0; j < side; ++j)
      for (uint32_t k = 0; k < side; ++k) {
        const uint32_t hash = lattice::hash(i, j, k, 77, 99);
        const auto choice = static_cast<int32_t>(hash << 2);
        ++axes[choice < -715827883 ? 0 : choice > 715827882 ? 2 : 1];
        ++signs[hash >> 30];
        products[0] += number(i, j, k) * number(i + 1, j, k);
        products[1] += number(i, j, k) * number(i, j + 1, k);
        products[2] += number(i, j, k) * number(i, j, k + 1);
      }
  constexpr double count = side * side * side;
  for (const int n : axes) EXPECT_NEAR(n / count, 1.0 / 3, 0.01);
  for (const int n : signs) EXPECT_NEAR(n / count, 0.25, 0.01);
  for (const double p : products) EXPECT_LT(std::abs(p / count), 0.006);
}

TEST(Noise, EmptyBatchIsFine) {
  EXPECT_TRUE(in_plane({}, {}).empty());
  EXPECT_TRUE(in_space({}, {}).empty());
}

TEST(Noise, WrongSpecsAreRefused) {
  for (const auto& change : std::vector<std::function<void(NoiseSpec&)>>{
           [](NoiseSpec& s) { s.scale = 0; }, [](NoiseSpec& s) { s.scale = NAN; }, [](NoiseSpec& s) { s.octaves = 0; },
           [](NoiseSpec& s) { s.octaves = 33; }, [](NoiseSpec& s) { s.lacunarity = 0.5; },
           [](NoiseSpec& s) { s.gain = -0.1; }, [](NoiseSpec& s) { s.gain = NAN; }}) {
    NoiseSpec spec;
    change(spec);
    EXPECT_FALSE(test::error_of([&] { noise_octaves(spec); }).empty());
  }
}

namespace {

/// The slope of an octave in space at fractions u >= v >= w of a cell along a direction, were every corner's gradient
/// the one that makes it steepest. The paths through a cell are alike but for their order of axes.
double worst_slope(Vec3 f, Vec3 direction) {
  constexpr double g = 1.0 / 6;
  const Vec3 p = f - Vec3{1, 1, 1} * ((f.x + f.y + f.z) * g), u = direction * (1 / length(direction));
  double sum = 0;
  for (const Vec3 corner : {Vec3{0, 0, 0}, Vec3{1 - g, -g, -g}, Vec3{1 - 2 * g, 1 - 2 * g, -2 * g},
                            Vec3{1 - 3 * g, 1 - 3 * g, 1 - 3 * g}}) {
    const Vec3 x = p - corner;
    const double t = std::max(0.0, 0.5 - dot(x, x));
    double best = 0;
    for (const double a : {-1.0, 1.0})
      for (const double b : {-1.0, 1.0})
        for (const Vec3 edge : {Vec3{a, b, 0}, Vec3{a, 0, b}, Vec3{0, a, b}})
          best = std::max(best, t * t * t * (t * dot(edge, u) - 8 * dot(edge, x) * dot(x, u)));
    sum += best;
  }
  return lattice::simplex_scale_3d * sum;
}

}  // namespace

/// Climbs to the steepest place from many others.
TEST(Noise, NoPlaceOfSpaceIsSteeperThanItsBoundAndOneIsAsSteep) {
  const Stream stream(3);
  double steepest = 0;
  uint64_t draw = 0;
  const auto jump = [&](double by) {
    const Vec3 v{stream.uniform(draw, 0, -by, by), stream.uniform(draw, 1, -by, by), stream.uniform(draw, 2, -by, by)};
    ++draw;
    return v;
  };
  for (int start = 0; start < 60; ++start) {
    double step = 0.4;
    Vec3 at{0.7, 0.5, 0.3}, to = jump(1);
    double slope = worst_slope(at, to);
    for (int i = 0; i < 2500; ++i) {
      const Vec3 next = at + jump(step), turned = to + jump(step);
      if (!(1 >= next.x && next.x >= next.y && next.y >= next.z && next.z >= 0)) continue;
      const double found = worst_slope(next, turned);
      if (found > slope)
        slope = found, at = next, to = turned * (1 / length(turned));
      else
        step = std::max(1e-5, step * 0.99);
    }
    steepest = std::max(steepest, slope);
  }
  EXPECT_LE(steepest, lattice::simplex_slope_3d);
  EXPECT_GT(steepest, 0.999 * lattice::simplex_slope_3d);
}

RC_GTEST_PROP(Noise, IsNowhereSteeperThanItTells, ()) {
  const NoiseSpec spec = spec_of(NoiseKind::simplex, NoiseSum::fbm, *rc::gen::element(0.5, 40.0),
                                 *rc::gen::inRange(1, 5), *rc::gen::arbitrary<uint64_t>());
  const auto octaves = noise_octaves(spec);
  const double bound = steepest_slope_in_space(spec);
  const Cloud c = cloud(60, 30 * spec.scale, 0, spec.key), step = cloud(60, 0.2 * spec.scale, 0, spec.key + 1);
  for (size_t i = 0; i < c.x.size(); ++i) {
    const double here = reference::noise(spec, octaves, c.x[i], c.y[i], c.z[i]);
    const double there = reference::noise(spec, octaves, c.x[i] + step.x[i], c.y[i] + step.y[i], c.z[i] + step.z[i]);
    RC_ASSERT(std::abs(there - here) <= bound * length(Vec3{step.x[i], step.y[i], step.z[i]}));
  }
}

}  // namespace tepui::noise_test
