#pragma once  // internal

#include <vector>

#include "tepui/geology/geology.h"
#include "tepui/landforms/rule_set.h"
#include "tepui/volume/primitive.h"

namespace tepui {

/// Where a feature grows.
struct Seedling {
  Vec3 foot{};
  double top = 0;     ///< elevation at which the rules count a height of 1, metres
  double bound = 0;   ///< elevation above which nothing of it lies, whatever the rules say
  uint64_t key = 0;   ///< of its random numbers
  double factor = 1;  ///< of its size
};

/// Grows one feature by its rules and adds its points to a list; from its foot up, each alternative drawn by the
/// resistance of the rock at its own place. Nothing of it reaches above the seedling's bound or `tallest` above its
/// foot, to the last millimetre: a point whose field would is left out, and the growth ends there.
///
/// A shape's points stand around the axis, each the next of a chain that is a tube of rock; together the tubes reach as
/// far from the axis as the shape's radius. In the ground they make it swell a little.
void grow(const RuleSet& rules, const Geology& rock, double threshold, const Seedling& seedling,
          std::vector<FieldPoint>& points);

/// Size of the axiom at that seedling, metres.
double axiom_size(const RuleSet& rules, const Geology& rock, const Seedling& seedling);

}  // namespace tepui
