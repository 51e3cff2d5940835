#pragma once  // internal

#include "tepui/volume/solid.h"

namespace tepui {

enum class BoxedPart { inside, outside };

/// The part of a solid that lies within a box, or all but that part, with flat faces where it is cut. What lies within
/// is a solid without a sheet of land, so that its mesh costs no more than the box. Beyond a face the field falls to 0
/// within `edge` metres.
SolidPointer boxed(SolidPointer solid, double threshold, const Box3& box, BoxedPart part, double edge);

}  // namespace tepui
