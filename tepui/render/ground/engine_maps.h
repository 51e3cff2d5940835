#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tepui/core/engine.h"
#include "tepui/render/ground/bake.h"

namespace tepui {

// The weights of ground for an engine. unreal: a grey picture a kind, a texel a sample, NAME_weight_KIND.png, for a
// landscape's layers; unity: squares of 2^n texels, the outermost on the outermost samples, four kinds each,
// NAME_splat_0.png; godot: Terrain3D's control map, a texel a sample, NAME_control.exr; blender: four kinds to a
// picture over the mesh's texture coordinates, NAME_weights_0.png.

/// One texel of Terrain3D's control map, as its importer reads the bits of a float: the two kinds with the largest
/// weights, and the share of the second from 0 to 255. Kinds are counted as its list of textures is.
uint32_t control_bits(uint32_t base, uint32_t overlay, uint32_t blend);

/// The side of Unity's splat maps for land of this many samples: the power of two nearest to its cells, from 16 to
/// 4096.
int splat_side(int64_t samples);

/// Writes the maps of write_bake, and the weights in an engine's form in place of its own; kinds of ground that are
/// nowhere are left out. The records say for whom they are and which of its layers the first channel is.
std::vector<FileRecord> write_maps(const std::string& prefix, const Terrain& land, BakeParams params, Engine engine,
                                   std::optional<double> sea_level, const PngText& text, const Context& context);

}  // namespace tepui
