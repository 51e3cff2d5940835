#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/image.h"
#include "tepui/core/params.h"
#include "tepui/core/skin.h"
#include "tepui/io/export.h"
#include "tepui/io/tiles.h"
#include "tepui/mesh/mesh.h"
#include "tepui/render/ground/ground.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class NormalMap {
  none,
  plan,  ///< all slopes, against the flat plan: for a plane, a decal, a landscape that this map alone shades
  mesh,  ///< only what the normals of the land's mesh lack (LandMesh), in its tangent space: for a textured mesh
};

enum class WeightMaps {
  none,
  rgba,  ///< four kinds of ground to a picture
  grey,  ///< a picture a kind
};

/// How many texels lie over a land: as the texture coordinates of its mesh have it, or the outermost on the outermost
/// samples.
struct TexelLattice {
  int width = 1, height = 1;
  bool to_corners = false;
};

/// How maps of a land are made. All are 8-bit, north at the top, and span the land as its mesh's texture coordinates
/// do: with one texel a sample, the middle of a texel lies on its sample.
struct BakeParams : SkinParams {
  std::optional<int> size{};
  bool colour = true;
  NormalMap normal = NormalMap::plan;
  bool occlusion = true;
  bool roughness = true;
  bool slope = true;
  bool water = true;
  WeightMaps weights = WeightMaps::rgba;
  std::optional<TexelLattice> lattice{};  ///< in place of the one that `size` gives
};
void describe(Fields<BakeParams>& f);

struct BakedMap {
  std::string name;  ///< "colour", "normal", "occlusion", "roughness", "slope", "water", "weights_0", "weight_rock"
  std::vector<std::string> channels;  ///< what each holds, in order
  Image image;
};

struct Bake {
  std::vector<BakedMap> maps;
  /// None where the parameters did not ask for it.
  const Image* find(std::string_view name) const;
};

/// The land's natural look as maps:
/// - colour: the albedo that LandGround gives with the texel as footprint, sRGB;
/// - normal: with the detail that samples do not hold; x east, y north, z up as (c + 1) / 2, so green is up the picture
///   ("OpenGL", Y+); of NormalMap::mesh in the mesh's tangent space;
/// - occlusion: the share of an even sky's light that arrives, 255 on open level ground;
/// - roughness: that of the ground, as glTF means it: 0 to 1 as 0 to 255;
/// - slope: 0 to 90 degrees as 0 to 255;
/// - water: the share of a texel under the sea, a lake or a river, of land that has any of them;
/// - weights: shares of the kinds of ground, under water those of its bed, in the order of GroundKind; they sum up to
/// 255 over all channels. Where a texel holds several samples, it is the mean of at most 8 x 8 places. NormalMap::mesh
/// is against the normals of `mesh` where one is given, a surface of this land with normals and texture coordinates.
Bake bake(const Terrain& land, const BakeParams& params, std::optional<double> sea_level, const Context& context,
          const Mesh* mesh = nullptr);

/// The longer side of a bake.
inline constexpr int largest_bake = 8192;

/// Maps of a land window by window: the ground, the light of the sky and the size of a texel are those of the whole, so
/// that the maps of neighbours meet. Of the parameters `size` counts, which is that of all the land, and `lattice` does
/// not.
class LandMaps {
 public:
  LandMaps(const Terrain& land, const BakeParams& params, std::optional<double> sea_level, const Context& context);
  ~LandMaps();

  /// Normals are against those of this surface of the window, as in bake().
  Bake bake(const TileWindow& window, const Mesh* surface, const Context& context) const;

 private:
  class Maker;
  std::unique_ptr<const Maker> maker_;
};

/// Writes PREFIX_NAME.png for every map, atomically; the records' layers are the channels.
std::vector<FileRecord> write_bake(const std::string& prefix, const Bake& bake, const PngText& text,
                                   const Context& context);

}  // namespace tepui
