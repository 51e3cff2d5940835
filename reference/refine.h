#pragma once

#include <array>
#include <map>
#include <set>

#include "tepui/planet/fine_land.h"
#include "tepui/planet/global_land.h"

// The hierarchy below a planet's global stage, plainly: triangles by the names of their corners, edges and vertices in
// maps, everything split a good way around the place that is asked for, so that no border matters. What is written
// again here is the topology, what each vertex reads, receivers, shares of water, flips. The formulas by which a vertex
// gets its place and height are those of tepui/planet/refine_rules.h, shared: their own twins are in
// reference/mieloszyk.h.

namespace tepui::reference {

struct RefinedVertex {
  Vec3 direction{};
  double height = 0;
  float depth = 0, born_height = 0;
  IceTimes ice_flow, ice_supply;
  bool sea = false;
  VertexId receiver{};  ///< of what is not sea
  int64_t supply = 0, discharge = 0;
  ValleyFloor floor{};
  GlacialTrough trough{};
  Traits traits{};
  uint16_t plate = 0;
  int level = 0;
};

/// Corners counter-clockwise, the least name first.
using RefinedTriangle = std::array<VertexId, 3>;

struct RefinedLand {
  std::map<VertexId, RefinedVertex> vertices;
  std::set<RefinedTriangle> triangles;  ///< of the deepest level
};

/// The land to a level within an angle of a place, and some way around, where it is not yet exact.
RefinedLand refined(const GlobalLand& land, Vec3 centre, double angle, int deepest);

}  // namespace tepui::reference
