#include "tepui/hydrology/gather.h"

#include <cmath>

#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

Grid<int32_t> cells_upstream(const Watercourses& water, const FlowOrder& order, const Context& context) {
  const int64_t w = water.ground.width(), h = water.ground.height->height();
  Grid<int32_t> count(w, h);
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i)
      count.data()[i] = water.ground.kind.data()[i] == WaterCell::outside ? 0 : 1;
  });
  int32_t* sums = count.data();
  order.downstream(context, [&](int64_t cell, int64_t to) { sums[to] += sums[cell]; });
  return count;
}

void gather_downstream(const FlowOrder& order, Grid<int64_t>& amounts, const Context& context) {
  int64_t* sums = amounts.data();
  order.downstream(context, [&](int64_t cell, int64_t to) { sums[to] += sums[cell]; });
}

double quanta_a_unit(double highest, int64_t count, int bits) {
  if (!(highest > 0)) return 1;
  int exponent = 0;
  std::frexp(highest * static_cast<double>(count), &exponent);
  return std::ldexp(1.0, bits - exponent);
}

}  // namespace tepui
