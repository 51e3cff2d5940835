#pragma once  // internal

#include <vector>

#include "tepui/core/context.h"
#include "tepui/landforms/gallery_axis.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// Tells which places of passages come to the open air, the axis being closer to it than a third of a radius, and makes
/// passages narrower elsewhere so that rock is left between them and the surface: within 1.3 radii of a mouth they have
/// all of their width, within 2.5 if they go into the rock rather than along below the surface, elsewhere so much that
/// 2.5 radii around the axis is rock, but a seventh of it in any case. The surface is looked for in 26 directions.
void keep_cover(std::vector<GalleryCourse>& courses, const Volume& volume, const Context& context);

}  // namespace tepui
