#pragma once  // internal

#include "tepui/volume/volume.h"

// What keeps a construction tree sound while operators build it.

namespace tepui {

/// Refuses a tree that is too deep, or so often made of itself that asking it would never end. Returns it otherwise.
SolidPointer modest_tree(SolidPointer root);

/// Refuses volumes of different thresholds: their fields cannot be compared. `first` is the port of the first.
void require_same_threshold(const Volume& first, const Volume& other);

/// A box that is wider by more than positions are ever rounded by, for what a change of coordinates has turned.
Box3 beyond_rounding(const Box3& box);

}  // namespace tepui
