#include "tepui/io/raster/raster_open.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/sidecars.h"
#include "tepui/io/raster/exr.h"
#include "tepui/io/raster/npy.h"
#include "tepui/io/raster/raster_formats.h"

namespace tepui {

namespace {

struct RasterFormat {
  std::vector<const char*> endings;
  std::unique_ptr<Raster> (*open)(const std::string&, const RasterOptions&);
};

const std::vector<RasterFormat>& formats() {
  static const std::vector<RasterFormat> all = {
      {{".tif", ".tiff"}, open_gdal},
      {{".asc"}, open_asc},
      {{".hgt", ".hgt.zip"}, open_hgt},
      {{".nc", ".nc4", ".cdf"}, open_netcdf},
      {{".png"}, open_png},
      {{".exr"}, open_exr},
      {{".npy", ".npz"}, open_npy},
      {{".bil", ".bip", ".bsq", ".img", ".dat", ".flt", ".raw", ".r16", ".r32"}, open_raw},
  };
  return all;
}

}  // namespace

std::unique_ptr<Raster> open_raster(const std::string& path, const RasterOptions& options) {
  const std::string ending = file_ending(path);
  for (const RasterFormat& format : formats()) {
    if (std::ranges::find(format.endings, ending) == format.endings.end()) continue;
    std::unique_ptr<Raster> raster = format.open(path, options);
    for (std::string& said : unread_sidecars(path, raster->info().place.has_value())) raster->assume(std::move(said));
    return raster;
  }
  if (ending == ".hdr" || ending == ".prj")
    refuse(fmt::format("'{}' describes another file beside it", path), "give that one: .bil, .r16, .asc ...");
  refuse(fmt::format("cannot read '{}': no format of land has the ending '{}'", path, ending),
         fmt::format("the endings are {}", fmt::join(raster_endings(), ", ")));
}

const std::vector<std::string>& raster_endings() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> endings;
    for (const RasterFormat& format : formats())
      endings.insert(endings.end(), format.endings.begin(), format.endings.end());
    return endings;
  }();
  return all;
}

}  // namespace tepui
