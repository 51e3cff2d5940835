#pragma once  // internal

#include <array>
#include <cstdint>
#include <vector>

#include "tepui/core/grid.h"

namespace tepui {

/// The samples [x0, x1] x [y0, y1] of a land.
struct LandBlock {
  int64_t x0 = 0, y0 = 0, x1 = 1, y1 = 1;
};

/// A sample of a block, counted from its south-west one.
struct BlockPoint {
  int32_t x = 0, y = 0;
  bool operator==(const BlockPoint&) const = default;
};

/// A Delaunay triangulation in plan of samples of a block (at most 2^10 on a side), which starts with its corners.
/// Triangles are three corners each, counter-clockwise; edge 3 t + k goes from corner k of triangle t to the next.
class BlockTriangulation {
 public:
  BlockTriangulation(const Grid<float>& heights, const LandBlock& block);

  /// Adds samples of the block's border, in order and counter-clockwise, between the corners of side 0 to 3 from the
  /// south.
  void add_border(int side, const std::vector<BlockPoint>& points);
  /// Adds samples from inside the block, the worst first, until none lies further from the surface than `error`.
  void refine(double error);

  const std::vector<BlockPoint>& points() const { return points_; }
  /// Three points a triangle.
  const std::vector<uint32_t>& corners() const { return corners_; }

 private:
  static constexpr uint32_t none = 0xffffffff, later = none - 1;
  static uint32_t next(uint32_t edge) { return edge % 3 == 2 ? edge - 2 : edge + 1; }
  static uint32_t previous(uint32_t edge) { return edge % 3 == 0 ? edge + 2 : edge - 1; }

  uint32_t add_point(BlockPoint p);
  /// Makes `at` (3 t; `none`: a new one) the triangle of these corners beside these twins of its edges: `none` on the
  /// border, `later` where the other triangle comes afterwards. Returns 3 t.
  uint32_t put(uint32_t at, std::array<uint32_t, 3> corners, std::array<uint32_t, 3> twins);
  void insert(uint32_t triangle, BlockPoint p);
  void split_edge(uint32_t edge, uint32_t point);
  /// The edge is opposite a new point.
  void make_delaunay(uint32_t edge);
  bool should_flip(uint32_t edge) const;
  /// Twice the area of the triangle a, b, c.
  int64_t turn(BlockPoint a, BlockPoint b, BlockPoint c) const;
  int32_t along_border(BlockPoint p) const;
  float z(BlockPoint p) const { return heights_(block_.x0 + p.x, block_.y0 + p.y); }

  /// The worst sample of a triangle, among those inside the block.
  struct Worst {
    double error = 0;
    BlockPoint at{};
  };
  Worst worst_of(uint32_t triangle) const;
  void look_again();

  // A heap of the triangles that are not good enough, the worst on top.
  bool above(uint32_t a, uint32_t b) const;
  void sift_up(size_t at);
  void sift_down(size_t at);
  void put_at(size_t at, uint32_t triangle);
  void drop(uint32_t triangle);

  const Grid<float>& heights_;
  LandBlock block_;
  int32_t wide_, high_;  ///< the last sample's x and y
  double allowed_ = 0;
  std::vector<BlockPoint> points_;
  std::vector<uint32_t> corners_, twins_;
  std::vector<uint32_t> border_;  ///< by the place of its first corner along the border: the edge that lies there
  std::vector<uint32_t> stack_;
  std::vector<Worst> worst_;            ///< of every triangle
  std::vector<uint32_t> heap_, place_;  ///< place_: of every triangle, in the heap; `none` where it is not
  std::vector<uint32_t> changed_;
  std::vector<bool> is_changed_;
};

}  // namespace tepui
