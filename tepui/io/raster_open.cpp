#include "tepui/io/raster_open.h"

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/io/file/sidecars.h"
#include "tepui/io/formats.h"

namespace tepui {

std::unique_ptr<Raster> open_raster(const std::string& path, const RasterOptions& options) {
  const std::string ending = file_ending(path);
  if (const FileFormat* format = reading_format(path, Terrain::kind_name)) {
    std::unique_ptr<Raster> raster = format->open(path, options);
    for (std::string& said : unread_sidecars(path, raster->info().place.has_value())) raster->assume(std::move(said));
    return raster;
  }
  if (ending == ".hdr" || ending == ".prj")
    refuse(fmt::format("'{}' only describes another file next to it", path),
           "give that file instead: .bil, .r16, .asc ...");
  refuse(fmt::format("cannot read '{}': there is no land format with the extension '{}'", path, ending),
         fmt::format("known extensions: {}", fmt::join(reading_endings(Terrain::kind_name), ", ")));
}

}  // namespace tepui
