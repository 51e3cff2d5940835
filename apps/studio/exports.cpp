#include "apps/studio/exports.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "tepui/core/error.h"
#include "tepui/core/file.h"
#include "tepui/graph/evaluate.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/json_input.h"
#include "tepui/output/build.h"
#include "tepui/output/output_kind.h"
#include "tepui/recipe/edit.h"
#include "tepui/volume/volume.h"

namespace tepui::studio {

namespace fs = std::filesystem;

namespace {

constexpr int64_t smallest_export = 2, largest_export = 16385;

struct Target {
  const char *name, *label;
  const char *land, *solid;    ///< endings of the files that it takes
  std::vector<int64_t> sizes;  ///< that it takes; the first ones of any where `any`
  bool any = false;
  bool height_field = false;  ///< its ground is one: a volume of land goes in as land with holes and the parts in them
};

const std::vector<Target>& targets() {
  static const std::vector<Target> all{
      {"unreal", "Unreal Engine", ".png", ".glb", {127, 253, 505, 1009, 2017, 4033, 8129}, false, true},
      {"unity", "Unity", ".raw", ".glb", {33, 65, 129, 257, 513, 1025, 2049, 4097}, false, true},
      {"godot", "Godot", ".r16", ".glb", {257, 513, 1025, 2049, 4097}, true, true},
      {"blender", "Blender", ".glb", ".glb", {257, 513, 1025, 2049, 4097}, true},
      {"gis", "GIS (GeoTIFF)", ".tif", ".glb", {257, 513, 1025, 2049, 4097, 8193}, true}};
  return all;
}

const Target& require_target(const std::string& name) {
  const auto found = std::ranges::find_if(targets(), [&](const Target& target) { return name == target.name; });
  if (found == targets().end()) refuse(fmt::format("there is no target '{}'", name));
  return *found;
}

int64_t legal_size(const Target& target, int64_t size) {
  if (target.any) return std::clamp(size, smallest_export, largest_export);
  return *std::ranges::min_element(target.sizes, {}, [&](int64_t other) { return std::abs(other - size); });
}

/// The recipe's name as that of a file in every system.
std::string file_stem(const std::string& path) {
  std::string stem = fs::path(path).stem().string();
  for (char& c : stem)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_') c = '_';
  return stem.empty() ? "land" : stem.substr(0, 100);
}

void add_numbers(const nlohmann::json& value, const std::string& label, Ordered& numbers) {
  if (value.is_object()) {
    // Sizes are always legal here.
    for (const auto& [key, inner] : value.items())
      if (key != "legal") add_numbers(inner, label.empty() ? key : label + " " + key, numbers);
    return;
  }
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  std::ranges::replace(text, '_', ' ');
  std::string shown = label;
  std::ranges::replace(shown, '_', ' ');
  numbers.push_back({{"label", shown}, {"value", text}});
}

/// What a build's manifest says to type for this target.
Ordered import_numbers(const std::string& manifest, const Target& target) {
  Ordered numbers = Ordered::array();
  const auto json = parse_untrusted_json(read_file(manifest, 16 << 20));
  if (!json || !json->contains("files")) return numbers;
  for (const auto& file : json->at("files")) {
    if (!file.contains("import")) continue;
    for (const auto& [program, values] : file.at("import").items())
      if (program.starts_with(target.name)) add_numbers(values, "", numbers);
  }
  return numbers;
}

/// A file that is written, and the value of its key among the outputs.
struct Output {
  std::string file, from;
};

void add_output(Source& recipe, const Output& output) {
  const std::string value = json_text(json_string(output.from, {}));
  recipe.text = spliced(recipe.text, set_value(recipe, JsonPath{"outputs", output.file}, value));
}

/// A node at the end of the recipe whose only input is another; its name.
std::string add_node(Source& recipe, const Plan& whole, const std::string& op, const std::string& in, double cell) {
  std::string name = op;
  while (whole.find_node(name) >= 0) name += "_";
  const std::string node =
      fmt::format(R"({{ "op": "{}", "in": {}, "cell": {} }})", op, json_text(json_string(in, {})), cell);
  recipe.text = spliced(recipe.text, set_value(recipe, JsonPath{"nodes", name}, node));
  return name;
}

/// Puts what is to be written among the outputs of the recipe.
std::vector<Output> add_outputs(Source& recipe, const Plan& whole, int node, const Target& target, int64_t size,
                                ValueCache& cache, const Context& context) {
  const std::string name = whole.node(node).name, stem = file_stem(recipe.name);
  const Kind& kind = *whole.node(node).op->output;
  const bool is_land = output_kind(kind).as_land != nullptr;
  std::vector<Output> outputs{{stem + (is_land ? target.land : target.solid), name}};
  SurfaceSketch sketch;
  if (const auto as_volume = output_kind(kind).as_volume; target.height_field && as_volume != nullptr) {
    const Evaluation evaluation = evaluate(whole, {node}, cache, context);
    sketch = as_volume(evaluation.values.front()).root().sketch();
  }
  if (sketch.sheet != nullptr) {
    const Vec3 sides = sketch.ground.high - sketch.ground.low;
    const double cell = std::max(sides.x, sides.y) / static_cast<double>(size - 1);
    const std::string ground = add_node(recipe, whole, "land_with_holes", name, cell);
    const std::string parts = add_node(recipe, whole, "hole_parts", name, cell);
    outputs = {{stem + target.land, ground}, {stem + "_holes.png", ground + ".hole"}, {stem + "_parts.glb", parts}};
  }
  for (const Output& output : outputs) add_output(recipe, output);
  return outputs;
}

}  // namespace

Ordered export_targets() {
  Ordered list = Ordered::array();
  for (const Target& target : targets())
    list.push_back({{"name", target.name}, {"label", target.label}, {"sizes", target.sizes}, {"any", target.any}});
  return list;
}

Ordered export_land(const ExportJob& job, ValueCache& cache, const Context& context) {
  const Target& target = require_target(job.target);
  const int64_t size = legal_size(target, job.size);
  Source source = job.recipe;
  const auto now = with_held_lines(plan(parse_recipe(source, {.resolution = size})), job.strokes);
  const Plan& whole = *now;
  const int node = whole.find_node(job.node);
  if (node < 0) refuse(fmt::format("there is no node '{}'", job.node));
  BuildOptions options{.keep = false};
  for (const Output& output : add_outputs(source, whole, node, target, size, cache, context.stage("computing", 0, 0.5)))
    options.only.push_back(output.file);
  const auto last = with_held_lines(plan(parse_recipe(source, {.resolution = size})), job.strokes);
  const std::string folder = (fs::path(job.folder) / "exports" / target.name).string();
  require_inside(job.folder, (fs::path(job.folder) / "exports").string() + "/x");
  ensure_folder(folder);
  require_inside(job.folder, folder + "/x");
  const Build built = build(*last, folder, options, cache, context.stage("writing", 0.5, 1));
  Ordered files = Ordered::array();
  for (const BuiltFile& file : built.files) files.push_back(file_name(file.path));
  return {{"folder", fs::path(folder).lexically_relative(job.folder).string()},
          {"files", files},
          {"size", size},
          {"numbers", import_numbers((fs::path(folder) / (last->name + ".manifest.json")).string(), target)}};
}

std::string one_liner(const Source& recipe, const std::string& node) {
  const Plan whole = plan(parse_recipe(recipe));
  std::vector<std::string> stages;
  std::vector<bool> done(whole.nodes.size(), false);
  int at = whole.find_node(node);
  if (at < 0) refuse(fmt::format("there is no node '{}'", node));
  for (; at >= 0;) {
    const Node& now = whole.node(at);
    std::string stage = now.op->name;
    for (size_t i = 0; i < now.params.size(); ++i)
      if (const Field& field = now.op->params.fields[i]; !(now.params[i] == field.fallback))
        stage += fmt::format(" {}={}", field.name, param_text(field, now.params[i]));
    stages.push_back(std::move(stage));
    int next = -1;
    for (size_t port = 0; port < now.inputs.size(); ++port) {
      if (now.inputs[port].empty()) continue;
      if (port > 0 || now.inputs[port].size() > 1 || !now.inputs[port].front().layer.empty())
        refuse(fmt::format("'{}' takes more than the node before it, which a line cannot say", now.name),
               "copy the recipe's file");
      next = now.inputs[port].front().node;
    }
    at = next;
  }
  std::ranges::reverse(stages);
  const World& world = whole.world;
  std::string line = fmt::format("{}", fmt::join(stages, " | "));
  // In quotes for a shell.
  std::string quoted;
  for (const char c : line) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return fmt::format("tepui make '{}' --world {}x{} --resolution {} --seed {}", quoted, world.size.x, world.size.y,
                     world.resolution, whole.seed);
}

}  // namespace tepui::studio
