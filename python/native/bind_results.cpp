// What leaves: pictures, files, recipes.
#include "python/native/bind.h"
#include "python/native/convert.h"
#include "python/native/job.h"
#include "python/native/saved.h"
#include "tepui/core/error.h"
#include "tepui/graph/graph_checks.h"
#include "tepui/io/raster/png.h"
#include "tepui/output/build.h"
#include "tepui/output/figure_json.h"
#include "tepui/output/output_json.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/read_value.h"
#include "tepui/output/recipe_source.h"
#include "tepui/recipe/one_liner.h"
#include "tepui/recipe/presets.h"
#include "tepui/recipe/sweep.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui::python {

namespace py = pybind11;

namespace {

Frame frame_of(const DeferredWorld& world) {
  if (!world.from) return world.world.frame();
  if (world.from->value().empty()) {
    const std::shared_ptr<ValueCache> store = cache();
    work([&](const Context& context) { compute({world.from}, *store, context); });
  }
  return get<Terrain>(world.from->value()).frame();
}

/// What is around a value: {"sea_level", "world", "rock", "rivers", "along", "scatter"}, any of them missing.
Setting setting_of(const py::dict& given) {
  Setting around{};
  around.world = given.contains("world") ? frame_of(*given["world"].cast<WorldHandle>().world) : World().frame();
  if (given.contains("sea_level")) around.sea_level = given["sea_level"].cast<double>();
  if (given.contains("rock")) around.rock = rock_of(given["rock"].cast<Value>());
  if (given.contains("rivers")) around.rivers = get<Lines>(given["rivers"].cast<Value>());
  if (given.contains("along")) around.along = get<Lines>(given["along"].cast<Value>());
  if (given.contains("scatter"))
    for (const Value& points : given["scatter"].cast<std::vector<Value>>())
      around.scatter.push_back(get<Lines>(points));
  return around;
}

/// A picture in sun and sky, or of a value that none shows, its usual figure.
Value draw(const Value& value, const py::dict& params, const py::dict& around) {
  const PictureParams picture = picture_from_json(json_of(params, "render"), {});
  const Setting setting = setting_of(around);
  Image image;
  work([&](const Context& context) { image = draw_value(value, picture, setting, context); });
  return image;
}

/// A figure of one picture.
Value figure(const Value& value, const py::dict& params, const py::dict& around) {
  const bool moves = params.contains("kind") && std::string(py::str(params["kind"])) == "turntable";
  if (moves) refuse("a turntable moves, and is no image", "draw a picture: render()");
  const ValueFigure wanted = figure_from_json(json_of(params, "figure"), "a.png", value.kind());
  const Setting setting = setting_of(around);
  Image image;
  work([&](const Context& context) {
    image = output_kind(value).draw(value, std::get<FigureParams>(wanted), setting, context).raster();
  });
  return image;
}

py::bytes png_of(const Value& image) {
  std::string bytes;
  work([&](const Context& context) { bytes = encode_png(get<Image>(image), get<Image>(image).text, context); });
  return bytes;
}

py::dict record_dict(const FileRecord& record) {
  py::dict dict;
  dict["name"] = record.name;
  dict["format"] = record.format;
  dict["bytes"] = record.bytes;
  dict["hash"] = record.hash.text();
  return dict;
}

py::list save(const Value& value, const std::string& path, const std::vector<std::string>& layers,
              const py::dict& options, const py::dict& around) {
  check_value_file(path, value.kind(), "the value");
  ExportRequest request;
  request.path = path;
  request.layers = layers;
  request.options = output_options(json_of(options, "options"), path, value.kind());
  const Setting setting = setting_of(around);
  std::vector<FileRecord> records;
  work([&](const Context& context) { records = write_value(value, request, setting, context); });
  py::list list;
  for (const FileRecord& record : records) list.append(record_dict(record));
  return list;
}

Value open_file(const std::string& path, const py::dict& how) {
  std::vector<std::string> words;
  for (const auto& [key, value] : how) words.push_back(std::string(py::str(key)) + "=" + std::string(py::str(value)));
  Value value;
  work([&](const Context& context) { value = read_value(path, words, context); });
  return value;
}

/// A recipe that was read, and its nodes.
struct RecipeHandle {
  std::shared_ptr<const Plan> plan;
  std::vector<DeferredPointer> nodes;
};

RecipeHandle load(const std::string& path, std::optional<uint64_t> seed, std::optional<int64_t> resolution,
                  const std::vector<std::string>& set, bool test_size) {
  const Overrides overrides{seed, resolution, set, test_size};
  auto read = std::make_shared<const Plan>(plan(parse_recipe(recipe_source(path), overrides)));
  return {read, deferred_nodes(*read)};
}

/// The recipe that `tepui make` runs for a line of operators.
RecipeHandle make(const std::string& line, const std::string& size, std::optional<int64_t> resolution, int64_t seed) {
  const auto source = std::make_shared<const Source>(Source{"make", line});
  Json document = parse_one_liner(*source, {size, resolution, seed});
  auto read = std::make_shared<const Plan>(plan(build_recipe(std::move(document), {source}, {})));
  return {read, deferred_nodes(*read)};
}

NodeHandle node_of(const RecipeHandle& recipe, const std::string& name) {
  const Reference reference = recipe.plan->reference(name);
  check_layer(*recipe.plan, reference);
  return {recipe.nodes[static_cast<size_t>(reference.node)], reference.layer};
}

py::list node_names(const RecipeHandle& recipe) {
  py::list names;
  for (const Node& node : recipe.plan->nodes)
    if (node.whole < 0) names.append(node.name);
  return names;
}

py::dict about(const RecipeHandle& recipe) {
  py::dict dict;
  dict["name"] = recipe.plan->name;
  dict["title"] = recipe.plan->title;
  dict["seed"] = recipe.plan->seed;
  dict["hash"] = recipe.plan->hash.text();
  dict["warnings"] = recipe.plan->warnings;
  py::list outputs;
  for (const Output& output : recipe.plan->outputs) outputs.append(output.name);
  dict["outputs"] = outputs;
  return dict;
}

py::dict run(const RecipeHandle& recipe, const std::string& folder, const std::vector<std::string>& only) {
  const std::shared_ptr<ValueCache> store = cache();
  Build built;
  work([&](const Context& context) {
    built = build(*recipe.plan, folder, {.only = only, .keep = true, .values = true}, *store, context);
  });
  py::list nodes, files, values;
  for (const NodeReport& node : built.nodes) {
    py::dict dict, told;
    dict["name"] = node.name;
    dict["op"] = node.op;
    dict["seconds"] = node.seconds;
    dict["bytes"] = node.bytes;
    dict["hash"] = node.hash.text();
    dict["cached"] = node.cached;
    for (const ToldNumber& number : node.told) told[py::str(number.name)] = number.value;
    dict["told"] = told;
    nodes.append(dict);
  }
  for (const BuiltFile& file : built.files) {
    py::dict dict = record_dict(file.record);
    dict["path"] = file.path;
    dict["kept"] = file.kept;
    files.append(dict);
  }
  for (const Value& value : built.values) values.append(py::cast(value));
  py::dict dict;
  dict["seed"] = recipe.plan->seed;
  dict["seconds"] = built.seconds;
  dict["nodes"] = nodes;
  dict["files"] = files;
  dict["values"] = values;
  return dict;
}

/// [(seed or None, resolution or None, [name=value], [value], name)], all combinations.
py::list sweep(const std::vector<std::string>& texts) {
  std::vector<Sweep> sweeps;
  for (const std::string& text : texts) sweeps.push_back(parse_sweep(text));
  py::list runs;
  for (const SweepRun& run : sweep_runs(sweeps))
    runs.append(py::make_tuple(run.overrides.seed, run.overrides.resolution, run.overrides.set, run.values, run.name));
  py::list names;
  for (const Sweep& one : sweeps) names.append(one.name);
  return py::list(py::make_tuple(names, runs));
}

/// Refuses a text that is no recipe; `path` is where it is going to be.
void check_recipe(const std::string& path, const std::string& text) { plan(parse_recipe({path, text})); }

std::string save_recipe(const py::list& named, const std::string& title, const py::object& outputs,
                        const std::string& folder) {
  SavedGraph saved;
  for (const py::handle item : named) {
    const auto [name, node] = item.cast<std::pair<std::string, NodeHandle>>();
    saved.named.push_back({name, {node.node, node.layer}});
  }
  saved.title = title;
  if (!outputs.is_none()) saved.outputs = json_of(outputs, "outputs");
  saved.folder = folder;
  return recipe_text(saved);
}

}  // namespace

void bind_results(py::module_& module) {
  module.def("draw", &draw);
  module.def("figure", &figure);
  module.def("png", &png_of);
  module.def("save", &save);
  module.def("open", &open_file);
  module.def("figures", [](const Value& value) { return output_kind(value).figures; });
  py::class_<RecipeHandle>(module, "Recipe")
      .def("node", &node_of)
      .def("names", &node_names)
      .def("about", &about)
      .def("run", &run);
  module.def("load", &load, py::arg("path"), py::arg("seed"), py::arg("resolution"), py::arg("set"),
             py::arg("test_size"));
  module.def("make", &make);
  module.def("sweep", &sweep);
  module.def("save_recipe", &save_recipe);
  module.def("check_recipe", &check_recipe);
  module.def("presets", [] {
    py::list list;
    for (const Preset& preset : presets()) list.append(py::make_tuple(preset.name, preset.title));
    return list;
  });
}

}  // namespace tepui::python
