#include "tepui/volume/box_tree.h"

#include <algorithm>
#include <array>

namespace tepui {

namespace {

constexpr uint32_t leaf_size = 4;

double middle(const Box3& box, int axis) {
  return axis == 0 ? box.low.x + box.high.x : axis == 1 ? box.low.y + box.high.y : box.low.z + box.high.z;
}

int longest_axis(const Box3& box) {
  const Vec3 size = box.high - box.low;
  if (size.x >= size.y && size.x >= size.z) return 0;
  return size.y >= size.z ? 1 : 2;
}

/// Without branches, of which none is foreseen well.
bool touch(const Box3& a, const Box3& b) {
  return (a.low.x <= b.high.x) & (b.low.x <= a.high.x) & (a.low.y <= b.high.y) & (b.low.y <= a.high.y) &
         (a.low.z <= b.high.z) & (b.low.z <= a.high.z);
}

}  // namespace

BoxTree::BoxTree(const std::vector<Box3>& boxes) {
  for (uint32_t i = 0; i < boxes.size(); ++i)
    if (!boxes[i].empty()) order_.push_back(i);
  nodes_.reserve(order_.size());
  if (!order_.empty()) build(boxes, 0, static_cast<uint32_t>(order_.size()));
  nodes_.shrink_to_fit();
  order_.shrink_to_fit();
}

// Halves the count at every level, so the depth is at most 32.
void BoxTree::build(const std::vector<Box3>& boxes, uint32_t begin, uint32_t end) {
  const size_t self = nodes_.size();
  nodes_.emplace_back();
  Box3 box, centres;
  for (uint32_t i = begin; i < end; ++i) {
    const Box3& one = boxes[order_[i]];
    box = box.with(one);
    centres = centres.with((one.low + one.high) * 0.5);
  }
  nodes_[self].box = box;
  if (end - begin <= leaf_size) {
    nodes_[self].first = begin;
    nodes_[self].count = end - begin;
    return;
  }
  const int axis = longest_axis(centres);
  const uint32_t half = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + half, order_.begin() + end, [&](uint32_t a, uint32_t b) {
    const double at_a = middle(boxes[a], axis), at_b = middle(boxes[b], axis);
    return at_a != at_b ? at_a < at_b : a < b;
  });
  build(boxes, begin, half);
  nodes_[self].first = static_cast<uint32_t>(nodes_.size());
  build(boxes, half, end);
}

void BoxTree::near(const Box3& box, std::vector<uint32_t>& found) const { near(box, order_.size(), found); }

bool BoxTree::near(const Box3& box, size_t most, std::vector<uint32_t>& found) const {
  found.clear();
  if (nodes_.empty()) return true;
  std::array<uint32_t, 64> open;
  size_t count = touch(nodes_[0].box, box) ? 1 : 0;
  open[0] = 0;
  while (count > 0) {
    const uint32_t at = open[--count];
    const Node& node = nodes_[at];
    if (node.count > 0) {
      for (uint32_t i = 0; i < node.count; ++i) found.push_back(order_[node.first + i]);
      if (found.size() > most) return false;
      continue;
    }
    // Either is written; what is not wanted is written over.
    open[count] = node.first;
    count += touch(nodes_[node.first].box, box) ? 1 : 0;
    open[count] = at + 1;
    count += touch(nodes_[at + 1].box, box) ? 1 : 0;
  }
  std::ranges::sort(found);
  return true;
}

}  // namespace tepui
