#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/vec.h"
#include "tepui/io/file/file_target.h"

// Numbers on a grid in space, such as the field of a volume: written slab by slab, so that only one is held.

namespace tepui {

/// Where the numbers are, and what they are.
struct VolumeSamples {
  std::string name = "value";  ///< of the numbers
  Vec3 origin{};               ///< of the first point: the most western, southern and lowest one
  Vec3 spacing{1, 1, 1};       ///< metres from one point to the next
  int64_t nx = 0, ny = 0, nz = 0;
  /// Fills the numbers at one height: nx * ny of them, x runs fastest, y from the south. Called for each z once, from
  /// the lowest up.
  std::function<void(int64_t z, std::span<float> out)> slab{};
};

/// Writes a VTK XML ImageData file: points with one Float32 array in raw appended binary after a UInt64 header, x
/// fastest, then y from the south, then z upwards (VTK file formats, "XML File Formats"). ParaView and VisIt open it at
/// its place. Atomic.
void write_vti(const FileTarget& to, const VolumeSamples& samples, const Context& context);

/// Writes a NumPy array of float32 with the shape (nz, ny, nx), in the same order: a[k, j, i] is at origin +
/// (i, j, k) * spacing, so that rows come from the south, unlike those of maps. Atomic.
void write_npy_volume(const FileTarget& to, const VolumeSamples& samples, const Context& context);

}  // namespace tepui
