#include "tepui/erode/tiles.h"

#include <set>

#include "tests/support/support.h"

namespace tepui::tiles_test {

namespace {

using Cell = std::pair<int64_t, int64_t>;

Tiling any_tiling() {
  const auto side = rc::gen::inRange<int64_t>(1, 90);
  const auto tile = rc::gen::element<int64_t>(1, 2, 7, 16, 64);
  // Some are longer than a run.
  if (*rc::gen::inRange(0, 8) == 0) return Tiling(*rc::gen::inRange<int64_t>(1000, 3000), 2, {*tile, *tile});
  return Tiling(*side, *side, {*tile, *tile});
}

TileBoxes any_boxes(const Tiling& tiling) {
  TileBoxes boxes(tiling);
  for (int i = *rc::gen::inRange(0, 8); i > 0; --i)
    boxes.add(*rc::gen::inRange<int64_t>(0, tiling.width()), *rc::gen::inRange<int64_t>(0, tiling.height()));
  return boxes;
}

std::set<Cell> cells_of(const TileCells& box) {
  std::set<Cell> cells;
  for (int64_t y = box.y0; y < box.y1; ++y)
    for (int64_t x = box.x0; x < box.x1; ++x) cells.insert({x, y});
  return cells;
}

std::set<Cell> cells_of(const TileBoxes& boxes, const Tiling& tiling) {
  std::set<Cell> cells;
  for (int64_t tile = 0; tile < tiling.count(); ++tile) cells.merge(cells_of(boxes.box(tile)));
  return cells;
}

}  // namespace

RC_GTEST_PROP(Tiles, CoverTheLandOnce, ()) {
  const Tiling tiling = any_tiling();
  std::set<Cell> cells;
  for (int64_t tile = 0; tile < tiling.count(); ++tile)
    for (const Cell& cell : cells_of(tiling.cells(tile))) {
      RC_ASSERT(tiling.tile_at(cell.first, cell.second) == tile);
      RC_ASSERT(cells.insert(cell).second);
    }
  RC_ASSERT(static_cast<int64_t>(cells.size()) == tiling.width() * tiling.height());
}

RC_GTEST_PROP(Tiles, NearAreAllCellsUpToSoFarAway, ()) {
  const Tiling tiling = any_tiling();
  const TileBoxes boxes = any_boxes(tiling), more = any_boxes(tiling);
  const auto columns = *rc::gen::inRange<int64_t>(0, 30), rows = *rc::gen::inRange<int64_t>(0, 30);
  TileBoxes near = more, expected = more;
  near.add_near(boxes, columns, rows);
  // The box of a tile is around what it has of the surroundings of each box.
  for (int64_t tile = 0; tile < tiling.count(); ++tile) {
    const TileCells& box = boxes.box(tile);
    if (box.empty()) continue;
    for (int64_t y = box.y0 - rows; y < box.y1 + rows; ++y)
      for (int64_t x = box.x0 - columns; x < box.x1 + columns; ++x)
        if (x >= 0 && y >= 0 && x < tiling.width() && y < tiling.height()) expected.add(x, y);
  }
  RC_ASSERT(near == expected);
}

RC_GTEST_PROP(Tiles, RunsHoldEveryCellAndNoTileTwice, ()) {
  const Tiling tiling = any_tiling();
  TileBoxes boxes = any_boxes(tiling);
  if (*rc::gen::arbitrary<bool>()) boxes.add_near(any_boxes(tiling), 20, 3);
  std::set<Cell> missing = cells_of(boxes, tiling);
  std::set<int64_t> tiles;
  std::vector<TileRun> runs(3);
  boxes.runs(runs);
  for (const TileRun& run : runs) {
    RC_ASSERT(!run.cells.empty());
    RC_ASSERT(run.first == tiling.tile_at(run.cells.x0, run.cells.y0));
    RC_ASSERT(run.first_end == tiling.cells(run.first).x1);
    const int64_t last = tiling.tile_at(run.cells.x1 - 1, run.cells.y1 - 1);
    for (int64_t tile = run.first; tile <= last; ++tile) RC_ASSERT(tiles.insert(tile).second);
    for (const Cell& cell : cells_of(run.cells)) missing.erase(cell);
  }
  RC_ASSERT(missing.empty());
  RC_ASSERT(runs.empty() == boxes.empty());
  RC_ASSERT(boxes.runs_at_once(runs) >= 1);
  for (const TileRun& run : runs)
    RC_ASSERT(run.cells.x1 - run.cells.x0 <= std::max<int64_t>(1024, tiling.tile().width));
}

RC_GTEST_PROP(Tiles, ChangesOfARowAreFoundExactly, ()) {
  const Tiling tiling(*rc::gen::inRange<int64_t>(1, 90), 3, {*rc::gen::element<int64_t>(1, 7, 64), 3});
  TileBoxes boxes = *rc::gen::arbitrary<bool>() ? any_boxes(tiling) : TileBoxes(tiling);
  const std::vector<float> now(static_cast<size_t>(tiling.width()), 1.0f);
  for (int64_t y = 0; y < 3; ++y) {
    std::vector<float> next = now;
    for (float& height : next) height = *rc::gen::element(1.0f, 1.0f, 1.0f, 2.0f);
    for (int64_t tile = 0; tile < tiling.count(); ++tile) {
      const TileCells c = tiling.cells(tile);
      const int64_t begin = *rc::gen::inRange(c.x0, c.x1), end = *rc::gen::inRange(begin, c.x1) + 1;
      TileCells changed, all = boxes.box(tile);
      for (int64_t x = begin; x < end; ++x)
        if (next[static_cast<size_t>(x)] != 1.0f) changed.add({x, x + 1, y, y + 1});
      if (changed.empty()) continue;
      boxes.add_changes(tile, y, begin, end, now.data(), next.data());
      all.add(changed);
      RC_ASSERT(boxes.box(tile) == all);
    }
  }
}

TEST(Tiles, AllIsEveryCell) {
  const Tiling tiling(70, 33, {});
  TileBoxes boxes(tiling);
  EXPECT_TRUE(boxes.empty());
  boxes.add_all();
  EXPECT_EQ(cells_of(boxes, tiling).size(), 70u * 33u);
  boxes.clear();
  EXPECT_TRUE(boxes.empty());
}

}  // namespace tepui::tiles_test
