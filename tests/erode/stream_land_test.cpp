#include "tepui/erode/stream_land.h"

#include <cmath>

#include "reference/stream_power.h"
#include "tepui/core/random.h"
#include "tepui/erode/creep.h"
#include "tepui/erode/talus_limit.h"
#include "tepui/erode/valley_floors.h"
#include "tests/support/support.h"

namespace tepui::stream_land_test {
namespace {

Lattice any_lattice() {
  const double x = *rc::gen::element(0.5, 10.0, 200.0), y = x * *rc::gen::element(1.0, 1.3);
  return {*rc::gen::inRange<int64_t>(2, 40), *rc::gen::inRange<int64_t>(2, 40), {x, y}, {}, 1};
}

/// Rough ground without ties, with many pits, about a slope that is usual for cells of this size.
Grid<float> rough(const Lattice& lattice, uint64_t seed) {
  Grid<float> z(lattice.width, lattice.height);
  const Stream draw(seed);
  for (int64_t i = 0; i < z.size(); ++i)
    z.data()[i] = static_cast<float>(
        lattice.cell.x * (static_cast<double>(i % z.width()) * 0.2 + draw.uniform(static_cast<uint64_t>(i))));
  return z;
}

Grid<WaterCell> open_border(const Lattice& lattice) {
  Grid<WaterCell> kind(lattice.width, lattice.height, WaterCell::inner);
  for (int64_t y = 0; y < kind.height(); ++y)
    for (int64_t x = 0; x < kind.width(); ++x)
      if (x == 0 || y == 0 || x == kind.width() - 1 || y == kind.height() - 1) kind(x, y) = WaterCell::edge;
  return kind;
}

/// Law and land at random, one step of both.
void expect_plain_step(const Lattice& lattice, double deposition) {
  const double area = lattice.cell.x * lattice.cell.y;
  StreamLaw law;
  law.m = 0.45, law.n = *rc::gen::element(1.0, 0.7, 2.0);
  law.head = *rc::gen::element(0.0, 20.0) * area;
  // So that a step cuts a fair part of a slope of 1.
  law.k = *rc::gen::element(0.05, 1.0, 20.0) * lattice.cell.x / std::pow(area, law.m);
  law.creep = *rc::gen::element(0.0, 0.1, 3.0) * area;
  const double talus = *rc::gen::element(0.3, 2.0, 1e6);
  law.deposition = deposition;
  StreamLand land(lattice, nullptr, law, Context());
  land.height = rough(lattice, *rc::gen::arbitrary<uint64_t>());
  land.ground.kind = open_border(lattice);
  land.ground.quanta_area = area;
  land.ground.steepest = Grid<float>(lattice.width, lattice.height, static_cast<float>(talus));
  land.ground.uplift = Grid<float>(lattice.width, lattice.height, static_cast<float>(0.1 * lattice.cell.x));
  reference::StreamPower plain{lattice.cell, law.k,     law.m,
                               law.n,        law.head,  static_cast<double>(land.ground.uplift(0, 0)),
                               talus,        law.creep, law.deposition};
  Grid<double> z(lattice.width, lattice.height);
  for (int64_t i = 0; i < z.size(); ++i) z.data()[i] = static_cast<double>(land.height.data()[i]);
  land.step(1, Context());
  reference::stream_power_step(z, plain, 1);
  for (int64_t i = 0; i < z.size(); ++i)
    RC_ASSERT(std::abs(z.data()[i] - static_cast<double>(land.height.data()[i])) < 2e-3 * lattice.cell.x);
}

RC_GTEST_PROP(StreamLand, AStepIsThePlainOne, ()) { expect_plain_step(any_lattice(), 0); }

RC_GTEST_PROP(StreamLand, AStepWithDepositionIsThePlainOne, ()) {
  Lattice lattice = any_lattice();
  lattice.width = std::min<int64_t>(lattice.width, 18), lattice.height = std::min<int64_t>(lattice.height, 18);
  expect_plain_step(lattice, *rc::gen::element(0.1, 0.6, 2.0));
}

/// A river of 200 nodes between ground that is outside, from its head at the right to its outlet at the left.
StreamLand channel(const StreamLaw& law, double cell, double uplift) {
  const Lattice lattice{202, 3, {cell, cell}, {}, 1};
  StreamLand land(lattice, nullptr, law, Context());
  land.height = Grid<float>(202, 3, 0.0f);
  land.ground.kind = Grid<WaterCell>(202, 3, WaterCell::outside);
  for (int64_t x = 1; x < 201; ++x) {
    land.ground.kind(x, 1) = x == 1 ? WaterCell::edge : WaterCell::wall;
    land.height(x, 1) = static_cast<float>(1e-3 * cell * static_cast<double>(x));
  }
  land.ground.quanta_area = cell * cell;
  land.ground.uplift = Grid<float>(202, 3, static_cast<float>(uplift));
  return land;
}

TEST(StreamLand, AChannelUnderSteadyUpliftIsTheAnalyticProfile) {
  for (double n : {0.7, 1.0, 2.0})
    for (double cell : {1.0, 30.0, 1000.0}) {
      StreamLaw law;
      law.n = n, law.m = 0.45 * n, law.head = 0;
      // U / K so that the slope is 0.1 where the whole channel has drained.
      const double uplift = 1, whole = 200 * cell * cell;
      law.k = uplift / (std::pow(whole, law.m) * std::pow(0.1, n));
      StreamLand land = channel(law, cell, uplift);
      const double response = 200 * cell * 0.1 / uplift;
      for (int i = 0; i < 600; ++i) land.step(response / 10, Context());
      // S = (U / K)^(1/n) A^(-m/n), A = cell (L - x): the integral from the outlet on.
      const auto analytic = [&](double x) {
        const double length = 200 * cell, power = 1 - law.m / n;
        const double scale = std::pow(uplift / law.k, 1 / n) * std::pow(cell, -law.m / n) / power;
        return scale * (std::pow(length - 0.5 * cell, power) - std::pow(length - 0.5 * cell - x, power));
      };
      const double relief = analytic(199 * cell);
      for (int64_t x = 1; x < 200; ++x) {
        const double z = land.height(x, 1) - land.height(1, 1);
        EXPECT_NEAR(z, analytic(static_cast<double>(x - 1) * cell), 0.01 * relief) << n << ' ' << cell << ' ' << x;
      }
    }
}

// Yuan et al. (2019): S = ((1 + G) U / K)^(1/n) A^(-m/n).
TEST(StreamLand, DepositionSteepensAChannelByOnePlusG) {
  for (double n : {0.7, 1.0, 2.0})
    for (double deposition : {0.3, 1.0, 3.0}) {
      StreamLaw law;
      law.n = n, law.m = 0.45 * n, law.head = 0;
      const double cell = 30, uplift = 1, whole = 200 * cell * cell;
      law.k = uplift / (std::pow(whole, law.m) * std::pow(0.1, n));
      const double response = 200 * cell * 0.1 / uplift;
      const auto profile = [&](double g) {
        law.deposition = g;
        StreamLand land = channel(law, cell, uplift);
        for (int i = 0; i < 80; ++i) land.step(response * (1 + g), Context());
        return land.height.clone();
      };
      const Grid<float> without = profile(0), with = profile(deposition);
      for (int64_t x = 2; x < 200; ++x) {
        const double slope = (with(x, 1) - with(x - 1, 1)) / (without(x, 1) - without(x - 1, 1));
        EXPECT_NEAR(slope / std::pow(1 + deposition, 1 / n), 1, 0.01) << n << ' ' << deposition << ' ' << x;
      }
    }
}

/// Everything that rivers took and did not lay down again has left the land.
RC_GTEST_PROP(StreamLand, WhatRiversCarryOutIsWhatTheLandLost, ()) {
  const Lattice lattice = any_lattice();
  const double area = lattice.cell.x * lattice.cell.y;
  StreamLaw law;
  law.n = *rc::gen::element(1.0, 1.0, 0.7, 2.0), law.m = 0.45 * law.n, law.head = 0;
  law.k = *rc::gen::element(0.05, 1.0, 20.0) * lattice.cell.x / std::pow(area, law.m);
  law.deposition = *rc::gen::element(0.1, 0.6, 2.0, 4.0);
  StreamLand land(lattice, nullptr, law, Context());
  land.height = rough(lattice, *rc::gen::arbitrary<uint64_t>());
  land.ground.kind = open_border(lattice);
  land.ground.quanta_area = area;
  land.ground.steepest = Grid<float>(lattice.width, lattice.height, *rc::gen::element(0.6f, 1e6f));
  const double uplift = 0.1 * lattice.cell.x;
  land.ground.uplift = Grid<float>(lattice.width, lattice.height, static_cast<float>(uplift));
  const Grid<float> before = land.height.clone();
  land.step(1, Context());
  double lost = 0, moved = 0;
  for (int64_t i = 0; i < before.size(); ++i) {
    const bool outlet = land.ground.kind.data()[i] == WaterCell::edge && land.height.data()[i] == before.data()[i];
    const double change = outlet ? 0 : before.data()[i] + uplift - land.height.data()[i];
    lost += change, moved += std::abs(change);
  }
  RC_ASSERT(std::abs(lost - land.carried_out()) <= 2e-3 * moved + 1e-5 * lattice.cell.x);
}

RC_GTEST_PROP(Creep, KeepsTheSumAndWhatDoesNotMove, ()) {
  const Lattice lattice = any_lattice();
  Grid<float> z = rough(lattice, *rc::gen::arbitrary<uint64_t>());
  const Grid<float> before = z.clone();
  Grid<float> mobility(lattice.width, lattice.height);
  const Stream draw(*rc::gen::arbitrary<uint64_t>());
  for (int64_t i = 0; i < z.size(); ++i)
    mobility.data()[i] = static_cast<float>(std::max(0.0, draw.uniform(static_cast<uint64_t>(i), 0, -0.3, 1)));
  creep(z, mobility, lattice.cell, *rc::gen::element(0.1, 1.0, 100.0) * lattice.cell.x * lattice.cell.x, Context());
  double was = 0, is = 0, size = 0;
  for (int64_t i = 0; i < z.size(); ++i) {
    was += before.data()[i], is += z.data()[i], size += std::abs(before.data()[i]);
    if (mobility.data()[i] == 0) RC_ASSERT(z.data()[i] == before.data()[i]);
  }
  RC_ASSERT(std::abs(was - is) <= 1e-5 * size);
}

RC_GTEST_PROP(TalusLimit, NeverRaisesAndLeavesNothingSteeper, ()) {
  const Lattice lattice = any_lattice();
  Grid<float> z = rough(lattice, *rc::gen::arbitrary<uint64_t>());
  const Grid<float> before = z.clone();
  const double most = *rc::gen::element(0.0, 0.1, 0.6, 5.0);
  const Grid<float> steepest(lattice.width, lattice.height, static_cast<float>(most));
  limit_slope(z, steepest, lattice.cell, Context());
  for (int64_t y = 0; y < z.height(); ++y)
    for (int64_t x = 0; x < z.width(); ++x) {
      RC_ASSERT(z(x, y) <= before(x, y));
      const float low = std::min({x > 0 ? z(x - 1, y) : 1e9f, x + 1 < z.width() ? z(x + 1, y) : 1e9f});
      const float down = std::min({y > 0 ? z(x, y - 1) : 1e9f, y + 1 < z.height() ? z(x, y + 1) : 1e9f});
      const double gx = std::max(0.0, static_cast<double>(z(x, y) - low) / lattice.cell.x);
      const double gy = std::max(0.0, static_cast<double>(z(x, y) - down) / lattice.cell.y);
      RC_ASSERT(std::hypot(gx, gy) <= most * 1.01 + 1e-4);
    }
}

RC_GTEST_PROP(PowerDistance, IsTheLeastOverAllPlaces, ()) {
  const Lattice lattice = any_lattice();
  Grid<float> radius(lattice.width, lattice.height, 0.0f);
  const Stream draw(*rc::gen::arbitrary<uint64_t>());
  const double share = *rc::gen::element(0.0, 0.02, 0.5);
  for (int64_t i = 0; i < radius.size(); ++i)
    if (draw.uniform(static_cast<uint64_t>(i)) < share)
      radius.data()[i] = static_cast<float>(lattice.cell.x * 9 * draw.uniform(static_cast<uint64_t>(i), 1) + 0.01);
  const PowerDistance found = power_distance(radius, lattice.cell, Context());
  for (int64_t i = 0; i < radius.size(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (int64_t j = 0; j < radius.size(); ++j) {
      if (!(radius.data()[j] > 0)) continue;
      const double dx = static_cast<double>(j % lattice.width - i % lattice.width) * lattice.cell.x;
      const double dy = static_cast<double>(j / lattice.width - i / lattice.width) * lattice.cell.y;
      least = std::min(least, dx * dx + dy * dy - static_cast<double>(radius.data()[j]) * radius.data()[j]);
    }
    if (std::isinf(least)) {
      RC_ASSERT(found.place.data()[i] == -1);
    } else {
      RC_ASSERT(std::abs(found.least.data()[i] - least) <= 1e-4 * (std::abs(least) + lattice.cell.x * lattice.cell.x));
    }
  }
}

TEST(PowerTable, IsThePower) {
  for (double m : {-0.9, 0.3, 0.45, 1.0, 2.5}) {
    const PowerTable power(m);
    for (double x = 1e-6; x < 1e14; x *= 1.37) EXPECT_NEAR(power(x) / std::pow(x, m), 1, 1e-6) << m << ' ' << x;
  }
}

}  // namespace
}  // namespace tepui::stream_land_test
