#pragma once

#include <optional>
#include <span>

#include "tepui/core/context.h"
#include "tepui/core/image.h"
#include "tepui/geology/geology.h"
#include "tepui/mesh/mesh.h"
#include "tepui/planet/planet_value.h"
#include "tepui/render/light/film.h"
#include "tepui/render/picture/picture_params.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// A picture for the screen, and the light it was made of.
struct Picture {
  Image image;
  Film film;
};

/// The land as a picture by path tracing: sun and sky with soft shadows and bounced light, air, water. What lies below
/// `sea_level` (metres) is under water, unless the parameters say otherwise. Land without heights is coloured by layer.
/// `rock` is what the land is made of: `colour` = rock needs it. The same bits for any number of threads.
///
/// `scatter` are points where plants and rocks stand (mesh/standing.h), drawn with the models built in. On land they
/// stand on its surface; on what has caves, at their own heights. Those beyond the plan are left out.
Picture draw_picture(const Terrain& land, const PictureParams& params, std::optional<double> sea_level,
                     const Context& context, const Geology* rock = nullptr, std::span<const Lines> scatter = {});

/// A mesh in the same light. `natural` shows the colours of its vertices where it has them, and ground by slope and
/// height otherwise, with what lies on the `land` of the volume that it was made of. A sheet of land gets walls down to
/// the floor, anything else stands on it.
Picture draw_picture(const Mesh& mesh, const PictureParams& params, std::optional<double> sea_level,
                     const Context& context, std::span<const Lines> scatter = {}, const Terrain* land = nullptr);

/// A volume in the same light, as a mesh of cells that suit the picture's size, with what lay on its land. Its sides
/// are cut like those of a block; faces of `cut` show the rock inside, by its geology where that is known. The camera
/// inside walks along `along`, with a lamp, and is exposed for what it sees.
Picture draw_picture(const Volume& volume, const PictureParams& params, std::optional<double> sea_level,
                     const Context& context, const Lines* along = nullptr, std::span<const Lines> scatter = {});

/// A planet from anywhere: its eye stands over `latitude` and `longitude`, `altitude` above the ground there, and sees
/// land and sea through the planet's air. The sun stands as it does from the place in the middle of the picture.
Picture draw_picture(const Planet& planet, const PictureParams& params, const Context& context);

}  // namespace tepui
