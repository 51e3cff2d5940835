#pragma once  // internal

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "tepui/volume/box_tree.h"
#include "tepui/volume/primitive.h"
#include "tepui/volume/shape_record.h"

namespace tepui {

struct PointTree;
struct PointList;
struct PointQuery;

/// A heap of primitives, immutable. Points (most primitives of a large volume) take 20 bytes each, in the order of a
/// Morton curve; other shapes, and points that do not fit, are records of their own. A tree of boxes, eight to a node,
/// stands over the points, another one over the records.
class Primitives {
 public:
  explicit Primitives(const std::vector<Primitive>& primitives);
  /// Of points alone, in parallel; the same heap, to the bit, as of the same points as primitives.
  explicit Primitives(std::span<const FieldPoint> points);
  /// All of both.
  Primitives(const Primitives& a, const Primitives& b);

  size_t count() const { return count_ + records_.size(); }
  const Box3& box() const { return box_; }

  /// Adds the primitives' fields at every point, in whole multiples of primitive_quantum.
  void add(const FieldPoints& at, double* sums) const;
  /// The same, and their gradients.
  void add_gradients(const FieldPoints& at, double* sums, double* dx, double* dy, double* dz) const;
  /// Widens the bounds of the sum over a box by those of this heap.
  void widen(const Box3& box, double& low, double& high) const;

  /// The box of every primitive, or several along a curve.
  void list_boxes(std::vector<Box3>& boxes) const;

  /// The same for the same primitives, however they came together.
  const std::array<uint64_t, 2>& sum_of_hashes() const { return hashes_; }
  size_t bytes() const;

  /// Around the primitives that are in one group of heaps and not in the other.
  friend Box3 heap_difference(const std::vector<std::shared_ptr<const Primitives>>& a,
                              const std::vector<std::shared_ptr<const Primitives>>& b);

  /// One level of the tree: groups of eight boxes, each group low x, y, z, high x, y, z of all eight; and what the
  /// energies below and above 0 in each add up to.
  struct Level {
    std::vector<float> boxes;
    std::vector<float> negative, positive;  ///< not of the lowest level
    int64_t nodes = 0;
  };

 private:
  std::vector<PlacedPoint> unpack() const;
  void pack(std::vector<PlacedPoint> points);
  void sort(std::vector<PlacedPoint>& points) const;
  void store(const std::vector<PlacedPoint>& points);
  void build_tree();
  struct EnergySums {
    double negative = 0, positive = 0;
  };
  /// Those of a level, from those of the finer one; puts them into the level, too.
  static std::vector<EnergySums> sum_energies(const std::vector<EnergySums>& fine, Level& level);
  void finish();
  PlacedPoint point(size_t i) const;
  PointTree tree() const;
  /// Calls act(record, points, first) for records that may reach some of the points, first being the index of the
  /// first of these.
  template <class Act>
  void for_records(const FieldPoints& at, int64_t first, const Act& act) const;
  bool find_records(const Box3& box, size_t most, std::vector<uint32_t>& found) const;
  bool find_points(const FieldPoints& at, const PointQuery& query, PointList& list) const;
  void add_points(const FieldPoints& at, double* sums) const;
  void add_one(Vec3 at, double& sum) const;
  void add_lattice(const FieldLattice& brick, const std::array<int64_t, 3>& origin, const PointList& list,
                   double* sums) const;
  void add_scatter(const FieldPoints& at, const std::array<int64_t, 3>& origin, const PointList& list,
                   double* sums) const;
  void add_point_gradients(const FieldPoints& at, double* sums, double* dx, double* dy, double* dz) const;
  void widen_by_point(const Box3& box, size_t i, double& low, double& high) const;

  std::array<int64_t, 3> origin_{};  ///< in place quanta
  size_t count_ = 0;
  std::vector<int32_t> x_, y_, z_;    ///< from the origin, in place quanta; with rubbish up to a multiple of eight
  std::vector<float> radius_;         ///< in place quanta; 0 of rubbish
  std::vector<float> root_;           ///< cube root of the energy over primitive_quantum
  std::vector<Level> levels_;         ///< from the leaves, of eight points each, up
  float widest_ = 0, strongest_ = 0;  ///< radius and energy
  std::vector<std::shared_ptr<const ShapeRecord>> records_;
  std::vector<Box3> record_boxes_;    ///< of all records
  std::vector<uint32_t> box_owners_;  ///< the record of every such box, rising
  BoxTree record_tree_;               ///< over them
  double usual_side_ = 0;             ///< half of them have a longer one
  Box3 points_box_, box_;
  std::array<uint64_t, 2> hashes_{};
};

}  // namespace tepui
