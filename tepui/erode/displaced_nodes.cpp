#include "tepui/erode/displaced_nodes.h"

#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

DisplacedNodes::DisplacedNodes(const Lattice& lattice, const NodeWarp& warp, const Context& context)
    : dx_(lattice.width, lattice.height), dy_(lattice.width, lattice.height) {
  parallel_chunks(lattice.height, rows_per_chunk(lattice.width), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) warp.row(y, dx_.row(y), dy_.row(y));
  });
}

}  // namespace tepui
