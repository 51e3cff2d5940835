#pragma once

#include <cstdint>
#include <optional>

#include "tepui/core/context.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// Points of space at even distances, for grids in files: origin + index * cell on every axis.
struct SampleGrid {
  Vec3 origin{};
  double cell = 1;
  int64_t nx = 0, ny = 0, nz = 0;

  int64_t slice() const { return nx * ny; }
  double count() const { return static_cast<double>(nx) * static_cast<double>(ny) * static_cast<double>(nz); }
};

/// A round number of metres (1, 2 or 5 times a power of ten), of which at most 400 go into the box's longest side.
double round_cell(const Box3& box);

/// The points of a box, from its lower corner on, so many metres apart, or round_cell() where it is not said. Refuses
/// an empty box, and more points than `most`, with a cell that would do.
SampleGrid sample_grid(const Box3& box, std::optional<double> wanted, double most = 1e9);

/// f - T at the points of one level, x fastest, then y.
void sample_field(const Volume& volume, const SampleGrid& grid, int64_t level, float* values, const Context& context);
/// The resistance there.
void sample_resistance(const Geology& rock, const SampleGrid& grid, int64_t level, float* values,
                       const Context& context);

}  // namespace tepui
