#include "tepui/recipe/build.h"

#include <fmt/format.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "tepui/core/version.h"
#include "tepui/io/atomic_file.h"
#include "tepui/io/manifest.h"

namespace tepui {

namespace {

constexpr int texture_side = 2048;

std::vector<const Output*> choose(const Recipe& recipe, const std::vector<std::string>& only) {
  std::vector<const Output*> chosen;
  std::vector<std::string> known;
  for (const Output& output : recipe.outputs) {
    known.push_back(output.name);
    if (only.empty() || std::ranges::find(only, output.name) != only.end()) chosen.push_back(&output);
  }
  for (const std::string& name : only)
    if (std::ranges::find(known, name) == known.end())
      refuse(fmt::format("the recipe has no output '{}'", name), suggest_name(name, known));
  return chosen;
}

/// Does the work; an error in it that has no place gets the output's.
void at_output(const Output& output, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    throw error.at(output.at.text());
  }
}

/// Outputs report their progress after the nodes.
int output_task(const Recipe& recipe, const Output& output) {
  return static_cast<int>(recipe.nodes.size()) + static_cast<int>(&output - recipe.outputs.data());
}

PngText png_text(const Recipe& recipe) {
  return {{"Software", std::string("Tepui ") + version},
          {"Recipe", recipe.hash.text()},
          {"Seed", std::to_string(recipe.seed)}};
}

ExportRequest request_of(const Recipe& recipe, const Output& output, const std::string& path) {
  return {.path = path, .layers = output.layers, .range = output.range, .text = png_text(recipe)};
}

FileRecord write_output(const Recipe& recipe, const Output& output, const Terrain& land, const std::string& path,
                        const Context& context) {
  if (output.render) {
    write_png(path, draw_picture(land, *output.render, recipe.world.sea_level, context.stage("drawing", 0, 0.9)),
              png_text(recipe), context.stage("writing", 0.9, 1));
    return record_file(path, "picture");
  }
  ExportRequest request = request_of(recipe, output, path);
  if (file_ending(path) != ".glb") return export_terrain(land, request, context.stage("writing", 0, 1));
  const Image texture = relief_texture(land, recipe.world.sea_level, texture_side, context.stage("colours", 0, 0.6));
  request.texture = &texture;
  return export_terrain(land, request, context.stage("writing", 0.6, 1));
}

ManifestInfo manifest_of(const Recipe& recipe, const std::vector<const Output*>& outputs, const Build& built,
                         const Context& context) {
  ManifestInfo info;
  info.version = version;
  info.title = recipe.title;
  info.recipe = recipe.name;
  info.seed = recipe.seed;
  info.recipe_hash = recipe.hash;
  info.sea_level = recipe.world.sea_level;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Terrain& land = std::get<Terrain>(built.values[i]);
    if (i == 0) {
      info.world = land.frame();
      info.relief = land.relief();
    }
    const std::string& name = recipe.nodes[static_cast<size_t>(outputs[i]->from.node)].name;
    const auto told = std::ranges::find(info.lands, name, &ManifestLand::name);
    if (told != info.lands.end() || land.find("height") == nullptr) continue;
    info.lands.push_back(manifest_land(name, land, context));
  }
  for (const BuiltFile& file : built.files) info.files.push_back(file.record);
  return info;
}

}  // namespace

std::vector<std::string> build_tasks(const Recipe& recipe) {
  std::vector<std::string> names;
  for (const Node& node : recipe.nodes) names.push_back(node.name);
  for (const Output& output : recipe.outputs) names.push_back(output.name);
  return names;
}

Build build(const Recipe& recipe, const std::string& folder, const std::vector<std::string>& only, ValueCache& cache,
            const Context& context) {
  namespace fs = std::filesystem;
  const auto began = std::chrono::steady_clock::now();
  const std::vector<const Output*> outputs = choose(recipe, only);
  std::vector<int> wanted;
  for (const Output* output : outputs) wanted.push_back(output->from.node);
  ensure_folder(folder);

  Evaluation evaluation = evaluate(recipe, wanted, cache, context);
  Build built;
  built.nodes = std::move(evaluation.nodes);
  built.values = std::move(evaluation.values);

  std::vector<BuiltFile> files(outputs.size());
  std::vector<Terrain> lands;
  for (size_t i = 0; i < outputs.size(); ++i)
    at_output(*outputs[i], [&] {
      files[i].path = (fs::path(folder) / outputs[i]->name).string();
      lands.push_back(std::get<Terrain>(select(built.values[i], outputs[i]->from)));
      if (!outputs[i]->render) check_export(lands[i], request_of(recipe, *outputs[i], files[i].path));
    });
  tbb::task_group group;
  for (size_t i = 0; i < outputs.size(); ++i)
    group.run([&, i] {
      const Output& output = *outputs[i];
      const Context task = context.task(output_task(recipe, output));
      at_output(output, [&] {
        ensure_folder(fs::path(files[i].path).parent_path().string());
        files[i].record = write_output(recipe, output, lands[i], files[i].path, task);
        files[i].record.name = output.name;
      });
      task.progress(1);
    });
  group.wait();
  context.check();
  built.files = std::move(files);
  const std::string manifest = (fs::path(folder) / (recipe.name + ".manifest.json")).string();
  ManifestInfo info = manifest_of(recipe, outputs, built, context);
  // A build of some outputs keeps what the manifest says of the others, while they are still the files it means.
  std::vector<std::string> replaced;
  for (const Output* output : outputs) replaced.push_back(output->name);
  if (!only.empty())
    for (FileRecord& record : kept_records(manifest, replaced)) info.files.push_back(std::move(record));
  write_manifest(manifest, info);
  built.files.push_back({manifest, record_file(manifest, "manifest")});
  built.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return built;
}

}  // namespace tepui
