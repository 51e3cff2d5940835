// info, compare, render: look at land that exists.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/tepui/commands.h"
#include "apps/tepui/land.h"
#include "apps/tepui/progress.h"
#include "apps/tepui/value_info.h"
#include "apps/tepui/words.h"
#include "tepui/core/version.h"
#include "tepui/io/export.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/inspect.h"
#include "tepui/io/mesh/mesh_file.h"
#include "tepui/io/raster/place_land.h"
#include "tepui/render/picture/picture_file.h"
#include "tepui/terrain/statistics.h"

namespace tepui::app {

namespace {

/// Lists with a line for each entry, and what such a line begins with.
const std::map<std::string, std::string> row_names{
    {"details", "layer"}, {"layers", "layer"}, {"rocks", "rock"}, {"attributes", "attribute"}};

/// One line a key, a list a line for each entry.
void print_plainly(const Ordered& object) {
  for (const auto& [key, value] : object.items()) {
    if (object.contains("details") && key == "layers") continue;
    const auto named = row_names.find(key);
    const bool rows = named != row_names.end() && value.is_array();
    for (const Ordered& row : rows ? value : Ordered::array({value}))
      fmt::print("{:<20} {}\n", rows ? named->second : key,
                 readable(row.is_string() ? row.get<std::string>() : row.dump(), std::string::npos));
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
  if (!options.size.empty()) words.push_back(size_word(options.size));
  if (!options.camera.empty()) words.push_back("camera=" + options.camera);
  if (!options.colour.empty()) words.push_back("colour=" + options.colour);
  if (!options.samples.empty()) words.push_back("samples=" + options.samples);
  if (options.draft) words.push_back("draft=true");
  return params_from_words<PictureParams>(words, "a picture");
}

}  // namespace

void info(const LandFile& land, const Session& session) {
  const std::string& file = land.name;
  const bool mesh = !is_node_spec(file) && is_mesh_ending(file_ending(file));
  if (mesh && !land.how.empty()) refuse("'--in' is for land, not for a mesh");
  // As stored; as read, where the caller says how.
  if (is_node_spec(file) || !land.how.empty() || is_recipe(file))
    print_object(describe_value(load_value(file, land.how, session).value, session.context), session);
  else
    print_object(Ordered::parse(info_json(inspect(file, session.context))), session);
}

void compare(const LandFile& file, const std::string& b, const Session& session) {
  const std::string& a = file.name;
  const Terrain first = load_land(a, file.how, session), second = load_land(b, file.how, session);
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
  if (options.sea_level && !std::isfinite(*options.sea_level)) refuse("the sea level must be a finite number");
  const PictureParams params = picture_params(options);
  check_picture_name(options.output, params);
  const std::vector<std::string> files = picture_files(options.output, params);
  for (const std::string& name : files) check_writable(name);
  const std::string& file = options.file.name;
  const bool is_mesh = !is_node_spec(file) && is_mesh_ending(file_ending(file));
  if (is_mesh && !options.file.how.empty()) refuse("'--in' is for land, not for a mesh");
  PngText text{{"Software", std::string("Tepui ") + version}};
  const auto draw = [&] {
    if (is_mesh) {
      const Mesh mesh = read_mesh(file, session.context);
      session.progress.begin({"picture"});
      return draw_picture(mesh, params, options.sea_level, session.context);
    }
    LoadedValue loaded = load_value(file, options.file.how, session);
    if (!value_kind(loaded.value).pictured) land_of(loaded.value, file);
    text.insert(loaded.text.begin(), loaded.text.end());
    if (options.sea_level) loaded.around.sea_level = options.sea_level;
    session.progress.begin({"picture"});
    return picture_value(loaded.value, params, loaded.around, session.context);
  };
  const Picture picture = draw();
  write_picture(options.output, picture, params, text, session.context);
  session.progress.end();
  if (session.json)
    print_json(Ordered{{"path", options.output}, {"width", picture.image.width}, {"height", picture.image.height}});
  else
    for (const std::string& name : files)
      fmt::print("wrote {} ({} x {})\n", name, picture.image.width, picture.image.height);
}

}  // namespace tepui::app
