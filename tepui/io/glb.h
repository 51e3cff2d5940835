#pragma once

#include <array>
#include <string>

#include "tepui/core/context.h"
#include "tepui/io/image.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Throws unless land on these samples can be written as a mesh: at least 2 x 2, within 4 GiB.
void check_glb(const std::string& path, const Frame& frame);

/// Writes the height as a glTF 2.0 mesh in one file: a vertex per sample with normal and texture coordinates, two
/// triangles per cell, split along the shorter diagonal, counter-clockwise from above. Metres, Y up: x east is +X,
/// z up is +Y, y north is -Z. The texture (north at the top) spans the land one pixel per sample: the middle of its
/// corner pixel lies on the corner sample. Atomic, row by row.
///
/// Returns the point of the land's frame (x, y, z) that is the mesh's origin: the centre in plan, at height 0, so that
/// coordinates keep their precision and heights their values.
std::array<double, 3> write_glb(const std::string& path, const Terrain& terrain, const Image* texture,
                                const Context& context);

}  // namespace tepui
