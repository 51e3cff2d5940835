#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/volume/solid.h"

namespace tepui {

/// Which of many boxes a box may meet, without looking at all of them.
class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(const std::vector<Box3>& boxes);

  /// Indices of all boxes that meet `box`, and a few more, rising; those of empty boxes never.
  void near(const Box3& box, std::vector<uint32_t>& found) const;
  /// The same; or false, and only some, where they are more than `most`.
  bool near(const Box3& box, size_t most, std::vector<uint32_t>& found) const;

  size_t bytes() const { return nodes_.capacity() * sizeof(Node) + order_.capacity() * sizeof(uint32_t); }

 private:
  struct Node {
    Box3 box;
    uint32_t first = 0;  ///< of a leaf: the place of its first index; else the right child, the left one is next
    uint32_t count = 0;  ///< of a leaf: its indices; else 0
  };
  void build(const std::vector<Box3>& boxes, uint32_t begin, uint32_t end);

  std::vector<Node> nodes_;
  std::vector<uint32_t> order_;
};

}  // namespace tepui
