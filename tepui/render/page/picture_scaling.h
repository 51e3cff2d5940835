#pragma once  // internal

#include "tepui/core/image.h"
#include "tepui/core/vec.h"

namespace tepui {

/// Blends `source` into `target` (RGB), stretched over a rectangle in pixels that need not be whole. Smooth: the mean
/// of what a pixel covers, or between the nearest pixels where it covers less than one. Hard: the pixel at its middle.
/// At its own size and on whole pixels it is copied.
void blend_picture(Image& target, const Image& source, Vec2 corner, Vec2 size, bool smooth);

}  // namespace tepui
