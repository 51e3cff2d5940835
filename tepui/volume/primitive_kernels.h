#pragma once  // internal

#include <cstdint>
#include <vector>

// The inner loops over point primitives. Everything is in place quanta; contributions are whole numbers.

namespace tepui {

/// A heap's points and their tree, as the kernels read them.
struct PointTree {
  const int32_t *x = nullptr, *y = nullptr, *z = nullptr;
  const float *radius = nullptr, *root = nullptr;
  int levels = 0;
  const float* boxes[12] = {};
};

/// The points that may reach a box: centres from the box's own origin, and what makes the field of each of them
///
///   energy (1 - d^2/R^2)^3 = +-(root - (x scale)^2 - (y scale)^2 - (z scale)^2)^3
///
/// with root^3 = |energy| and scale^2 = root/R^2; root has the energy's sign.
struct PointList {
  std::vector<int32_t> x, y, z;
  std::vector<float> scale, root;
  int64_t count = 0;

  /// Makes room for so many more, and as many again as a vector may write beyond them.
  void reserve(int64_t more);
};

/// Appends to the list; gives up soon after there are more than `most` in it. The box is told from the tree's origin;
/// `shift` is what its centres get added.
void gather_points(const PointTree& tree, const float low[3], const float high[3], const int32_t shift[3], int64_t most,
                   PointList& list);

/// The most floats that any level reads at once: arrays of places are padded to a multiple of it, with far ones.
inline constexpr int64_t widest_batch = 16;
inline constexpr float far_place = 1e9f;

/// A brick's places from the list's origin. Those along x are padded with far ones to a multiple of eight; so are rows
/// of sums.
struct BrickAxes {
  static constexpr int64_t row(int64_t nx) { return (nx + 7) / 8 * 8; }
  const float *x = nullptr, *y = nullptr, *z = nullptr;
  int64_t nx = 0, ny = 0, nz = 0;
};

/// Adds primitives [begin, end) of the list at the points of a brick. All places are within 2^24 of the origin, as are
/// the centres, here and below.
void add_brick(const PointList& list, int64_t begin, int64_t end, const BrickAxes& axes, int32_t* sums);

/// At scattered points.
void add_scattered(const PointList& list, int64_t begin, int64_t end, const float* x, const float* y, const float* z,
                   int64_t padded, int32_t* sums);

/// At the list's origin itself; centres may be anywhere.
int32_t add_single(const PointList& list, int64_t begin, int64_t end);

/// At scattered points, with gradients, which are whole multiples of gradient_quantum.
struct GradientSums {
  double *x = nullptr, *y = nullptr, *z = nullptr;
};
void add_scattered_gradients(const PointList& list, int64_t begin, int64_t end, const float* x, const float* y,
                             const float* z, int64_t padded, int32_t* sums, const GradientSums& gradients);

}  // namespace tepui
