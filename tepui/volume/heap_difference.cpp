#include <algorithm>
#include <iterator>
#include <tuple>

#include "tepui/volume/primitives.h"

namespace tepui {

namespace {

bool before(const PlacedPoint& a, const PlacedPoint& b) {
  return std::tie(a.x, a.y, a.z, a.radius, a.root) < std::tie(b.x, b.y, b.z, b.radius, b.root);
}

using RecordPointer = std::shared_ptr<const ShapeRecord>;

bool record_before(const RecordPointer& a, const RecordPointer& b) { return a->hash() < b->hash(); }

}  // namespace

Box3 heap_difference(const std::vector<std::shared_ptr<const Primitives>>& a,
                     const std::vector<std::shared_ptr<const Primitives>>& b) {
  // Heaps that both hold cancel out; of the others, which may have been taken together or made anew, what they hold:
  // the same primitive is the same wherever it lies in memory.
  std::vector<PlacedPoint> points[2], either;
  std::vector<RecordPointer> records[2], of_one;
  for (const int side : {0, 1}) {
    const auto &own = side == 0 ? a : b, &other = side == 0 ? b : a;
    for (const auto& heap : own) {
      if (std::ranges::count(own, heap) == std::ranges::count(other, heap)) continue;
      std::ranges::copy(heap->unpack(), std::back_inserter(points[side]));
      std::ranges::copy(heap->records_, std::back_inserter(records[side]));
    }
    std::ranges::sort(points[side], before);
    std::ranges::sort(records[side], record_before);
  }
  std::ranges::set_symmetric_difference(points[0], points[1], std::back_inserter(either), before);
  std::ranges::set_symmetric_difference(records[0], records[1], std::back_inserter(of_one), record_before);
  Box3 box;
  for (const PlacedPoint& point : either) box = box.with(point.box());
  for (const RecordPointer& record : of_one) box = box.with(record->box());
  return box;
}

}  // namespace tepui
