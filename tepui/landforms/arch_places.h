#pragma once  // internal

#include <optional>
#include <vector>

#include "tepui/landforms/arch_body.h"
#include "tepui/landforms/rock_bits.h"
#include "tepui/landforms/surface_samples.h"

namespace tepui {

/// What an arch needs to stand.
struct ArchNeeds {
  double thickness = 15;  ///< of a fin, at most
  double air = 12;        ///< on both sides of it
  double roof = 4;        ///< rock above the crown, at least
  Interval width{8, 24};  ///< of the opening
  double noise = 0.22;
  uint64_t key = 0;
};

/// An arch that could be, and how good a place it is: less is better.
struct ArchChoice {
  ArchShape shape;
  Vec3 at{};         ///< the middle of its floor
  double score = 0;  ///< rho + 0.03 thickness
};

/// The largest arch that goes through a fin at a place of its wall, `inwards` being level and of unit length; none
/// where the fin is too thick, has no air on both sides, no roof that would hold, or nothing to stand on at either side
/// of the opening.
std::optional<ArchChoice> arch_through(const RockBits& bits, const Geology& rock, Vec3 wall, Vec3 inwards,
                                       const ArchNeeds& needs);

/// The best of all walls, no two nearer to each other than `spacing`, the best first.
std::vector<ArchChoice> find_arches(const RockBits& bits, const Geology& rock, const std::vector<SurfaceSample>& walls,
                                    const ArchNeeds& needs, double spacing, const Context& context);

/// The arch at a place that a user gives, in the rock or on its surface: through the thinnest of all directions.
std::optional<ArchChoice> arch_at(const RockBits& bits, const Geology& rock, Vec3 at, const ArchNeeds& needs);

/// The parts of a line along which a stream goes through rock with enough of a roof: natural bridges.
std::vector<ArchChoice> bridges_along(const RockBits& bits, const Geology& rock, std::span<const Vec3> line,
                                      const ArchNeeds& needs);

}  // namespace tepui
