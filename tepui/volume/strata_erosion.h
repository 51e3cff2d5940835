#pragma once

#include "tepui/terrain/lines.h"
#include "tepui/volume/region.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// Metres of exposed rock, or units of the field.
enum class ErosionForm { metres, paper };

struct StrataErosionParams : RegionParams {
  Length depth = metres(6);
  ErosionForm form = ErosionForm::metres;
};
void describe(Fields<StrataErosionParams>& f);

/// Takes away soft rock from all surfaces, so that beds stand out and overhang (Paris et al. 2019, section 6).
///
/// The paper's node subtracts f_D (1 - rho) from the field, rho being the resistance of the rock and f_D the weight of
/// the region (`field_erosion`). How many metres that is depends on how steep the field is: most below level land,
/// little on its steep faces and on brush strokes; and weak rock beneath a hard bed is hollowed out. `paper` keeps it.
///
/// By default all exposed rock loses depth (1 - rho) metres, measured from the air: walls, floors, roofs and fins,
/// whatever their field is like, and a hard bed protects what lies beneath (`exposed_erosion`).
///
/// `rock` is the geology to go by, else that of the volume; the volume's own stays. With `region` only there: within
/// its polygons as seen from above, and around lines and points with a number `radius`, fading out towards that
/// distance. Their number `depth`, in metres, goes before the parameter; where they overlap the most counts.
Volume strata_erosion(const Frame& world, const Volume& in, const Geology* rock, const Lines* region,
                      const StrataErosionParams& params, const Context& context);

}  // namespace tepui
