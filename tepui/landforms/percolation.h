#pragma once  // internal

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/random.h"
#include "tepui/core/vec.h"

// Invasion percolation (Wilkinson and Willemsen 1983): water in rock goes on wherever, of all places that it has
// reached, the rock resists least.

namespace tepui {

/// Directions with a vertical part within an interval, spread evenly around.
struct DirectionFan {
  int count = 0;
  double low = 0, high = 0;  ///< Of the vertical part of a unit vector, of water that sinks.
};

struct PercolationRule {
  double step = 6;       ///< Metres from a point to those that it leads to.
  double spacing = 5;    ///< Points are at least so far apart; less than the step.
  double hardest = 0.6;  ///< Rock at or above this resistance is never entered.
  double wander = 0.1;   ///< A point's turn is decided by its resistance plus wander * U(-1/2, 1/2).
  double stop = 0.03;    ///< Share of the points that lead nowhere.
  DirectionFan fans[2] = {{6, -0.22, 0.08}, {2, -1, -0.65}};
  /// Where the field of two points is below this, no way of the first fan leads from one to the other: water sinks
  /// before it spreads, and does not run along just below the ground.
  double shallow = 0;
  int64_t most = 200'000;  ///< The most points that water takes.
};

/// Where water starts; from springs it is followed upwards.
struct PercolationStart {
  Vec3 at;
  bool rising = false;
};

struct PercolationPoint {
  Vec3 at;
  int32_t parent = -1;  ///< The point that led here; -1 of a start.
  int32_t start = 0;    ///< Whose water it is.
  int32_t taken = -1;   ///< Its number in the order in which water came; -1 where it never did.
  float resistance = 0;
  float field = 0;
  bool open = false;  ///< In the open air: water leaves the rock, and goes no further.
};

/// The first two points at which the waters of two starts came within the spacing.
struct PercolationTouch {
  int32_t a = 0, b = 0;  ///< Points; that of the lower start first.
};

struct Percolation {
  std::vector<PercolationPoint> points;   ///< A parent lies before its children.
  std::vector<PercolationTouch> touches;  ///< One for each pair of starts, in the order in which they met.
  int64_t taken = 0;
};

/// What lies at places: the volume's field, above 0 in rock and not a number where water must not go; the resistance.
using AskRock = std::function<void(std::span<const Vec3> at, std::span<float> field, std::span<float> resistance)>;

/// Takes points in the order of resistance, of equals the first that was found. The draws of a point follow from its
/// place and the stream alone. Starts that lie where water must not go, or closer together than the spacing, take no
/// part. Stops at the rule's `most`; a start has its first point in any case.
Percolation percolate(std::span<const PercolationStart> starts, const PercolationRule& rule, const Stream& stream,
                      const AskRock& ask, const Context& context);

namespace percolation_draws {

/// A number for a place, of its coordinates to a millimetre.
uint64_t place_bits(Vec3 at);
/// The key by which a point's turn comes.
double key(float resistance, uint64_t place, const PercolationRule& rule, const Stream& stream);
/// Whether it leads nowhere.
bool stops(uint64_t place, const PercolationRule& rule, const Stream& stream);
/// The places that it leads to, those of the first fan first.
void list_next(const Vec3& at, bool rising, uint64_t place, const PercolationRule& rule, const Stream& stream,
               std::vector<Vec3>& next);

}  // namespace percolation_draws

}  // namespace tepui
