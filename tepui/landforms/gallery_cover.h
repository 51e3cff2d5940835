#pragma once  // internal

#include <vector>

#include "tepui/core/context.h"
#include "tepui/landforms/gallery_axis.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// Tells which places of passages come to the open air, the axis being closer to it than a third of a radius, and makes
/// passages narrower elsewhere so that rock is left between them and the surface: within 2.5 radii of a mouth they have
/// all of their width, elsewhere so much that 2.5 radii around the axis is rock, but a seventh of it in any case. The
/// surface is looked for in 26 directions.
void keep_cover(std::vector<GalleryCourse>& courses, const Volume& volume, const Context& context);

/// How many mouths the passages have: places in the open air count as one where they follow each other, or where
/// passages half as wide again would touch.
int64_t count_mouths(const std::vector<GalleryCourse>& courses);

}  // namespace tepui
