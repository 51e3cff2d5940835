#include "tepui/io/table/lines_write.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/core/file.h"
#include "tepui/io/table/geojson.h"
#include "tepui/io/table/geopackage.h"
#include "tepui/io/table/lines_csv.h"

namespace tepui {

namespace {

struct Format {
  const char *ending, *name;
  void (*write)(const std::string&, const Lines&, const Context&);
};

constexpr Format formats[] = {{".csv", "CSV", write_lines_csv},
                              {".geojson", "GeoJSON", write_lines_geojson},
                              {".gpkg", "GeoPackage", write_lines_gpkg}};

}  // namespace

const std::vector<std::string>& lines_endings() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    for (const Format& format : formats) list.emplace_back(format.ending);
    return list;
  }();
  return all;
}

std::string write_lines(const std::string& path, const Lines& lines, const Context& context) {
  const auto format = std::ranges::find(formats, file_ending(path), &Format::ending);
  if (format == std::end(formats))
    refuse(fmt::format("'{}' cannot hold lines", path), "endings for lines are .csv, .geojson and .gpkg");
  format->write(path, lines, context);
  return format->name;
}

}  // namespace tepui
