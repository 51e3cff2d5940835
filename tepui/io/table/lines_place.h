#pragma once  // internal

#include <optional>
#include <span>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/terrain/lines.h"

// Lines between the coordinates of a file's reference system and the metres of a world.

namespace tepui {

/// Brings vertices from the coordinates of `crs` (empty: none) to metres of the world, in place, and says where that
/// world lies; lines_from_file tells what happens. `path` is for messages.
std::optional<Georeference> place_lines(const std::string& path, const std::string& crs, std::span<Vec3> vertices,
                                        const Frame* land, const Context& context);

/// The coordinates of the vertices in the lines' own reference system, else metres of the world.
inline Vec2 map_point(const std::optional<Georeference>& geo, Vec3 p) {
  if (!geo) return {p.x, p.y};
  return {geo->origin.x + p.x * geo->step.x, geo->origin.y + p.y * geo->step.y};
}

/// Longitude and latitude (WGS 84) of every vertex of lines with a reference system, degrees. Longitudes are those
/// nearest to the middle of all, so that a line across the date line goes on beyond 180. Refuses what lies nowhere.
std::vector<Vec2> degrees_of(const Lines& lines, const Context& context);

}  // namespace tepui
