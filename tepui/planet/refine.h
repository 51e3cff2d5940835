#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/fine_land.h"
#include "tepui/planet/global_land.h"
#include "tepui/planet/refine_net.h"
#include "tepui/planet/refine_rules.h"
#include "tepui/planet/region.h"

namespace tepui {

/// Refines a planet wherever it is asked to, level by level from that of its global stage, by local rules: a vertex has
/// the same bits of place, height and discharge in every piece that has it. Everything is at the Earth's size.
class Refiner {
 public:
  explicit Refiner(std::shared_ptr<const GlobalLand> land);

  FineLand refine(const SplitRegion& region, const Context& context) const;

  const GlobalLand& land() const { return *land_; }
  /// The vertex of the global stage that lies nearest to a place.
  int32_t nearest(Vec3 direction) const;
  size_t bytes() const;

 private:
  friend class Refinement;
  FineLand begin(const Cap& bounds) const;
  LevelScale scale(int level) const;

  std::shared_ptr<const GlobalLand> land_;
  std::vector<int64_t> supply_;       ///< of each vertex of the global stage
  std::vector<IceTimes> ice_supply_;  ///< the same of ice; empty where none has ever lain
  Neighbours around_;
  std::vector<VertexId> ids_;
  bool iced_;  ///< whether ice has ever lain on it
};

/// Refines one region after another, as a camera moves: levels that the last region split in the same way are not made
/// anew. What it gives is what Refiner::refine gives.
class Refinement {
 public:
  explicit Refinement(std::shared_ptr<const Refiner> refiner) : refiner_(std::move(refiner)) {}

  std::shared_ptr<const FineLand> to(const SplitRegion& region, const Context& context);

  /// The triangles that the last call has made, of all that are drawn, those that it could keep not counted.
  int64_t made() const { return made_; }
  size_t bytes() const;

 private:
  friend class Refiner;

  /// The land before the edges of a level are split.
  struct Stage {
    RefineNet net;
    size_t triangles = 0;  ///< that have been put out
    PoolVector<int32_t> receiver;
    PoolVector<int64_t> supply;
    PoolVector<IceTimes> ice_supply;
    std::array<double, 4> numbers{};  ///< of the region that split it
  };

  size_t stages_kept(const SplitRegion& region, const Cap& bounds);
  void keep(RefineNet net, const SplitRegion& region, int level);

  std::shared_ptr<const Refiner> refiner_;
  Cap bounds_;
  FineLand raw_;  ///< with the vertices that only others read
  std::vector<Stage> stages_;
  std::shared_ptr<const FineLand> last_;
  int64_t made_ = 0;
};

}  // namespace tepui
