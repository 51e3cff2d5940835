#include "tepui/mesh/block_triangulation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tepui {

namespace {

/// Rounded towards minus infinity; b is above 0.
int64_t floor_div(int64_t a, int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/// The x of a row that lie on or left of the line from a to b, of which the triangle is on the left.
void cut_row(BlockPoint a, BlockPoint b, int64_t y, int64_t& low, int64_t& high) {
  const int64_t dx = b.x - a.x, dy = b.y - a.y;
  if (dy > 0) high = std::min(high, a.x + floor_div(dx * (y - a.y), dy));
  if (dy < 0) low = std::max(low, a.x - floor_div(dx * (y - a.y), -dy));
}

}  // namespace

BlockTriangulation::BlockTriangulation(const Grid<float>& heights, const LandBlock& block)
    : heights_(heights),
      block_(block),
      wide_(static_cast<int32_t>(block.x1 - block.x0)),
      high_(static_cast<int32_t>(block.y1 - block.y0)) {
  border_.assign(static_cast<size_t>(2 * (wide_ + high_)), none);
  for (const BlockPoint corner : {BlockPoint{0, 0}, {wide_, 0}, {wide_, high_}, {0, high_}}) add_point(corner);
  put(none, {0, 1, 2}, {none, none, later});
  put(none, {0, 2, 3}, {2, none, none});
}

uint32_t BlockTriangulation::add_point(BlockPoint p) {
  points_.push_back(p);
  return static_cast<uint32_t>(points_.size() - 1);
}

int32_t BlockTriangulation::along_border(BlockPoint p) const {
  if (p.y == 0 && p.x < wide_) return p.x;
  if (p.x == wide_ && p.y < high_) return wide_ + p.y;
  if (p.y == high_ && p.x > 0) return wide_ + high_ + (wide_ - p.x);
  return 2 * wide_ + high_ + (high_ - p.y);
}

uint32_t BlockTriangulation::put(uint32_t at, std::array<uint32_t, 3> corners, std::array<uint32_t, 3> twins) {
  if (at == none) {
    at = static_cast<uint32_t>(corners_.size());
    corners_.resize(at + 3);
    twins_.resize(at + 3);
    worst_.emplace_back();
    place_.push_back(none);
    is_changed_.push_back(false);
  }
  for (uint32_t k = 0; k < 3; ++k) {
    corners_[at + k] = corners[k];
    twins_[at + k] = twins[k];
    if (twins[k] < later)
      twins_[twins[k]] = at + k;
    else if (twins[k] == none)
      border_[static_cast<size_t>(along_border(points_[corners[k]]))] = at + k;
  }
  const uint32_t triangle = at / 3;
  if (!is_changed_[triangle]) is_changed_[triangle] = true, changed_.push_back(triangle);
  return at;
}

int64_t BlockTriangulation::turn(BlockPoint a, BlockPoint b, BlockPoint c) const {
  return static_cast<int64_t>(b.x - a.x) * (c.y - a.y) - static_cast<int64_t>(b.y - a.y) * (c.x - a.x);
}

void BlockTriangulation::add_border(int side, const std::vector<BlockPoint>& points) {
  BlockPoint last = points_[static_cast<size_t>(side)];
  for (const BlockPoint& p : points) {
    split_edge(border_[static_cast<size_t>(along_border(last))], add_point(p));
    last = p;
  }
}

void BlockTriangulation::split_edge(uint32_t edge, uint32_t point) {
  const uint32_t other = twins_[edge];
  const uint32_t a = corners_[edge], b = corners_[next(edge)], c = corners_[previous(edge)];
  const uint32_t bc = twins_[next(edge)], ca = twins_[previous(edge)], first = edge - edge % 3;
  if (other == none) {
    const uint32_t left = put(first, {a, point, c}, {none, later, ca});
    const uint32_t right = put(none, {point, b, c}, {none, bc, left + 1});
    make_delaunay(left + 2);
    make_delaunay(right + 1);
    return;
  }
  const uint32_t d = corners_[previous(other)], second = other - other % 3;
  const uint32_t ad = twins_[next(other)], db = twins_[previous(other)];
  const uint32_t t0 = put(first, {a, point, c}, {later, later, ca});
  const uint32_t t1 = put(none, {point, b, c}, {later, bc, t0 + 1});
  const uint32_t t2 = put(second, {b, point, d}, {t1, later, db});
  const uint32_t t3 = put(none, {point, a, d}, {t0, ad, t2 + 1});
  for (const uint32_t outer : {t0 + 2, t1 + 1, t2 + 2, t3 + 1}) make_delaunay(outer);
}

bool BlockTriangulation::should_flip(uint32_t edge) const {
  const uint32_t other = twins_[edge];
  if (other == none) return false;
  const BlockPoint a = points_[corners_[edge]], b = points_[corners_[next(edge)]],
                   c = points_[corners_[previous(edge)]], d = points_[corners_[previous(other)]];
  const int64_t ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
  const int64_t aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
  return aa * (bx * cy - by * cx) - bb * (ax * cy - ay * cx) + cc * (ax * by - ay * bx) > 0;
}

void BlockTriangulation::make_delaunay(uint32_t edge) {
  stack_.push_back(edge);
  while (!stack_.empty()) {
    const uint32_t e = stack_.back();
    stack_.pop_back();
    if (!should_flip(e)) continue;
    // a-b between c, the new point, and d becomes c-d.
    const uint32_t o = twins_[e];
    const uint32_t a = corners_[e], b = corners_[next(e)], c = corners_[previous(e)], d = corners_[previous(o)];
    const uint32_t bc = twins_[next(e)], ca = twins_[previous(e)], ad = twins_[next(o)], db = twins_[previous(o)];
    const uint32_t left = put(e - e % 3, {a, d, c}, {ad, later, ca});
    const uint32_t right = put(o - o % 3, {d, b, c}, {db, bc, left + 1});
    // Only what lies opposite the new point, c, can have become wrong.
    stack_.push_back(left);
    stack_.push_back(right);
  }
}

void BlockTriangulation::insert(uint32_t triangle, BlockPoint p) {
  const uint32_t at = 3 * triangle, a = corners_[at], b = corners_[at + 1], c = corners_[at + 2];
  const uint32_t point = add_point(p);
  for (uint32_t k = 0; k < 3; ++k)
    if (turn(points_[corners_[at + k]], points_[corners_[next(at + k)]], p) == 0) return split_edge(at + k, point);
  const uint32_t ab = twins_[at], bc = twins_[at + 1], ca = twins_[at + 2];
  const uint32_t t0 = put(at, {a, b, point}, {ab, later, later});
  const uint32_t t1 = put(none, {b, c, point}, {bc, later, t0 + 1});
  const uint32_t t2 = put(none, {c, a, point}, {ca, t0 + 2, t1 + 1});
  for (const uint32_t outer : {t0, t1, t2}) make_delaunay(outer);
}

BlockTriangulation::Worst BlockTriangulation::worst_of(uint32_t triangle) const {
  const BlockPoint a = points_[corners_[3 * triangle]], b = points_[corners_[3 * triangle + 1]],
                   c = points_[corners_[3 * triangle + 2]];
  const auto area = static_cast<double>(turn(a, b, c));
  const auto za = static_cast<double>(z(a)), zb = static_cast<double>(z(b)) - za, zc = static_cast<double>(z(c)) - za;
  const double east = (zb * (c.y - a.y) - zc * (b.y - a.y)) / area,
               north = (zc * (b.x - a.x) - zb * (c.x - a.x)) / area;
  Worst worst{allowed_, {}};
  const int32_t first = std::max(std::min({a.y, b.y, c.y}), 1), last = std::min(std::max({a.y, b.y, c.y}), high_ - 1);
  for (int32_t y = first; y <= last; ++y) {
    int64_t low = std::max(std::min({a.x, b.x, c.x}), 1), high = std::min(std::max({a.x, b.x, c.x}), wide_ - 1);
    cut_row(a, b, y, low, high);
    cut_row(b, c, y, low, high);
    cut_row(c, a, y, low, high);
    const float* row = heights_.row(block_.y0 + y) + block_.x0;
    const double begin = za + north * (y - a.y);
    for (int64_t x = low; x <= high; ++x) {
      const double error = std::abs(static_cast<double>(row[x]) - (begin + east * static_cast<double>(x - a.x)));
      const BlockPoint at{static_cast<int32_t>(x), y};
      // Rounding must not add a corner again.
      if (error > worst.error && !(at == b || at == c)) worst = {error, at};
    }
  }
  return worst;
}

void BlockTriangulation::look_again() {
  for (const uint32_t triangle : changed_) {
    is_changed_[triangle] = false;
    drop(triangle);
    worst_[triangle] = worst_of(triangle);
    if (!(worst_[triangle].error > allowed_)) continue;
    heap_.push_back(triangle);
    place_[triangle] = static_cast<uint32_t>(heap_.size() - 1);
    sift_up(heap_.size() - 1);
  }
  changed_.clear();
}

void BlockTriangulation::refine(double error) {
  allowed_ = error;
  look_again();
  while (!heap_.empty()) {
    const uint32_t triangle = heap_.front();
    insert(triangle, worst_[triangle].at);
    look_again();
  }
}

bool BlockTriangulation::above(uint32_t a, uint32_t b) const {
  return worst_[a].error > worst_[b].error || (worst_[a].error == worst_[b].error && a < b);
}

void BlockTriangulation::put_at(size_t at, uint32_t triangle) {
  heap_[at] = triangle;
  place_[triangle] = static_cast<uint32_t>(at);
}

void BlockTriangulation::sift_up(size_t at) {
  const uint32_t triangle = heap_[at];
  for (; at > 0 && above(triangle, heap_[(at - 1) / 2]); at = (at - 1) / 2) put_at(at, heap_[(at - 1) / 2]);
  put_at(at, triangle);
}

void BlockTriangulation::sift_down(size_t at) {
  const uint32_t triangle = heap_[at];
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= heap_.size()) break;
    if (child + 1 < heap_.size() && above(heap_[child + 1], heap_[child])) ++child;
    if (!above(heap_[child], triangle)) break;
    put_at(at, heap_[child]);
    at = child;
  }
  put_at(at, triangle);
}

void BlockTriangulation::drop(uint32_t triangle) {
  const uint32_t at = place_[triangle];
  if (at == none) return;
  place_[triangle] = none;
  const uint32_t last = heap_.back();
  heap_.pop_back();
  if (last == triangle) return;
  put_at(at, last);
  sift_up(at);
  sift_down(place_[last]);
}

}  // namespace tepui
