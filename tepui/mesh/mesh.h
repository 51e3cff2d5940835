#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tepui/core/hash.h"
#include "tepui/core/vec.h"

namespace tepui {

using MeshPoint = std::array<float, 3>;
using MeshCoordinate = std::array<float, 2>;
using MeshColour = std::array<uint8_t, 4>;
using MeshTriangle = std::array<uint32_t, 3>;

inline Vec3 to_vec(const MeshPoint& p) {
  return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

/// What a mesh is made of. The optional lists are empty or hold one entry for each position.
struct MeshData {
  Vec3 centre{};  ///< the point of the world that positions are relative to
  std::vector<MeshPoint> positions{};
  std::vector<MeshTriangle> triangles{};      ///< counter-clockwise from outside
  std::vector<MeshPoint> normals{};           ///< unit length, or 0 where unknown
  std::vector<MeshCoordinate> coordinates{};  ///< in a picture, from its upper left corner right and down
  std::vector<MeshColour> colours{};          ///< sRGB and opacity
};

/// The smallest box around points.
struct MeshBox {
  MeshPoint low{}, high{};
};

/// Triangles in metres, x east, y north, z up. A value: immutable, cheap to copy, storage is shared. Positions are
/// single precision around a centre in double, so that a mesh far from the origin keeps its detail.
class Mesh {
 public:
  Mesh();
  /// Throws unless every position is finite, every corner names a vertex and the optional lists are whole. Turns -0
  /// into 0, so that equal positions have equal bits, and normals into unit length.
  explicit Mesh(MeshData data);

  Vec3 centre() const { return data_->centre; }
  std::span<const MeshPoint> positions() const { return data_->positions; }
  std::span<const MeshTriangle> triangles() const { return data_->triangles; }
  std::span<const MeshPoint> normals() const { return data_->normals; }
  std::span<const MeshCoordinate> coordinates() const { return data_->coordinates; }
  std::span<const MeshColour> colours() const { return data_->colours; }

  /// Around all vertices, relative to the centre; without vertices a point at 0.
  const MeshBox& bounds() const { return bounds_; }
  /// The same in the world: the lower and the upper corner.
  std::array<Vec3, 2> world_bounds() const;

  size_t bytes() const;
  /// Of all it holds.
  Hash hash() const;

 private:
  std::shared_ptr<const MeshData> data_;
  MeshBox bounds_;
};

}  // namespace tepui
