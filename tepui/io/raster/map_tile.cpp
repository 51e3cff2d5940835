#include "tepui/io/raster/map_tile.h"

#include <cmath>
#include <vector>

#include "tepui/io/file/atomic_file.h"

namespace tepui {

namespace {

/// Half the width of the Web Mercator world: pi times the equator's radius.
constexpr double half_world = 3.14159265358979323846 * 6378137.0;
constexpr int64_t finest_zoom = 24;

/// The last three whole numbers of a path without its ending, set apart by one character each.
std::vector<int64_t> last_numbers(const std::string& path) {
  std::vector<int64_t> numbers;
  size_t end = path.size() - file_ending(path).size();
  while (numbers.size() < 3) {
    size_t begin = end;
    while (begin > 0 && path[begin - 1] >= '0' && path[begin - 1] <= '9') --begin;
    if (begin == end || end - begin > 9) return {};
    numbers.insert(numbers.begin(), std::stoll(path.substr(begin, end - begin)));
    if (numbers.size() == 3) break;
    if (begin == 0 || (path[begin - 1] != '/' && path[begin - 1] != '_' && path[begin - 1] != '-')) return {};
    end = begin - 1;
  }
  return numbers;
}

}  // namespace

std::optional<RasterPlace> map_tile_place(const std::string& path, int64_t width, int64_t height) {
  const std::vector<int64_t> numbers = last_numbers(path);
  if (numbers.size() != 3 || width != height) return std::nullopt;
  const int64_t zoom = numbers[0], column = numbers[1], row = numbers[2];
  if (zoom > finest_zoom || column >= int64_t{1} << zoom || row >= int64_t{1} << zoom) return std::nullopt;
  const double side = 2 * half_world / static_cast<double>(int64_t{1} << zoom);
  const double cell = side / static_cast<double>(width);
  RasterPlace place;
  place.crs = "EPSG:3857";
  place.origin = {-half_world + side * static_cast<double>(column) + 0.5 * cell,
                  half_world - side * static_cast<double>(row) - 0.5 * cell};
  place.step = {cell, -cell};
  return place;
}

}  // namespace tepui
