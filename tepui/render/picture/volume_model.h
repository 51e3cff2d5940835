#pragma once  // internal

#include "tepui/mesh/mesh.h"
#include "tepui/render/picture/inside_view.h"
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

/// Whether its rock hangs in the air: it is made of land, and does not stand on a broad, level floor.
bool floats(const Volume& volume, const Mesh& mesh);

/// What a model is made for.
struct ModelRequest {
  int width = 1280;                  ///< pixels
  std::optional<double> sea{};       ///< metres
  std::optional<InsideView> view{};  ///< of the camera inside
};

/// The surface of what the picture leaves of it, in cells that suit the picture: of the camera inside, fine ones around
/// the eye and coarse ones beyond, as two solids that overlap, so that no light comes in where they meet.
VolumeModel model_of(const Volume& volume, const PictureParams& params, const ModelRequest& request,
                     const Context& context);

}  // namespace tepui
