// info, compare, render: look at land that exists.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/tepui/commands.h"
#include "apps/tepui/land.h"
#include "apps/tepui/progress.h"
#include "apps/tepui/words.h"
#include "tepui/core/version.h"
#include "tepui/hydrology/drainage_statistics.h"
#include "tepui/io/export.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/raster/place_land.h"
#include "tepui/output/land_output.h"
#include "tepui/output/look.h"
#include "tepui/output/read_value.h"
#include "tepui/render/picture/picture_file.h"
#include "tepui/terrain/land_statistics.h"
#include "tepui/terrain/statistics.h"

namespace tepui::app {

namespace {

/// Lists with a line for each entry, and what such a line begins with.
const std::map<std::string, std::string> row_names{
    {"details", "layer"}, {"layers", "layer"}, {"rocks", "rock"}, {"attributes", "attribute"}};

/// One line a key, a list a line for each entry; what there is nothing to say of is left out.
void print_plainly(const Ordered& object) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_null() || (value.is_array() && value.empty())) continue;
    if (object.contains("details") && key == "layers") continue;
    const auto named = row_names.find(key);
    const bool rows = named != row_names.end() && value.is_array();
    for (const Ordered& row : rows ? value : Ordered::array({value}))
      fmt::print("{:<20} {}\n", rows ? named->second : key,
                 readable(row.is_string() ? row.get<std::string>() : row.dump(), std::string::npos));
  }
}

void print_object(const Ordered& object, const Invocation& call) {
  if (call.json)
    print_json(object);
  else
    print_plainly(object);
}

/// The picture's parameters from "name=value" words, as a recipe's "render" would hold them.
PictureParams picture_params(const RenderOptions& options) {
  std::vector<std::string> words = options.look;
  if (!options.size.empty()) words.push_back(size_word(options.size));
  if (!options.camera.empty()) words.push_back("camera=" + options.camera);
  if (!options.colour.empty()) words.push_back("colour=" + options.colour);
  if (!options.samples.empty()) words.push_back("samples=" + options.samples);
  if (options.draft) words.push_back("draft=true");
  const Fields<PictureParams>& fields = fields_of<PictureParams>();
  const Json whole = with_look(object_from_words(words), look_of_file(options.file), fields.table());
  return fields.make(params_from_json(fields.table(), whole, "a picture"));
}

/// Something to look at while the picture itself takes its time: small, and soon there under the picture's name.
void write_first_draft(const RenderOptions& options, const LoadedValue& loaded, PictureParams params,
                       const Context& context) {
  constexpr double width = 400, height = 225;
  params.draft = true;
  params.samples = std::min(params.samples, 2);
  params.linear = false;
  if (params.camera == Camera::top)
    params.size = Vec2{width, 0};
  else if (const Vec2 size = params.wanted_size(); size.x > 0 && size.y > 0)
    params.size = Vec2{std::max(1.0, std::round(width)), std::max(1.0, std::round(width * size.y / size.x))};
  else
    params.size = Vec2{width, height};
  const Picture draft = output_kind(loaded.value).picture(loaded.value, params, loaded.around, context);
  write_picture(options.output, draft, params, loaded.text, context);
}

}  // namespace

void info(const LandFile& land, const InfoOptions& options, const Invocation& call) {
  const std::string& file = land.name;
  if (options.csv && call.json) refuse("an answer is either JSON or CSV", "leave out --json or --csv");
  const bool stored = !is_node_spec(file) && !is_recipe(file);
  if (stored) require_unchanged(land);
  Value value;
  if (!stored || options.statistics || options.csv) value = load_value(land, call).value;
  std::vector<LandNumber> numbers;
  if (options.statistics || options.csv) {
    const Terrain& shape = land_of(value, file);
    numbers = land_statistics(shape, call.context);
    if (shape.find("height") != nullptr)
      for (LandNumber& n : drainage_statistics(shape, {}, {}, call.context)) numbers.push_back(std::move(n));
  }
  if (options.csv) {
    fmt::print("name,value,unit\n");
    for (const LandNumber& n : numbers) fmt::print("{},{:.9g},{}\n", n.name, n.value, n.unit);
    return;
  }
  Ordered told =
      Ordered::parse(stored ? file_info(file, land.how, call.context) : output_kind(value).info(value, call.context));
  for (const LandNumber& n : numbers)
    if (call.json)
      told["statistics"][n.name] = n.value;
    else
      told[n.name] = fmt::format("{:.6g}{}{}", n.value, n.unit.empty() ? "" : " ", n.unit);
  if (!stored) told["hash"] = value.hash().text();
  print_object(told, call);
}

void compare(const LandFile& file, const std::string& b, const Invocation& call) {
  const std::string& a = file.name;
  LandFile of_a = file, of_b = file;
  of_b.name = b;
  // What is said of files and of recipes is for those of the two that are some.
  if (is_node_spec(a) || is_node_spec(b))
    for (LandFile* one : {&of_a, &of_b}) (is_node_spec(one->name) ? one->how.clear() : void(one->changes = {}));
  const Terrain first = load_land(of_a, call), second = load_land(of_b, call);
  const Grid<float>& grid_a = main_layer(first).grid();
  const Grid<float>& grid_b = main_layer(second).grid();
  if (grid_a.width() != grid_b.width() || grid_a.height() != grid_b.height())
    refuse(fmt::format("'{}' has {} x {} samples and '{}' {} x {}", a, grid_a.width(), grid_a.height(), b,
                       grid_b.width(), grid_b.height()),
           "bring one to the other's size with 'resample'");
  const Comparison c = tepui::compare(grid_a, grid_b, call.context);
  print_object({{"equal", c.equal},
                {"same_frame", first.frame() == second.frame()},
                {"max_abs", c.max_abs},
                {"rmse", c.rmse},
                {"mean", c.mean}},
               call);
}

void render(const RenderOptions& asked, const Invocation& call) {
  RenderOptions options = asked;
  part_words(options.file.changes.set, options.look, {options.file.name}, fields_of<PictureParams>().table());
  if (options.sea_level && !std::isfinite(*options.sea_level)) refuse("the sea level must be a finite number");
  const PictureParams params = picture_params(options);
  check_picture_name(options.output, params);
  const std::vector<std::string> files = picture_files(options.output, params);
  for (const std::string& name : files) check_writable(name);
  const std::string& file = options.file.name;
  LoadedValue loaded = load_value(options.file, call);
  if (!output_kind(loaded.value).is_pictured()) land_of(loaded.value, file);
  if (options.sea_level) loaded.around.sea_level = options.sea_level;
  loaded.around.along = lines_of({options.along, "--along", file}, options.file.changes, call);
  if (loaded.around.along && !output_kind(loaded.value).walked_through)
    refuse("'--along' only applies to a volume", "leave it out");
  for (const std::string& points : options.scatter)
    if (auto lines = lines_of({points, "--scatter", file}, options.file.changes, call))
      loaded.around.scatter.push_back(std::move(*lines));
  call.progress.begin({"picture"});
  if (!params.draft && !call.json && !call.quiet) {
    write_first_draft(options, loaded, params, call.context.told_to(nullptr));
    tell(fmt::format("{} holds a draft until the final picture is done\n", options.output));
  }
  const Picture picture = output_kind(loaded.value).picture(loaded.value, params, loaded.around, call.context);
  write_picture(options.output, picture, params, loaded.text, call.context);
  call.progress.end();
  if (call.json)
    print_json(Ordered{{"path", options.output}, {"width", picture.image.width}, {"height", picture.image.height}});
  else
    for (const std::string& name : files)
      report(call, fmt::format("wrote {} ({} x {})\n", readable(name), picture.image.width, picture.image.height));
}

}  // namespace tepui::app
