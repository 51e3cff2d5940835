#pragma once

#include <cstdint>
#include <vector>

// The inner loops over point primitives. Everything is in place quanta; contributions are whole numbers.

namespace tepui {

/// A heap's points and their tree, as the kernels read them.
struct PointTree {
  const int32_t *x = nullptr, *y = nullptr, *z = nullptr;
  const float *radius = nullptr, *energy = nullptr;
  int levels = 0;
  const float* boxes[12] = {};
};

/// The points that may reach a box: centres from the box's own origin, radius, 1 / radius^2 and energy.
struct PointList {
  std::vector<int32_t> x, y, z;
  std::vector<float> radius, inverse, energy;
  int64_t count = 0;

  /// Makes room for so many more, and as many again as a vector may write beyond them.
  void reserve(int64_t more);
};

/// Larger energies, over primitive_quantum, are not for these kernels.
inline constexpr float most_point_energy = 0x1p22f;

/// Appends to the list. The box is told from the tree's origin; `shift` is what its centres get added.
void gather_points(const PointTree& tree, const float low[3], const float high[3], const int32_t shift[3],
                   PointList& list);

/// Adds primitives [begin, end) of the list at the points of a brick, layer after layer; x, y, z from the list's
/// origin. `stride` is from layer to layer and has room for whole vectors: see brick_stride.
struct BrickAxes {
  const float *x = nullptr, *y = nullptr, *z = nullptr;
  int64_t nx = 0, ny = 0, nz = 0;
};
int64_t brick_stride(int64_t nx, int64_t ny);
void add_brick(const PointList& list, int64_t begin, int64_t end, const BrickAxes& axes, int64_t stride, int32_t* sums);

/// The most floats that any level reads at once: arrays of places are padded to a multiple of it, with far ones.
inline constexpr int64_t widest_vector = 16;
inline constexpr float far_place = 1e12f;

/// At scattered points, each within 2^24 of the origin, as are the centres.
void add_scattered(const PointList& list, int64_t begin, int64_t end, const float* x, const float* y, const float* z,
                   int64_t padded, int32_t* sums);

/// At the list's origin itself.
int32_t add_single(const PointList& list, int64_t begin, int64_t end);

/// At scattered points, with gradients, which are whole multiples of gradient_quantum.
void add_scattered_gradients(const PointList& list, int64_t begin, int64_t end, const float* x, const float* y,
                             const float* z, int64_t padded, int32_t* sums, double* dx, double* dy, double* dz);

}  // namespace tepui
