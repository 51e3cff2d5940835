#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tepui {

/// Of the rectangles of cells that work is divided into, and skipped by. No result depends on it.
struct TileSize {
  int64_t width = 64, height = 16;
  int64_t work = 1024;  ///< cells that are worth a thread's while
};

/// Cells of a tile or of several: columns from x0 up to but not x1, rows likewise.
struct TileCells {
  int64_t x0 = 0, x1 = 0, y0 = 0, y1 = 0;

  bool empty() const { return x0 >= x1 || y0 >= y1; }
  friend bool operator==(const TileCells&, const TileCells&) = default;
  void add(const TileCells& more) {
    if (empty())
      *this = more;
    else if (!more.empty())
      *this = {std::min(x0, more.x0), std::max(x1, more.x1), std::min(y0, more.y0), std::max(y1, more.y1)};
  }
};

/// How land of so many cells is cut into tiles, which count from the south-west along the rows.
class Tiling {
 public:
  Tiling(int64_t width, int64_t height, TileSize tile);

  int64_t width() const { return width_; }
  int64_t height() const { return height_; }
  int64_t across() const { return across_; }
  int64_t count() const { return across_ * down_; }
  const TileSize& tile() const { return tile_; }
  int64_t tile_at(int64_t x, int64_t y) const { return y / tile_.height * across_ + x / tile_.width; }
  TileCells cells(int64_t tile) const;

 private:
  int64_t width_ = 0, height_ = 0;
  TileSize tile_;
  int64_t across_ = 0, down_ = 0;
};

/// Cells in tiles side by side, that are worked on together.
struct TileRun {
  int64_t first = 0;      ///< tile
  int64_t first_end = 0;  ///< the column after it
  TileCells cells;
};

/// Some cells of a land: in each tile a box around them. Those of different tiles may be added by several threads.
class TileBoxes {
 public:
  explicit TileBoxes(const Tiling& tiling) : tiling_(tiling), boxes_(static_cast<size_t>(tiling.count())) {}

  void clear() { std::ranges::fill(boxes_, TileCells{}); }
  void add_all();
  void add(int64_t x, int64_t y) { box(tiling_.tile_at(x, y)).add({x, x + 1, y, y + 1}); }
  /// Those of row y, from column `begin` to `end` of one tile, where `now` and `next` differ; one does.
  void add_changes(int64_t tile, int64_t y, int64_t begin, int64_t end, const float* now, const float* next);
  /// All of the others, and those up to so many columns and rows away from them.
  void add_near(const TileBoxes& others, int64_t columns, int64_t rows);

  bool empty() const {
    return std::ranges::all_of(boxes_, [](const TileCells& cells) { return cells.empty(); });
  }
  const TileCells& box(int64_t tile) const { return boxes_[static_cast<size_t>(tile)]; }
  TileCells& box(int64_t tile) { return boxes_[static_cast<size_t>(tile)]; }

  /// Replaces what is in the list.
  void runs(std::vector<TileRun>& list) const;
  /// How many of these runs a thread should be given at once.
  int64_t runs_at_once(const std::vector<TileRun>& runs) const;

  friend bool operator==(const TileBoxes& a, const TileBoxes& b) { return a.boxes_ == b.boxes_; }

 private:
  Tiling tiling_;
  std::vector<TileCells> boxes_;
};

}  // namespace tepui
