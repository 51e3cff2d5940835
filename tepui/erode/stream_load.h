#pragma once  // internal

#include <cstdint>
#include <functional>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/erode/stream_land.h"

namespace tepui {

/// One step of rivers that carry what they wear and lay a part of it down: the equation of stream_land.h with G > 0.
///
/// Let e be by how much a node is lowered against the raised land (below 0 where more is laid down than taken), and Q
/// the sum of e over all nodes upstream, its own included. The equation of a node links e to Q, and to e_r of its
/// receiver. A node without donors has Q = e, so that Q = alpha + beta e_r; if that holds for its donors, it holds for
/// any node. One sweep down the rivers finds alpha and beta, one sweep up finds the heights: Gauss's elimination along
/// a tree, which needs no relaxation, however large G is.
class StreamLoad {
 public:
  /// `area` is the area that drains through a node, square metres.
  StreamLoad(StreamLand& land, const Watercourses& water, const FlowOrder& order,
             const std::function<double(int64_t node)>& area, double dt, const Context& context);

  /// Changes the land's heights. Returns what was carried out of the land, in metres of a node.
  double run(const Context& context);

 private:
  /// What holds at a node, so far as is known.
  enum class Regime : uint8_t {
    river,    ///< Rock is worn, and load laid down.
    shingle,  ///< The same where only what was laid down before is worn.
    bed,      ///< All of that is worn, and the rock below it is too hard.
    still,    ///< Nothing is worn: rock that never wears, or below the receiver.
    failing,  ///< The slope is the steepest there is.
    lake,     ///< It takes all, or all that it has room for.
    held,     ///< An outlet, or a height that is given.
  };
  /// Q = alpha + beta e_r; of all donors of a node together, alpha + beta e.
  struct Line {
    double alpha = 0, beta = 0;
  };

  double raised(int64_t node) const { return raised_.data()[node]; }
  Line of_donors(int64_t node) const;
  double distance(int64_t node, int64_t to) const;
  double strength(int64_t node, bool shingle) const;
  bool covered(int64_t node) const;
  double bed(int64_t node) const;
  double settled(int64_t node, const Line& donors) const;
  bool drowned(int64_t node) const;

  Line eliminated(int64_t node, int64_t to) const;
  /// Says whether the node's regime is another than before.
  bool solve(int64_t node, int64_t to, bool first);
  double worn_height(int64_t node, int64_t to, double receiver, double share, const Line& donors, bool shingle) const;

  StreamLand& land_;
  const StreamGround& ground_;
  const Watercourses& water_;
  const FlowOrder& order_;
  double dt_;
  Grid<float> before_;
  Grid<double> raised_;   ///< Heights without rivers.
  Grid<double> share_;    ///< G times the share of a node in the area that drains through it.
  Grid<double> cutting_;  ///< K A^m dt, before softness.
  Grid<float> alpha_, beta_;
  Grid<Regime> regime_;
};

}  // namespace tepui
