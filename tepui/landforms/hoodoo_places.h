#pragma once  // internal

#include <functional>
#include <vector>

#include "tepui/landforms/growth.h"
#include "tepui/volume/solid.h"

namespace tepui {

/// Where features may stand, and how tall they may be there.
struct HoodooGround {
  const RuleSet& rules;
  const Geology& rock;
  const HeightSheet* ground = nullptr;   ///< the land before anything was carved; null where there is none
  const HeightSheet* plateau = nullptr;  ///< no rock of a feature is higher than this
  double highest = 0;                    ///< nor than this, metres
  double spacing = 0;
  Interval slope{};   ///< degrees
  Interval height{};  ///< metres
  double ridges = 0, width = 1;
  bool rests_on_hard = true;  ///< whether tops are moved down to a hard bed
  uint64_t key = 0;
};

/// A place of the surface.
struct HoodooSpot {
  Vec3 at{}, normal{0, 0, 1};
  double weight = 1;  ///< how likely a feature is there, from 0 to 1
};

/// The features that grow from the spots, in their order. Each depends on its own spot alone.
std::vector<Seedling> seedlings_at(const HoodooGround& ground, const std::vector<HoodooSpot>& spots,
                                   const Context& context);

}  // namespace tepui
