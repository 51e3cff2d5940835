#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"

namespace tepui {

/// Candidates that compete for room, as columns. Hundredths of a metre, so that every comparison is exact.
struct CrownCandidates {
  std::span<const int64_t> x, y;     ///< of the world, within 2^50
  std::span<const int32_t> crown;    ///< radius, from 1 to a million
  std::span<const uint32_t> chance;  ///< among equal radii the larger goes first
};

/// 1 for each candidate that gets its room: no two of them are closer than `spacing` times the sum of their radii.
///
/// One candidate goes before another if its crown is larger, or as large and its chance is, or its place is (lower y,
/// lower x, lower index). Crowns are decided by size in octaves (radii up to 1, 2, 4, ... hundredths of a metre), the
/// largest first: what stands too close to a kept crown of a larger octave is out. Then follow `passes` passes among
/// the octave's own: every open candidate that goes before all open ones that it is too close to is kept; then all that
/// stand too close to it are out. What is still open after the last pass is left out. So a candidate's fate depends
/// on others within crown_reach alone.
std::vector<uint8_t> crown_room(const CrownCandidates& all, double spacing, int passes, const Context& context);

/// How far away, in metres, a candidate can be that decides on another one, where no crown is larger than this radius
/// in metres: two steps a pass and octave, and one from octave to octave.
double crown_reach(double largest_crown, double spacing, int passes);

}  // namespace tepui
