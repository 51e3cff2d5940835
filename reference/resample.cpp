#include "reference/resample.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tepui::reference {

namespace {

/// Keys 1981, Eq. 4: the kernel of cubic convolution.
double keys(double s) {
  const double a = std::abs(s);
  if (a < 1) return 1.5 * a * a * a - 2.5 * a * a + 1;
  if (a < 2) return -0.5 * a * a * a + 2.5 * a * a - 4 * a + 2;
  return 0;
}

struct Weighted {
  int64_t index;
  double weight;
};

/// The old samples of one axis that make up the new sample at position u, in old cells.
std::vector<Weighted> contributions(double u, double ratio, int64_t samples) {
  std::vector<Weighted> list;
  if (ratio > 1 + 1e-9) {
    double sum = 0;
    for (int64_t i = std::max<int64_t>(static_cast<int64_t>(u - ratio / 2) - 1, 0); i < samples; ++i) {
      const double centre = static_cast<double>(i);
      const double overlap = std::min(u + ratio / 2, centre + 0.5) - std::max(u - ratio / 2, centre - 0.5);
      if (overlap <= 0 && centre > u) break;
      if (overlap > 0) list.push_back({i, overlap});
      sum += std::max(overlap, 0.0);
    }
    if (list.empty()) return {{u < 0 ? 0 : samples - 1, 1.0}};
    for (Weighted& w : list) w.weight /= sum;
    return list;
  }
  const double last = static_cast<double>(samples - 1);
  const double at = std::clamp(u, 0.0, last);
  const int64_t cell = static_cast<int64_t>(std::floor(at));
  for (int64_t i = cell - 1; i <= cell + 2; ++i) {
    const double weight = keys(at - static_cast<double>(i));
    if (i >= 0 && i < samples) {
      list.push_back({i, weight});
    } else if (samples > 1) {
      // On the line through the border and the sample before it.
      const int64_t border = i < 0 ? 0 : samples - 1, inner = i < 0 ? 1 : samples - 2;
      const double steps = static_cast<double>(i < 0 ? -i : i - border);
      list.push_back({border, (1 + steps) * weight});
      list.push_back({inner, -steps * weight});
    } else {
      list.push_back({0, weight});
    }
  }
  return list;
}

}  // namespace

Grid<float> resample(const Grid<float>& in, const Frame& from, const Frame& to) {
  std::vector<std::vector<Weighted>> columns;
  for (int64_t x = 0; x < to.width; ++x)
    columns.push_back(contributions((to.x(x) - from.x(0)) / from.cell.x, to.cell.x / from.cell.x, from.width));
  Grid<float> out(to.width, to.height);
  for (int64_t y = 0; y < to.height; ++y) {
    const auto rows = contributions((to.y(y) - from.y(0)) / from.cell.y, to.cell.y / from.cell.y, from.height);
    for (int64_t x = 0; x < to.width; ++x) {
      double sum = 0;
      for (const Weighted& row : rows)
        for (const Weighted& column : columns[static_cast<size_t>(x)])
          sum += row.weight * column.weight * in(column.index, row.index);
      out(x, y) = static_cast<float>(sum);
    }
  }
  return out;
}

}  // namespace tepui::reference
