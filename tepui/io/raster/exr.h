#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/io/raster/raster.h"
#include "tepui/terrain/terrain.h"

// OpenEXR. What a picture has no word for stands in attributes that other programs pass over:
//   tepui:origin  v2d           where the centre of the first (north-west) sample lies
//   tepui:step    v2d           from sample to sample; the second is negative
//   tepui:crs     string        their reference system as WKT; absent: plain metres
//   tepui:layers  stringvector  four texts for every layer: name, kind, number of classes, unit

namespace tepui {

/// The first part of a picture of scan lines or tiles; half, float and uint channels. `options.layer` names the
/// channel; else it is the only one, or the first that there is of `height`, `Z`, `Y`, `R`. A file that Tepui wrote
/// gives all its layers, and its place. Types are "Float16", "Float32" and "UInt32".
std::unique_ptr<Raster> open_exr(const std::string& path, const RasterOptions& options);

/// Throws unless this many layers on these samples can be written as an EXR.
void check_exr(const std::string& path, const Frame& frame, size_t layers);

/// Writes the layers as float32 channels, ZIP compressed, NaN where `void` is at least half: one as `Y`, which programs
/// take for grey, several under their names. Atomic; the same land always gives the same bytes.
void write_exr(const FileTarget& to, const Terrain& terrain, const std::vector<Layer>& layers, const Context& context);

}  // namespace tepui
