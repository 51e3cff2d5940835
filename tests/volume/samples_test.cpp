#include "tepui/volume/samples.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/balls.h"
#include "tests/support/beds.h"
#include "tests/support/support.h"

namespace tepui::samples_test {
namespace {

RC_GTEST_PROP(Samples, AreWhatTheVolumeSaysThere, ()) {
  const Volume volume(test::ball_solid({1, 2, 3}, 8, 7.5), 7.5, test::sample_rock());
  const auto side = [] { return static_cast<double>(*rc::gen::inRange(0, 30)); };
  const Vec3 low{-side(), -side(), -side()};
  const Box3 box{low, low + Vec3{2 * side(), side(), side()}};
  const SampleGrid grid = sample_grid(box, 0.5 + 0.25 * *rc::gen::inRange(0, 8));
  std::vector<float> v(static_cast<size_t>(grid.slice())), rho(v);
  const int64_t level = *rc::gen::inRange<int64_t>(0, grid.nz);
  sample_field(volume, grid, level, v.data(), {});
  sample_resistance(volume.rock(), grid, level, rho.data(), {});
  for (int64_t j = 0; j < grid.ny; ++j)
    for (int64_t i = 0; i < grid.nx; ++i) {
      const Vec3 p{grid.origin.x + static_cast<double>(i) * grid.cell,
                   grid.origin.y + static_cast<double>(j) * grid.cell,
                   grid.origin.z + static_cast<double>(level) * grid.cell};
      RC_ASSERT(v[static_cast<size_t>(j * grid.nx + i)] == volume.value(p));
      RC_ASSERT(rho[static_cast<size_t>(j * grid.nx + i)] == volume.resistance(p));
      RC_ASSERT(p.x <= box.high.x + 1e-9 && p.y <= box.high.y + 1e-9 && p.z <= box.high.z + 1e-9);
    }
}

TEST(Samples, CellsAreRoundAndEnoughOfThem) {
  EXPECT_EQ(round_cell({{0, 0, 0}, {400, 10, 10}}), 1);
  EXPECT_EQ(round_cell({{0, 0, 0}, {10, 401, 10}}), 2);
  EXPECT_EQ(round_cell({{0, 0, 0}, {10, 10, 2048}}), 10);
  EXPECT_DOUBLE_EQ(round_cell({{0, 0, 0}, {1, 1, 1}}), 0.005);
  EXPECT_EQ(round_cell({{3, 3, 3}, {3, 3, 3}}), 1);
}

TEST(Samples, RefuseTooManyWithACellThatWouldDo) {
  const Box3 box{{0, 0, 0}, {1e4, 1e4, 1e3}};
  const std::string message = test::error_of([&] { sample_grid(box, 0.5); });
  EXPECT_NE(message.find("8e+11 points"), std::string::npos) << message;
  EXPECT_NE(message.find("cell = 5 "), std::string::npos) << message;
  EXPECT_NO_THROW(sample_grid(box, 5));
  EXPECT_NE(test::error_of([] { sample_grid({}, 1); }).find("nothing to sample"), std::string::npos);
  EXPECT_EQ(sample_grid({{1, 1, 1}, {1, 1, 1}}, {}).count(), 1);
}

}  // namespace
}  // namespace tepui::samples_test
