#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "tepui/core/context.h"
#include "tepui/core/pool_vector.h"
#include "tepui/planet/fine_land.h"
#include "tepui/planet/region.h"

namespace tepui {

/// An edge between two vertices, the one with the lesser name first. The left triangle is the one that is gone round
/// counter-clockwise from the first to the second; -1 where the net ends.
struct NetEdge {
  int32_t first, second;
  int32_t left, right;
};

/// Corners counter-clockwise; edge k joins corners k and k + 1.
struct NetTriangle {
  std::array<int32_t, 3> corner, edge;
};

/// The triangles of one level on which the next is worked out. Some are there only because others read them; those that
/// are drawn carry a mark.
struct RefineNet {
  PoolVector<NetEdge> edges;
  PoolVector<NetTriangle> triangles;
  PoolVector<uint8_t> drawn;  ///< of each triangle

  /// The corner of `triangle` that is not on this edge of it.
  int32_t opposite(int32_t triangle, int32_t edge) const {
    const NetTriangle& t = triangles[static_cast<size_t>(triangle)];
    return t.corner[t.edge[0] == edge ? 2 : t.edge[1] == edge ? 0 : 1];
  }
};

/// The net of these triangles, all of them drawn.
RefineNet make_net(std::span<const std::array<int32_t, 3>> triangles, std::span<const VertexId> ids);

/// Which edges of a level get a vertex in their middle.
struct Splits {
  static constexpr int rings = 3;  ///< of triangles around those drawn that are worked out for them to read

  PoolVector<uint8_t> drawn;    ///< of each edge: the region splits it
  PoolVector<int32_t> whole;    ///< the triangles whose three edges get a middle, drawn or not
  PoolVector<int32_t> born;     ///< the edges of these, in order
  PoolVector<int32_t> place;    ///< of each edge among them, -1: not
  PoolVector<int32_t> ordinal;  ///< of each triangle among `whole`, -1: not
  bool any = false;             ///< whether the region splits anything
};
Splits find_splits(const RefineNet& net, const FineVertices& vertices, const SplitRegion& region, int level,
                   const Context& context);

/// Four triangles for each whole one. The vertex born on edge splits.born[k] is `first_new` + k.
RefineNet split_net(const RefineNet& net, const Splits& splits, int32_t first_new, std::span<const VertexId> ids,
                    const Context& context);

/// One round of Delaunay's flips: an edge flips if it breaks the rule worst of the edges of both its triangles. The
/// edges along which water runs never do. Drawn triangles that would flip with others, and so no longer fit, are put
/// out to `land` as they were, and are no longer drawn in the net.
void flip_edges(RefineNet& net, const FineVertices& vertices, int level, FineLand& land, const Context& context);

/// Whether an edge breaks Delaunay's rule and may flip.
bool breaks_delaunay(const RefineNet& net, int32_t edge, const FineVertices& vertices);
void flip_edge(RefineNet& net, int32_t edge, std::span<const VertexId> ids);

/// Puts out to `land` the drawn triangles that are not whole: as they are, or cut in two or three where one or two of
/// their edges are split and drawn.
void put_out_border(const RefineNet& net, const Splits& splits, int32_t first_new, int level, FineLand& land,
                    const Context& context);

}  // namespace tepui
