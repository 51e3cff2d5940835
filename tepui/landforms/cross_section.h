#pragma once  // internal

#include <span>

namespace tepui {

/// A chain of points along a passage, beside its axis. All lengths are in radii of the passage.
struct SectionStrand {
  double side = 0, up = 0;  ///< From the axis, across the passage and upwards.
  double falloff = 1;
  double strength = 1;  ///< What its chain adds up to at its own line, in thresholds.
};

/// Shapes of passages across their axis. Chains add up: `strength` is such that together they reach the threshold, and
/// so the wall of the passage in deep rock, at the shape's own edge.
enum class SectionShape {
  tube,     ///< Round, of one radius.
  bedding,  ///< Lying along a weak bed: 1.5 radii to either side, 0.62 up and down.
  slot,     ///< Below a tube, for a keyhole: 0.42 to either side, down to about 2.5.
};
std::span<const SectionStrand> section_strands(SectionShape shape);

/// What the strands add up to at a place, in thresholds, straight passages supposed.
double section_field(std::span<const SectionStrand> strands, double side, double up);

}  // namespace tepui
