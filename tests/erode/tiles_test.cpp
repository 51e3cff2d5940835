#include "tepui/erode/tiles.h"

#include <set>

#include "tests/support/support.h"

namespace tepui {

namespace {

using Cell = std::pair<int64_t, int64_t>;

Tiling any_tiling() {
  const auto side = rc::gen::inRange<int64_t>(1, 90);
  const auto tile = rc::gen::element<int64_t>(1, 2, 7, 16, 64);
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
  TileBoxes near = more;
  near.add_near(boxes, columns, rows);
  const std::set<Cell> found = cells_of(near, tiling), added = cells_of(more, tiling);
  RC_ASSERT(std::ranges::includes(found, added));
  for (const auto& [x, y] : cells_of(boxes, tiling))
    for (const auto& [u, v] : {Cell{x - columns, y - rows}, Cell{x + columns, y - rows}, Cell{x - columns, y + rows},
                               Cell{x + columns, y + rows}, Cell{x, y}})
      if (u >= 0 && v >= 0 && u < tiling.width() && v < tiling.height()) RC_ASSERT(found.contains({u, v}));
  for (int64_t tile = 0; tile < tiling.count(); ++tile)
    RC_ASSERT(std::ranges::includes(cells_of(tiling.cells(tile)), cells_of(near.box(tile))));
}

RC_GTEST_PROP(Tiles, RunsHoldEveryCellAndNoTileTwice, ()) {
  const Tiling tiling = any_tiling();
  TileBoxes boxes = any_boxes(tiling);
  if (*rc::gen::arbitrary<bool>()) boxes.add_near(any_boxes(tiling), 20, 3);
  std::set<Cell> missing = cells_of(boxes, tiling);
  std::set<int64_t> tiles;
  const std::vector<TileRun> runs = boxes.runs();
  for (const TileRun& run : runs) {
    RC_ASSERT(!run.cells.empty());
    RC_ASSERT(run.first == tiling.tile_at(run.cells.x0, run.cells.y0));
    const int64_t last = tiling.tile_at(run.cells.x1 - 1, run.cells.y1 - 1);
    for (int64_t tile = run.first; tile <= last; ++tile) RC_ASSERT(tiles.insert(tile).second);
    for (const Cell& cell : cells_of(run.cells)) missing.erase(cell);
  }
  RC_ASSERT(missing.empty());
  RC_ASSERT(runs.empty() == boxes.empty());
  RC_ASSERT(runs_at_once(runs) >= 1);
}

RC_GTEST_PROP(Tiles, ChangesOfARowAreFoundExactly, ()) {
  const Tiling tiling(*rc::gen::inRange<int64_t>(1, 90), 3, {*rc::gen::element<int64_t>(1, 7, 64), 3});
  TileBoxes boxes = *rc::gen::arbitrary<bool>() ? any_boxes(tiling) : TileBoxes(tiling);
  TileBoxes expected = boxes;
  const std::vector<float> now(static_cast<size_t>(tiling.width()), 1.0f);
  for (int64_t y = 0; y < 3; ++y) {
    std::vector<float> next = now;
    for (float& height : next) height = *rc::gen::element(1.0f, 1.0f, 1.0f, 2.0f);
    for (int64_t tile = 0; tile < tiling.count(); ++tile) {
      const TileCells c = tiling.cells(tile);
      bool any = false;
      for (int64_t x = c.x0; x < c.x1; ++x)
        if (next[static_cast<size_t>(x)] != 1.0f) expected.add(x, y), any = true;
      if (any) boxes.add_changes(tile, y, c.x0, c.x1, now.data(), next.data());
    }
    RC_ASSERT(boxes == expected);
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

}  // namespace tepui
