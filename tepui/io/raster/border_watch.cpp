#include "tepui/io/raster/border_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tepui {

namespace {

/// Fewer samples are alike by chance.
constexpr int64_t shortest_side = 8;

/// How many samples from `at` on, by `step`, are values and this number.
template <class T>
int64_t run(const T* values, const uint8_t* valid, int64_t at, int64_t step, int64_t most, double number) {
  int64_t count = 0;
  while (count < most && valid[at] != 0 && static_cast<double>(values[at]) == number) {
    at += step;
    ++count;
  }
  return count;
}

std::string counted(const char* place, int64_t count, const char* what) {
  return count == 1 ? fmt::format("{} {}", place, what) : fmt::format("{} {} {}s", place, count, what);
}

}  // namespace

template <class T>
void BorderWatch::take(const T* values, const uint8_t* valid) {
  const double west = static_cast<double>(values[0]), east = static_cast<double>(values[width_ - 1]);
  if (rows_ == 0) {
    first_ = west;
    corner_ = east;
  }
  left_ = run(values, valid, 0, 1, left_, first_);
  right_ = run(values, valid, width_ - 1, -1, right_, corner_);
  if (run(values, valid, 0, 1, width_, west) == width_) {
    if (top_ == rows_ && west == first_) ++top_;
    bottom_ = bottom_ > 0 && west == bottom_value_ ? bottom_ + 1 : 1;
    bottom_value_ = west;
  } else {
    bottom_ = 0;
  }
  for (int64_t x = 0; x < width_; ++x) {
    if (valid[x] == 0) continue;
    low_ = std::min(low_, static_cast<double>(values[x]));
    high_ = std::max(high_, static_cast<double>(values[x]));
  }
  ++rows_;
}

template void BorderWatch::take(const float*, const uint8_t*);
template void BorderWatch::take(const double*, const uint8_t*);

std::optional<std::string> BorderWatch::hint(const std::string& path) const {
  if (width_ < shortest_side || height_ < shortest_side || rows_ != height_ || !(low_ < high_)) return std::nullopt;
  struct Side {
    int64_t count;
    double number;
    const char *place, *what;
  };
  std::vector<std::string> found;
  std::optional<double> number;
  for (const Side& side : {Side{left_, first_, "first", "column"},
                           {right_, corner_, "last", "column"},
                           {top_, first_, "first", "row"},
                           {bottom_, bottom_value_, "last", "row"}}) {
    if (side.count == 0 || (side.number != 0 && side.number != low_ && side.number != high_)) continue;
    if (!number) number = side.number;
    if (side.number == *number) found.push_back(counted(side.place, side.count, side.what));
  }
  if (!number) return std::nullopt;
  return fmt::format("all of '{}' in its {} is {:g}; if that is not a height, set 'nodata={:g}'", path,
                     fmt::join(found, ", "), *number, *number);
}

}  // namespace tepui
