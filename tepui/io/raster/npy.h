#pragma once  // internal

#include <memory>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/io/raster/raster.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// NumPy's .npy (versions 1 to 3) and .npz. Numbers of 1 to 8 bytes in either byte order, rows or columns first; the
/// shape is (h, w), or (n, h, w) for n bands. An 8-byte or half number's type has the name that newer versions of GDAL
/// give it: "Int8", "Int64", "UInt64", "Float16". Rows count as north first.
///
/// Of an .npz, `options.layer` names the array; else it is the only one of two dimensions, or the one named like
/// heights. Its place comes from arrays `longitude` and `latitude` (`lon`, `lat`) or `x` and `y` as long as its sides,
/// or from the numbers `xmin`, `xmax`, `ymin`, `ymax` with or without `dx`, `dy`.
std::unique_ptr<Raster> open_npy(const std::string& path, const RasterOptions& options);

/// Writes the layers as an array of float32, (h, w) for one and (n, h, w) for several, rows north first, NaN where
/// `void` is at least half. A category or mask alone is uint8 where that loses nothing. Atomic. Returns the bits of a
/// sample.
int write_npy(const FileTarget& to, const Terrain& terrain, const std::vector<Layer>& layers, const Context& context);

}  // namespace tepui
