#pragma once  // internal

#include <vector>

#include "tepui/volume/csg.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// What `union`, `intersection` and `difference` share: refuses parts of other thresholds and too round a seam.
Volume csg_of(Csg kind, const Volume& in, const std::vector<Volume>& with, double smooth);

}  // namespace tepui
