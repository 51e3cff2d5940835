#pragma once  // internal

#include <string>

#include "tepui/core/frame.h"

namespace tepui {

/// Where a north-up raster lies in the coordinates its file tells: those of the land's reference system, else the
/// world's metres. Edges are the outer ones of pixels whose centres are the samples, as GIS count them.
struct FilePlace {
  double west = 0, south = 0, north = 0;
  Vec2 step;
};
FilePlace file_place(const Frame& frame);

/// The land's reference system in Esri's dialect of WKT, as .prj files and ENVI headers hold it; empty where unknown.
std::string esri_wkt(const Frame& frame);
/// Whether that system counts in degrees.
bool is_geographic(const Frame& frame);

}  // namespace tepui
