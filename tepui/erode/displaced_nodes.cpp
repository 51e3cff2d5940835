#include "tepui/erode/displaced_nodes.h"

#include <algorithm>

#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

DisplacedNodes::DisplacedNodes(const Lattice& lattice, const NodeWarp& warp, const Context& context)
    : dx_(lattice.width, lattice.height), dy_(lattice.width, lattice.height) {
  parallel_chunks(lattice.height, rows_per_chunk(lattice.width), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) warp.row(y, dx_.row(y), dy_.row(y));
  });
}

Vec2 DisplacedNodes::between(Vec2 node) const {
  const int64_t w = dx_.width(), h = dx_.height();
  const double column = std::clamp(node.x, 0.0, static_cast<double>(w - 1));
  const double row = std::clamp(node.y, 0.0, static_cast<double>(h - 1));
  const auto x = std::min(static_cast<int64_t>(column), std::max<int64_t>(w - 2, 0));
  const auto y = std::min(static_cast<int64_t>(row), std::max<int64_t>(h - 2, 0));
  const auto tx = static_cast<float>(column - static_cast<double>(x));
  const auto ty = static_cast<float>(row - static_cast<double>(y));
  const int64_t i = y * w + x, right = w > 1 ? 1 : 0, up = h > 1 ? w : 0;
  const auto mixed = [&](const float* d) {
    const float south = d[i] + tx * (d[i + right] - d[i]);
    const float north = d[i + up] + tx * (d[i + up + right] - d[i + up]);
    return static_cast<double>(south + ty * (north - south));
  };
  return {mixed(dx_.data()), mixed(dy_.data())};
}

Vec2 DisplacedNodes::Finder::node_at(Vec2 place) {
  const int rounds = begun_ ? 5 : 20;
  if (!begun_) last_ = Vec2{};
  begun_ = true;
  for (int i = 0; i < rounds; ++i) last_ = nodes_.between(place - last_);
  return place - last_;
}

}  // namespace tepui
