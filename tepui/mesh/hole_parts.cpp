#include "tepui/mesh/hole_parts.h"

#include "tepui/mesh/parting.h"

namespace tepui {

void describe(Fields<HolePartsParams>& f) {
  f.about("Mesh the parts of a volume that stand in the holes of its land");
  f.example("circular_faults | materials | gradation | implicitize | sculpt | {}");
  describe_parting(f);
}

Mesh hole_parts(const Volume& in, const HolePartsParams& params, const Context& context) {
  return parts_in_holes(in, params.cell, params.slope, context);
}

}  // namespace tepui
