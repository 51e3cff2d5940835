#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/io/lines_write.h"
#include "tepui/io/read_lines.h"
#include "tepui/mesh/standing.h"
#include "tepui/output/info_json.h"
#include "tepui/output/kind_rows.h"
#include "tepui/recipe/param_words.h"
#include "tepui/terrain/lines.h"

namespace tepui {

namespace {

Interval lines_heights(const Value& value, const Context&) {
  const LinesExtent extent = extent_of(get<Lines>(value));
  return {extent.low.z, extent.high.z};
}

Drawing draw_lines(const Value& value, const FigureParams& params, const Setting&, const Context& context) {
  return draw_figure(get<Lines>(value), params, context);
}

Value read_features(const std::string& path, const std::vector<std::string>& how, const Context& context) {
  ReadLinesParams params = params_from_words<ReadLinesParams>(how, "'read_lines'");
  if (!params.file.path.empty()) refuse("the file is already given", "remove 'file'");
  params.file.path = path;
  return read_lines(nullptr, params, context);
}

std::vector<FileRecord> write_lines(const Value& value, const ExportRequest& request, const Setting&,
                                    const Context& context) {
  const FileTarget to = request.target(request.path);
  const Lines& lines = get<Lines>(value);
  const std::string format = tepui::write_lines(to, lines, context, request.options);
  FileRecord record = record_of(to, format);
  if (format == "GLB") {
    const Vec3 centre = standing_centre({&lines, 1});
    record.centre = {centre.x, centre.y, centre.z};
  }
  return {record};
}

OrderedJson describe(const Value& value, const Context&) {
  const Lines& lines = get<Lines>(value);
  const LinesExtent extent = extent_of(lines);
  OrderedJson attributes = OrderedJson::array();
  for (const AttributeRange& a : attribute_ranges(lines))
    attributes.push_back({{"name", a.name}, {"unit", a.unit}, {"min", a.low}, {"max", a.high}});
  return {{"kind", "lines"},
          {"lines", lines.features()},
          {"points", extent.points},
          {"length", extent.length},
          {"bounds", {{"min", corner(extent.low)}, {"max", corner(extent.high)}}},
          {"attributes", attributes}};
}

std::string text_of(const Value& value, const Context&) {
  const Lines& lines = get<Lines>(value);
  const LinesExtent extent = extent_of(lines);
  return fmt::format("{} lines, {} points, {:.6g} m in total, heights {:.6g} to {:.6g} m\n", lines.features(),
                     extent.points, extent.length, extent.low.z, extent.high.z);
}

}  // namespace

OutputKind lines_output() {
  return {.kind = &kind_of<Lines>(),
          .figures = {"skyline", "map", "survey"},
          .example = "skyline",
          .heights = lines_heights,
          .draw = draw_lines,
          .read = read_features,
          .write = write_lines,
          .info = info_text<describe>,
          .text = text_of};
}

}  // namespace tepui
