#pragma once  // internal

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/erode/lattice_ladder.h"
#include "tepui/erode/node_directions.h"
#include "tepui/erode/node_warp.h"
#include "tepui/erode/power_table.h"
#include "tepui/hydrology/d8.h"
#include "tepui/hydrology/flow_order.h"
#include "tepui/hydrology/watercourses.h"

namespace tepui {

/// How fast rivers cut: K A^m S^n, in metres a unit of time.
struct StreamLaw {
  double k = 1;     ///< K.
  double m = 0.45;  ///< Exponent of the area A.
  double n = 1;     ///< Exponent of the slope S.
  double head =
      5000;          ///< Square metres: A counts as A^2 / (A + head), so that slopes of a smaller area have no channel.
  double creep = 0;  ///< D, square metres a unit of time.
  double deposition = 0;  ///< G: how readily rivers lay down what they carry; 0: never.
  double spreading = 0;   ///< Of what they laid down, like creep: square metres a unit of time.
  int head_power = 1;     ///< Of A / (A + head), above: the higher, the more suddenly channels begin.
};

/// How close neighbouring nodes are, for the four directions 0 to 3 of d8.h: in units of `unit` over metres. Constant
/// on a plain lattice, where distances are exact; else stored for each node, in 16 bits.
struct Closeness {
  static constexpr double most = 4;  ///< Nodes are never closer than the shorter side of a cell over this.

  double unit = 1;  ///< metres * value
  std::array<float, 4> plain{};
  std::array<double, 4> plain_metres{};
  std::array<Grid<uint16_t>, 4> stored;  ///< Empty on a plain lattice.

  Closeness() = default;
  Closeness(const Lattice& lattice, const NodeWarp* warp, const Context& context);

  float value(int64_t cell, int64_t neighbour, int code) const {
    const auto k = static_cast<size_t>(code & 3);
    return stored[k].empty() ? plain[k] : static_cast<float>(stored[k].data()[code < 4 ? cell : neighbour]);
  }
  double metres(int64_t cell, int64_t neighbour, int code) const {
    const auto k = static_cast<size_t>(code & 3);
    return stored[k].empty() ? plain_metres[k]
                             : unit / static_cast<double>(stored[k].data()[code < 4 ? cell : neighbour]);
  }
};

/// What changes the law from node to node. Empty grids stand for 1, for infinity, and for none.
struct StreamGround {
  Grid<WaterCell> kind;
  Grid<uint8_t> fixed;               ///< 1 where the height is given.
  Grid<uint8_t> forced;              ///< Direction along a river that was drawn; d8_none where there is none.
  std::vector<int64_t> river_heads;  ///< Where those rivers begin.
  Grid<uint8_t> divide;              ///< 1 on a ridge that was drawn: no water runs onto it.
  Grid<float> softness;              ///< Times K; exactly 0 where rock never wears.
  Grid<float> steepest;              ///< Metres a metre; infinite where rock stands at any slope.
  Grid<float> mobility;              ///< Times the creep.
  Grid<float> uplift;                ///< Metres a unit of time.
  Grid<float> bed;              ///< Of the rock below what rivers laid down; kept up to date where it is not empty.
  double shingle_softness = 0;  ///< Of what they laid down, times K; 0: that of the rock.
  Grid<int64_t> supply;         ///< Water that falls on a node, in quanta; empty: one for each node.
  double quanta_area = 1;       ///< Square metres that a quantum stands for.
};

/// Heights at the nodes of one lattice, and water that shapes them step by step.
///
/// One step: every node drains to its steepest neighbour, and out of pits over the lowest saddle; from the
/// outlets upwards each height solves the implicit equation of Braun and Willett (2013),
///
///   z' = z + uplift dt - K A^m ((z' - z'_r) / d)^n dt,
///
/// z_r being the receiver's height and d its distance; then slopes fail at the steepest angle, and soil creeps. What
/// lies below the level of a lake rises with the land and is not cut. Outlets sink at the rate `fall`.
///
/// With deposition G, rivers also lay down a part of what they carry (Yuan et al. 2019): Q being what has been taken
/// from all nodes upstream, this one included, in metres of a node,
///
///   z' = z + uplift dt - K A^m ((z' - z'_r) / d)^n dt + G (cell's area / A) Q.
///
/// Lakes take all that reaches them until they are nearly full. Yuan et al. iterate between the sums and the heights;
/// here both are solved at once, as along a tree every Q is linear in the change of height of the receiver (n = 1; for
/// other n, and where slopes fail or lakes are full, that is repeated `load_rounds` times, each time about the last
/// solution).
class StreamLand {
 public:
  StreamLand(Lattice lattice, const NodeWarp* warp, StreamLaw law, const Context& context);

  Grid<float> height;
  StreamGround ground;
  double fall = 0;  ///< Metres a unit of time.
  /// Whether slopes fail along the flow, at z <= z_r + steepest d. That lets valleys find their way, but leaves lines
  /// on slopes; let_slopes_fail() does not.
  bool cap_along_rivers = true;

  static constexpr int load_rounds = 4;

  const Lattice& lattice() const { return lattice_; }
  /// What rivers carried out of the land in the last step by their own account, in metres of a node: with deposition.
  double carried_out() const { return carried_out_; }
  void step(double dt, const Context& context);
  /// Frees what only steps need.
  void forget_distances() { close_ = {}; }
  /// Lowers what is steeper than `steepest`, in all directions.
  void let_slopes_fail(const Context& context);

  /// Lowers rivers that were drawn until they fall by so much from node to node.
  void carve_drawn_rivers(float least);

  /// Directions before pits are drained: the steepest neighbour, or where a river leads; d8_none at pits and outlets.
  Grid<uint8_t> directions(const Context& context) const;

  /// The effective area for the law, of a number of quanta.
  double effective_area(int64_t quanta) const {
    return effective_area_of(static_cast<double>(quanta) * ground.quanta_area);
  }
  double effective_area_of(double area) const {
    const double share = area / (area + law_.head);
    double product = area * share;
    for (int i = 1; i < law_.head_power; ++i) product *= share;
    return product;
  }

 private:
  void let_creep(double dt, const Context& context);
  template <class Area>
  void solve(const Watercourses& water, const FlowOrder& order, const Area& area, double dt, const Context& context);
  template <class Area>
  void shape(const Watercourses& water, const FlowOrder& order, const Area& area, double dt, const Context& context);
  void carry_load(const Watercourses& water, const FlowOrder& order, const std::function<double(int64_t)>& area,
                  double dt, const Context& context);
  void creep_between_outlets(const Grid<float>& mobility, double amount, const Context& context);
  void spread_alluvium(double dt, const Context& context);
  int direction_with_care(int64_t x, int64_t y) const;
  NodeRow node_row(int64_t y) const;
  double solved(double z, double receiver, double distance, double strength) const {
    if (law_.n != 1) return solved_by_newton(z, receiver, distance, strength);
    const double f = strength / distance;
    return (z + f * receiver) / (1 + f);
  }
  double solved_by_newton(double z, double receiver, double distance, double strength) const;
  /// At an outlet, or where the height is given: what becomes of the height whatever water does.
  std::optional<double> given_height(int64_t cell, int64_t to, double z, double dt) const;

  Lattice lattice_;
  StreamLaw law_;
  PowerTable power_;
  Closeness close_;
  double carried_out_ = 0;

  friend class StreamLoad;
};

}  // namespace tepui
