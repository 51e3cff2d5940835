// info, compare, render: look at land that exists.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tepui/commands.h"
#include "apps/tepui/land.h"
#include "apps/tepui/progress.h"
#include "tepui/core/version.h"
#include "tepui/io/inspect.h"
#include "tepui/io/png.h"
#include "tepui/recipe/param_json.h"
#include "tepui/render/picture.h"
#include "tepui/terrain/statistics.h"

namespace tepui::app {

namespace {

using Ordered = nlohmann::ordered_json;

/// A land in memory, told as a file would be.
Ordered describe_land(const Terrain& land, const Context& context) {
  const LayerStatistics s = statistics(main_layer(land).grid(), context);
  Ordered layers = Ordered::array(), details = Ordered::array();
  for (const Layer& layer : land.layers()) {
    layers.push_back(layer.name);
    const LayerStatistics l = statistics(layer.grid(), context);
    details.push_back({{"name", layer.name},
                       {"kind", layer_kind_name(layer.kind)},
                       {"unit", layer.unit},
                       {"min", l.min},
                       {"max", l.max},
                       {"mean", l.mean}});
  }
  const Frame& frame = land.frame();
  return {{"kind", "terrain"},
          {"width", frame.width},
          {"height", frame.height},
          {"cell", {frame.cell.x, frame.cell.y}},
          {"min", s.min},
          {"max", s.max},
          {"mean", s.mean},
          {"nodata_cells", 0},
          {"crs", frame.geo ? frame.geo->crs : ""},
          {"registration", "point"},
          {"relief", {land.relief().base, land.relief().top}},
          {"layers", layers},
          {"details", details}};
}

/// One line a key, a list a line for each entry.
void print_plainly(const Ordered& object) {
  for (const auto& [key, value] : object.items()) {
    const bool rows = key == "details" || key == "layers";
    if (rows && object.contains("details") && key == "layers") continue;
    for (const Ordered& row : rows ? value : Ordered::array({value}))
      fmt::print("{:<20} {}\n", rows ? "layer" : key, row.is_string() ? row.get<std::string>() : row.dump());
  }
}

void print_object(const Ordered& object, const Session& session) {
  if (session.json)
    print_json(object);
  else
    print_plainly(object);
}

/// The picture's parameters from "name=value" words, as a recipe's "render" would hold them.
PictureParams picture_params(const RenderOptions& options) {
  std::vector<std::string> words = options.settings;
  if (!options.size.empty()) {
    std::string size = options.size;
    if (const size_t cross = size.find('x'); cross != std::string::npos) size[cross] = ',';
    words.push_back("size=" + size);
  }
  Json object = json_object({});
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) refuse(fmt::format("'{}' is not name=value", word));
    object.members.push_back({word.substr(0, equals), {}, json_string(word.substr(equals + 1), {})});
  }
  Fields<PictureParams> fields;
  describe(fields);
  return fields.make(params_from_json(fields.table(), object, "a picture"));
}

}  // namespace

void info(const std::string& file, const Session& session) {
  if (file.ends_with(".json") && std::filesystem::is_regular_file(file)) {
    std::vector<std::string> nodes;
    for (const Node& node : load_recipe(file).nodes) nodes.push_back(node.name);
    refuse(fmt::format("'{}' is a recipe, not land", file),
           fmt::format("look at one of its nodes: {}#{}", file, fmt::join(nodes, ", #")));
  }
  if (is_node_spec(file))
    print_object(describe_land(load_land(file, session), session.context), session);
  else
    print_object(Ordered::parse(info_json(inspect(file, session.context))), session);
}

void compare(const std::string& a, const std::string& b, const Session& session) {
  const Terrain first = load_land(a, session), second = load_land(b, session);
  const Grid<float>& grid_a = main_layer(first).grid();
  const Grid<float>& grid_b = main_layer(second).grid();
  if (grid_a.width() != grid_b.width() || grid_a.height() != grid_b.height())
    refuse(fmt::format("'{}' has {} x {} samples and '{}' {} x {}", a, grid_a.width(), grid_a.height(), b,
                       grid_b.width(), grid_b.height()),
           "bring one to the other's size with 'resample'");
  const Comparison c = tepui::compare(grid_a, grid_b, session.context);
  print_object({{"equal", c.equal},
                {"same_frame", first.frame() == second.frame()},
                {"max_abs", c.max_abs},
                {"rmse", c.rmse},
                {"mean", c.mean}},
               session);
}

void render(const RenderOptions& options, const Session& session) {
  if (!options.output.ends_with(".png")) refuse("a picture's name must end in .png");
  if (options.sea_level && !std::isfinite(*options.sea_level)) refuse("the sea level must be a finite number");
  const PictureParams params = picture_params(options);
  Terrain land = load_land(options.file, session);
  session.progress.begin({"picture"});
  const Image image = draw_picture(land, params, options.sea_level, session.context);
  write_png(options.output, image, {{"Software", std::string("Tepui ") + version}}, session.context);
  session.progress.end();
  if (session.json)
    print_json(Ordered{{"path", options.output}, {"width", image.width}, {"height", image.height}});
  else
    fmt::print("wrote {} ({} x {})\n", options.output, image.width, image.height);
}

}  // namespace tepui::app
