#pragma once  // internal

#include <cstdint>
#include <optional>
#include <string>

#include "tepui/core/vec.h"
#include "tepui/io/export.h"

// What to type into the import dialogs of game engines and Blender so that a file's land stands at its place and scale.
// Each answers from the file's record alone; none where the program does not take such a file as heights.
// docs/engines.md tells the steps and the sources.

namespace tepui {

/// Unreal Landscape, of a 16-bit file. Centimetres; X east, Y south, Z up: z = location + scale * (stored - 32768) /
/// 128.
struct UnrealImport {
  bool legal = false;                             ///< whether Unreal can have a landscape of this size
  int64_t section_quads = 0, sections = 0;        ///< of a legal one: quads on a section's side, 1 or 2 sections
  int64_t components_x = 0, components_y = 0;     ///< on a component's side, and how many components
  int64_t nearest_width = 0, nearest_height = 0;  ///< the next legal size where this is none
  int64_t recommended = 0;                        ///< the next of Epic's recommended sizes, a square's side
  Vec3 scale;
  Vec3 location;
};
std::optional<UnrealImport> unreal_import(const FileRecord& file);

/// Unity Terrain, of a 16-bit raw file. Metres; X east, Y up, Z north: y = position.y + size.y * stored / 65536.
struct UnityImport {
  bool legal = false;           ///< square, with 2^n + 1 samples from 33 to 4097
  int64_t resolution = 0;       ///< of the height map
  int64_t nearest = 0;          ///< the next legal one
  bool flip_vertically = true;  ///< our rows come from the north, Unity's from the south
  Vec3 size, position;
};
std::optional<UnityImport> unity_import(const FileRecord& file);

/// Godot's Terrain3D, of a raw 16-bit or an EXR file. Metres; X east, Y up, Z south.
struct GodotImport {
  std::optional<Vec2> r16_range;           ///< heights of 0 and 65535
  int64_t width = 0, height = 0;           ///< r16_size
  double vertex_spacing = 1;               ///< metres between samples
  bool square_cells = true;                ///< it knows no others
  int64_t position_x = 0, position_z = 0;  ///< import_position: metres from the north-west tile's
  bool fits = true;                        ///< within its largest world, 32 x 32 regions of 2048 samples
};
std::optional<GodotImport> godot_import(const FileRecord& file);

/// Blender. Of a height image: a plane with a Displace modifier along Z whose texture is the image as Non-Color. Of a
/// mesh: where to put it.
struct BlenderImport {
  bool is_mesh = false;
  Vec2 plane_size;      ///< of an image: its pixels' outer edges, so that their middles lie on the samples
  double strength = 1;  ///< of the Displace modifier, with a midlevel of 0
  Vec3 location;        ///< of the plane or mesh, metres, Z up
};
std::optional<BlenderImport> blender_import(const FileRecord& file);

}  // namespace tepui
