#include "tepui/landforms/river_ways.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"

namespace tepui {

namespace {

double length_of(Vec2 v) { return std::sqrt(v.x * v.x + v.y * v.y); }

/// A line at even steps.
struct EvenWay {
  std::vector<Vec2> at;
  std::vector<double> level, drainage;
};

EvenWay even(std::span<const Vec3> line, const double* drainage, double step) {
  EvenWay way;
  double left = 0;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    const Vec3 d = line[i + 1] - line[i];
    const double span = length_of({d.x, d.y});
    for (; left <= span && span > 0; left += step) {
      const double t = left / span;
      way.at.push_back({line[i].x + d.x * t, line[i].y + d.y * t});
      way.level.push_back(line[i].z + d.z * t);
      way.drainage.push_back(drainage == nullptr ? 0 : drainage[i] + (drainage[i + 1] - drainage[i]) * t);
    }
    left -= span;
  }
  return way;
}

/// The mean of as many neighbours on either side; fewer near the ends.
void smooth(std::vector<Vec2>& line, size_t around) {
  std::vector<Vec2> sums{{0, 0}}, out;
  for (const Vec2 p : line) sums.push_back(sums.back() + p);
  for (size_t i = 0; i < line.size(); ++i) {
    const size_t n = std::min({around, i, line.size() - 1 - i});
    out.push_back((sums[i + n + 1] - sums[i - n]) * (1 / static_cast<double>(2 * n + 1)));
  }
  line = std::move(out);
}

/// How far the way bends aside of the straight line between two places, over what is a sharp bend.
Vec2 bend_at(const std::vector<Vec2>& line, size_t i, size_t around, double along) {
  const size_t n = std::min({around, i, line.size() - 1 - i});
  if (n == 0) return {};
  const double share = static_cast<double>(n) / static_cast<double>(around);
  const Vec2 aside = (line[i - n] + line[i + n]) * 0.5 - line[i];
  Vec2 bend = aside * (1 / (0.15 * along * share * share));
  const double much = length_of(bend);
  return much > 1 ? bend * (1 / much) : bend;
}

}  // namespace

RiverWays::RiverWays(const Lines& rivers, double step, double along, double reach)
    : reach_(reach), side_(std::max(reach / 8, 4 * step)) {
  if (!(step > 0) || !(along > 0) || !(reach > 0)) refuse("the ways of rivers need steps above 0 m");
  const LineAttribute* drainage = rivers.vertex_number("drainage");
  const auto around = static_cast<size_t>(std::max(1.0, std::round(along / step)));
  for_each_curve(rivers, [&](const LinePart& part) {
    if (part.shape != FeatureShape::line || part.points.size() < 2) return;
    const auto first = static_cast<size_t>(part.points.data() - rivers.vertices().data());
    EvenWay way = even(part.points, drainage != nullptr ? drainage->values.data() + first : nullptr, step);
    smooth(way.at, std::max<size_t>(around / 2, 1));
    for (size_t i = 0; i < way.at.size(); ++i) {
      const size_t a = i - std::min(i, around), b = std::min(i + around, way.at.size() - 1);
      const double fall = b > a ? (way.level[a] - way.level[b]) / (static_cast<double>(b - a) * step) : 0;
      const double power = std::sqrt(std::max(way.drainage[i], 0.0)) * std::max(fall, 0.0);
      points_.push_back({way.at[i], way.level[i], bend_at(way.at, i, around, along), power});
    }
  });
  std::vector<double> powers;
  for (const WayPoint& p : points_) powers.push_back(p.power);
  std::ranges::sort(powers);
  const double most = powers.empty() ? 0 : powers[(powers.size() - 1) * 99 / 100];
  for (WayPoint& p : points_) p.power = most > 0 ? std::min(p.power / most, 1.0) : 1;
  list();
}

int64_t RiverWays::column(double x) const { return static_cast<int64_t>(std::floor((x - low_.x) / side_)); }
int64_t RiverWays::row(double y) const { return static_cast<int64_t>(std::floor((y - low_.y) / side_)); }

void RiverWays::list() {
  if (points_.empty()) return;
  Vec2 high = low_ = points_.front().at;
  for (const WayPoint& p : points_) {
    low_ = {std::min(low_.x, p.at.x), std::min(low_.y, p.at.y)};
    high = {std::max(high.x, p.at.x), std::max(high.y, p.at.y)};
  }
  if (!((high.x - low_.x) / side_ * ((high.y - low_.y) / side_) < 1e8))
    refuse("the rivers are too long for so small a reach", "use a larger 'depth' or 'reach'");
  low_ = low_ - Vec2{reach_ + side_, reach_ + side_};
  high = high + Vec2{reach_ + side_, reach_ + side_};
  width_ = column(high.x) + 1;
  height_ = row(high.y) + 1;
  first_.assign(static_cast<size_t>(width_ * height_) + 1, 0);
  const auto square = [&](const WayPoint& p) { return static_cast<size_t>(row(p.at.y) * width_ + column(p.at.x)); };
  for (const WayPoint& p : points_) ++first_[square(p) + 1];
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  near_.resize(points_.size());
  std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
  for (size_t i = 0; i < points_.size(); ++i) near_[next[square(points_[i])]++] = static_cast<uint32_t>(i);
  within_.assign(static_cast<size_t>(width_ * height_), 0);
  const auto around = static_cast<int64_t>(std::ceil(reach_ / side_));
  for (int64_t j = 0; j < height_; ++j)
    for (int64_t i = 0; i < width_; ++i) {
      if (first_[static_cast<size_t>(j * width_ + i)] == first_[static_cast<size_t>(j * width_ + i) + 1]) continue;
      for (int64_t y = std::max<int64_t>(j - around, 0); y <= std::min(j + around, height_ - 1); ++y)
        for (int64_t x = std::max<int64_t>(i - around, 0); x <= std::min(i + around, width_ - 1); ++x)
          if ((std::abs(x - i) - 1) * (std::abs(x - i) - 1) + (std::abs(y - j) - 1) * (std::abs(y - j) - 1) <=
              around * around)
            within_[static_cast<size_t>(y * width_ + x)] = 1;
    }
}

bool RiverWays::may(Vec2 at) const {
  if (points_.empty() || !std::isfinite(at.x) || !std::isfinite(at.y)) return false;
  const int64_t i = column(at.x), j = row(at.y);
  return i >= 0 && j >= 0 && i < width_ && j < height_ && within_[static_cast<size_t>(j * width_ + i)] != 0;
}

const WayPoint* RiverWays::nearest(Vec2 at, double& distance) const {
  const WayPoint* found = nullptr;
  if (points_.empty() || !std::isfinite(at.x) || !std::isfinite(at.y)) return nullptr;
  double best = reach_ * reach_;
  const int64_t x = column(at.x), y = row(at.y);
  const auto look = [&](int64_t i, int64_t j) {
    if (i < 0 || j < 0 || i >= width_ || j >= height_) return;
    const auto square = static_cast<size_t>(j * width_ + i);
    for (uint32_t n = first_[square]; n < first_[square + 1]; ++n) {
      const Vec2 away = points_[near_[n]].at - at;
      const double far = away.x * away.x + away.y * away.y;
      if (far < best) best = far, found = &points_[near_[n]];
    }
  };
  // Ring by ring, while one may hold something nearer.
  for (int64_t ring = 0; ring == 0 || static_cast<double>((ring - 1) * (ring - 1)) * side_ * side_ < best; ++ring) {
    for (int64_t i = x - ring; i <= x + ring; ++i) look(i, y - ring);
    if (ring == 0) continue;
    for (int64_t i = x - ring; i <= x + ring; ++i) look(i, y + ring);
    for (int64_t j = y - ring + 1; j < y + ring; ++j) look(x - ring, j), look(x + ring, j);
  }
  distance = std::sqrt(best);
  return found;
}

bool RiverWays::may(Vec2 low, Vec2 high) const {
  if (points_.empty()) return false;
  const int64_t i0 = std::max<int64_t>(column(low.x), 0), i1 = std::min(column(high.x), width_ - 1);
  const int64_t j0 = std::max<int64_t>(row(low.y), 0), j1 = std::min(row(high.y), height_ - 1);
  for (int64_t j = j0; j <= j1; ++j)
    for (int64_t i = i0; i <= i1; ++i)
      if (within_[static_cast<size_t>(j * width_ + i)] != 0) return true;
  return false;
}

}  // namespace tepui
