#pragma once

#include <memory>

#include "tepui/core/context.h"
#include "tepui/planet/fine_land.h"
#include "tepui/planet/global_land.h"
#include "tepui/planet/region.h"

namespace tepui {

/// Refines a planet wherever it is asked to, level by level from that of its global stage, by local rules: a vertex has
/// the same bits of place, height and discharge in every piece that has it. Everything is at the Earth's size.
class Refiner {
 public:
  explicit Refiner(std::shared_ptr<const GlobalLand> land);

  FineLand refine(const Region& region, const Context& context) const;

  const GlobalLand& land() const { return *land_; }
  /// The vertex of the global stage that lies nearest to a place.
  int32_t nearest(Vec3 direction) const;
  size_t bytes() const;

 private:
  FineLand begin(const Cap& bounds) const;

  std::shared_ptr<const GlobalLand> land_;
  Neighbours around_;
  std::vector<VertexId> ids_;
  bool iced_;  ///< whether ice has ever lain on it
};

}  // namespace tepui
