#include "tepui/output/output_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/formats.h"
#include "tepui/output/kind_rows.h"
#include "tepui/recipe/meaning.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/param_words.h"
#include "tepui/render/ground/mesh_paint.h"

namespace tepui {

namespace {

/// How much of a skyline's picture the highest ridge fills.
constexpr double skyline_share = 0.66;
constexpr double narrowest_with_axes = 600;

const std::vector<OutputKind>& rows() {
  static const std::vector<OutputKind> all = {land_output(), rock_output(),  lines_output(), volume_output(),
                                              mesh_output(), image_output(), files_output(), planet_output()};
  return all;
}

bool holds(const OutputKind& kind, const std::string& file) { return writing_format(file, kind.kind->name) != nullptr; }

std::string drawn_as(const OutputKind& kind) {
  return fmt::format("\"figure\": {{ \"kind\": \"{}\" }}", kind.figures.front());
}

/// With axes and legend, and yet of the figure's size on the whole.
Image draw_with_axes(const Value& value, FigureParams figure, const Setting& around, const Context& context) {
  const Vec2 whole = *figure.size;
  figure.axes = true;
  figure.size = whole * 0.6;
  const Drawing first = output_kind(value).draw(value, figure, around, context.stage("measure", 0, 0.3));
  const Vec2 frame = Vec2{first.width(), first.height()} - *figure.size;
  figure.size = Vec2{std::max(whole.x - frame.x, 1.0), std::max(whole.y - frame.y, 1.0)};
  const Drawing second = output_kind(value).draw(value, figure, around, context.stage("draw", 0.3, 1));
  Drawing page(whole.x, whole.y);
  page.place({std::floor((whole.x - second.width()) / 2), std::floor((whole.y - second.height()) / 2)}, second);
  return page.raster();
}

}  // namespace

const OutputKind& output_kind(const Kind& kind) {
  const auto found = std::ranges::find(rows(), &kind, &OutputKind::kind);
  if (found == rows().end())
    fail(fmt::format("there is no row for the kind '{}' in output/output_kind.cpp", kind.name));
  return *found;
}

const std::vector<std::string>& value_endings() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> list;
    for (const OutputKind& kind : rows()) {
      const bool made = std::ranges::any_of(operators(), [&](const Operator& op) { return op.output == kind.kind; });
      for (const std::string& ending : made ? writing_endings(kind.kind->name) : std::vector<std::string>())
        if (std::ranges::find(list, ending) == list.end()) list.push_back(ending);
    }
    return list;
  }();
  return all;
}

void check_value_file(const std::string& file, const Kind& type, const std::string& from) {
  const OutputKind& kind = output_kind(type);
  const std::string ending = file_ending(file);
  if (holds(kind, file)) return;
  const bool drawn = ending == ".png" || ending == ".webp" || ending == ".svg";
  const std::string how =
      !kind.held_by_images && kind.is_pictured() && ending != ".svg" ? R"("render": {})" : drawn_as(kind);
  if (kind.is_pictured() && !std::ranges::any_of(rows(), [&](const OutputKind& other) { return holds(other, file); }))
    refuse(fmt::format("output '{}' has an unknown extension", file),
           drawn ? "draw it: " + how : fmt::format("known are {}", fmt::join(writing_endings(type.name), ", ")));
  const std::string why = fmt::format("'{}' cannot hold {}, which is what {} gives", file, type.noun, from);
  refuse(why, drawn ? "draw it: " + how
                    : fmt::format("extensions for {}: {}", type.noun, fmt::join(writing_endings(type.name), ", ")));
}

bool takes_option(const Kind& type, const std::string& file, std::string_view option) {
  const FileFormat* format = writing_format(file, type.name);
  if (format == nullptr) return false;
  const std::vector<std::string>& taken = format->holding(type.name)->options;
  return std::ranges::find(taken, option) != taken.end();
}

void require_option(const Kind& type, const std::string& file, std::string_view option) {
  if (takes_option(type, file, option)) return;
  std::vector<std::string> takers;
  for (const std::string& ending : writing_endings(type.name))
    if (takes_option(type, "a" + ending, option)) takers.push_back(ending);
  refuse(fmt::format("'{}' does not apply to '{}', which holds {}", option, file_name(file), type.noun),
         takers.empty() ? fmt::format("remove it: no file of {} takes it", type.noun)
                        : fmt::format("for {} it applies to {}", type.noun, fmt::join(takers, ", ")));
}

void require_pictured(const Kind& type, const std::string& from) {
  const OutputKind& kind = output_kind(type);
  if (!kind.is_pictured())
    refuse(fmt::format("{} gives {}, but \"render\" only draws land, volumes, meshes and planets", from, type.noun),
           fmt::format("draw a figure of kind {}", fmt::join(kind.figures, ", ")));
}

FigureParams usual_figure(const Kind& type) {
  FigureParams params;
  const Fields<FigureParams>& fields = fields_of<FigureParams>();
  const std::vector<std::string>& names =
      fields.table().fields[static_cast<size_t>(fields.table().find("kind"))].choices;
  const auto found = std::ranges::find(names, output_kind(type).figures.front());
  params.kind = static_cast<FigureKind>(found - names.begin());
  params.axes = false;
  return params;
}

Image draw_value(const Value& value, const PictureParams& params, const Setting& around, const Context& context) {
  if (output_kind(value).is_pictured()) return output_kind(value).picture(value, params, around, context).image;
  FigureParams figure = usual_figure(value.kind());
  Vec2 size = params.wanted_size();
  if (!(size.x > 0)) size.x = size.y > 0 ? std::round(size.y * 16 / 9) : 960;
  if (!(size.y > 0)) size.y = std::round(size.x * 9 / 16);
  figure.size = size;
  figure.range = params.frame;
  if (params.frame && figure.kind == FigureKind::skyline) {
    const double foot = std::min(0.0, params.frame->low);
    figure.range = Interval{foot, foot + (params.frame->high - foot) / skyline_share};
  }
  const bool explained = params.legend && figure.kind == FigureKind::section && size.x >= narrowest_with_axes;
  return explained ? draw_with_axes(value, figure, around, context)
                   : output_kind(value).draw(value, figure, around, context).raster();
}

Mesh painted_mesh(const Mesh& mesh, const Setting& around, const Context& context) {
  const SkinParams skin = around.look ? SkinParams(*around.look) : SkinParams();
  return painted(mesh, {skin, around.sea_level, around.its_land()}, context);
}

std::optional<Geology> rock_of(const Value& value) {
  const OutputKind& row = output_kind(value);
  return row.rock != nullptr ? row.rock(value) : std::nullopt;
}

std::optional<Terrain> covered_land_of(const Value& value) {
  const OutputKind& row = output_kind(value);
  return row.covered != nullptr ? row.covered(value) : std::nullopt;
}

namespace {

/// What a step makes of a value.
Value stepped(const Value& value, const WritingStep& step, const Context& context) {
  const Operator& op = require_operator(step.op);
  OperatorCall call;
  call.inputs.resize(op.inputs.size());
  call.inputs.front().push_back(value);
  call.params = params_from_words(op.params, step.params, op.name);
  return op.run(call, context.stage(op.name, 0, 0.5));
}

}  // namespace

std::vector<FileRecord> write_value(const Value& value, const ExportRequest& request, const Setting& around,
                                    const Context& context) {
  const OutputKind& row = output_kind(value);
  if (row.check != nullptr) row.check(value, request);
  const std::optional<WritingStep> step = row.before != nullptr ? row.before(request) : std::nullopt;
  if (!step) return row.write(value, request, around, context);
  const Value made = stepped(value, *step, context);
  Setting its = around;
  its.rock = rock_of(value);
  its.land = covered_land_of(value);
  ExportRequest own = request;
  own.made_for_it = true;
  return write_value(made, own, its, context.stage("writing", 0.5, 1));
}

namespace {

/// What makes a mesh of a value that has no maps of its own.
std::optional<WritingStep> step_before_maps(const OutputKind& row, const std::string& prefix) {
  ExportRequest as_mesh;
  as_mesh.path = prefix + ".glb";
  return row.before != nullptr ? row.before(as_mesh) : std::nullopt;
}

}  // namespace

bool has_maps(const Kind& kind) {
  const OutputKind& row = output_kind(kind);
  return row.bake != nullptr || step_before_maps(row, "maps").has_value();
}

std::vector<FileRecord> bake_value(const Value& value, const BakeRequest& request, const Setting& around,
                                   const Context& context) {
  const OutputKind& row = output_kind(value);
  if (row.bake != nullptr) return row.bake(value, request, around, context);
  const std::optional<WritingStep> step = step_before_maps(row, request.prefix);
  if (!step) refuse(fmt::format("{} has no surface to bake maps of", value.kind().noun));
  const Value made = stepped(value, *step, context);
  Setting its = around;
  its.rock = rock_of(value);
  its.land = covered_land_of(value);
  return bake_value(made, request, its, context.stage("maps", 0.5, 1));
}

}  // namespace tepui
