#include "tepui/output/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "tepui/core/error.h"
#include "tepui/core/json_checks.h"
#include "tepui/core/number.h"
#include "tepui/graph/graph_checks.h"
#include "tepui/output/figure_json.h"
#include "tepui/output/frames.h"
#include "tepui/output/look.h"
#include "tepui/output/output_json.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/sheet_json.h"
#include "tepui/recipe/json_path.h"

namespace tepui {

namespace {

/// All files together, the tiles and frames of outputs counted.
constexpr size_t most_files = 100000;

/// Reads the outputs of a recipe.
class OutputReader {
 public:
  OutputReader(Recipe recipe, Problems& problems) : problems_(problems) {
    static_cast<Recipe&>(plan_) = std::move(recipe);
  }

  Plan read() {
    const size_t before = problems_.list().size();
    try {
      problems_.attempt([&] { read_all(); });
    } catch (const Error& error) {
      throw located(error);
    }
    for (size_t i = before; i < problems_.list().size(); ++i) problems_.list()[i] = located(problems_.list()[i]);
    return std::move(plan_);
  }

 private:
  Error located(const Error& error) const {
    return concerning(concerning(error, plan_.outputs_text, {"outputs"}), plan_.look_text, {"look"});
  }

  void read_all() {
    for (const JsonMember& member : plan_.look_text.members) {
      Json one = json_object(plan_.look_text.at);
      one.members.push_back(member);
      problems_.attempt([&] { check_look(one); });
    }
    read_outputs();
    if (!problems_.empty()) return;
    std::vector<Reference> used;
    for (const Output& output : plan_.outputs)
      for (const Reference& source : output.sources()) {
        check_layer(plan_, source);
        used.push_back(source);
      }
    if (!plan_.outputs.empty())
      for (std::string& warning : unused_warnings(plan_, used)) plan_.warnings.push_back(std::move(warning));
  }

  /// Whether it names a node that has a problem of its own, of which others would only follow.
  bool names_unsound_node(const Json& value) const {
    if (value.is_string()) {
      const int node = plan_.find_node(value.text.substr(0, value.text.find_first_of(".@")));
      return node >= 0 && plan_.node(node).op == nullptr;
    }
    const auto unsound = [this](const Json& part) { return names_unsound_node(part); };
    return std::ranges::any_of(value.items, unsound) || std::ranges::any_of(value.members, unsound, &JsonMember::value);
  }

  void read_outputs() {
    const Json outputs = plan_.outputs_text;
    std::map<std::string, std::string> taken;  // by normal form
    if (outputs.members.size() > most_files)
      refuse_at(outputs.at,
                fmt::format("there are {} outputs; at most {} are allowed", outputs.members.size(), most_files));
    for (const JsonMember& member : outputs.members)
      if (!names_unsound_node(member.value)) problems_.attempt([&] { add_outputs(member, taken); });
    for (const auto& [normal, name] : taken)
      for (std::filesystem::path folder = std::filesystem::path(normal).parent_path(); !folder.empty();
           folder = folder.parent_path())
        if (taken.contains(folder.string()))
          refuse_at(outputs.at, fmt::format("output '{}' is a file, but '{}' needs a folder of that name",
                                            taken[folder.string()], name));
  }

  void add_outputs(const JsonMember& member, std::map<std::string, std::string>& taken) {
    for (Output& output : read_output(member)) {
      for (const std::string& file : output.files()) {
        const std::string normal = std::filesystem::path(file).lexically_normal().string();
        const auto [first, added] = taken.emplace(normal, member.key);
        if (!added)
          refuse_at(member.at, fmt::format("outputs '{}' and '{}' are the same file", first->second, member.key));
      }
      if (taken.size() > most_files)
        refuse_at(member.at, fmt::format("with output '{}' there are more than {} files", member.key, most_files),
                  "use fewer tiles or frames, or a second recipe");
      plan_.outputs.push_back(std::move(output));
    }
  }

  /// One output; of frames, one for each stage.
  std::vector<Output> read_output(const JsonMember& member) {
    Output output;
    output.name = member.key;
    output.at = member.at;
    check_name(member);
    std::string key = "from";
    if (member.value.is_string()) {
      output.from = plan_.reference(member.value.text, member.value.at);
      read_output_options(output, json_object(member.value.at));
    } else {
      require_object(member.value, fmt::format("output '{}'", member.key));
      if (const Json* sheet = member.value.find("sheet")) return {read_sheet(std::move(output), member.value, *sheet)};
      key = output_source_key(member);
      std::vector<std::string> known = {key,       "layer",  "layers", "rock",  "rivers", "along",
                                        "scatter", "render", "figure", "sheet", "doc"};
      known.insert(known.end(), output_option_names().begin(), output_option_names().end());
      if (key == "timelapse") known = {key, "rock", "render", "doc"};
      allow_keys(member.value, known, key == "timelapse" ? "a time-lapse" : "an output");
      const Json& from = *member.value.find(key);
      output.from = plan_.reference(plain_text(from, fmt::format("\"{}\"", key)), from.at);
      if (key == "timelapse") return {read_timelapse(std::move(output), member.value)};
      read_output_options(output, member.value);
    }
    if (!output.from.layer.empty()) {
      if (!output.layers.empty())
        refuse_at(output.at, fmt::format("output '{}' names its layer twice", output.name),
                  "give \"from\" without a layer");
      output.layers = {output.from.layer};
    }
    return key == "frames" ? frame_outputs(output, plan_) : std::vector<Output>{std::move(output)};
  }

  Output read_timelapse(Output output, const Json& value) {
    const Json* render = value.find("render");
    output.timelapse =
        timelapse_from_json(render != nullptr ? *render : json_object(value.at), output.name, plan_, output.from);
    output.rock = rock_from_json(value, plan_, output.from);
    return output;
  }

  Output read_sheet(Output output, const Json& value, const Json& sheet) {
    allow_keys(value, {"sheet", "doc"}, "a sheet's output");
    output.sheet = sheet_from_json(sheet, output.name, plan_);
    output.from = output.sheet->panels.front().from;
    return output;
  }

  void read_output_options(Output& output, const Json& value) {
    const Json *layer = value.find("layer"), *layers = value.find("layers");
    const Json *render = value.find("render"), *figure = value.find("figure");
    if (layer != nullptr && layers != nullptr) refuse_at(layers->at, "an output has \"layer\" or \"layers\", not both");
    if (layer != nullptr) output.layers = {plain_text(*layer, "\"layer\"")};
    if (layers != nullptr) {
      if (!layers->is_array() || layers->items.empty()) refuse_at(layers->at, "\"layers\" must be a list of names");
      for (const Json& item : layers->items) {
        if (std::ranges::find(output.layers, plain_text(item, "a layer")) != output.layers.end())
          refuse_at(item.at, fmt::format("layer '{}' is named twice", item.text));
        output.layers.push_back(item.text);
      }
    }
    const Node& from = plan_.node(output.from);
    const Kind& kind = *from.op->output;
    for (const std::string& name : output.layers)
      check_layer(plan_, {output.from.node, name, (layer != nullptr ? layer : layers)->at});
    check_shown(render, figure, !output.layers.empty());
    output.rock = rock_from_json(value, plan_, output.from);
    if (output.rock && render == nullptr && figure == nullptr)
      refuse_at(value.find("rock")->at, "\"rock\" only applies to pictures and figures, and this output is neither");
    output.rivers = rivers_from_json(value, plan_, output.from);
    output.along = along_from_json(value, plan_, output.from);
    output.scatter = scatter_from_json(value, plan_, output.from, output.name);
    Json options = json_object(value.at);
    for (const JsonMember& member : value.members) {
      if (std::ranges::find(output_option_names(), member.key) == output_option_names().end()) continue;
      if (render != nullptr || figure != nullptr)
        refuse_at(member.at, fmt::format("a picture has no '{}'", member.key),
                  fmt::format("remove \"{}\" to write the {}", render != nullptr ? "render" : "figure", kind.noun));
      options.members.push_back(member);
    }
    if (figure != nullptr) {
      output.figure = figure_from_json(*figure, output.name, kind, plan_.look_text);
      return;
    }
    if (render != nullptr) {
      output.render = read_picture(*render);
      try {
        require_pictured(kind, fmt::format("node '{}'", from.name));
        check_picture_name(output.name, *output.render);
      } catch (const Error& error) {
        throw error.at(render->at.place());
      }
      return;
    }
    check_ending(output);
    // A mesh with colours looks as the pictures do.
    for (const std::string& name : skin_fields())
      if (const Json* told = plan_.look_text.find(name))
        if (options.find(name) == nullptr && takes_option(kind, output.name, name))
          options.members.push_back({name, told->at, *told});
    output.options = output_options(options, output.name, kind);
  }

  /// Pictures and figures have endings of their own.
  void check_ending(const Output& output) const {
    const Node& from = plan_.node(output.from);
    try {
      check_value_file(output.name, *from.op->output, fmt::format("node '{}'", from.name));
    } catch (const Error& error) {
      throw error.at(output.at.place());
    }
  }

  /// An output that is shown has one description, and its layer is a part of that.
  static void check_shown(const Json* render, const Json* figure, bool has_layers) {
    if (render != nullptr && figure != nullptr)
      refuse_at(figure->at, "an output has \"render\" or \"figure\", not both");
    if (render != nullptr && has_layers)
      refuse_at(render->at, "a picture takes its layer from \"render\"",
                R"("render": { "colour": "layer", "layer": ... })");
    if (figure != nullptr && has_layers)
      refuse_at(figure->at, "a figure takes its layer from \"figure\"", R"("figure": { "kind": "map", "layer": ... })");
  }

  PictureParams read_picture(const Json& value) const { return picture_from_json(value, plan_.look_text); }

  static void check_name(const JsonMember& member) {
    const std::filesystem::path path = member.key;
    if (member.key.empty() || has_control_characters(member.key) || path.is_absolute() ||
        std::ranges::any_of(path, [](const auto& part) { return part == ".."; }))
      refuse_at(member.at, fmt::format("output '{}' is not a relative name inside the output folder", member.key));
  }

  Plan plan_;
  Problems& problems_;
};

}  // namespace

Plan plan(Recipe recipe) {
  Problems first;
  return plan(std::move(recipe), first);
}

Plan plan(Recipe recipe, Problems& problems) { return OutputReader(std::move(recipe), problems).read(); }

}  // namespace tepui
