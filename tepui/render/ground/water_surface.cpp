#include "tepui/render/ground/water_surface.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "tepui/mesh/simplify.h"
#include "tepui/render/ground/mesh_paint.h"

namespace tepui {

namespace {

constexpr uint32_t none = std::numeric_limits<uint32_t>::max();
constexpr double error_in_cells = 0.02;
/// Of the sea along a side.
constexpr int64_t most_squares = 256;

/// Samples along a side of a window: every so many of them, and the last.
std::vector<int64_t> lines_of(int64_t first, int64_t count, int64_t step) {
  std::vector<int64_t> lines;
  for (int64_t i = 0; i < count - 1; i += step) lines.push_back(first + i);
  lines.push_back(first + count - 1);
  return lines;
}

/// The cells between some lines of samples that are wet.
class WetCells {
 public:
  WetCells(const Frame& frame, const TileWindow& window, int64_t step, Vec3 centre)
      : frame_(frame),
        xs_(lines_of(window.first_x, window.width, step)),
        ys_(lines_of(window.first_y, window.height, step)),
        vertices_(static_cast<int64_t>(xs_.size()), static_cast<int64_t>(ys_.size()), none) {
    data_.centre = centre;
  }

  /// wet(x0, y0, x1, y1) says whether a cell is, level(x, y) how high the water stands; both of samples.
  template <class Wet, class Level>
  MeshData take(const Wet& wet, const Level& level) {
    for (size_t j = 0; j + 1 < ys_.size(); ++j)
      for (size_t i = 0; i + 1 < xs_.size(); ++i) {
        if (!wet(xs_[i], ys_[j], xs_[i + 1], ys_[j + 1])) continue;
        const uint32_t a = vertex(i, j, level), b = vertex(i + 1, j, level), c = vertex(i + 1, j + 1, level),
                       d = vertex(i, j + 1, level);
        data_.triangles.push_back({a, b, c});
        data_.triangles.push_back({a, c, d});
      }
    return std::move(data_);
  }

 private:
  template <class Level>
  uint32_t vertex(size_t i, size_t j, const Level& level) {
    uint32_t& number = vertices_(static_cast<int64_t>(i), static_cast<int64_t>(j));
    if (number != none) return number;
    number = static_cast<uint32_t>(data_.positions.size());
    const Vec3 at = Vec3{frame_.x(xs_[i]), frame_.y(ys_[j]), level(xs_[i], ys_[j])} - data_.centre;
    data_.positions.push_back({static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)});
    return number;
  }

  const Frame& frame_;
  std::vector<int64_t> xs_, ys_;
  Grid<uint32_t> vertices_;
  MeshData data_;
};

MeshData inland_cells(const Terrain& land, const InlandWater& water, const TileWindow& window, Vec3 centre) {
  const auto wet = [&](int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
    return water.over_ground_at(x0, y0) > 0 || water.over_ground_at(x1, y0) > 0 || water.over_ground_at(x0, y1) > 0 ||
           water.over_ground_at(x1, y1) > 0;
  };
  return WetCells(land.frame(), window, 1, centre).take(wet, [&](int64_t x, int64_t y) {
    return static_cast<double>(water.level()(x, y));
  });
}

/// In squares of some samples, so that a wide sea is made of few.
MeshData sea_cells(const Terrain& land, double sea, const TileWindow& window, Vec3 centre) {
  const Grid<float>& z = land.height();
  const int64_t step = (std::max(window.width, window.height) + most_squares - 1) / most_squares;
  const auto wet = [&](int64_t x0, int64_t y0, int64_t x1, int64_t y1) {
    for (int64_t y = y0; y <= y1; ++y)
      if (std::any_of(z.row(y) + x0, z.row(y) + x1 + 1, [&](float v) { return static_cast<double>(v) < sea; }))
        return true;
    return false;
  };
  return WetCells(land.frame(), window, step, centre).take(wet, [&](int64_t, int64_t) { return sea; });
}

/// The same surface with few triangles; what borders on dry cells, or on a neighbour, stays.
MeshData simple(MeshData data, const Frame& frame, const Context& context) {
  if (data.triangles.empty()) return data;
  const double error = error_in_cells * std::min(frame.cell.x, frame.cell.y);
  return simplify(Mesh(std::move(data)), {.error = error, .keep_border = true}, context.told_to(nullptr)).data();
}

void append(MeshData& data, const MeshData& more) {
  const auto first = static_cast<uint32_t>(data.positions.size());
  data.positions.insert(data.positions.end(), more.positions.begin(), more.positions.end());
  for (const MeshTriangle& t : more.triangles) data.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

}  // namespace

Mesh water_surface(const Terrain& land, const InlandWater& inland, std::optional<double> sea_level,
                   const TileWindow& window, Vec3 centre, const Context& context) {
  MeshData data;
  data.centre = centre;
  if (!inland.empty()) append(data, simple(inland_cells(land, inland, window, centre), land.frame(), context));
  if (sea_level) append(data, simple(sea_cells(land, *sea_level, window, centre), land.frame(), context));
  if (data.triangles.empty()) return {};
  data.normals = normals_of(Mesh(data), context);
  return Mesh(std::move(data));
}

}  // namespace tepui
