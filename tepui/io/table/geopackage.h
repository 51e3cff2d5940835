#pragma once  // internal

#include <string>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// Writes lines as a GeoPackage with one layer, "lines", atomically; the same lines always give the same bytes, as the
/// time of the last change is always told as the first second of 2000. Up to 100,000 features have a spatial index; of
/// more it would take many times as long as the rest, and programs make one where they want it.
///
/// Coordinates are those of the lines' own reference system, where their place on Earth is known, else metres of the
/// world in a system called "Local metres"; heights are the third coordinate. Several points are a MultiPoint, several
/// parts a MultiLineString; closed lines and rings end with their first point again. Fields are "name" (where any
/// feature has one) and every attribute as "name (unit)", null where it is missing. The attribute `flow` of vertices is
/// a text field "flow_per_vertex (m3/s)" with a list in JSON: a number or null for each vertex of the feature, part
/// after part, the repeated last points left out.
void write_lines_gpkg(const FileTarget& to, const Lines& lines, const Context& context);

}  // namespace tepui
