#pragma once  // internal

#include <memory>
#include <vector>

#include "tepui/core/hash.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/solid.h"

namespace tepui {

/// A part of the plane: a rectangle, a polygon, or where a mask is above one half. Tells how far places outside are
/// from it. Borders are straight edges, found through a coarse grid, so that a long border costs no more than a short
/// one.
class PlanRegion {
 public:
  struct Edge {
    Vec2 a, b;
  };

  /// A rectangle; one without width is a line or a point. Distances are told up to `reach` metres.
  PlanRegion(Vec2 low, Vec2 high, double reach);
  /// What the edges enclose: inside is where a way from far away crosses an odd number of them.
  PlanRegion(std::vector<Edge> border, double reach);

  /// The squared distance in metres from the region, 0 inside; infinite from `reach` on. `foot` is the nearest place of
  /// the region.
  double square_distance(Vec2 at, Vec2& foot) const;
  /// Whether all of a box is surely inside, or surely `reach` or more away.
  bool surely_inside(Vec2 low, Vec2 high) const;
  bool surely_far(Vec2 low, Vec2 high) const;

  bool is_rectangle() const { return edges_.empty(); }
  Vec2 low() const { return low_; }
  Vec2 high() const { return high_; }
  /// Rectangles that hold every place nearer than `reach` to the border.
  std::vector<std::pair<Vec2, Vec2>> ring() const;

  void hash(Hasher& hasher) const;
  size_t bytes() const;

 private:
  struct Cell {
    uint32_t first = 0, count = 0;  ///< of `near_`
    bool inside = false;            ///< of the cell's middle
  };
  /// Calls with the cells, counted, that an edge is within reach of.
  template <class Act>
  void near_cells(const Edge& edge, const Act& act) const;
  void list_edges();
  void find_inside();
  Vec2 middle(int64_t i, int64_t j) const;
  bool inside_cell(const Cell& cell, Vec2 middle, Vec2 at) const;
  /// Whether `is` holds of all cells that a rectangle meets; not where they are many.
  template <class Is>
  bool all_cells(Vec2 low, Vec2 high, const Is& is) const;

  Vec2 low_{}, high_{};
  double reach_ = 0;
  std::vector<Edge> edges_;
  Vec2 origin_{};
  double side_ = 1;
  int64_t width_ = 0, height_ = 0;
  std::vector<Cell> cells_;
  std::vector<uint32_t> near_;  ///< edges nearer to a cell than `reach`
};

/// The polygon through these corners; refuses fewer than three and what is not finite.
std::vector<PlanRegion::Edge> polygon_border(const std::vector<Vec2>& corners);

/// The border of where a mask is above one half: straight lines within the squares between its samples; beyond its
/// samples it is 0.
std::vector<PlanRegion::Edge> mask_border(const Frame& frame, const Grid<float>& mask);

}  // namespace tepui
