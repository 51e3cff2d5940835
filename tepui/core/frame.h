#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tepui/core/hash.h"
#include "tepui/core/vec.h"

namespace tepui {

/// How global indices map to the coordinates of a file's reference system: position = origin + index * step.
struct Georeference {
  std::string crs;  ///< WKT; empty where unknown
  Vec2 origin;      ///< of the sample with global index (0, 0), the south-west one
  Vec2 step;
};

/// Where samples lie. Samples are points: position = origin + index * cell, in double; index (0, 0) is the south-west
/// corner of the world. A tile or crop keeps the world's origin, size and cell and its own global indices, so that
/// shared samples have the same position bits.
struct Frame {
  Vec2 origin;                              ///< south-west corner of the world, metres
  Vec2 size;                                ///< the world's rectangle, metres
  Vec2 cell{1, 1};                          ///< metres between samples
  int64_t first_x = 0, first_y = 0;         ///< global index of this frame's first sample
  int64_t width = 0, height = 0;            ///< samples of this frame
  std::shared_ptr<const Georeference> geo;  ///< where the land lies on Earth, if known; not part of equality

  double x(int64_t column) const { return origin.x + static_cast<double>(first_x + column) * cell.x; }
  double y(int64_t row) const { return origin.y + static_cast<double>(first_y + row) * cell.y; }
  double shorter_side() const { return size.x < size.y ? size.x : size.y; }
  double longer_side() const { return size.x < size.y ? size.y : size.x; }

  /// The samples [x0, x0 + w) x [y0, y0 + h) of this frame.
  Frame window(int64_t x0, int64_t y0, int64_t w, int64_t h) const;
  /// The lattice on which normalising constants are measured: 257 samples on the longer side of the whole world,
  /// whatever this frame's own samples are.
  Frame measuring_lattice() const;

  Hash hash() const;
  friend bool operator==(const Frame& a, const Frame& b) {
    return a.origin == b.origin && a.size == b.size && a.cell == b.cell && a.first_x == b.first_x &&
           a.first_y == b.first_y && a.width == b.width && a.height == b.height;
  }
};

/// A world of `size` metres with `resolution` samples on its longer side and square cells. A resolution of 1 is a
/// single sample. Sides are from 1 mm to a million km.
Frame make_world(Vec2 size, int64_t resolution, Vec2 origin = {});

/// "1025 x 513 samples, 2 m" for messages.
std::string frame_text(const Frame& frame);

/// Throws unless the two frames hold the same samples; names both operands.
void require_same_frame(const Frame& a, const char* name_a, const Frame& b, const char* name_b);

}  // namespace tepui
