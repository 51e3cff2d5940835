#pragma once  // internal

#include <algorithm>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/erode/between_samples.h"
#include "tepui/erode/lattice_ladder.h"
#include "tepui/erode/node_warp.h"

namespace tepui {

/// The displacements of all nodes of a lattice, and the way back: which node lies at a place.
class DisplacedNodes {
 public:
  DisplacedNodes(const Lattice& lattice, const NodeWarp& warp, const Context& context);

  Vec2 displacement(int64_t x, int64_t y) const {
    return {static_cast<double>(dx_(x, y)), static_cast<double>(dy_(x, y))};
  }

  /// Finds node + displacement = place, places in cells of the lattice, one after the other: each search starts where
  /// the last ended, so a row should be walked by one finder.
  class Finder {
   public:
    explicit Finder(const DisplacedNodes& nodes) : nodes_(nodes) {}
    Vec2 node_at(Vec2 place);

   private:
    const DisplacedNodes& nodes_;
    Vec2 last_{};
    bool begun_ = false;
  };

 private:
  Vec2 between(Vec2 node) const;

  Grid<float> dx_, dy_;
};

// Called many times a sample: here to be inlined.
inline Vec2 DisplacedNodes::between(Vec2 node) const {
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

inline Vec2 DisplacedNodes::Finder::node_at(Vec2 place) {
  const int rounds = begun_ ? 5 : 20;
  if (!begun_) last_ = Vec2{};
  begun_ = true;
  for (int i = 0; i < rounds; ++i) last_ = nodes_.between(place - last_);
  return place - last_;
}

/// Calls act(x, y, node) for all samples of a row of `to`, node being the node of `from` (two lattices of the same
/// land, `from` with displaced nodes) at the sample's place, displaced as `to_nodes` says where that is given.
template <class Act>
void for_nodes_at(const Lattice& from, const DisplacedNodes* from_nodes, const Lattice& to,
                  const DisplacedNodes* to_nodes, int64_t y, const Act& act) {
  const double scale = to.step / from.step;
  if (from_nodes == nullptr) {
    for (int64_t x = 0; x < to.width; ++x) {
      const Vec2 d = to_nodes == nullptr ? Vec2{} : to_nodes->displacement(x, y);
      act(x, Vec2{(static_cast<double>(x) + d.x) * scale, (static_cast<double>(y) + d.y) * scale});
    }
    return;
  }
  DisplacedNodes::Finder finder(*from_nodes);
  for (int64_t x = 0; x < to.width; ++x) {
    const Vec2 d = to_nodes == nullptr ? Vec2{} : to_nodes->displacement(x, y);
    act(x, finder.node_at({(static_cast<double>(x) + d.x) * scale, (static_cast<double>(y) + d.y) * scale}));
  }
}

}  // namespace tepui
