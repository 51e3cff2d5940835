#include "tepui/mesh/land_with_holes.h"

#include "tepui/mesh/parting.h"

namespace tepui {

void describe(Fields<LandWithHolesParams>& f) {
  f.about("Turn a volume into land with a mask of holes where it is no height field");
  f.example("circular_faults | materials | gradation | implicitize | sculpt | {}");
  describe_parting(f);
}

Terrain land_with_holes(const Volume& in, const LandWithHolesParams& params, const Context& context) {
  return holed_land(in, params.cell, params.slope, context);
}

}  // namespace tepui
