#pragma once  // internal

#include "tepui/mesh/mesh.h"
#include "tepui/render/picture/mesh_subject.h"
#include "tepui/render/picture/picture_params.h"
#include "tepui/volume/cut_away.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// A volume made ready for drawing.
struct VolumeModel {
  Mesh mesh;
  MeshRock rock;
};

/// The part that a picture of a volume cuts away.
CutAway cut_of(const Volume& volume, const PictureParams& params);

/// The surface of what the picture leaves of it, in cells that suit a picture `width` pixels wide.
VolumeModel model_of(const Volume& volume, const PictureParams& params, int width, const Context& context);

}  // namespace tepui
