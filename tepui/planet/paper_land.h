#pragma once  // internal

#include <array>
#include <cstdint>
#include <vector>

#include "tepui/planet/fine_land.h"
#include "tepui/planet/global_land.h"
#include "tepui/planet/refine_net.h"

namespace tepui {

/// Ice at a vertex, at the height of glaciation.
struct PaperIce {
  Vec3 direction;     ///< N_ice of Eq. 12; 0 where nothing falls
  double sum = 0;     ///< P_ice_sum: what passes, in years of the most snow on one triangle
  float depth = 0;    ///< metres
  float surface = 0;  ///< altitude; below the ground where there is no ice
  float sheet = 0;    ///< the same of the ice sheets of now, which only the global stage knows
};

/// What mode `paper` works on: one mesh, of which each level splits a part, and which is never taken apart.
struct PaperLand {
  FineVertices vertices;
  RefineNet net;
  std::vector<uint8_t> level;    ///< of each triangle
  std::vector<Vec3> turn;        ///< of each vertex: that of its plate, radians a year, or between those of two
  std::vector<float> stability;  ///< P_es of each vertex
  std::vector<PaperIce> ice;     ///< of each vertex
};

/// The new vertices of a level.
struct PaperBirths {
  std::vector<int32_t> edges;                ///< that are split, in order
  std::vector<int32_t> place;                ///< of each edge among them; -1: not
  std::vector<std::array<int32_t, 2>> ends;  ///< of each, before it was split
  int32_t first = 0;                         ///< the vertex in the middle of the first
};

}  // namespace tepui
