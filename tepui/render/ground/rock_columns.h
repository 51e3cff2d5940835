#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

/// Where a surface lies above and below each place of its plan, on columns as far apart as the mesh's cells are, and at
/// least a thousandth of it: enough to tell how much of the sky rock hides. Doubles and no library of rays, so that
/// what is written to files is the same on every machine.
class RockColumns {
 public:
  static constexpr int64_t least = 64, most = 1024;  ///< columns along the longer side

  RockColumns(const Mesh& mesh, const Context& context);

  /// The share of the sky above a place of the surface that rock hides, in quarters: straight up and 27 degrees off in
  /// three directions. Positions are those of the world; 0 on walls and ceilings, where nothing grows anyway.
  float shelter(Vec3 at, Vec3 normal) const;
  /// The share of the light of even surroundings that rock close by lets through to a place of the surface.
  float openness(Vec3 at, Vec3 normal) const;
  /// Whether the surface next above a place faces up, so that there is rock around it.
  bool solid(Vec3 at) const;

 private:
  /// A surface on its way up.
  struct Crossing {
    float z = 0;  ///< over the base
    bool up = false;
  };
  int64_t column_of(Vec3 place) const;
  bool solid_in(int64_t column, double z) const;
  bool hidden(Vec3 from, Vec3 way, int most_steps) const;
  bool meets(int64_t column, double low, double high) const;
  template <class Each>
  void for_crossings(const Mesh& mesh, const Each& each) const;

  Vec3 base_;
  double cell_ = 1, top_ = 0;
  int64_t width_ = 0, height_ = 0;
  std::vector<uint32_t> starts_;  ///< of each column's crossings, and their end
  std::vector<Crossing> crossings_;
};

}  // namespace tepui
