#include "tepui/hydrology/basins.h"

#include "tepui/core/parallel.h"
#include "tepui/hydrology/d8.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr int64_t strip_rows = 128;

/// Labels below 0 stand for "as the cell -label - 2, which lies in another strip"; -1 is not yet known.
constexpr int32_t unknown = -1;
int32_t as_cell(int64_t cell) { return static_cast<int32_t>(-cell - 2); }
int64_t cell_meant(int32_t label) { return -static_cast<int64_t>(label) - 2; }

/// Follows the flow of each cell of the rows [begin, end) to a label that is known or out of the rows, and once more to
/// put that label on the way.
void label_strip(const Grid<uint8_t>& directions, const D8& d8, int64_t begin, int64_t end, Grid<int32_t>& labels) {
  const int64_t first = begin * labels.width(), last = end * labels.width();
  int32_t* label_at = labels.data();
  const uint8_t* codes = directions.data();
  for (int64_t start = first; start < last; ++start) {
    int64_t cell = start;
    while (cell >= first && cell < last && label_at[cell] == unknown) cell += d8.step[codes[cell]];
    const int32_t label = cell >= first && cell < last ? label_at[cell] : as_cell(cell);
    for (int64_t on_way = start; on_way != cell; on_way += d8.step[codes[on_way]]) label_at[on_way] = label;
  }
}

bool can_be_pit(WaterCell kind) { return kind == WaterCell::inner || kind == WaterCell::wall; }

/// The label that is meant, with everything on the way to it set to it.
int32_t resolve(int32_t label, Grid<int32_t>& labels, std::vector<int64_t>& path) {
  path.clear();
  while (label < 0) {
    path.push_back(cell_meant(label));
    label = labels.data()[path.back()];
  }
  for (int64_t cell : path) labels.data()[cell] = label;
  return label;
}

}  // namespace

Basins basins_of(const WaterGround& ground, const Grid<uint8_t>& directions, const Context& context) {
  const int64_t w = ground.width(), h = ground.height->height();
  Basins basins{Grid<int32_t>(w, h), {-1}};
  Grid<int32_t>& labels = basins.of;
  // Ends first: the pits have numbers, all other ends are basin 0.
  const int64_t rows = rows_per_chunk(w);
  std::vector<std::vector<int32_t>> pits(static_cast<size_t>(h / rows + 1));
  parallel_chunks(h, rows, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i) {
      labels.data()[i] = directions.data()[i] == d8_none ? 0 : unknown;
      if (directions.data()[i] == d8_none && can_be_pit(ground.kind.data()[i]))
        pits[static_cast<size_t>(begin / rows)].push_back(static_cast<int32_t>(i));
    }
  });
  for (const std::vector<int32_t>& part : pits) basins.pits.insert(basins.pits.end(), part.begin(), part.end());
  for (size_t b = 1; b < basins.pits.size(); ++b) labels.data()[basins.pits[b]] = static_cast<int32_t>(b);

  const D8 d8(w, ground.cell);
  parallel_chunks(h, strip_rows, context,
                  [&](int64_t begin, int64_t end) { label_strip(directions, d8, begin, end, labels); });
  // What a strip left open ends in the rows at the strips' borders.
  std::vector<int64_t> path;
  for (int64_t border = strip_rows; border < h; border += strip_rows)
    for (int64_t i = (border - 1) * w; i < (border + 1) * w; ++i) resolve(labels.data()[i], labels, path);
  parallel_chunks(h, strip_rows, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i)
      for (int32_t label = labels.data()[i]; label < 0;) labels.data()[i] = label = labels.data()[cell_meant(label)];
  });
  return basins;
}

}  // namespace tepui
