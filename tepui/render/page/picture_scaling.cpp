#include "tepui/render/page/picture_scaling.h"

#include <algorithm>
#include <cmath>

namespace tepui {

namespace {

/// The source pixels that a target pixel takes along one axis, and how much of the target pixel the picture covers.
struct Taps {
  int first = 0;
  std::vector<double> weights;  ///< of sum 1
  double cover = 0;
};

Taps taps_of(int pixel, double corner, double size, int count, bool smooth) {
  Taps taps;
  const double from = std::max<double>(pixel, corner), to = std::min<double>(pixel + 1, corner + size);
  taps.cover = std::clamp(to - from, 0.0, 1.0);
  const double scale = count / size;
  const double middle = (std::clamp(pixel + 0.5, corner, corner + size) - corner) * scale;
  if (!smooth) {
    taps.first = std::clamp(static_cast<int>(std::floor(middle)), 0, count - 1);
    taps.weights = {1};
    return taps;
  }
  const double width = std::max(1.0, scale);
  const double low = middle - width / 2, high = middle + width / 2;
  const int begin = static_cast<int>(std::floor(low + 1e-9)), end = static_cast<int>(std::ceil(high - 1e-9));
  taps.first = std::clamp(begin, 0, count - 1);
  taps.weights.assign(static_cast<size_t>(std::clamp(end - 1, 0, count - 1) - taps.first + 1), 0);
  for (int i = begin; i < end; ++i) {
    const double share = (std::min<double>(i + 1, high) - std::max<double>(i, low)) / width;
    // Beyond its border a picture goes on as it ends.
    taps.weights[static_cast<size_t>(std::clamp(i, 0, count - 1) - taps.first)] += share;
  }
  return taps;
}

}  // namespace

void blend_picture(Image& target, const Image& source, Vec2 corner, Vec2 size, bool smooth) {
  const auto first = [](double v) { return static_cast<int>(std::floor(std::clamp(v, 0.0, 1e6))); };
  const auto last = [](double v, int side) { return static_cast<int>(std::ceil(std::clamp<double>(v, 0, side))); };
  const int x0 = first(corner.x), x1 = last(corner.x + size.x, target.width);
  const int y0 = first(corner.y), y1 = last(corner.y + size.y, target.height);
  std::vector<Taps> columns;
  for (int x = x0; x < x1; ++x) columns.push_back(taps_of(x, corner.x, size.x, source.width, smooth));
  const bool alpha = source.channels == 4, grey = source.channels == 1;
  for (int y = y0; y < y1; ++y) {
    const Taps row = taps_of(y, corner.y, size.y, source.height, smooth);
    for (int x = x0; x < x1; ++x) {
      const Taps& column = columns[static_cast<size_t>(x - x0)];
      double sum[3] = {}, opacity = 0;
      for (size_t j = 0; j < row.weights.size(); ++j)
        for (size_t i = 0; i < column.weights.size(); ++i) {
          const uint8_t* p = source.at(column.first + static_cast<int>(i), row.first + static_cast<int>(j));
          const double weight = row.weights[j] * column.weights[i] * (alpha ? p[3] / 255.0 : 1);
          for (int c = 0; c < 3; ++c) sum[c] += weight * p[grey ? 0 : c];
          opacity += weight;
        }
      const double cover = row.cover * column.cover;
      uint8_t* pixel = target.at(x, y);
      for (int c = 0; c < 3; ++c)
        pixel[c] = static_cast<uint8_t>(
            std::clamp(std::floor(pixel[c] * (1 - opacity * cover) + sum[c] * cover + 0.5), 0.0, 255.0));
    }
  }
}

}  // namespace tepui
