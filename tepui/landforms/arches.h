#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/landforms/where.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

struct ArchesParams : WhereParams {
  Length spacing = metres(45);
  int64_t most = 20;
  LengthInterval width{metres(8), metres(24)};
  Length thickness = metres(15);
  Length air = metres(12);
  Length roof = metres(4);
  double roughness = 0.22;
  Seed seed;
};
void describe(Fields<ArchesParams>& f);

/// Arches through fins of rock. Every wall of the volume is looked at: a fin is thin enough there, has air on both
/// sides and leaves a roof over the opening. Of all such places the weakest and thinnest is taken first, by
/// rho + 0.03 thickness in metres, and no other near it. The opening is half an ellipse with rough walls, wider in weak
/// beds and towards the faces, as high as the roof allows.
///
/// Where `places` are given, their points get an arch each, through the thinnest way, and lines a natural bridge
/// wherever they lead through rock that has a roof to leave, as a stream does; nothing is looked for then. Rock of
/// resistance 1 is never carved. (Paris et al. 2019 have arches left by the sea or made by hand; this finds where wind
/// and frost would make them.)
Volume arches(const Frame& world, const Volume& in, const Geology* rock, const Lines* places, const Terrain* mask,
              const Lines* region, const ArchesParams& params, const Context& context);

}  // namespace tepui
