// figure: land drawn for a page: maps, sections and plots of one, sheets, pairs and animations of several.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/tepui/commands.h"
#include "apps/tepui/gallery.h"
#include "apps/tepui/land.h"
#include "apps/tepui/progress.h"
#include "apps/tepui/words.h"
#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/output/figure_json.h"
#include "tepui/output/shared_view.h"
#include "tepui/render/page/sheet.h"
#include "tepui/terrain/lines.h"

namespace tepui::app {

namespace {

constexpr double sheet_picture_width = 480, pair_picture_width = 640;

/// The object of a recipe's "figure", but for its kind.
Json settings_of(const FigureOptions& options) {
  std::vector<std::string> words = options.look;
  if (!options.size.empty()) words.push_back(size_word(options.size));
  for (const std::string& word : words)
    if (word.starts_with("kind=")) refuse("the kind of figure is already given", "leave 'kind' out");
  return object_from_words(words);
}

/// Where no size is given, so wide and as high as the picture likes to be.
void set_width(PictureParams& params, double width) {
  if (params.wanted_size() == Vec2{}) params.size = Vec2{width, 0};
}

PictureParams picture_settings(const FigureOptions& options, const Json& look, double width) {
  Fields<PictureParams> fields;
  describe(fields);
  PictureParams params =
      fields.make(params_from_json(fields.table(), with_look(settings_of(options), look, fields.table()), "a picture"));
  set_width(params, width);
  return params;
}

/// What is no land is shown with the same heights where all are of one kind.
void share_heights(Gallery& gallery, PictureParams& params, const Context& context) {
  std::optional<Interval> heights;
  for (size_t i = 0; i < gallery.size(); ++i) {
    if (&gallery.kind(i) != &gallery.kind(0)) return;
    const Exhibit exhibit = gallery.load(i);
    widen(heights, output_kind(exhibit.value).heights(exhibit.value, context));
  }
  if (!params.frame && heights && heights->low < heights->high) params.frame = heights;
}

/// Lands of one extent are shown by one camera and with one scale of colours.
void share_view(Gallery& gallery, PictureParams& params, const Context& context) {
  if (output_kind(gallery.kind(0)).view == nullptr) return share_heights(gallery, params, context);
  SharedView view;
  for (size_t i = 0; i < gallery.size(); ++i) {
    const Exhibit exhibit = gallery.load(i);
    const OutputKind& row = output_kind(exhibit.value);
    if (row.view == nullptr || !row.view(exhibit.value, params, view, context) || !view.is_of_one_size()) return;
  }
  view.apply(params);
}

/// A picture of one exhibit, with its caption. Every figure of several lands draws through here, with one set of
/// parameters for all.
CaptionedImage draw_one(Gallery& gallery, size_t i, const PictureParams& params) {
  const Exhibit exhibit = gallery.load(i);
  CaptionedImage drawn{draw_value(exhibit.value, params, exhibit.around, gallery.drawing(i)), gallery.caption(i)};
  gallery.done(i);
  return drawn;
}

Ordered write_drawing(const FigureOptions& options, const Drawing& drawing, const PngText& text,
                      const Invocation& call) {
  write_figure(options.output, drawing, text, call.context);
  if (file_ending(options.output) == ".csv") return {{"rows", drawing.numbers().rows.size()}};
  return {{"width", std::lround(drawing.width())}, {"height", std::lround(drawing.height())}};
}

Ordered write_sheet(const FigureOptions& options, const Invocation& call) {
  Gallery gallery(options, call);
  const bool pair = options.kind == "pair";
  if (pair && gallery.size() != 2)
    refuse(fmt::format("a pair shows two lands, not {}", gallery.size()),
           "name two sources, or one recipe with a sweep of two values: --sweep age=0,1");
  if (gallery.size() < 2)
    refuse("a sheet shows several lands, but only one is given",
           "give more, sweep a recipe (--sweep seed=1..9), or name a node that has \"every\"");
  PictureParams params = picture_settings(options, gallery.look(), pair ? pair_picture_width : sheet_picture_width);
  share_view(gallery, params, call.context);
  SheetLayout layout;
  layout.title = options.title.value_or(pair ? "" : gallery.title());
  layout.columns = pair ? 2 : static_cast<int>(options.columns);
  const bool table = !pair && options.captions.empty() && options.columns == 0;
  if (table) layout.rows = gallery.table().rows;
  if (table) layout.headings = gallery.table().columns;
  std::vector<SheetCell> cells;
  for (size_t i = 0; i < gallery.size(); ++i) {
    CaptionedImage drawn = draw_one(gallery, i, params);
    if (i == 0) check_sheet(gallery.size(), drawn.image.width, drawn.image.height, layout);
    cells.push_back({std::move(drawn.image), std::move(drawn.caption)});
  }
  Ordered told = write_drawing(options, draw_sheet(cells, layout), gallery.text(), call);
  told["pictures"] = cells.size();
  told["computed"] = gallery.computed();
  return told;
}

Ordered animation_json(const AnimationRecord& record) {
  return {{"width", record.width}, {"height", record.height}, {"frames", record.frames}};
}

Ordered write_lapse(const FigureOptions& options, const Invocation& call) {
  if (options.sweeps.size() > 1)
    refuse("a time-lapse takes one sweep, whose values become its frames", "leave the others out");
  // Before anything is loaded.
  params_of_both<TimelapseParams, PictureParams>(settings_of(options), "a time-lapse");
  Gallery gallery(options, call);
  auto [lapse, picture] =
      params_of_both<TimelapseParams, PictureParams>(settings_of(options), "a time-lapse", gallery.look());
  if (gallery.size() < 2)
    refuse("a time-lapse needs at least two lands",
           "sweep a recipe: --sweep age=0..1:12, or name a node that has \"every\"");
  share_view(gallery, picture, call.context);
  const auto draw = [&](size_t i, const PictureParams& params) { return draw_one(gallery, i, params); };
  Ordered told = animation_json(
      write_timelapse(options.output, gallery.size(), draw, picture, lapse, gallery.text(), call.context));
  told["computed"] = gallery.computed();
  return told;
}

/// The kinds that a recipe's "figure" knows too.
Ordered write_one(const FigureOptions& options, const Invocation& call) {
  if (options.sources.size() > 1 || !options.sweeps.empty())
    refuse(fmt::format("'{}' shows a single land", options.kind), "'tepui figure sheet' shows several");
  Json settings = settings_of(options);
  if (options.title) settings.members.push_back({"title", {}, json_string(*options.title, {})});
  settings.members.push_back({"kind", {}, json_string(options.kind, {})});
  const std::string& source = options.sources.front();
  std::optional<Lines> rivers = lines_of({options.rivers, "--rivers", source}, options.changes, call);
  std::optional<Lines> along = lines_of({options.along, "--along", source}, options.changes, call);
  Gallery gallery(options, call);
  const ValueFigure figure = figure_from_json(settings, options.output, gallery.kind(0), gallery.look());
  Exhibit exhibit = gallery.load(0);
  exhibit.around.rivers = std::move(rivers);
  if (along && !output_kind(exhibit.value).walked_through) refuse("'--along' only applies to a volume", "leave it out");
  exhibit.around.along = std::move(along);
  PngText text = gallery.text();
  if (exhibit.hash != Hash()) text[gallery.kind(0).label] = exhibit.hash.text();
  Ordered told;
  if (const auto* params = std::get_if<FigureParams>(&figure)) {
    const Value& value = exhibit.value;
    told =
        write_drawing(options, output_kind(value).draw(value, *params, exhibit.around, gallery.drawing(0)), text, call);
  } else {
    const auto& [turn, picture] = std::get<Turntable>(figure);
    const auto draw = [&](const PictureParams& view, const Context& context) {
      return draw_value(exhibit.value, view, exhibit.around, context);
    };
    told = animation_json(write_turntable(options.output, draw, picture, turn, text, gallery.drawing(0)));
  }
  gallery.done(0);
  return told;
}

/// Refuses what the kind would not use.
void check_options(const FigureOptions& options) {
  std::vector<std::string> names;
  for (const auto& [name, about] : kinds_of_figures()) names.push_back(name);
  const std::string& kind = options.kind;
  if (std::ranges::find(names, kind) == names.end())
    refuse(fmt::format("there is no figure '{}'", kind), suggest_name(kind, names));
  if (options.sources.size() > most_sweep_entries)
    refuse(fmt::format("{} lands are too many for one figure; at most {} are shown", options.sources.size(),
                       most_sweep_entries));
  if (options.columns != 0 && kind != "sheet")
    refuse(fmt::format("'--columns' only applies to a sheet, not to '{}'", kind));
  if (options.columns < 0 || options.columns > static_cast<int64_t>(most_sweep_entries))
    refuse(fmt::format("a sheet cannot have {} columns", options.columns));
  const bool moves = kind == "turntable" || kind == "timelapse";
  if (options.title && moves) refuse(fmt::format("'{}' takes no '--title'", kind));
  if (!options.captions.empty() && kind != "sheet" && kind != "pair" && kind != "timelapse")
    refuse(fmt::format("'--caption' only applies to figures of several lands, not to '{}'", kind));
  if (!options.rivers.empty() && kind != "map" && kind != "atlas")
    refuse(fmt::format("'--rivers' only applies to a map or an atlas, not to '{}'", kind));
  if (!options.along.empty() && kind != "turntable")
    refuse(fmt::format("'--along' only applies to a turntable, not to '{}'", kind));
  if (options.sea_level && !std::isfinite(*options.sea_level)) refuse("the sea level must be a finite number");
  check_figure_name(options.output, kind);
  check_writable(options.output);
}

template <class... Params>
ParamTable tables_of() {
  ParamTable all;
  const auto add = [&](const ParamTable& table) {
    for (const Field& field : table.fields)
      if (all.find(field.name) < 0) all.fields.push_back(field);
  };
  const auto describe_one = [&]<class P>(Fields<P> fields) {
    describe(fields);
    add(fields.table());
  };
  (describe_one(Fields<Params>()), ...);
  return all;
}

/// What the words of such a figure may be about, the recipe aside.
ParamTable drawn_by(const std::string& kind) {
  if (kind == "sheet" || kind == "pair") return tables_of<PictureParams>();
  if (kind == "turntable") return tables_of<TurntableParams, PictureParams>();
  if (kind == "timelapse") return tables_of<TimelapseParams, PictureParams>();
  return tables_of<FigureParams>();
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& kinds_of_figures() {
  static const std::vector<std::pair<std::string, std::string>> kinds{
      {"map", "a layer from above, with scale, north and colour bar"},
      {"atlas", "a sheet for the wall: relief, watersheds, lakes and rivers"},
      {"section", "a cut through the land and its layers, or through rock"},
      {"wireframe", "the land as a wireframe of lines"},
      {"profile", "heights along a line"},
      {"histogram", "how often each value occurs"},
      {"hypsometry", "how much of the land lies above which height"},
      {"slope_area", "the slopes of channels by the area that they drain"},
      {"long_profile", "the largest rivers from mouth to head"},
      {"chi", "the same over chi, which makes rivers in balance straight"},
      {"skyline", "lines as mountains against the sky"},
      {"survey", "a cave's passages in plan and in extended elevation"},
      {"sheet", "pictures of several lands, or of a sweep, with captions"},
      {"pair", "two lands from one camera, side by side"},
      {"turntable", "the land from all sides, animated (.webp)"},
      {"timelapse", "several lands one after the other, from one camera, animated (.webp)"}};
  return kinds;
}

void figure(const FigureOptions& asked, const Invocation& call) {
  check_options(asked);
  FigureOptions options = asked;
  part_words(options.changes.set, options.look, options.sources, drawn_by(options.kind));
  options.changes.set.insert(options.changes.set.end(), options.with.begin(), options.with.end());
  const std::string& kind = options.kind;
  Ordered told = kind == "sheet" || kind == "pair" ? write_sheet(options, call)
                 : kind == "timelapse"             ? write_lapse(options, call)
                                                   : write_one(options, call);
  call.progress.end();
  Ordered object = {{"path", options.output}, {"bytes", file_size(options.output)}, {"kind", kind}};
  object.update(told);
  if (call.json) {
    print_json(object);
    return;
  }
  if (object.contains("rows")) {
    report(call, fmt::format("wrote {} ({} rows)\n", readable(options.output), object["rows"].get<size_t>()));
    return;
  }
  const bool frames = object.contains("frames");
  report(call, fmt::format("wrote {} ({} x {}{}, {})\n", readable(options.output), object["width"].get<int64_t>(),
                           object["height"].get<int64_t>(),
                           frames ? fmt::format(", {} frames", object["frames"].get<int>()) : "",
                           size_text(object["bytes"].get<size_t>())));
}

}  // namespace tepui::app
