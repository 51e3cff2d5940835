#pragma once  // internal

#include <string>
#include <vector>

#include "tepui/io/file/zip_read.h"
#include "tepui/io/raster/npy_header.h"
#include "tepui/io/raster/raster.h"

namespace tepui {

/// An array of an .npz.
struct NpzArray {
  std::string name;  ///< without its ending
  const ZipEntry* entry = nullptr;
  NpyHeader header;
};

/// Sets the place of a raster of known size from the arrays beside it, where they say one; adds to what was assumed.
void place_npz(const std::string& path, const ZipArchive& archive, const std::vector<NpzArray>& arrays,
               RasterInfo& info);

}  // namespace tepui
