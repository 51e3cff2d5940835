#pragma once

#include <string>
#include <vector>

#include "tepui/io/raster/output_params.h"
#include "tepui/terrain/terrain.h"

// Land in several files that share their edge samples. Tiles are counted from the north-west: (0, 0) is the first of
// an image's rows, as Unreal and map servers count.

namespace tepui {

/// Throws unless the two are whole numbers, and the name holds both of {x} and {y} where it holds one of several.
void check_tiling(const std::string& name, Vec2 tiles);

/// The name of one tile: {x} and {y} replaced; where the name has neither, "_x{x}_y{y}" goes before its ending.
std::string tile_name(const std::string& name, int64_t x, int64_t y);

/// The names of all tiles, row by row from the north-west; the name itself where there is but one and no pattern.
std::vector<std::string> tile_names(const std::string& name, Vec2 tiles);

/// "a.glb" for level 0, "a_lod1.glb" for level 1.
std::string lod_name(const std::string& name, int level);
/// Godot makes a node of this ending a body for collisions that is not drawn.
inline constexpr const char* collision_suffix = "-colonly";
/// "a_collision.glb".
std::string collision_name(const std::string& name);

/// The names of all files of an output with these options: its tiles, levels of detail and mesh for collisions.
std::vector<std::string> output_files(const std::string& name, const OutputParams& options);

/// What stands for a name that holds {x}, {y} or {age} where all of its files are meant, without the marks and what
/// only parted them: "maps/t{x}/h_{y}.png" -> "maps/h.png". Marks in folders end the path there.
std::string name_of_all(const std::string& name);

/// One tile's samples within the land's frame, rows counted from the south.
struct TileWindow {
  int64_t x = 0, y = 0;  ///< of the tile, from the north-west
  int64_t first_x = 0, first_y = 0, width = 0, height = 0;
};

/// The windows of all tiles in the order of tile_names. Refuses, with sizes that would do, samples that do not divide
/// into tiles of one size; `path` is for the message.
std::vector<TileWindow> tile_windows(const std::string& path, const Frame& frame, Vec2 tiles);

/// The samples of a window, with their global indices and those layers that are named, where the land has them.
Terrain cut_tile(const Terrain& terrain, const TileWindow& window, const std::vector<std::string>& layers);

}  // namespace tepui
