#include "tepui/volume/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr int64_t most_levels = 200, most_nodes = 200'000;

struct TreeSize {
  int64_t levels = 1;
  int64_t nodes = 1;  ///< a shared one counts wherever it is asked
};

/// Looks at a node once, however often it is shared; stops at the caps.
TreeSize size_of(const Solid& root, std::unordered_map<const Solid*, TreeSize>& known, int64_t above) {
  if (const auto found = known.find(&root); found != known.end()) return found->second;
  TreeSize size;
  for (const SolidPointer& child : root.children()) {
    if (above >= most_levels) return {most_levels + 1, 1};
    const TreeSize part = size_of(*child, known, above + 1);
    size.levels = std::max(size.levels, part.levels + 1);
    size.nodes = std::min(size.nodes + part.nodes, most_nodes + 1);
  }
  return known[&root] = size;
}

}  // namespace

SolidPointer modest_tree(SolidPointer root) {
  std::unordered_map<const Solid*, TreeSize> known;
  const TreeSize size = size_of(*root, known, 0);
  if (size.levels > most_levels)
    refuse(fmt::format("the volume is nested more than {} operators deep", most_levels),
           "give one operator several parts instead of chaining operators");
  if (size.nodes > most_nodes)
    refuse(fmt::format("the volume evaluates its parts more than {} times", most_nodes),
           "use 'instances' for many copies of a part");
  return root;
}

void require_same_threshold(const Volume& first, const Volume& other) {
  if (first.threshold() != other.threshold())
    refuse(fmt::format("the volumes have thresholds {} and {}", first.threshold(), other.threshold()),
           "make all parts with the same threshold");
}

Box3 beyond_rounding(const Box3& box) {
  if (box.empty()) return box;
  double most = 1;
  for (const Vec3 corner : {box.low, box.high})
    most = std::max({most, std::abs(corner.x), std::abs(corner.y), std::abs(corner.z)});
  return box.grown(most * 0x1p-44);
}

}  // namespace tepui
