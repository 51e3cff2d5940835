#pragma once

#include "tepui/geology/geology_from_materials.h"
#include "tepui/geology/strata.h"

namespace tepui::reference {

/// Resistance of the strata at a point: walks through the beds one by one.
double strata(const Frame& world, const StrataParams& params, Vec3 at);

/// Resistance of the rock of a land's materials at a point.
double geology_from_materials(const Terrain& in, const GeologyFromMaterialsParams& params, Vec3 at);

}  // namespace tepui::reference
