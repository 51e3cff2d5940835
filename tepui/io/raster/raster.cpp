#include "tepui/io/raster/raster.h"

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"

namespace tepui {

void check_raster_claim(const std::string& path, int64_t width, int64_t height, int64_t bands, double bytes_per_sample,
                        double file_bytes, double ratio) {
  if (width < 1 || height < 1) refuse(fmt::format("'{}' has no samples", path));
  const double samples = static_cast<double>(width) * static_cast<double>(height);
  // Of a file that shrinks its samples, a part that says nothing may cost next to nothing.
  const double slack = ratio > 1 ? 16.0 * 1024 * 1024 : 0;
  if (samples * bytes_per_sample > slack + ratio * file_bytes)
    refuse(fmt::format("'{}' claims {} x {} samples, but its {} cannot hold them", path, width, height,
                       bytes_text(file_bytes)));
  const double memory = static_cast<double>(physical_memory());
  const double needed = samples * sizeof(float) * static_cast<double>(bands + 1);
  if (needed > memory)
    refuse(fmt::format("'{}' has {} x {} samples, which need {}; this machine has {}", path, width, height,
                       bytes_text(needed), bytes_text(memory)),
           "cut out a part with gdal_translate -srcwin, or shrink it with -outsize");
}

bool fits_float(const std::string& type) {
  for (const char* wide : {"Int32", "UInt32", "Int64", "UInt64", "Float64"})
    if (type == wide) return false;
  return true;
}

std::optional<double> largest_of(const std::string& type) {
  if (type == "Byte") return 255;
  if (type == "UInt16") return 65535;
  if (type == "UInt32") return 4294967295.0;
  return std::nullopt;
}

}  // namespace tepui
