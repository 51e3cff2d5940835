#include "tepui/landforms/poisson_disk.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "reference/poisson_disk.h"
#include "tepui/core/random.h"
#include "tests/support/support.h"

namespace tepui::poisson_disk_test {

namespace {

struct Candidates {
  std::vector<Vec3> at;
  std::vector<uint64_t> priority;
};

/// On a wavy sheet, or all over a box.
Candidates draw(size_t count, double size, bool sheet, uint64_t key, Vec3 offset = {}) {
  const Stream random(key);
  Candidates all;
  for (uint64_t i = 0; i < count; ++i) {
    const double x = random.uniform(i, 0, -size, size), y = random.uniform(i, 1, -size, size);
    all.at.push_back(offset + Vec3{x, y, sheet ? 0.02 * x * y / size : random.uniform(i, 2, -size, size)});
    all.priority.push_back(random.bits(i, 3));
  }
  return all;
}

}  // namespace

RC_GTEST_PROP(PoissonDisk, EqualsThePlainTwin, ()) {
  const double spacing = *rc::gen::element(0.5, 1.0, 2.2, 7.0);
  const auto count = static_cast<size_t>(*rc::gen::inRange(0, 1500));
  const Vec3 offset = *rc::gen::element(Vec3{}, Vec3{12345.6, -54321, 900});
  const Candidates all = draw(count, *rc::gen::element(3.0, 15.0, 40.0), *rc::gen::arbitrary<bool>(),
                              *rc::gen::arbitrary<uint64_t>(), offset);
  RC_ASSERT(poisson_disk(all.at, all.priority, spacing, Context()) ==
            reference::poisson_disk(all.at, all.priority, spacing));
}

RC_GTEST_PROP(PoissonDisk, KeepsDistancesAndLeavesNoGap, ()) {
  const double spacing = 1.5;
  const Candidates all = draw(static_cast<size_t>(*rc::gen::inRange(1, 700)), 8, *rc::gen::arbitrary<bool>(), 5);
  const std::vector<uint32_t> kept = poisson_disk(all.at, all.priority, spacing, Context());
  for (const uint32_t a : kept)
    for (const uint32_t b : kept) RC_ASSERT(a == b || length(all.at[a] - all.at[b]) >= spacing);
  for (const Vec3 p : all.at)
    RC_ASSERT(std::ranges::any_of(kept, [&](uint32_t i) { return length(all.at[i] - p) < spacing; }));
}

TEST(PoissonDisk, IsTheSameForAnyNumberOfThreads) {
  const Candidates all = draw(60'000, 90, true, 11);
  test::expect_same_bits([&] {
    Hasher hasher;
    for (const uint32_t i : poisson_disk(all.at, all.priority, 1.0, Context())) hasher.add(static_cast<int64_t>(i));
    return hasher.finish();
  });
}

TEST(PoissonDisk, OfEqualPlacesKeepsOne) {
  const std::vector<Vec3> at(20, Vec3{3, 4, 5});
  std::vector<uint64_t> priority(20, 7);
  EXPECT_EQ(poisson_disk(at, priority, 1, Context()), std::vector<uint32_t>{0});
  priority[13] = 2;
  EXPECT_EQ(poisson_disk(at, priority, 1, Context()), std::vector<uint32_t>{13});
  EXPECT_TRUE(poisson_disk({}, {}, 1, Context()).empty());
}

TEST(PoissonDisk, RefusesWhatItCannotSpace) {
  const std::vector<Vec3> at{{1, 2, 3}}, far{{NAN, 0, 0}};
  const std::vector<uint64_t> one{1};
  EXPECT_NE(test::error_of([&] { poisson_disk(at, one, 0, Context()); }).find("spacing"), std::string::npos);
  EXPECT_NE(test::error_of([&] { poisson_disk(far, one, 1, Context()); }).find("origin"), std::string::npos);
  EXPECT_NE(test::error_of([&] { poisson_disk(at, {}, 1, Context()); }).find("priorities"), std::string::npos);
}

}  // namespace tepui::poisson_disk_test
