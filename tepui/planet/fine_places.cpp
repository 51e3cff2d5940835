#include "tepui/planet/fine_places.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// Vectors in axes whose origin is the middle of the cap on the sphere: differences of near ones stay exact.
struct LocalFrame {
  Vec3 middle, east, north;

  explicit LocalFrame(Vec3 centre) : middle(centre) {
    const LocalAxes axes = local_axes(centre);
    east = axes.east;
    north = axes.north;
  }
  Vec3 operator()(Vec3 direction) const {
    const Vec3 away = direction - middle;
    return {dot(away, east), dot(away, north), 1 + dot(away, middle)};
  }
};

/// Lambert's equal-area plane, in radii: bounded also for places far around the sphere.
Vec2 flat(Vec3 local) {
  const double stretch = std::sqrt(2 / std::max(1 + local.z, 1e-12));
  return {local.x * stretch, local.y * stretch};
}

/// Places sorted into square cells of the plane.
class Bins {
 public:
  Bins(const std::vector<Vec3>& local, const Context& context) {
    for (const Vec3& p : local) {
      const Vec2 at = flat(p);
      low_ = {std::min(low_.x, at.x), std::min(low_.y, at.y)};
      high_ = {std::max(high_.x, at.x), std::max(high_.y, at.y)};
    }
    const double extent = std::max({high_.x - low_.x, high_.y - low_.y, 1e-12});
    // Some two places a cell.
    side_ = std::clamp<int64_t>(static_cast<int64_t>(std::sqrt(static_cast<double>(local.size()) / 2)), 1, 8192);
    cell_ = extent * (1 + 1e-9) / static_cast<double>(side_);
    std::vector<int32_t> cell_of(local.size());
    parallel_chunks(static_cast<int64_t>(local.size()), 16384, context, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
        const Vec2 at = flat(local[i]);
        cell_of[i] = static_cast<int32_t>(row(at.y) * side_ + column(at.x));
      }
    });
    first_.assign(static_cast<size_t>(side_ * side_) + 1, 0);
    for (const int32_t cell : cell_of) ++first_[static_cast<size_t>(cell) + 1];
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    members_.resize(local.size());
    std::vector<int32_t> next(first_.begin(), first_.end() - 1);
    for (size_t i = 0; i < cell_of.size(); ++i)
      members_[static_cast<size_t>(next[static_cast<size_t>(cell_of[i])]++)] = static_cast<int32_t>(i);
  }

  int64_t side() const { return side_; }
  bool touches(Vec2 low, Vec2 high) const {
    return low.x <= high_.x && high.x >= low_.x && low.y <= high_.y && high.y >= low_.y;
  }
  int64_t column(double x) const { return index((x - low_.x) / cell_); }
  int64_t row(double y) const { return index((y - low_.y) / cell_); }
  std::span<const int32_t> of(int64_t column, int64_t row) const {
    const auto cell = static_cast<size_t>(row * side_ + column);
    return std::span(members_).subspan(static_cast<size_t>(first_[cell]),
                                       static_cast<size_t>(first_[cell + 1] - first_[cell]));
  }

 private:
  int64_t index(double at) const {
    return static_cast<int64_t>(std::clamp(std::floor(at), 0.0, static_cast<double>(side_ - 1)));
  }

  Vec2 low_{1e9, 1e9}, high_{-1e9, -1e9};
  double cell_ = 1;
  int64_t side_ = 1;
  std::vector<int32_t> first_, members_;
};

/// The box in the plane around a triangle, whose sides are a little round there.
struct Box {
  Vec2 low, high;

  explicit Box(const std::array<Vec3, 3>& corner) {
    const Vec2 a = flat(corner[0]), b = flat(corner[1]), c = flat(corner[2]);
    low = {std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y})};
    high = {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y})};
    const double more = 0.05 * std::max(high.x - low.x, high.y - low.y);
    low = low - Vec2{more, more};
    high = high + Vec2{more, more};
  }
};

/// Looks at the places within reach of one triangle.
class Finder {
 public:
  Finder(const std::vector<Vec3>& places, const Bins& bins, std::vector<FinePlace>& found)
      : places_(places), bins_(bins), found_(found) {}

  /// Those in rows of cells from `first_row` up to `end_row`.
  void look(int32_t triangle, const std::array<Vec3, 3>& corner, const Box& box, int64_t first_row, int64_t end_row) {
    constexpr double tolerance = 1e-9;
    const Vec3 sides[3] = {cross(corner[1], corner[2]), cross(corner[2], corner[0]), cross(corner[0], corner[1])};
    const int64_t top = std::min(bins_.row(box.high.y) + 1, end_row);
    for (int64_t row = std::max(bins_.row(box.low.y), first_row); row < top; ++row)
      for (int64_t column = bins_.column(box.low.x); column <= bins_.column(box.high.x); ++column)
        for (const int32_t place : bins_.of(column, row)) {
          FinePlace& found = found_[static_cast<size_t>(place)];
          if (found.triangle >= 0) continue;
          const Vec3 p = places_[static_cast<size_t>(place)];
          const double a = dot(sides[0], p), b = dot(sides[1], p), c = dot(sides[2], p), all = a + b + c;
          if (!(all > 0) || std::min({a, b, c}) < -tolerance * all) continue;
          found = {triangle, {static_cast<float>(a / all), static_cast<float>(b / all), static_cast<float>(c / all)}};
        }
  }

 private:
  const std::vector<Vec3>& places_;
  const Bins& bins_;
  std::vector<FinePlace>& found_;
};

}  // namespace

std::vector<FinePlace> find_places(const FineLand& land, std::span<const Vec3> places, const Cap& cap,
                                   const Context& context) {
  constexpr int64_t bands = 64;
  const LocalFrame frame(cap.centre);
  std::vector<FinePlace> found(places.size());
  if (places.empty()) return found;
  const auto localised = [&](std::span<const Vec3> directions) {
    std::vector<Vec3> local(directions.size());
    parallel_chunks(static_cast<int64_t>(local.size()), 16384, context, [&](int64_t begin, int64_t end) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) local[i] = frame(directions[i]);
    });
    return local;
  };
  const std::vector<Vec3> at = localised(places), vertices = localised(land.vertices.direction);
  const Bins bins(at, context);
  const auto corners = [&](size_t t) {
    const auto& [a, b, c] = land.triangles[t];
    return std::array{vertices[static_cast<size_t>(a)], vertices[static_cast<size_t>(b)],
                      vertices[static_cast<size_t>(c)]};
  };
  // Each band of rows goes through the triangles that reach it, in their order, so that no two threads meet at a place.
  const int64_t band_rows = (bins.side() + bands - 1) / bands;
  std::vector<std::vector<int32_t>> reaching(static_cast<size_t>(bands));
  for (size_t t = 0; t < land.triangles.size(); ++t) {
    const Box box(corners(t));
    if (!bins.touches(box.low, box.high)) continue;
    for (int64_t band = bins.row(box.low.y) / band_rows; band <= bins.row(box.high.y) / band_rows; ++band)
      reaching[static_cast<size_t>(band)].push_back(static_cast<int32_t>(t));
  }
  parallel_chunks(bands, 1, context, [&](int64_t begin, int64_t end) {
    for (int64_t band = begin; band < end; ++band) {
      Finder finder(at, bins, found);
      for (const int32_t t : reaching[static_cast<size_t>(band)]) {
        const std::array<Vec3, 3> corner = corners(static_cast<size_t>(t));
        finder.look(t, corner, Box(corner), band * band_rows, (band + 1) * band_rows);
      }
    }
  });
  return found;
}

}  // namespace tepui
