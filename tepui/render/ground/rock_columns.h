#pragma once  // internal

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

/// Triangles that follow each other in a mesh.
struct TriangleSpan {
  size_t first = 0, count = 0;
};

/// Where columns differ: part of the plan, up to a height; metres from the columns' corner.
struct ColumnZone {
  Vec3 low{}, high{};
};

/// Where a surface lies above and below each place of its plan, on columns as far apart as the mesh's cells are, and at
/// least a thousandth of it: enough to tell how much of the sky rock hides. Doubles and no library of rays, so that
/// what is written to files is the same on every machine.
class RockColumns {
 public:
  static constexpr int64_t least = 64, most = 1024;  ///< columns along the longer side

  RockColumns(const Mesh& mesh, const Context& context);
  /// Columns as close as that, in a box in which all of the mesh lies: what they tell of a place depends on the surface
  /// around it alone.
  RockColumns(const Mesh& mesh, const std::array<Vec3, 2>& box, double spacing, const Context& context);

  /// The same columns without triangles of the mesh that they were made of, and with those of another; the very ones
  /// that the other gives afresh. Tells where they differ.
  RockColumns edited(const Mesh& old, std::span<const TriangleSpan> gone, const Mesh& now,
                     std::span<const TriangleSpan> come, std::optional<ColumnZone>& zone) const;
  /// Whether a place may have another shelter for what has changed there.
  bool is_sheltered_from(const ColumnZone& zone, Vec3 at, Vec3 normal) const;

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
    friend bool operator==(const Crossing&, const Crossing&) = default;
  };
  struct InColumn {
    size_t column = 0;
    Crossing crossing{};
    friend bool operator==(const InColumn&, const InColumn&) = default;
  };
  static bool below(const Crossing& a, const Crossing& b) {
    return a.z != b.z ? a.z < b.z : static_cast<int>(a.up) < static_cast<int>(b.up);
  }
  static bool before(const InColumn& a, const InColumn& b) {
    return a.column != b.column ? a.column < b.column : below(a.crossing, b.crossing);
  }
  RockColumns() = default;
  void lay_out(const std::array<Vec3, 2>& box, double spacing);
  void fill(const Mesh& mesh, const Context& context);
  std::vector<InColumn> crossings_in(const Mesh& mesh, std::span<const TriangleSpan> spans) const;
  ColumnZone zone_of(std::span<const InColumn> some, std::span<const InColumn> others) const;
  int64_t column_of(Vec3 place) const;
  /// From where a place looks up, as metres from the corner.
  Vec3 start_of_shelter(Vec3 at, Vec3 normal) const;
  bool solid_in(int64_t column, double z) const;
  bool hidden(Vec3 from, Vec3 way, int most_steps) const;
  bool meets(int64_t column, double low, double high) const;
  template <class Each>
  void for_crossings(const Mesh& mesh, TriangleSpan span, const Each& each) const;

  Vec3 base_;
  double cell_ = 1, top_ = 0;
  int64_t width_ = 0, height_ = 0;
  std::vector<uint32_t> starts_;  ///< of each column's crossings, and their end
  std::vector<Crossing> crossings_;
};

}  // namespace tepui
