#pragma once

#include "tepui/mesh/mesh.h"
#include "tepui/render/picture.h"

namespace tepui {

/// A mesh as a picture, under the light that land is drawn in: rays find the sun's shadows and how much of the sky each
/// point sees. `natural` shows the colours of its vertices where it has them, and rock by slope and height otherwise. A
/// sheet of land gets walls down to the floor, anything else stands on it.
Image draw_mesh(const Mesh& mesh, const PictureParams& params, const Context& context);

}  // namespace tepui
