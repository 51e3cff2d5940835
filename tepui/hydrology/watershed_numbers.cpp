#include "tepui/hydrology/watershed_numbers.h"

#include <algorithm>

#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

bool is_outlet(const Watercourses& water, const FlowOrder& order, int64_t i) {
  const WaterCell kind = water.ground.kind.data()[i];
  if (kind == WaterCell::sea || kind == WaterCell::outside) return false;
  const int64_t to = order.receiver(i);
  return to < 0 || water.ground.kind.data()[to] == WaterCell::sea;
}

}  // namespace

std::vector<int32_t> outlets_of(const Watercourses& water, const FlowOrder& order, const Grid<int32_t>& cells,
                                double least, const Context& context) {
  const int64_t w = cells.width(), rows = rows_per_chunk(w);
  using List = std::vector<int32_t>;
  List outlets = parallel_reduce(
      cells.height(), rows, context, List{},
      [&](int64_t begin, int64_t end) {
        List found;
        for (int64_t i = begin * w; i < end * w; ++i)
          if (is_outlet(water, order, i) && static_cast<double>(cells.data()[i]) >= least)
            found.push_back(static_cast<int32_t>(i));
        return found;
      },
      [](List all, const List& more) {
        all.insert(all.end(), more.begin(), more.end());
        return all;
      });
  std::stable_sort(outlets.begin(), outlets.end(),
                   [&](int32_t a, int32_t b) { return cells.data()[a] > cells.data()[b]; });
  return outlets;
}

Grid<float> watershed_numbers(const FlowOrder& order, const std::vector<int32_t>& outlets, int64_t width,
                              int64_t height, const Context& context) {
  Grid<float> of(width, height);
  parallel_chunks(height, rows_per_chunk(width), context, [&](int64_t begin, int64_t end) {
    std::fill(of.data() + begin * width, of.data() + end * width, 0.0f);
  });
  for (size_t k = outlets.size(); k-- > 0;) of.data()[outlets[k]] = static_cast<float>(k + 1);
  float* number = of.data();
  order.upstream(context, [&](int64_t cell, int64_t to) {
    if (number[cell] == 0 && to >= 0) number[cell] = number[to];
  });
  return of;
}

}  // namespace tepui
