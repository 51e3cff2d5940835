#include "tepui/volume/plan_region.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr double far = std::numeric_limits<double>::infinity();

double square(Vec2 v) { return v.x * v.x + v.y * v.y; }

Vec2 nearest_on(const PlanRegion::Edge& edge, Vec2 at) {
  const Vec2 along = edge.b - edge.a, to = at - edge.a;
  const double length = square(along);
  const double t = length > 0 ? std::clamp((to.x * along.x + to.y * along.y) / length, 0.0, 1.0) : 0.0;
  return edge.a + along * t;
}

double crossing(double a, double b, double along_a, double along_b, double at) {
  return a + (at - along_a) / (along_b - along_a) * (b - a);
}

}  // namespace

PlanRegion::PlanRegion(Vec2 low, Vec2 high, double reach) : low_(low), high_(high), reach_(reach) {}

PlanRegion::PlanRegion(std::vector<Edge> border, double reach) : reach_(reach), edges_(std::move(border)) {
  if (edges_.empty()) refuse("the region is empty", "it must cover some of the land");
  low_ = high_ = edges_.front().a;
  for (const Edge& edge : edges_)
    for (const Vec2 p : {edge.a, edge.b}) {
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    }
  const double most = edges_.size() > 4096 ? 1024 : 192;
  side_ = std::max({reach_, (high_.x - low_.x) / most, (high_.y - low_.y) / most});
  origin_ = low_ - Vec2{reach_, reach_};
  width_ = static_cast<int64_t>((high_.x + reach_ - origin_.x) / side_) + 1;
  height_ = static_cast<int64_t>((high_.y + reach_ - origin_.y) / side_) + 1;
  cells_.resize(static_cast<size_t>(width_ * height_));
  list_edges();
  find_inside();
}

Vec2 PlanRegion::middle(int64_t i, int64_t j) const {
  // Not the very middle: corners that users type lie on round numbers, and none should be level with it.
  return origin_ + Vec2{(static_cast<double>(i) + 0.4871) * side_, (static_cast<double>(j) + 0.5137) * side_};
}

template <class Act>
void PlanRegion::near_cells(const Edge& edge, const Act& act) const {
  const auto index = [&](double at, double origin, int64_t count) {
    return std::clamp<int64_t>(static_cast<int64_t>(std::floor((at - origin) / side_)), 0, count - 1);
  };
  const double reach = reach_ * 1.001;
  const int64_t i0 = index(std::min(edge.a.x, edge.b.x) - reach, origin_.x, width_),
                i1 = index(std::max(edge.a.x, edge.b.x) + reach, origin_.x, width_),
                j0 = index(std::min(edge.a.y, edge.b.y) - reach, origin_.y, height_),
                j1 = index(std::max(edge.a.y, edge.b.y) + reach, origin_.y, height_);
  const double away = reach + 0.75 * side_;
  for (int64_t j = j0; j <= j1; ++j)
    for (int64_t i = i0; i <= i1; ++i)
      if (square(nearest_on(edge, middle(i, j)) - middle(i, j)) <= away * away)
        act(static_cast<size_t>(j * width_ + i));
}

void PlanRegion::list_edges() {
  for (const Edge& edge : edges_) near_cells(edge, [&](size_t cell) { ++cells_[cell].count; });
  uint64_t total = 0;
  for (Cell& cell : cells_) {
    cell.first = static_cast<uint32_t>(total);
    total += cell.count;
    cell.count = 0;
  }
  if (total > std::numeric_limits<uint32_t>::max())
    refuse(
        fmt::format("the border of the region has {} edges, too many for its falloff of {:g} m", edges_.size(), reach_),
        "use a smaller falloff or a smoother mask");
  near_.resize(static_cast<size_t>(total));
  for (size_t e = 0; e < edges_.size(); ++e)
    near_cells(edges_[e],
               [&](size_t cell) { near_[cells_[cell].first + cells_[cell].count++] = static_cast<uint32_t>(e); });
}

void PlanRegion::find_inside() {
  std::vector<std::vector<double>> crossings(static_cast<size_t>(height_));
  for (const Edge& edge : edges_) {
    const double low = std::min(edge.a.y, edge.b.y), high = std::max(edge.a.y, edge.b.y);
    const auto first = static_cast<int64_t>(std::floor((low - origin_.y) / side_)) - 1;
    for (int64_t j = std::max<int64_t>(first, 0); j < height_ && middle(0, j).y <= high; ++j) {
      const double y = middle(0, j).y;
      if ((edge.a.y > y) != (edge.b.y > y))
        crossings[static_cast<size_t>(j)].push_back(crossing(edge.a.x, edge.b.x, edge.a.y, edge.b.y, y));
    }
  }
  for (int64_t j = 0; j < height_; ++j) {
    std::vector<double>& row = crossings[static_cast<size_t>(j)];
    std::ranges::sort(row);
    size_t passed = 0;
    for (int64_t i = 0; i < width_; ++i) {
      while (passed < row.size() && row[passed] <= middle(i, j).x) ++passed;
      cells_[static_cast<size_t>(j * width_ + i)].inside = passed % 2 == 1;
    }
  }
}

/// Counts the edges on the way along x and then along y.
bool PlanRegion::inside_cell(const Cell& cell, Vec2 from, Vec2 at) const {
  bool inside = cell.inside;
  for (uint32_t k = cell.first; k < cell.first + cell.count; ++k) {
    const Edge& e = edges_[near_[k]];
    if ((e.a.y > from.y) != (e.b.y > from.y)) {
      const double x = crossing(e.a.x, e.b.x, e.a.y, e.b.y, from.y);
      if ((x > from.x) != (x > at.x)) inside = !inside;
    }
    if ((e.a.x > at.x) != (e.b.x > at.x)) {
      const double y = crossing(e.a.y, e.b.y, e.a.x, e.b.x, at.x);
      if ((y > from.y) != (y > at.y)) inside = !inside;
    }
  }
  return inside;
}

double PlanRegion::square_distance(Vec2 at, Vec2& foot) const {
  if (is_rectangle()) {
    foot = {std::clamp(at.x, low_.x, high_.x), std::clamp(at.y, low_.y, high_.y)};
    const double away = square(at - foot);
    return away < reach_ * reach_ ? away : far;
  }
  foot = at;
  const double u = std::floor((at.x - origin_.x) / side_), v = std::floor((at.y - origin_.y) / side_);
  if (!(u >= 0 && v >= 0 && u < static_cast<double>(width_) && v < static_cast<double>(height_))) return far;
  const auto i = static_cast<int64_t>(u), j = static_cast<int64_t>(v);
  const Cell& cell = cells_[static_cast<size_t>(j * width_ + i)];
  if (inside_cell(cell, middle(i, j), at)) return 0;
  double nearest = reach_ * reach_;
  bool met = false;
  for (uint32_t k = cell.first; k < cell.first + cell.count; ++k) {
    const Vec2 on = nearest_on(edges_[near_[k]], at);
    if (const double away = square(at - on); away < nearest) nearest = away, foot = on, met = true;
  }
  return met ? nearest : far;
}

template <class Is>
bool PlanRegion::all_cells(Vec2 low, Vec2 high, const Is& is) const {
  const auto index = [&](double at, double origin) { return static_cast<int64_t>(std::floor((at - origin) / side_)); };
  const Vec2 size = high - low;
  if (!(size.x >= 0 && size.y >= 0 && size.x < 16 * side_ && size.y < 16 * side_)) return false;
  for (int64_t j = index(low.y, origin_.y); j <= index(high.y, origin_.y); ++j)
    for (int64_t i = index(low.x, origin_.x); i <= index(high.x, origin_.x); ++i) {
      const bool known = i >= 0 && j >= 0 && i < width_ && j < height_;
      if (!is(known ? cells_[static_cast<size_t>(j * width_ + i)] : Cell{})) return false;
    }
  return true;
}

bool PlanRegion::surely_inside(Vec2 low, Vec2 high) const {
  if (!(low.x >= low_.x && low.y >= low_.y && high.x <= high_.x && high.y <= high_.y)) return false;
  return is_rectangle() || all_cells(low, high, [](const Cell& cell) { return cell.count == 0 && cell.inside; });
}

bool PlanRegion::surely_far(Vec2 low, Vec2 high) const {
  if (low.x > high_.x + reach_ || low.y > high_.y + reach_ || high.x < low_.x - reach_ || high.y < low_.y - reach_)
    return true;
  return !is_rectangle() && all_cells(low, high, [](const Cell& cell) { return cell.count == 0 && !cell.inside; });
}

std::vector<std::pair<Vec2, Vec2>> PlanRegion::ring() const {
  std::vector<std::pair<Vec2, Vec2>> boxes;
  const auto corner = [&](int64_t i, int64_t j) {
    return origin_ + Vec2{static_cast<double>(i) * side_, static_cast<double>(j) * side_};
  };
  for (int64_t j = 0; j < height_; ++j)
    for (int64_t i = 0; i < width_; ++i) {
      const int64_t first = i;
      while (i < width_ && cells_[static_cast<size_t>(j * width_ + i)].count > 0) ++i;
      if (i > first) boxes.emplace_back(corner(first, j), corner(i, j + 1));
    }
  return boxes;
}

void PlanRegion::hash(Hasher& hasher) const {
  hasher.add("region").add(low_.x).add(low_.y).add(high_.x).add(high_.y).add(reach_);
  hasher.add(hash_bytes(edges_.data(), edges_.size() * sizeof(Edge)));
}

size_t PlanRegion::bytes() const {
  return sizeof *this + edges_.size() * sizeof(Edge) + cells_.size() * sizeof(Cell) + near_.size() * sizeof(uint32_t);
}

std::vector<PlanRegion::Edge> polygon_border(const std::vector<Vec2>& corners) {
  if (corners.size() < 3)
    refuse(fmt::format("a polygon of {} corner{} encloses nothing", corners.size(), corners.size() == 1 ? "" : "s"),
           "give three or more");
  std::vector<PlanRegion::Edge> edges;
  for (size_t i = 0; i < corners.size(); ++i) {
    if (!std::isfinite(corners[i].x) || !std::isfinite(corners[i].y))
      refuse(fmt::format("corner {} of the polygon is not finite", i));
    edges.push_back({corners[i], corners[(i + 1) % corners.size()]});
  }
  return edges;
}

std::vector<PlanRegion::Edge> mask_border(const Frame& frame, const Grid<float>& mask) {
  std::vector<PlanRegion::Edge> edges;
  const auto value = [&](int64_t x, int64_t y) {
    const bool known = x >= 0 && y >= 0 && x < mask.width() && y < mask.height();
    return known ? static_cast<double>(mask(x, y)) : 0.0;
  };
  // Beyond the last samples the mask falls to 0 at once, so that land there is whole up to its border.
  const auto place = [&](int64_t x, int64_t y) {
    return Vec2{frame.x(std::clamp<int64_t>(x, 0, mask.width() - 1)),
                frame.y(std::clamp<int64_t>(y, 0, mask.height() - 1))};
  };
  for (int64_t y = -1; y < mask.height(); ++y)
    for (int64_t x = -1; x < mask.width(); ++x) {
      const int64_t cx[] = {x, x + 1, x + 1, x}, cy[] = {y, y, y + 1, y + 1};
      double m[4];
      for (int k = 0; k < 4; ++k) m[k] = value(cx[k], cy[k]);
      Vec2 cut[4];
      int cuts = 0;
      for (int k = 0; k < 4; ++k) {
        const int next = (k + 1) % 4;
        if ((m[k] > 0.5) == (m[next] > 0.5)) continue;
        const Vec2 a = place(cx[k], cy[k]), b = place(cx[next], cy[next]);
        // From the lower corner of an edge, so that both of its squares cut it at the same place.
        const bool turned = k >= 2;
        const double t = turned ? (0.5 - m[next]) / (m[k] - m[next]) : (0.5 - m[k]) / (m[next] - m[k]);
        cut[cuts++] = turned ? b + (a - b) * t : a + (b - a) * t;
      }
      // Four cuts: the corners above one half are cut off one by one.
      const int first = cuts == 4 && m[0] > 0.5 ? 3 : 0;
      for (int k = 0; k < cuts; k += 2) {
        const PlanRegion::Edge edge{cut[(first + k) % 4], cut[(first + k + 1) % 4]};
        if (!(edge.a == edge.b)) edges.push_back(edge);
      }
    }
  return edges;
}

}  // namespace tepui
