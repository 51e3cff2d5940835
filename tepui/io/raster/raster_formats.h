#pragma once  // internal

#include "tepui/io/raster/raster.h"

// The formats that open_raster chooses from, by ending.

namespace tepui {

/// GeoTIFF, ENVI and ESRI .hdr-labelled samples: what GDAL reads.
std::unique_ptr<Raster> open_gdal(const std::string& path, const RasterOptions& options);

/// ASCII grid, with the .prj beside it.
std::unique_ptr<Raster> open_asc(const std::string& path, const RasterOptions& options);

/// SRTM tiles, placed by their names; .hgt.zip holds one.
std::unique_ptr<Raster> open_hgt(const std::string& path, const RasterOptions& options);

/// PNG: grey, or heights packed into colours.
std::unique_ptr<Raster> open_png(const std::string& path, const RasterOptions& options);

/// netCDF: one gridded variable.
std::unique_ptr<Raster> open_netcdf(const std::string& path, const RasterOptions& options);

/// Samples and nothing else, little-endian unless the type says otherwise, the north-western one first.
std::unique_ptr<Raster> open_raw(const std::string& path, const RasterOptions& options);

}  // namespace tepui
