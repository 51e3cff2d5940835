#pragma once

#include <optional>

#include "tepui/core/engine.h"
#include "tepui/core/params.h"
#include "tepui/core/skin.h"

namespace tepui {

/// How a TIFF's samples are packed.
enum class Compression { deflate, none };

/// What a grid of samples in space holds.
enum class SampledQuantity { field, resistance };

/// What the vertices of a mesh's file are coloured by.
enum class MeshColouring {
  none,     ///< what the mesh has itself
  natural,  ///< the ground's own colour, roughness and kinds, as pictures show it
};

/// The options of an output, described once for recipes, their schema and the command line. Which of them a file takes
/// is in the table of formats (io/formats.h).
struct OutputParams {
  /// Heights of the smallest and the largest number of a 16-bit file; where they are not given, the layer's own.
  std::optional<Interval> range{};
  Vec2 tiles{1, 1};
  bool cog = false;
  Compression compression = Compression::deflate;
  std::optional<MeshColouring> paint{};  ///< where it is not given, natural unless the mesh has colours
  std::optional<int> texture{};          ///< texels along the sides of an atlas; none unless it is given
  /// Of a mesh: metres that it may lie above or below the samples of land, or off the surface; 0 for all of them; where
  /// it is not given, what nobody sees (unseen_error) of a GLB of land or a volume, 0 of others.
  std::optional<double> error{};
  int lods = 1;            ///< GLBs, from fine to coarse
  bool collision = false;  ///< a GLB for collisions beside the one to be seen
  bool scene = false;      ///< of a GLB of a land: with the camera and the sun of its picture
  bool water = true;       ///< of a GLB of land: with the surface of its water
  bool quantise = false;   ///< of a GLB, see GlbOptions
  bool meshopt = false;
  Engine engine = Engine::none;  ///< called "for": of scattered points, for whom they are
  std::optional<double> cell{};  ///< metres; where it is not given, one that suits the value
  SampledQuantity sample = SampledQuantity::field;
  /// Corners of the box that is sampled; where one is not given, that of all that there is.
  std::optional<Vec3> low{}, high{};
  /// The look of what is drawn into a mesh's textures and colours.
  std::optional<Biome> biome{};
  Season season = Season::summer;
  std::optional<double> snow_line{};
  std::vector<OwnColour> colours{};

  SkinParams skin() const { return {biome, season, snow_line, colours}; }
  bool is_tiled() const { return tiles.x > 1 || tiles.y > 1; }
};
void describe(Fields<OutputParams>& f);

/// Every how many times the error, and the texels of a side, of one level of detail the next one has.
constexpr double error_of_next_lod = 3, texels_of_next_lod = 0.5;

}  // namespace tepui
