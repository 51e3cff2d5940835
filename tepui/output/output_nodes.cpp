#include "tepui/output/output_nodes.h"

#include <algorithm>
#include <filesystem>

#include "tepui/core/error.h"
#include "tepui/core/version.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file_list.h"
#include "tepui/io/manifest.h"
#include "tepui/io/mesh/form_models.h"
#include "tepui/output/hash_params.h"
#include "tepui/output/look.h"
#include "tepui/recipe/meaning.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/param_words.h"
#include "tepui/render/page/sheet.h"
#include "tepui/terrain/lines.h"

namespace tepui {

namespace {

namespace fs = std::filesystem;

// The ports of nodes that draw.
constexpr size_t shown_port = 0, rock_port = 1, rivers_port = 2, along_port = 3, scatter_port = 4, view_port = 5,
                 check_port = 6;

std::vector<Reference> listed(const std::optional<Reference>& reference) {
  return reference ? std::vector<Reference>{*reference} : std::vector<Reference>();
}

/// What pictures of these values have in common.
SharedView view_of(const std::vector<Value>& values, const ViewParams& params, const Context& context) {
  SharedView view;
  for (const Value& value : values)
    if (const OutputKind& row = output_kind(value); row.view != nullptr)
      row.view(value, params, view, context.told_to(nullptr));
  return view;
}

template <class Params>
Params shared(Params params, const std::vector<Value>& values, const Context& context) {
  if (!values.empty()) view_of(values, params, context).apply(params);
  return params;
}

bool has_bytes(const std::string& path, const FileRecord& record) {
  try {
    return file_size(path) == record.bytes && hash_file(path) == record.hash;
  } catch (const Error&) {
    return false;  // there is no such file
  }
}

Operator plain_operator(const char* name, const Kind& output) {
  Operator op;
  op.name = name;
  op.output = &output;
  return op;
}

}  // namespace

PngText png_text(const Recipe& recipe, const Hash& value, const Kind& kind) {
  return {{"Software", std::string("Tepui ") + version},
          {"Recipe", recipe.name},
          {kind.label, value.text()},
          {"Seed", std::to_string(recipe.seed)}};
}

/// A picture or a figure as an image.
struct OutputGraph::Drawn {
  Reference from;
  std::optional<PictureParams> render;
  std::optional<FigureParams> figure;
  std::optional<Reference> rock, rivers, along;
  std::vector<Reference> scatter, view;
  bool usual = false;  ///< draw the figure that stands for the value, where no picture shows it
  Position at;
};

OutputGraph::OutputGraph(const Plan& plan, std::function<std::string(const std::string& name)> path_of, bool keep)
    : plan_(plan), path_of_(std::move(path_of)), keep_(keep), graph_(plan) {}

int OutputGraph::add_node(Operator op, std::vector<std::vector<Reference>> inputs, const Position& at) {
  Hasher what;
  what.add(op.name);
  if (op.outside) what.add(op.outside({}));
  for (const std::vector<Reference>& port : inputs) {
    what.add(static_cast<int64_t>(port.size()));
    for (const Reference& reference : port) what.add(reference.node).add(reference.layer);
    for (const Reference& reference : port) op.takes_world |= output_kind(kind_at(reference)).takes_world;
  }
  const auto [known, added] = known_.try_emplace(what.finish(), static_cast<int>(graph_.nodes.size()));
  if (!added) return known->second;
  for (const std::vector<Reference>& port : inputs)
    for (const Reference& reference : port) graph_.nodes[static_cast<size_t>(reference.node)].kept = true;
  Node node;
  node.op = &operators_.emplace_back(std::move(op));
  node.inputs = std::move(inputs);
  node.at = at;
  node.kept = true;
  graph_.nodes.push_back(std::move(node));
  return known->second;
}

int OutputGraph::add_step(const WritingStep& step, const Reference& from, const Position& at) {
  const Operator& op = require_operator(step.op);
  Operator own = op;
  const std::vector<ParamValue> params = params_from_words(op.params, step.params, op.name);
  Hasher described;
  for (size_t i = 0; i < params.size(); ++i) hash_param(described, op.params.fields[i], params[i]);
  own.outside = [hash = described.finish()](const std::vector<ParamValue>&) { return hash; };
  own.run = [&op, params](const OperatorCall& call, const Context& context) {
    OperatorCall whole = call;
    whole.params = params;
    return op.run(whole, context);
  };
  std::vector<std::vector<Reference>> inputs(op.inputs.size());
  inputs.front().push_back(from);
  return add_node(std::move(own), std::move(inputs), at);
}

Setting OutputGraph::setting(const OperatorCall& call) const {
  Setting around{call.world != nullptr ? *call.world : Frame(), plan_.world.sea_level};
  if (call.inputs.size() > rock_port && !call.inputs[rock_port].empty()) {
    around.rock = rock_of(call.inputs[rock_port].front());
    around.land = covered_land_of(call.inputs[rock_port].front());
  }
  if (call.inputs.size() > rivers_port && !call.inputs[rivers_port].empty())
    around.rivers = get<Lines>(call.inputs[rivers_port].front());
  if (call.inputs.size() > along_port && !call.inputs[along_port].empty())
    around.along = get<Lines>(call.inputs[along_port].front());
  if (call.inputs.size() > scatter_port)
    for (const Value& points : call.inputs[scatter_port]) around.scatter.push_back(get<Lines>(points));
  return around;
}

void OutputGraph::add_text(Hasher& described, const Kind& kind) const {
  for (const auto& [name, text] : png_text(plan_, {}, kind)) described.add(name).add(text);
}

/// What is told of several pictures together: the hash of what they show.
PngText OutputGraph::text_of_images(const std::vector<Value>& images, const Kind& kind) const {
  Hasher all;
  for (const Value& image : images)
    for (const auto& [name, text] : get<Image>(image).text) all.add(name).add(text);
  return png_text(plan_, all.finish(), kind);
}

int OutputGraph::add_picture(const Drawn& drawn) {
  const Kind& kind = kind_at(drawn.from);
  Operator op = plain_operator(drawn.render ? "render" : "draw", kind_of<Image>());
  Hasher described;
  described.add(drawn.usual).add(plan_.world.sea_level.has_value()).add(plan_.world.sea_level.value_or(0));
  add_text(described, kind);
  if (drawn.render) hash_params(described, *drawn.render);
  if (drawn.render && !drawn.render->models.path.empty()) described.add(models_key(drawn.render->models.path));
  if (drawn.figure) hash_params(described, *drawn.figure);
  op.outside = [hash = described.finish()](const std::vector<ParamValue>&) { return hash; };
  op.run = [this, drawn](const OperatorCall& call, const Context& context) -> Value {
    const Value& value = call.inputs[shown_port].front();
    const std::vector<Value>& view = call.inputs[view_port];
    const Setting around = setting(call);
    const OutputKind& row = output_kind(value);
    const PngText text = png_text(plan_, call.facts[shown_port].front()->hash, value.kind());
    Image image;
    if (drawn.figure)
      image = row.draw(value, shared(*drawn.figure, view, context), around, context).raster();
    else if (drawn.usual)
      image = draw_value(value, shared(*drawn.render, view, context), around, context);
    else
      return image_of(row.picture(value, shared(*drawn.render, view, context), around, context), drawn.render->linear,
                      text);
    image.text = text;
    return image;
  };
  return add_node(std::move(op),
                  {{drawn.from},
                   drawn.rock ? listed(drawn.rock) : volume_of(drawn.from),
                   listed(drawn.rivers),
                   listed(drawn.along),
                   drawn.scatter,
                   drawn.view},
                  drawn.at);
}

int OutputGraph::add_writer(
    const Output& output, std::vector<std::vector<Reference>> inputs, Hash described,
    std::function<std::vector<FileRecord>(const OperatorCall& call, const Context& context)> write) {
  Operator op = plain_operator("write", kind_of<FileList>());
  // The whole name: some files hold it.
  Hasher key;
  key.add(output.name).add(described).add(plan_.world.sea_level.has_value()).add(plan_.world.sea_level.value_or(0));
  op.outside = [hash = key.finish()](const std::vector<ParamValue>&) { return hash; };
  const std::vector<std::string> names = output.files();
  op.run = [this, names, write](const OperatorCall& call, const Context& context) -> Value {
    prepare_places(names);
    std::vector<FileRecord> records = write(call, context);
    for (size_t i = 0; i < records.size(); ++i) records[i].name = names[i];
    return FileList(std::move(records));
  };
  inputs.resize(check_port);
  inputs.push_back(output.pattern.empty() ? checks_ : std::vector<Reference>());
  op.stands = [this, names](const Value& written) {
    const std::vector<FileRecord>& records = get<FileList>(written).records();
    if (!keep_ || records.size() != names.size()) return false;
    return std::ranges::all_of(records, [this](const FileRecord& record) { return is_there(record); });
  };
  return add_node(std::move(op), std::move(inputs), output.at);
}

void OutputGraph::prepare_places(const std::vector<std::string>& names) const {
  for (const std::string& name : names) {
    ensure_folder(fs::path(path_of_(name)).parent_path().string());
    check_writable(path_of_(name));
  }
}

/// Whether the file is there, with the header beside it that some have.
bool OutputGraph::is_there(const FileRecord& record) const {
  const std::string path = path_of_(record.name);
  const bool labelled = record.format == "R16" || record.format == "R32";
  return has_bytes(path, record) && (!labelled || fs::exists(path + ".hdr"));
}

/// A picture, or a figure of pixels.
int OutputGraph::write_images(const Output& output) {
  Drawn drawn{output.from,  output.render,  {},          output.rock, output.rivers,
              output.along, output.scatter, output.view, false,       output.at};
  if (output.figure) drawn.figure = std::get<FigureParams>(*output.figure);
  const char* format = output.render ? "picture" : "figure";
  const int image = add_picture(drawn);
  return add_writer(output, {{{image, "", output.at}}}, Hasher().add(format).finish(),
                    [this, name = output.name, format](const OperatorCall& call, const Context& context) {
                      ExportRequest request;
                      request.path = path_of_(name);
                      const Value& value = call.inputs.front().front();
                      std::vector<FileRecord> records = output_kind(value).write(value, request, {}, context);
                      records.front().format = format;
                      return records;
                    });
}

int OutputGraph::write_sheet(const Output& output) {
  const Sheet& sheet = *output.sheet;
  std::vector<std::vector<Reference>> inputs(1);
  Hasher described;
  described.add("sheet").add(sheet.title).add(sheet.columns);
  for (const Panel& panel : sheet.panels) {
    const Drawn drawn{panel.from,    panel.render, panel.figure,
                      panel.rock,    panel.rivers, panel.along,
                      panel.scatter, {},           panel.render.has_value(),
                      output.at};
    inputs.front().push_back({add_picture(drawn), "", output.at});
    described.add(panel.caption);
  }
  const auto write = [this, sheet, name = output.name](const OperatorCall& call, const Context& context) {
    const SheetLayout layout{sheet.title, sheet.columns, {}, {}};
    std::vector<SheetCell> cells;
    int width = 0, height = 0;
    for (size_t i = 0; i < sheet.panels.size(); ++i) {
      cells.push_back({get<Image>(call.inputs.front()[i]), sheet.panels[i].caption});
      width = std::max(width, cells.back().image.width);
      height = std::max(height, cells.back().image.height);
      check_sheet(sheet.panels.size(), width, height, layout);
    }
    const PngText text = text_of_images(call.inputs.front(), kind_at(sheet.panels.front().from));
    const FileTarget to(path_of_(name));
    write_figure(to, draw_sheet(cells, layout), text, context.stage("writing", 0.5, 1));
    return std::vector<FileRecord>{record_of(to, "figure")};
  };
  return add_writer(output, std::move(inputs), described.finish(), write);
}

/// A turn around the value, drawn view by view.
int OutputGraph::write_turntable(const Output& output) {
  const Turntable& table = std::get<Turntable>(*output.figure);
  Hasher described;
  described.add("turntable");
  hash_params(described, table.turn);
  hash_params(described, table.picture);
  if (!table.picture.models.path.empty()) described.add(models_key(table.picture.models.path));
  add_text(described, kind_at(output.from));
  const auto write = [this, table, name = output.name](const OperatorCall& call, const Context& context) {
    const Value& value = call.inputs[shown_port].front();
    const Setting around = setting(call);
    const auto draw = [&](const PictureParams& params, const Context& step) {
      return draw_value(value, params, around, step);
    };
    const PictureParams picture = shared(table.picture, call.inputs[view_port], context);
    const PngText text = png_text(plan_, call.facts[shown_port].front()->hash, value.kind());
    const FileTarget to(path_of_(name));
    tepui::write_turntable(to, draw, picture, table.turn, text, context);
    return std::vector<FileRecord>{record_of(to, "figure")};
  };
  return add_writer(
      output,
      {{output.from}, listed(output.rock), listed(output.rivers), listed(output.along), output.scatter, output.view},
      described.finish(), write);
}

/// The pictures of a node's stages, which are nodes themselves.
int OutputGraph::write_timelapse(const Output& output) {
  const Timelapse& lapse = *output.timelapse;
  Hasher described;
  described.add("timelapse");
  hash_params(described, lapse.lapse);
  std::vector<std::vector<Reference>> inputs(1);
  for (size_t i = 0; i < lapse.frames.size(); ++i) {
    const Drawn drawn{lapse.frames[i],
                      animation_picture(lapse.picture),
                      {},
                      output.rock,
                      {},
                      {},
                      {},
                      {lapse.frames.front(), lapse.frames.back()},
                      true,
                      output.at};
    inputs.front().push_back({add_picture(drawn), "", output.at});
    described.add(lapse.captions[i]);
  }
  const auto write = [this, lapse, name = output.name](const OperatorCall& call, const Context& context) {
    const std::vector<Value>& images = call.inputs.front();
    const auto frame = [&](size_t i, const PictureParams&) {
      return CaptionedImage{get<Image>(images[i]), lapse.captions[i]};
    };
    const FileTarget to(path_of_(name));
    tepui::write_timelapse(to, images.size(), frame, lapse.picture, lapse.lapse,
                           text_of_images(images, kind_at(lapse.frames.front())), context);
    return std::vector<FileRecord>{record_of(to, "figure")};
  };
  return add_writer(output, std::move(inputs), described.finish(), write);
}

/// A figure of lines and letters.
int OutputGraph::write_drawing(const Output& output) {
  const FigureParams& figure = std::get<FigureParams>(*output.figure);
  Hasher described;
  described.add("drawing");
  hash_params(described, figure);
  add_text(described, kind_at(output.from));
  const auto write = [this, figure, name = output.name](const OperatorCall& call, const Context& context) {
    const Value& value = call.inputs[shown_port].front();
    const Setting around = setting(call);
    const FigureParams params = shared(figure, call.inputs[view_port], context);
    const Drawing drawing = output_kind(value).draw(value, params, around, context.stage("drawing", 0, 0.8));
    const PngText text = png_text(plan_, call.facts[shown_port].front()->hash, value.kind());
    const FileTarget to(path_of_(name));
    write_figure(to, drawing, text, context.stage("writing", 0.8, 1));
    return std::vector<FileRecord>{record_of(to, "figure")};
  };
  return add_writer(
      output,
      {{output.from}, listed(output.rock), listed(output.rivers), listed(output.along), output.scatter, output.view},
      described.finish(), write);
}

ExportRequest OutputGraph::request_of(const Output& output) const {
  ExportRequest request;
  request.path = path_of_(output.name);
  request.layers = output.layers;
  request.options = output.options;
  return request;
}

void OutputGraph::add_check(const Output& output) {
  if (output.is_shown() || !output.pattern.empty() || output_kind(kind_at(output.from)).check == nullptr) return;
  Operator op = plain_operator("check", kind_of<FileList>());
  Hasher described;
  described.add(output.name);
  for (const std::string& layer : output.layers) described.add(layer);
  hash_params(described, output.options);
  op.outside = [hash = described.finish()](const std::vector<ParamValue>&) { return hash; };
  op.run = [request = request_of(output)](const OperatorCall& call, const Context&) -> Value {
    const Value& value = call.inputs.front().front();
    output_kind(value).check(value, request);
    return FileList();
  };
  checks_.push_back({add_node(std::move(op), {{output.from}}, output.at), "", output.at});
}

/// The picture whose camera stands in a file: the first of the same value, else one of the recipe's look.
PictureParams OutputGraph::look_of(const Output& output) const {
  for (const Output& other : plan_.outputs)
    if (other.render && other.from.node == output.from.node) return *other.render;
  return picture_from_json(json_object(output.at), plan_.look_text);
}

/// The value itself, or what an operator makes of it.
int OutputGraph::write_data(const Output& output) {
  ExportRequest request = request_of(output);
  const OutputKind& row = output_kind(kind_at(output.from));
  Reference from = output.from;
  if (const std::optional<WritingStep> step = row.before != nullptr ? row.before(request) : std::nullopt) {
    from = {add_step(*step, output.from, output.at), "", output.at};
    request.made_for_it = true;
  }
  Hasher described;
  described.add("data").add(request.made_for_it);
  for (const std::string& layer : output.layers) described.add(layer);
  hash_params(described, output.options);
  add_text(described, kind_at(from));
  std::optional<PictureParams> look;
  if (output.options.scene) hash_params(described, look.emplace(look_of(output)));
  const auto write = [this, request, look](const OperatorCall& call, const Context& context) {
    const Value& value = call.inputs.front().front();
    ExportRequest own = request;
    own.text = png_text(plan_, call.facts.front().front()->hash, value.kind());
    Setting around = setting(call);
    around.look = look;
    return write_value(value, own, around, context);
  };
  // Only files that hold the look of the ground need to know what it is made of.
  const bool dressed = takes_option(kind_at(from), output.name, "paint");
  return add_writer(output, {{from}, dressed ? volume_of(from) : std::vector<Reference>{}, {}, {}, output.scatter},
                    described.finish(), write);
}

/// The volume that a mesh was made of, as far as nodes tell: it knows the rock between vertices, and what lay on its
/// land.
std::vector<Reference> OutputGraph::volume_of(Reference from) const {
  const Kind& kind = kind_at(from);
  if (output_kind(kind).covered != nullptr) return {};
  for (;;) {
    const Node& node = graph_.node(from);
    if (node.inputs.empty() || node.inputs.front().empty()) return {};
    from = node.inputs.front().front();
    if (output_kind(kind_at(from)).covered != nullptr) return {from};
    if (&kind_at(from) != &kind) return {};
  }
}

int OutputGraph::add(const Output& output) {
  if (output.sheet) return write_sheet(output);
  if (output.timelapse) return write_timelapse(output);
  if (output.figure && std::holds_alternative<Turntable>(*output.figure)) return write_turntable(output);
  const std::string ending = file_ending(output.name);
  if (output.figure && (ending == ".svg" || ending == ".csv")) return write_drawing(output);
  return output.is_shown() ? write_images(output) : write_data(output);
}

int OutputGraph::add_measure(const Reference& land) {
  if (output_kind(kind_at(land)).measure == nullptr) return -1;
  Operator op = plain_operator("measure", kind_of<FileList>());
  op.run = [](const OperatorCall& call, const Context& context) -> Value {
    const Value& value = call.inputs.front().front();
    for (const ToldNumber& number : output_kind(value).measure(value, context)) context.tell(number.name, number.value);
    return FileList();
  };
  return add_node(std::move(op), {{{land.node, "", land.at}}}, {});
}

}  // namespace tepui
