#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
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

/// A number for every vertex: "resistance", "layer", "strata".
struct MeshAttribute {
  std::string name{};  ///< is_attribute_name
  std::string unit{};  ///< "m"; empty for a bare number. At most 32 printable ASCII characters
  std::vector<float> values{};
};

/// Whether files can have an attribute of this name: small letters, digits and underscores, a letter first, 32 at most,
/// and none of the names that a vertex's place, normal, texture coordinates and colour have.
bool is_attribute_name(std::string_view name);
bool is_attribute_unit(std::string_view unit);
constexpr size_t most_attributes = 16;

/// What a mesh is made of. The optional lists are empty or hold one entry for each position.
struct MeshData {
  Vec3 centre{};  ///< the point of the world that positions are relative to
  std::vector<MeshPoint> positions{};
  std::vector<MeshTriangle> triangles{};      ///< counter-clockwise from outside
  std::vector<MeshPoint> normals{};           ///< unit length, or 0 where unknown
  std::vector<MeshCoordinate> coordinates{};  ///< in a picture, from its upper left corner right and down
  std::vector<MeshColour> colours{};          ///< sRGB and opacity
  std::vector<MeshAttribute> attributes{};    ///< names differ, each holds a value for every position
};

/// The smallest box around points.
struct MeshBox {
  MeshPoint low{}, high{};
};

/// Triangles in metres, x east, y north, z up. A value: immutable, cheap to copy, storage is shared. Positions are
/// single precision around a centre in double, so that a mesh far from the origin keeps its detail.
class Mesh {
 public:
  static constexpr std::string_view kind_name = "mesh";

  Mesh();
  /// Throws unless every position is finite, every corner names a vertex and the optional lists are whole. Turns -0
  /// into 0, so that equal positions have equal bits, normals into unit length, and texture coordinates and attributes
  /// that are not finite into 0.
  explicit Mesh(MeshData data);

  const MeshData& data() const { return *data_; }
  Vec3 centre() const { return data_->centre; }
  std::span<const MeshPoint> positions() const { return data_->positions; }
  std::span<const MeshTriangle> triangles() const { return data_->triangles; }
  std::span<const MeshPoint> normals() const { return data_->normals; }
  std::span<const MeshCoordinate> coordinates() const { return data_->coordinates; }
  std::span<const MeshColour> colours() const { return data_->colours; }
  std::span<const MeshAttribute> attributes() const { return data_->attributes; }
  /// None where there is no attribute of this name.
  const MeshAttribute* attribute(std::string_view name) const;

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
