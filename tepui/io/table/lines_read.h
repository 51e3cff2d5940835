#pragma once

#include <string>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// What a file of lines does not say itself, or says wrong.
struct LinesFileParams {
  std::string layer;  ///< Which of several; the only one if it is empty.
  std::string crs;    ///< The system of its coordinates, "EPSG:32612"; "metres" for those of a world that is nowhere.
};

/// Reads lines from .geojson, .json (GeoJSON) or .gpkg (GeoPackage).
///
/// Features. A Point or MultiPoint is points, a LineString or MultiLineString lines, a Polygon a polygon; each polygon
/// of a MultiPolygon and each member of a GeometryCollection becomes a feature with the attributes of the whole. A line
/// whose last point is its first is a closed line without it. Features without a geometry are left out, with a warning;
/// curves, surfaces and other kinds are refused by name. Without heights z is 0.
///
/// Attributes. The field "name" is the name; other fields of numbers and texts (dates among them) are attributes, "flow
/// (m3/s)" with the unit in brackets, and "flow_per_vertex (m3/s)" with a list in JSON is an attribute of vertices.
/// Null is a missing value.
///
/// Place. Coordinates become metres of the world as those of a raster do (frame_at in io/raster/place_land.h), so that
/// lines and land in one projected system agree:
/// - Those of a projected system are multiplied by its unit, and are the world's.
/// - Those of a geographic system or a Mercator projection, whose metres are true at the equator alone, become metres
/// on
///   the ground at the middle latitude of the lines, on the system's ellipsoid; the world's (0, 0) is the south-western
///   corner of the box around them. Lines on both sides of the date line are kept together.
/// - Without a system, or in a local one ("Local metres"), coordinates count as metres, with a warning where the file
/// does
///   not say so.
/// With `land`, everything is brought to the land's own world instead, through its reference system: that is how lines
/// in degrees come to lie right on a land in degrees, or in UTM. Heights are in metres, or in the unit that the system
/// says.
///
/// A damaged or hostile file is refused. The file alone is read, never the network or another file.
Lines lines_from_file(const std::string& path, const LinesFileParams& params, const Context& context,
                      const Frame* land = nullptr);

}  // namespace tepui
