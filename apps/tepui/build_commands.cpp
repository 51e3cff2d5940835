// run, make, check: a recipe or a line becomes land and files.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "apps/tepui/build_commands.h"
#include "apps/tepui/failure.h"
#include "apps/tepui/land.h"
#include "apps/tepui/progress.h"
#include "apps/tepui/words.h"
#include "tepui/io/tiles.h"
#include "tepui/output/line_document.h"

namespace tepui::app {

Ordered build_json(const Plan& recipe, const Build& built) {
  Ordered nodes = Ordered::array(), outputs = Ordered::array();
  for (const NodeReport& node : built.nodes) {
    nodes.push_back({{"name", node.name},
                     {"op", node.op},
                     {"seconds", node.seconds},
                     {"bytes", node.bytes},
                     {"hash", node.hash.text()},
                     {"cached", node.cached}});
    // Land that was computed in windows has no hash.
    if (node.hash == Hash()) nodes.back().erase("hash");
    if (node.windows > 0) nodes.back()["windows"] = node.windows;
    for (const ToldNumber& told : node.told) nodes.back()["told"][told.name] = told.value;
  }
  for (const BuiltFile& file : built.files)
    outputs.push_back(
        {{"path", file.path}, {"bytes", file.record.bytes}, {"hash", file.record.hash.text()}, {"kept", file.kept}});
  return {{"seed", recipe.seed}, {"nodes", nodes}, {"outputs", outputs}, {"seconds", built.seconds}};
}

namespace {

void print_files(const Build& built) {
  size_t widest = 0;
  for (const BuiltFile& file : built.files) widest = std::max(widest, file.path.size());
  for (const BuiltFile& file : built.files)
    fmt::print("  {:<{}}  {:>9}  {}{}\n", readable(file.path), widest, size_text(file.record.bytes), file.record.format,
               file.kept ? ", unchanged" : "");
}

/// "life: drift 0, shed 1234 m3", a line for each node that told something; stages on the way are left out.
void print_told(const Build& built) {
  for (const NodeReport& node : built.nodes) {
    if (node.name.find('@') != std::string::npos) continue;
    std::vector<std::string> words;
    for (const ToldNumber& told : node.told)
      words.push_back(fmt::format("{} {:.6g}{}{}", told.name, told.value, told.unit.empty() ? "" : " ", told.unit));
    if (!words.empty()) fmt::print("  {}: {}\n", node.name, fmt::join(words, ", "));
  }
}

/// What happened to the files, for the line above their list.
const char* files_word(const Build& built) {
  const auto kept = std::ranges::count(built.files, true, &BuiltFile::kept);
  return kept == 0 ? "wrote" : kept == std::ssize(built.files) ? "up to date" : "wrote or kept";
}

/// Whether it can only be a length of the world: one number, or with a unit. Pixels are WxH.
bool is_world_size(const std::string& size) {
  return size.find('x') == std::string::npos || size.find('m') != std::string::npos;
}

/// The world's sides; '--size' was their name before '--world'.
std::string world_size(const MakeOptions& options) {
  if (options.size.empty() || !is_world_size(options.size)) return options.world;
  if (!options.world.empty())
    refuse(fmt::format("'--size {}' and '--world {}' both set the size of the world", options.size, options.world),
           "a picture's size is WxH pixels: --size 640x360");
  return options.size;
}

/// The words of the picture, as a recipe's "render" would hold them.
std::vector<std::string> picture_words(const MakeOptions& options, bool drawn) {
  std::vector<std::string> words = options.look;
  if (!options.camera.empty()) words.push_back("camera=" + options.camera);
  if (!options.biome.empty()) words.push_back("biome=" + options.biome);
  if (!options.samples.empty()) words.push_back("samples=" + options.samples);
  if (!options.size.empty() && !is_world_size(options.size)) words.push_back(size_word(options.size));
  if (!words.empty() && !drawn)
    refuse(fmt::format("'{}' is an option of the picture, and none is drawn", words.front()),
           "add --picture FILE; to set the size of the world, use --world, for example --world 4kmx2km");
  return words;
}

void print_next_steps(const Plan& recipe, const RunOptions& options, const Build& built, const std::string& program) {
  std::string raster;
  for (const BuiltFile& file : built.files)
    if (raster.empty() && file.record.format == "GeoTIFF" && file.record.layers.front() == "height") raster = file.path;
  fmt::print("\nTry next:\n  {} run {} -o {} --seed {}\n", program, shell_word(options.recipe),
             shell_word(options.folder), recipe.seed < INT64_MAX ? recipe.seed + 1 : 1);
  if (!raster.empty()) fmt::print("  {} render {} -o map.png --camera top\n", program, shell_word(raster));
  if (!recipe.nodes.empty()) fmt::print("  {} explain {}\n", program, recipe.nodes.back().op->name);
}

}  // namespace

Plan open_recipe(const RunOptions& options) { return load_recipe_or_preset(options.recipe, overrides_of(options)); }

Plan open_recipe_to_run(const RunOptions& options) {
  Plan recipe = open_recipe(options);
  if (recipe.outputs.empty())
    refuse("this recipe has no \"outputs\", so there is nothing to write",
           "to inspect a node, use 'tepui info RECIPE#node'");
  return recipe;
}

Build build_with_progress(const Plan& recipe, const std::string& folder, const BuildOptions& options, ValueCache& cache,
                          const Invocation& call) {
  for (const std::string& warning : recipe.warnings) call.context.warn(warning);
  call.progress.begin(build_tasks(recipe));
  Build built = build(recipe, folder, options, cache, call.context);
  call.progress.end();
  return built;
}

void print_build(const Plan& recipe, const Build& built) {
  fmt::print("{} in {:.2f} s, seed {}; {}\n", readable(recipe.title.empty() ? recipe.name : recipe.title),
             built.seconds, recipe.seed, files_word(built));
  print_files(built);
  print_told(built);
}

void run(const RunOptions& options, const Invocation& call) {
  if (!options.sweeps.empty()) {
    run_sweep(options, call);
    return;
  }
  if (!options.table.empty()) refuse("'--table' needs '--sweep'", "for example --sweep seed=1..9 --table seeds.csv");
  if (options.watch) {
    watch(options, call);
    return;
  }
  const Plan recipe = open_recipe_to_run(options);
  const std::unique_ptr<DiskCache> disk = open_cache(call.cache);
  ValueCache cache(0, disk.get());  // in memory nothing is asked for twice in one run
  BuildOptions how{options.only, !call.cache.off};
  if (!options.window.empty()) how.window = parse_window(options.window);
  const Build built = build_with_progress(recipe, options.folder, how, cache, call);
  if (call.json) {
    print_json(build_json(recipe, built));
    return;
  }
  if (call.quiet) return;
  print_build(recipe, built);
  print_next_steps(recipe, options, built, call.program);
}

void check(const RunOptions& options, const Invocation& call) {
  Problems problems(Problems::Wanted::all);
  const Plan recipe = load_recipe_or_preset(options.recipe, overrides_of(options), problems);
  if (!problems.empty()) throw FoundProblems{problems.list()};
  const auto stages = std::ranges::count_if(recipe.nodes, [](const Node& node) { return node.whole >= 0; });
  const auto nodes = std::ssize(recipe.nodes) - stages;
  if (call.json) {
    Ordered object = {{"valid", true},
                      {"nodes", nodes},
                      {"stages", stages},
                      {"outputs", recipe.outputs.size()},
                      {"warnings", recipe.warnings}};
    print_json(object);
    return;
  }
  for (const std::string& warning : recipe.warnings) call.context.warn(warning);
  fmt::print("{}: {} nodes{}, {} outputs, {}\n", readable(options.recipe), nodes,
             stages > 0 ? fmt::format(" with {} stages on the way", stages) : "", recipe.outputs.size(),
             recipe.warnings.empty() ? "all good" : fmt::format("{} warnings", recipe.warnings.size()));
}

void make(const MakeOptions& options, const Invocation& call) {
  namespace fs = std::filesystem;
  std::vector<std::string> files = options.outputs;
  std::string picture = options.picture;
  const auto line = std::make_shared<const Source>(Source{"make", options.line});
  if (files.empty() && picture.empty()) picture = line_kind(*line).noun + ".png";
  const fs::path folder = fs::path(files.empty() ? picture : files.front()).parent_path();
  for (const std::string& file : files)
    if (fs::path(file).parent_path() != folder)
      refuse("all outputs of 'make' must be in one folder", "for several folders, use a recipe; --recipe prints one");
  if (!picture.empty() && fs::path(picture).parent_path() != folder)
    refuse("the picture must be in the same folder as the outputs");

  const Json document = line_document(*line, {.outputs = files,
                                              .out = options.out,
                                              .picture = picture,
                                              .look = picture_words(options, !picture.empty()),
                                              .size = world_size(options),
                                              .resolution = options.resolution,
                                              .seed = options.seed});
  if (options.recipe) {
    plan(build_recipe(document, {line}, {}));
    fmt::print("{}\n", json_text(document));
    return;
  }
  Plan recipe = plan(build_recipe(document, {line}, {}));
  recipe.name = fs::path(name_of_all(files.empty() ? picture : files.front())).stem().string();
  const std::unique_ptr<DiskCache> disk = open_cache(call.cache);
  ValueCache cache(0, disk.get());
  const Build built = build_with_progress(recipe, folder.empty() ? "." : folder.string(),
                                          {{}, !call.cache.off, !call.json}, cache, call);
  if (call.json) {
    print_json(build_json(recipe, built));
    return;
  }
  if (call.quiet) return;
  fmt::print("{}", output_kind(built.values.front()).text(built.values.front(), call.context));
  fmt::print("in {:.2f} s, seed {}; {}\n", built.seconds, recipe.seed, files_word(built));
  print_files(built);
  print_told(built);
}

}  // namespace tepui::app
