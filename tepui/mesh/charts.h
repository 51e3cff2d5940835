#pragma once  // internal

#include <cstdint>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

/// The plane that a chart is laid out on: `across` and `up` are the picture's axes, `out` looks at the surface.
struct ChartPlane {
  Vec3 across, up, out;
};

/// A surface cut into pieces that can be laid flat.
struct Charts {
  std::vector<uint32_t> of;        ///< the chart of every triangle
  std::vector<ChartPlane> planes;  ///< of every chart
};

/// Charts by direction: level ground, ceilings, and walls by eight points of the compass. A triangle belongs to the
/// direction that the surface around it looks in, unless it is more than 75 degrees off; small pieces join larger ones
/// beside them where they can. Charts are connected, and no triangle is seen from behind. Where a chart would lie over
/// itself when `per_metre` points a metre look, the part that would be below is a chart of its own.
Charts make_charts(const Mesh& mesh, double per_metre, const Context& context);

}  // namespace tepui
