#pragma once

#include <array>
#include <cstdint>

#include "tepui/core/pool_vector.h"
#include "tepui/core/vec.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

/// What a vertex has from those on whose edge it was born, in the proportions of its place between them.
enum class Trait : uint8_t {
  hardness,     ///< resistance of the rock: 1 is common rock
  steepness,    ///< slope * area^0.45, metres^0.9
  temperature,  ///< mean of the year at sea level, degrees Celsius
  season,       ///< half the difference between the warmest and the coldest month, kelvin
  rain,         ///< metres a year
  summer_rain,  ///< the share of it that falls in the warm half of the year
  runoff,       ///< metres a year
  ice_surface,  ///< of the ice sheets now, metres above the sea; below the ground where none lies
  snow_line,    ///< altitude at which ice neither grew nor melted at the height of glaciation, metres
  stress,       ///< along plates' borders, metres a year
  crust_age,    ///< of the sea floor, million years; negative on continents
  count
};
constexpr auto trait_count = static_cast<size_t>(Trait::count);
using Traits = std::array<float, trait_count>;

/// The river beside or through a vertex whose flat floor reaches the nearest to it.
struct ValleyFloor {
  float away = 1e9f;  ///< from the river's line, metres
  float channel = 0;  ///< half the width of its water
  float flat = 0;     ///< half the width of the floor that it has made

  /// Metres inside the floor; below 0 outside.
  double inside() const { return static_cast<double>(flat) - static_cast<double>(away); }
  /// Of several, a vertex lies in the one whose claim is the largest.
  double claim() const { return inside(); }
};

/// The valley that a glacier has made, nearest to a vertex, and the ice that lies in it now.
struct GlacialTrough {
  float away = 1e9f;   ///< from the glacier's line, metres
  float half = 0;      ///< half its width
  float depth = 0;     ///< how high its walls rise at that distance
  float bed = 0;       ///< altitude of its line
  float ice = 0;       ///< how deep ice stands on the line now
  float ice_half = 0;  ///< half the width that this ice has

  double inside() const { return static_cast<double>(half) - static_cast<double>(away); }
  /// Of several, a vertex lies in the one near whose line it is for its width.
  double claim() const { return half > 0 ? -static_cast<double>(away) / static_cast<double>(half) : -1e9; }
};

/// Ice in m3 a year: at the height of glaciation, and now.
struct IceTimes {
  int64_t then = 0, now = 0;

  friend bool operator==(const IceTimes&, const IceTimes&) = default;
};

/// The receiver of what lies in the sea, and of what drains over the border of the land at hand.
constexpr int32_t in_the_sea = -1, over_the_border = -2;

/// The vertices of a piece of a planet, as lists of the same length. Heights are in metres above the sea at the Earth's
/// size, water in the units of GlobalLand.
struct FineVertices {
  PoolVector<Vec3> direction;     ///< unit vectors
  PoolVector<double> height;      ///< of the ground, or of the water's surface where `depth` is more than 0
  PoolVector<float> depth;        ///< of the water of lakes; 0 in the sea, whose floor is `height`, and in rivers
  PoolVector<float> born_height;  ///< of the middle of the edge on which the vertex was born
  PoolVector<VertexId> id;
  PoolVector<float> river;          ///< depth of a river's water below `height`, where it is wider than triangles here
  PoolVector<int32_t> receiver;     ///< the vertex that takes this one's water; in_the_sea, over_the_border
  PoolVector<int64_t> supply;       ///< own runoff, of which every finer level takes its share
  PoolVector<int64_t> discharge;    ///< with all that arrives from above: the same at every level
  PoolVector<IceTimes> ice_flow;    ///< that leaves the vertex: the same at every level
  PoolVector<IceTimes> ice_supply;  ///< own snow less what melts here, of which every finer level takes its share
  PoolVector<ValleyFloor> floor;
  PoolVector<GlacialTrough> trough;
  PoolVector<Traits> traits;
  PoolVector<uint16_t> plate;
  PoolVector<uint8_t> level;  ///< on which the vertex was born

  size_t size() const { return direction.size(); }
  void resize(size_t count);
  /// Leaves what is new as the memory was: whoever adds it writes all of it.
  void resize_unwritten(size_t count);
  void reserve(size_t count);
  size_t bytes() const;
  float trait(size_t v, Trait which) const { return traits[v][static_cast<size_t>(which)]; }
};

/// A piece of a planet, refined where it was asked for: a crack-free net of triangles, counter-clockwise seen from
/// outside. What it knows of a vertex is the same in every piece that has the vertex.
struct FineLand {
  FineVertices vertices;
  PoolVector<std::array<int32_t, 3>> triangles;
  PoolVector<uint8_t> triangle_level;  ///< of each triangle: that of its finest corner's edges
  bool closed = false;                 ///< whether it is the whole sphere, without a rim

  size_t bytes() const;
};

}  // namespace tepui
