#include "tepui/core/grid.h"

#include <algorithm>
#include <cstdint>

#include "tests/support/support.h"

namespace tepui::grid_test {

RC_GTEST_PROP(Grid, RowsLieOneAfterAnother, ()) {
  const auto width = *rc::gen::inRange<int64_t>(1, 60), height = *rc::gen::inRange<int64_t>(1, 60);
  Grid<int32_t> grid(width, height, -1);
  RC_ASSERT(grid.size() == width * height);
  RC_ASSERT(reinterpret_cast<uintptr_t>(grid.data()) % 64 == 0u);
  int32_t next = 0;
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x) {
      RC_ASSERT(grid(x, y) == -1);
      grid(x, y) = next++;
    }
  for (int64_t i = 0; i < grid.size(); ++i) RC_ASSERT(grid.cells()[static_cast<size_t>(i)] == i);
  RC_ASSERT(grid.row(height - 1) == grid.data() + (height - 1) * width);
}

TEST(Grid, CloneIsIndependent) {
  Grid<float> grid(7, 3, 2.5f);
  Grid<float> copy = grid.clone();
  copy(3, 1) = 9;
  EXPECT_EQ(grid(3, 1), 2.5f);
  EXPECT_EQ(copy(0, 0), 2.5f);
  EXPECT_NE(copy.data(), grid.data());
}

TEST(Grid, MovingLeavesAnEmptyGrid) {
  Grid<float> grid(5, 4, 1.0f);
  const float* data = grid.data();
  Grid<float> moved = std::move(grid);
  EXPECT_EQ(moved.data(), data);
  EXPECT_EQ(moved.width(), 5);
  EXPECT_TRUE(grid.empty());
  EXPECT_TRUE(grid.cells().empty());
  Grid<float> other(2, 2, 0.0f);
  other = std::move(moved);
  EXPECT_EQ(other.data(), data);
  EXPECT_EQ(other.height(), 4);
  EXPECT_TRUE(moved.empty());
}

TEST(Grid, OfNoCellsIsEmpty) {
  EXPECT_TRUE(Grid<float>().empty());
  EXPECT_TRUE(Grid<float>(0, 5).empty());
  EXPECT_TRUE(Grid<float>(0, 5).clone().empty());
}

TEST(Grid, BeyondMemoryIsRefusedBeforeAllocating) {
  pool_reset_peak();
  const size_t before = pool_use().peak;
  const std::string huge = test::error_of([] { Grid<float>(int64_t{1} << 40, int64_t{1} << 40); });
  EXPECT_NE(huge.find("1099511627776 x 1099511627776"), std::string::npos);
  EXPECT_NE(huge.find("lower the resolution"), std::string::npos);
  test::error_of([] { Grid<double>(INT64_MAX, INT64_MAX); });
  test::error_of([] { Grid<float>(static_cast<int64_t>(physical_memory() / 4) + 1, 1); });
  EXPECT_NE(test::error_of([] { Grid<float>(-1, 5); }).find("negative"), std::string::npos);
  EXPECT_EQ(pool_use().peak, before);
}

TEST(Pool, BlocksAreReused) {
  pool_trim();
  const void* first = nullptr;
  {
    const Grid<float> grid(1000, 1000);
    first = grid.data();
  }
  EXPECT_GE(pool_use().idle, 4'000'000u);
  const Grid<float> again(1000, 1000);
  EXPECT_EQ(again.data(), first);
  EXPECT_EQ(pool_use().idle, 0u);
}

TEST(Pool, NearlyEqualSizesShareBlocks) {
  pool_trim();
  const void* first = nullptr;
  {
    const PoolBlock block = pool_allocate(1'000'001);
    first = block.get();
  }
  EXPECT_EQ(pool_allocate(1'000'100).get(), first);
}

TEST(Pool, CountsWhatIsUsedAndItsPeak) {
  pool_trim();
  pool_reset_peak();
  const size_t before = pool_use().used;
  {
    const Grid<float> a(512, 512), b(512, 512);
    EXPECT_EQ(pool_use().used, before + 2 * 512 * 512 * 4);
  }
  EXPECT_EQ(pool_use().used, before);
  EXPECT_EQ(pool_use().peak, before + 2 * 512 * 512 * 4);
  EXPECT_GE(pool_use().idle, size_t{2} * 512 * 512 * 4);
  pool_trim();
  EXPECT_EQ(pool_use().idle, 0u);
}

RC_GTEST_PROP(Pool, BlocksHoldWhatWasAskedFor, ()) {
  const auto bytes = *rc::gen::inRange<size_t>(0, 3'000'000);
  const PoolBlock block = pool_allocate(bytes);
  RC_ASSERT(block.get_deleter().bytes >= bytes);
  RC_ASSERT(block.get_deleter().bytes <= bytes + bytes / 8 + 64);
  std::memset(block.get(), 0xa5, bytes);
}

TEST(Pool, BlocksThatTogetherExceedMemoryAreRefusedWithTheNumbers) {
  const size_t before = pool_use().used;
  {
    // Never touched, so that no page of it is ever there.
    const PoolBlock half = pool_allocate(physical_memory() / 2);
    const Grid<float> idle = Grid<float>(512, 512).clone();
    const std::string text = test::error_of([] { pool_allocate(physical_memory() / 2 + physical_memory() / 8); });
    EXPECT_NE(text.find(bytes_text(static_cast<double>(pool_use().used)) + " in use"), std::string::npos) << text;
    EXPECT_NE(text.find(bytes_text(static_cast<double>(physical_memory())) + " in the machine"), std::string::npos);
    EXPECT_EQ(pool_use().idle, 0u);
  }
  EXPECT_EQ(pool_use().used, before);
}

TEST(Pool, BytesAreWrittenForPeople) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(0x1p40), "1.0 TiB");
  EXPECT_EQ(bytes_text(0x1p70), "1048576.0 PiB");
}

}  // namespace tepui::grid_test
