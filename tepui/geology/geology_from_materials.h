#pragma once

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// How the rock seen at the surface continues below and above it.
enum class RockShape {
  bands,    ///< level: as the land's materials lie between its base and its top
  columns,  ///< straight down and up from every sample
};

struct GeologyFromMaterialsParams {
  RockShape shape = RockShape::bands;
  Interval resistance{0, 1};
};
void describe(Fields<GeologyFromMaterialsParams>& f);

/// The rock whose surface is this land's layers `material` and `hardness`: where the land lies, its resistance is the
/// land's hardness to the last bit, so that `gradation` does the same with either. Hardness 0 to 1 becomes
/// `resistance`.
///
/// `bands` are those of Warszawski et al. 2019, Eq. 5, over the land's relief (materials.h), each as hard as the land
/// is on it; a material that is nowhere on the land is as hard as the one below it, or else above it. Land whose
/// materials do not follow its height, or with one material of several hardnesses, is refused: it wants `columns`,
/// where the rock at a place is that of the nearest sample.
Geology geology_from_materials(const Terrain& in, const GeologyFromMaterialsParams& params, const Context& context);

/// Level bands over a relief, one for each number, from the base up.
Geology banded_rock(const Relief& relief, std::vector<float> resistance);

}  // namespace tepui
