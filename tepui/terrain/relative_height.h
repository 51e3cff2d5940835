#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class RelativeHeightMeasure { mean, deviations, share };

struct RelativeHeightParams {
  RelativeHeightMeasure measure = RelativeHeightMeasure::mean;
  Length radius = percent(5);
};
void describe(Fields<RelativeHeightParams>&);

/// Adds the layer `relative_height`: how high a sample lies above its surroundings, the square of samples that reaches
/// `radius` along x and y (rounded to cells, at least one, and clipped by the land's border):
///   mean        metres above the mean of the square, itself included: positive on ridges, negative in valleys. The
///               topographic position index of Weiss 2001
///   deviations  the same in standard deviations of the heights there, 0 where they are all equal (De Reu et al. 2013)
///   share       where it lies between the lowest, 0, and the highest, 1; 0.5 where they are equal
/// Heights take part rounded to a few ten-millionths of a cell. Other layers are kept.
Terrain relative_height(const Terrain& in, const RelativeHeightParams& params, const Context& context);

}  // namespace tepui
