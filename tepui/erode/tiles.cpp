#include "tepui/erode/tiles.h"

namespace tepui {

namespace {

/// Columns.
constexpr int64_t longest_run = 1024;

}  // namespace

Tiling::Tiling(int64_t width, int64_t height, TileSize tile)
    : width_(width),
      height_(height),
      tile_{std::max<int64_t>(tile.width, 1), std::max<int64_t>(tile.height, 1), tile.work},
      across_((width + tile_.width - 1) / tile_.width),
      down_((height + tile_.height - 1) / tile_.height) {}

TileCells Tiling::cells(int64_t tile) const {
  const int64_t x = tile % across_ * tile_.width, y = tile / across_ * tile_.height;
  return {x, std::min(x + tile_.width, width_), y, std::min(y + tile_.height, height_)};
}

void TileBoxes::add_all() {
  for (int64_t tile = 0; tile < tiling_.count(); ++tile) box(tile) = tiling_.cells(tile);
}

void TileBoxes::add_changes(int64_t tile, int64_t y, int64_t begin, int64_t end, const float* now, const float* next) {
  TileCells& known = box(tile);
  // Only what would widen the box is looked at.
  const bool none = known.empty();
  const int64_t west_end = none ? end : std::min(known.x0, end);
  int64_t x0 = begin;
  while (x0 < west_end && now[x0] == next[x0]) ++x0;
  if (none && x0 == end) return;
  const int64_t east_end = none ? x0 + 1 : std::max(known.x1, begin);
  int64_t x1 = end;
  while (x1 > east_end && now[x1 - 1] == next[x1 - 1]) --x1;
  known.add({x0, x1, y, y + 1});
}

void TileBoxes::add_near(const TileBoxes& others, int64_t columns, int64_t rows) {
  const int64_t width = tiling_.tile().width, height = tiling_.tile().height;
  for (const TileCells& other : others.boxes_) {
    if (other.empty()) continue;
    const TileCells near{std::max<int64_t>(other.x0 - columns, 0), std::min(other.x1 + columns, tiling_.width()),
                         std::max<int64_t>(other.y0 - rows, 0), std::min(other.y1 + rows, tiling_.height())};
    for (int64_t v = near.y0 / height; v * height < near.y1; ++v)
      for (int64_t u = near.x0 / width; u * width < near.x1; ++u)
        box(v * tiling_.across() + u)
            .add({std::max(near.x0, u * width), std::min(near.x1, (u + 1) * width), std::max(near.y0, v * height),
                  std::min(near.y1, (v + 1) * height)});
  }
}

void TileBoxes::runs(std::vector<TileRun>& list) const {
  list.clear();
  int64_t row_end = 0;
  bool may_go_on = false;
  for (int64_t tile = 0; tile < tiling_.count(); ++tile) {
    if (tile == row_end) row_end += tiling_.across(), may_go_on = false;
    const TileCells& cells = box(tile);
    if (cells.empty()) continue;
    if (may_go_on && list.back().cells.x1 == cells.x0 && cells.x1 - list.back().cells.x0 <= longest_run)
      list.back().cells.add(cells);
    else
      list.push_back({tile, tiling_.cells(tile).x1, cells});
    may_go_on = true;
  }
}

int64_t TileBoxes::runs_at_once(const std::vector<TileRun>& runs) const {
  int64_t cells = 0;
  for (const TileRun& run : runs) cells += (run.cells.x1 - run.cells.x0) * (run.cells.y1 - run.cells.y0);
  const auto count = static_cast<int64_t>(runs.size()), parts = std::max<int64_t>(cells / tiling_.tile().work, 1);
  return std::max<int64_t>((count + parts - 1) / parts, 1);
}

}  // namespace tepui
