#pragma once  // internal

#include <string>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// Writes lines as GeoJSON (RFC 7946), atomically, one feature a line of text; the same lines always give the same
/// bytes.
///
/// Where the lines' place on Earth is known, coordinates are longitude and latitude of WGS 84 in degrees, rounded to
/// nine decimals (a tenth of a millimetre), with the height as the third number; a line across the date line goes on
/// beyond 180 degrees. Else they are metres of the world, to the last bit, in a system that is called "Local metres" in
/// the member "crs"; RFC 7946 has no word for that, and a warning says so.
///
/// Several points are a MultiPoint, several parts a MultiLineString; closed lines and rings end with their first point
/// again. Properties are "name" (where any feature has one) and every attribute as "name (unit)", null where it is
/// missing. The attribute `flow` of vertices is a list "flow_per_vertex (m3/s)" with a number or null for each vertex
/// of the feature, part after part, the repeated last points left out.
void write_lines_geojson(const FileTarget& to, const Lines& lines, const Context& context);

}  // namespace tepui
