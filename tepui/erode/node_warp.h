#pragma once  // internal

#include <array>
#include <cstdint>
#include <vector>

#include "tepui/core/grid.h"
#include "tepui/core/random.h"
#include "tepui/core/vec.h"

namespace tepui {

/// Where the nodes of a lattice lie when they are displaced by smooth noise of a few cells. On a plain lattice flow to
/// one of eight neighbours draws straight valleys along its axes and diagonals; between displaced nodes it does not.
/// Displacements are in cells, and fade away towards the border.
class NodeWarp {
 public:
  NodeWarp(int64_t width, int64_t height, Stream draws);

  /// Displacements of the nodes of a row.
  void row(int64_t y, float* dx, float* dy) const;

  /// The displacement at any place, in cells of the lattice.
  Vec2 at(double column, double row) const;

  /// The node, as a fraction, that lies at a place: node + at(node) = place.
  Vec2 node_at(Vec2 place) const;

 private:
  static constexpr int octaves = 2;
  /// Vectors at the knots of a cubic B-spline.
  struct Octave {
    int64_t spacing = 8;
    int64_t across = 0;
    std::vector<float> x, y;
  };

  float fade(double column, double row) const;

  int64_t width_, height_;
  std::array<Octave, octaves> octave_;
};

}  // namespace tepui
