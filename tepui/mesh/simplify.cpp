#include "tepui/mesh/simplify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/mesh/edge_collapse.h"
#include "tepui/mesh/subset.h"

namespace tepui {

namespace {

constexpr double share_unless_said = 0.1;

/// How many triangles may be left; 0 where the error alone ends it.
int64_t least_triangles(const SimplifyParams& params, int64_t count) {
  const auto of_share = [&](double share) {
    return static_cast<int64_t>(std::ceil(share * static_cast<double>(count)));
  };
  if (!params.triangles && !params.share) return params.error ? 0 : of_share(share_unless_said);
  return std::max(params.triangles.value_or(0), params.share ? of_share(*params.share) : 0);
}

}  // namespace

void describe(Fields<SimplifyParams>& f) {
  f.about("Reduce the number of triangles of a mesh; ridges and cliff edges are kept");
  f.reach(Reach::whole);
  f("triangles", &SimplifyParams::triangles, Range{1, 4e9}, "most triangles to keep; auto: from 'share' or 'error'")
      .slider(1, 1e6);
  f("share", &SimplifyParams::share, Range{1e-6, 1},
    "largest share of the triangles to keep; auto: from 'triangles' or 'error', or a tenth if none is given")
      .sweep("0.3", "0.05", "0.01");
  f("error", &SimplifyParams::error, Range{1e-6, 1e9},
    "largest distance between the new surface and the old; auto: any")
      .unit("m")
      .slider(1e-6, 20);
  f("longest", &SimplifyParams::longest, Range{1e-6, 1e9},
    "longest edge that may come about, so that colours and other values of vertices stay close together; auto: any")
      .unit("m")
      .slider(1e-6, 50);
  f("keep_border", &SimplifyParams::keep_border, "keep all vertices on open edges, so that tiles still meet");
}

Mesh simplify(const Mesh& in, const SimplifyParams& params, const Context& context) {
  const auto count = static_cast<int64_t>(in.triangles().size());
  const CollapseLimits limits{least_triangles(params, count), params.error.value_or(0), params.keep_border,
                              params.longest.value_or(0)};
  const std::vector<MeshTriangle> left = collapse_edges(in, limits, context.stage("simplifying", 0, 0.95));
  if (!params.error && static_cast<int64_t>(left.size()) > limits.triangles)
    context.warn(
        fmt::format("simplify: {} triangles are left of {}, not {}: fewer would change how the surface is connected or "
                    "flip triangles",
                    left.size(), count, limits.triangles));
  context.tell("triangles", static_cast<double>(left.size()));
  return in_drawing_order(subset(in, left));
}

}  // namespace tepui
