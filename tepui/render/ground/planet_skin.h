#pragma once  // internal

#include <array>
#include <cstdint>
#include <vector>

#include "tepui/core/season.h"
#include "tepui/mesh/mesh.h"
#include "tepui/render/light/colour.h"

namespace tepui {

/// The look of a mesh that tells by its attributes what a planet is like at each vertex, as planet_view makes it: seas
/// and lakes by their depth, land by its climate, and the ice and snow on it.
class PlanetSkin {
 public:
  explicit PlanetSkin(const Mesh& mesh);
  /// Whether the mesh tells of it.
  bool known() const { return values_[0] != nullptr; }

  /// The colour at a point of a triangle, by the shares of its corners. `at`: where it lies, in metres.
  Rgb albedo(const MeshTriangle& triangle, const std::array<double, 3>& shares, Vec3 at, double footprint,
             Season season) const;

 private:
  enum Value : size_t { height, water, snow, ice, temperature, season, rain, slope, count };
  double shown_depth(const MeshTriangle& triangle, const std::array<double, 3>& shares) const;

  Mesh mesh_;
  std::array<const MeshAttribute*, count> values_{};
  std::vector<uint8_t> shown_;  ///< of each vertex: its water is as large as a triangle, not a pond among them
};

}  // namespace tepui
