#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

struct MaterialsParams {
  int64_t count = 5;
};
void describe(Fields<MaterialsParams>& f);

/// Classifies the land by height into the category layer `material`: M = floor(ceil(2 (mat - 1) G) / 2), from 0 at the
/// base to mat - 1 at the top; the lowest and the highest class are half as thick as the others. G is the share of the
/// relief, clamped to [0, 1]. Warszawski et al. 2019, Eq. 5.
///
/// A layer `hardness` is left out: it told of other materials.
///
/// The layer carries the number of materials, so that a crop without its highest rock is as hard as the whole. One
/// material is 0 everywhere; on a relief without span G is 0.
Terrain materials(const Terrain& in, const MaterialsParams& params, const Context& context);

}  // namespace tepui
