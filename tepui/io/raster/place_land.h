#pragma once

#include <optional>
#include <string>

#include "tepui/core/frame.h"
#include "tepui/io/raster/raster.h"

class OGRSpatialReference;

namespace tepui {

/// The frame of land whose samples lie at `place`, south-west first, and its georeference.
///
/// A projected system's unit becomes metres and its coordinates the frame's. Of a geographic system, and of Mercator
/// projections (web maps), whose metres are true at the equator alone, the cell is measured in metres on the ground at
/// the central latitude, on the system's ellipsoid, and the frame starts at (0, 0). Without a system, coordinates count
/// as metres. Rotated places are refused.
Frame frame_at(const std::string& path, const RasterPlace& place, int64_t width, int64_t height);

/// Metres on the ground of one unit of the coordinates of a geographic system or a Mercator projection, whose metres
/// are measured so, around `middle`, a latitude or northing in the system's unit. Nothing for the other systems, whose
/// own unit tells. `path` is for messages.
std::optional<Vec2> ground_metres(const std::string& path, const OGRSpatialReference& crs, double middle);

/// Metres per unit of the heights, as a reference system with heights says; 1 where it does not.
double vertical_metres(const std::string& path, const RasterPlace& place);

/// "EPSG:4326", else the system's name; empty where there is none.
std::string crs_name(const std::string& path, const RasterPlace& place);

/// Throws unless cells are from 1e-6 to 1e7 m, sides at most 1e9 m and the place within 1e12 m: beyond, a file is
/// damaged or its numbers mean something else.
void require_sane_cells(const std::string& path, const Frame& frame);
bool is_sane_cell(Vec2 cell);
inline constexpr double largest_cell = 1e7;

/// The world's size of a frame that holds all of it.
Vec2 extent_of(const Frame& frame);

}  // namespace tepui
