#include "tepui/output/read_value.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/inspect.h"
#include "tepui/io/mesh/mesh_file.h"
#include "tepui/io/raster/raster_open.h"
#include "tepui/io/read.h"
#include "tepui/io/read_lines.h"
#include "tepui/output/output_kind.h"
#include "tepui/recipe/param_words.h"

namespace tepui {

namespace {

Value read_land(const std::string& path, const std::vector<std::string>& how, const Context& context) {
  ReadParams params = params_from_words<ReadParams>(how, "'read'");
  if (!params.file.path.empty()) refuse("the file is named already", "leave 'file' out");
  params.file.path = path;
  return read(params, context);
}

Value read_triangles(const std::string& path, const std::vector<std::string>& how, const Context& context) {
  if (!how.empty()) refuse("'--in' is for land and lines, not for a mesh");
  return read_mesh(path, context);
}

Value read_features(const std::string& path, const std::vector<std::string>& how, const Context& context) {
  ReadLinesParams params = params_from_words<ReadLinesParams>(how, "'read_lines'");
  if (!params.file.path.empty()) refuse("the file is named already", "leave 'file' out");
  params.file.path = path;
  return read_lines(nullptr, params, context);
}

std::string stored_info(const std::string& path, const Context& context) { return info_json(inspect(path, context)); }

}  // namespace

const std::vector<ReadFormat>& read_formats() {
  static const std::vector<ReadFormat> formats = {
      {raster_endings(), &kind_of<Terrain>(), read_land, stored_info},
      {mesh_endings(), &kind_of<Mesh>(), read_triangles, stored_info},
      {{".geojson", ".gpkg"}, &kind_of<Lines>(), read_features, nullptr},
  };
  return formats;
}

const ReadFormat& read_format(const std::string& path) {
  const std::string ending = file_ending(path);
  std::vector<std::string> known;
  for (const ReadFormat& format : read_formats()) {
    if (std::ranges::find(format.endings, ending) != format.endings.end()) return format;
    known.insert(known.end(), format.endings.begin(), format.endings.end());
  }
  // It knows what to say of files that stand beside others.
  if (ending == ".hdr" || ending == ".prj") open_raster(path, {});
  refuse(fmt::format("cannot read '{}': no format has the ending '{}'", path, ending),
         fmt::format("the endings are {}", fmt::join(known, ", ")));
}

Value read_value(const std::string& path, const std::vector<std::string>& how, const Context& context) {
  return read_format(path).read(path, how, context);
}

std::string file_info(const std::string& path, const std::vector<std::string>& how, const Context& context) {
  const ReadFormat& format = read_format(path);
  if (format.info != nullptr && how.empty()) return format.info(path, context);
  const Value value = format.read(path, how, context);
  return output_kind(value).info(value, context);
}

}  // namespace tepui
