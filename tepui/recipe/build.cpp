#include "tepui/recipe/build.h"

#include <fmt/format.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>

#include "tepui/core/number.h"
#include "tepui/core/version.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/manifest.h"
#include "tepui/recipe/shared_view.h"

namespace tepui {

namespace {

namespace fs = std::filesystem;

std::vector<const Output*> choose(const Recipe& recipe, const std::vector<std::string>& only) {
  std::vector<const Output*> chosen;
  std::vector<std::string> known;
  const auto is_named = [&](const std::string& name) { return std::ranges::find(only, name) != only.end(); };
  for (const Output& output : recipe.outputs) {
    known.push_back(output.name);
    // All frames by the name that the recipe gives them, or one by its own.
    if (!output.pattern.empty()) known.push_back(output.pattern);
    if (only.empty() || is_named(output.name) || (!output.pattern.empty() && is_named(output.pattern)))
      chosen.push_back(&output);
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

/// The kind of value that an output shows or holds.
ValueType type_of(const Recipe& recipe, const Output& output) {
  return recipe.nodes[static_cast<size_t>(output.from.node)].op->output;
}

/// A picture names the value it shows, not the whole recipe: so it stays the same when something else is edited.
ExportRequest request_of(const Recipe& recipe, const Output& output, const Hash& value, const std::string& path) {
  return {.path = path,
          .layers = output.layers,
          .options = output.options,
          .text = png_text(recipe, value, type_of(recipe, output))};
}

/// Whether what is drawn or written depends on the world around it.
bool shows_world(const Recipe& recipe, const Output& output) {
  return std::ranges::any_of(output.sources(), [&](const Reference& source) {
    return value_kind(recipe.nodes[static_cast<size_t>(source.node)].op->output).takes_world;
  });
}

/// Of all that an output's bytes are made from, but for Tepui itself. What is added to Output goes in here.
Hash output_key(const Recipe& recipe, const Output& output, const Hash& value, const std::optional<Frame>& world) {
  Hasher key;
  key.add("output").add(value).add(output.from.layer).add(file_ending(output.name));
  key.add(static_cast<int64_t>(output.layers.size()));
  for (const std::string& layer : output.layers) key.add(layer);
  hash_params(key, output.options);
  key.add(recipe.world.sea_level.has_value()).add(recipe.world.sea_level.value_or(0));
  for (const auto& [name, text] : png_text(recipe, value, type_of(recipe, output))) key.add(name).add(text);
  if (world && shows_world(recipe, output)) key.add(world->hash());
  key.add(output.rock.has_value()).add(output.render.has_value());
  if (output.render) hash_params(key, *output.render);
  key.add(output.figure.has_value());
  if (output.figure) hash_figure(key, *output.figure);
  key.add(output.sheet.has_value());
  if (output.sheet) hash_sheet(key, *output.sheet);
  key.add(output.timelapse.has_value());
  if (output.timelapse) hash_timelapse(key, *output.timelapse);
  return key.finish();
}

/// What was written for an output, a line for each file.
std::string records_text(const std::vector<BuiltFile>& files) {
  std::string text;
  for (const BuiltFile& file : files) text += record_text(file.record) + '\n';
  return text;
}

std::vector<FileRecord> parse_records(const std::string& text) {
  std::vector<FileRecord> records;
  for (size_t from = 0, end; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
    std::optional<FileRecord> record = parse_record(text.substr(from, end - from));
    if (!record) return {};
    records.push_back(std::move(*record));
  }
  return records;
}

/// What the manifest tells of a land beside its place, without which it would have to be loaded for that alone.
Hash figures_key(const Hash& value) { return Hasher().add("figures").add(value).finish(); }

std::string figures_text(const ManifestLand& land) {
  return fmt::format("{} {} {}", land.min, land.max, land.nodata_cells);
}

std::optional<ManifestLand> parse_figures(const std::string& text) {
  const size_t first = text.find(' '), second = text.rfind(' ');
  if (first == std::string::npos || first == second) return std::nullopt;
  const auto min = parse_number(text.substr(0, first)), max = parse_number(text.substr(first, second - first)),
             voids = parse_number(text.substr(second));
  if (!min || !max || !voids || !(*voids >= 0 && *voids < 0x1p53)) return std::nullopt;
  ManifestLand land;
  land.min = *min;
  land.max = *max;
  land.nodata_cells = static_cast<int64_t>(*voids);
  return land;
}

bool has_height(const TerrainOutline& outline) {
  return std::ranges::find(outline.layers, "height", &LayerOutline::name) != outline.layers.end();
}

bool has_bytes(const std::string& path, const FileRecord& record) {
  try {
    return file_size(path) == record.bytes && hash_file(path) == record.hash;
  } catch (const Error&) {
    return false;  // there is no such file
  }
}

/// One build: the outputs, what is known of their values, and what is there already.
class Builder {
 public:
  Builder(const Recipe& recipe, const std::string& folder, const BuildOptions& options, ValueCache& cache,
          const Context& context)
      : recipe_(recipe),
        folder_(folder),
        options_(options),
        cache_(cache),
        context_(context),
        outputs_(choose(recipe, options.only)),
        files_(outputs_.size()),
        lands_(outputs_.size()) {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      firsts_.push_back(sources_.size());
      for (const Reference& source : outputs_[i]->sources()) sources_.push_back({i, source});
    }
    facts_.resize(sources_.size());
    unknown_.resize(outputs_.size());
    for (const Source& source : sources_) ++unknown_[source.output];
  }

  Build build() {
    const auto began = std::chrono::steady_clock::now();
    std::vector<int> wanted;
    for (const Source& source : sources_) wanted.push_back(source.from.node);
    ensure_folder(folder_);
    const auto in_world = [&](const Output* output) { return shows_world(recipe_, *output); };
    const auto on_land = [&](const Output* output) { return type_of(recipe_, *output) == ValueType::terrain; };
    // The manifest takes its world from the lands, where there are some.
    if (std::ranges::any_of(outputs_, in_world) || std::ranges::none_of(outputs_, on_land))
      world_ = world_frame(recipe_, cache_, context_);
    // A file that is there may be kept, in a folder that takes no others.
    for (const Output* output : outputs_) at_output(*output, [&] { check_places(*output, false); });
    Evaluation evaluation = evaluate(recipe_, wanted, cache_, context_,
                                     [this](size_t i, const NodeFacts& facts) { return need(i, facts); });
    built_.nodes = std::move(evaluation.nodes);
    facts_ = std::move(evaluation.facts);
    values_ = std::move(evaluation.values);
    for (size_t i = 0; i < outputs_.size(); ++i) built_.values.push_back(values_[first_of(i)]);
    write_outputs();
    for (std::vector<BuiltFile>& files : files_)
      built_.files.insert(built_.files.end(), std::make_move_iterator(files.begin()),
                          std::make_move_iterator(files.end()));
    write_manifest();
    cache_.settle();
    built_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(built_);
  }

 private:
  /// What an output is made from: one value, or of a sheet several.
  struct Source {
    size_t output;
    Reference from;
    bool known = false;
    bool late = false;  ///< its value is brought when it is written
  };
  size_t first_of(size_t output) const { return firsts_[output]; }
  size_t end_of(size_t output) const { return output + 1 < firsts_.size() ? firsts_[output + 1] : sources_.size(); }

  /// Of the values that an output is made from.
  Hash content(size_t output) const {
    const size_t first = first_of(output), end = end_of(output);
    if (!outputs_[output]->sheet && end - first == 1) return facts_[first].hash;
    Hasher all;
    for (size_t k = first; k < end; ++k) all.add(facts_[k].hash);
    return all.finish();
  }

  /// Whether a value is brought once its output is written, rather than before: of stages there may be many, and the
  /// cache has them by now.
  bool may_come_late(size_t output, const NodeFacts& facts) const {
    const Output& o = *outputs_[output];
    return !options_.values && (o.timelapse || !o.pattern.empty()) && cache_.holds(facts);
  }

  /// Of the whole node.
  Value whole_value(size_t source) const {
    if (!sources_[source].late) return values_[source];
    const int node = sources_[source].from.node;
    return evaluate(recipe_, {node}, cache_, context_.told_to(nullptr)).values.front();
  }
  Value value_of(size_t source) const { return select(whole_value(source), sources_[source].from); }

  /// Whether the value itself is needed: to write the output, or for the manifest. Calls may run side by side.
  bool need(size_t k, const NodeFacts& facts) {
    const std::lock_guard lock(mutex_);
    const size_t i = sources_[k].output;
    facts_[k] = facts;
    lands_[i].reset();
    // Once more where the cache was wrong. Until all of a sheet's values are known, nobody can say that it is there.
    if (!std::exchange(sources_[k].known, true)) --unknown_[i];
    sources_[k].late = may_come_late(i, facts);
    if (unknown_[i] > 0) return !sources_[k].late;
    files_[i] = files_there(*outputs_[i], output_key(recipe_, *outputs_[i], content(i), world_));
    if (options_.values || files_[i].empty()) return !sources_[k].late;
    if (!is_land(i)) return false;
    sources_[k].late = false;
    const std::optional<std::string> text = find_note(figures_key(facts.hash));
    lands_[i] = text ? parse_figures(*text) : std::nullopt;
    return !lands_[i];
  }

  /// Whether the manifest tells of its land: the one that it is made from.
  bool is_land(size_t output) const {
    const size_t first = first_of(output);
    return !outputs_[output]->sheet && end_of(output) - first == 1 && has_height(facts_[first].outline);
  }

  /// The output's files, if they are all there with the bytes they should have; else none.
  std::vector<BuiltFile> files_there(const Output& output, const Hash& key) {
    const std::optional<std::string> note = find_note(key);
    std::vector<FileRecord> records = note ? parse_records(*note) : std::vector<FileRecord>();
    const std::vector<std::string> names = output.files();
    if (records.size() != names.size()) return {};
    std::vector<BuiltFile> files;
    for (size_t k = 0; k < names.size(); ++k) {
      const std::string path = path_of(names[k]);
      const bool labelled = records[k].format == "R16" || records[k].format == "R32";
      if (!has_bytes(path, records[k]) || (labelled && !fs::exists(path + ".hdr"))) return {};
      records[k].name = names[k];
      files.push_back({path, std::move(records[k]), true});
    }
    return files;
  }

  /// Refuses names that could not be written, before there is anything to write.
  void check_places(const Output& output, bool those_there) const {
    for (const std::string& name : output.files()) {
      const std::string path = path_of(name);
      std::error_code ignored;
      if (!those_there && fs::is_regular_file(path, ignored)) continue;
      ensure_folder(fs::path(path).parent_path().string());
      check_writable(path);
    }
  }

  std::string path_of(const std::string& name) const { return (fs::path(folder_) / name).string(); }

  std::optional<std::string> find_note(const Hash& key) { return options_.keep ? cache_.find_note(key) : std::nullopt; }

  void write_outputs() {
    for (size_t i = 0; i < outputs_.size(); ++i)
      at_output(*outputs_[i], [&] {
        if (!files_[i].empty()) return;
        check_places(*outputs_[i], true);
        check_values(i);
        share_view(i);
      });
    tbb::task_group group;
    for (size_t i = 0; i < outputs_.size(); ++i)
      group.run([&, i] {
        const Context task = context_.task(output_task(recipe_, *outputs_[i]));
        if (files_[i].empty()) at_output(*outputs_[i], [&] { write(i, task); });
        task.progress(1);
      });
    group.wait();
    values_.clear();
    context_.check();
  }

  /// Throws what writing the values that are there would throw about the request itself.
  void check_values(size_t i) const {
    for (size_t k = first_of(i); k < end_of(i); ++k)
      if (!sources_[k].late) value_of(k);
    if (!sources_[first_of(i)].late) check_request(i, value_of(first_of(i)));
  }
  void check_request(size_t i, const Value& value) const {
    const Output& output = *outputs_[i];
    const ValueKind& kind = value_kind(value);
    if (kind.check != nullptr && !output.is_shown())
      kind.check(value, request_of(recipe_, output, content(i), path_of(output.name)));
  }

  /// Stages are shown by one camera and with one scale of colours, those of the first and the last.
  void share_view(size_t i) {
    const Output& output = *outputs_[i];
    if ((!output.timelapse && output.view.empty()) || views_.contains(view_name(output))) return;
    SharedView view;
    for (const size_t source : {output.timelapse ? first_of(i) : end_of(i) - 2,
                                output.timelapse ? first_of(i) + output.shown() - 1 : end_of(i) - 1}) {
      const Value value = value_of(source);
      const Terrain* land = std::get_if<Terrain>(&value);
      if (land == nullptr) continue;
      if (output.figure && std::holds_alternative<FigureParams>(*output.figure))
        view.add(*land, std::get<FigureParams>(*output.figure), context_.told_to(nullptr));
      else
        view.add(*land, picture_of(output), context_.told_to(nullptr));
    }
    views_[view_name(output)] = view;
  }
  static const std::string& view_name(const Output& output) {
    return output.pattern.empty() ? output.name : output.pattern;
  }
  static const PictureParams& picture_of(const Output& output) {
    if (output.timelapse) return output.timelapse->picture;
    return output.figure ? std::get<Turntable>(*output.figure).picture : *output.render;
  }

  void write(size_t i, const Context& context) {
    const Output& output = *outputs_[i];
    const std::vector<std::string> names = output.files();
    std::vector<FileRecord> records = output.sheet       ? write_sheet(i, context)
                                      : output.timelapse ? write_lapse(i, context)
                                                         : write_one(i, context);
    for (size_t k = 0; k < records.size(); ++k) {
      records[k].name = names[k];
      files_[i].push_back({path_of(names[k]), std::move(records[k])});
    }
    cache_.put_note(output_key(recipe_, output, content(i), world_), records_text(files_[i]), context_);
  }

  std::vector<FileRecord> write_sheet(size_t i, const Context& context) const {
    const Output& output = *outputs_[i];
    const std::vector<Panel>& panels = output.sheet->panels;
    const SheetLayout layout{output.sheet->title, output.sheet->columns, {}, {}};
    std::vector<SheetCell> cells;
    int width = 0, height = 0;
    for (size_t k = 0; k < panels.size(); ++k) {
      const double begin = 0.95 * static_cast<double>(k) / static_cast<double>(panels.size()),
                   end = 0.95 * static_cast<double>(k + 1) / static_cast<double>(panels.size());
      cells.push_back(
          {draw_panel(panels[k], value_of(first_of(i) + k), setting(i, k), context.stage("drawing", begin, end)),
           panels[k].caption});
      width = std::max(width, cells.back().image.width);
      height = std::max(height, cells.back().image.height);
      check_sheet(panels.size(), width, height, layout);
    }
    const std::string path = path_of(output.name);
    write_figure(path, draw_sheet(cells, layout), png_text(recipe_, content(i), type_of(recipe_, output)),
                 context.stage("writing", 0.95, 1));
    return {record_file(path, "figure")};
  }

  /// Around the values that an output shows: of a sheet's panel its own.
  Setting setting(size_t i, size_t panel = 0) const {
    const Output& output = *outputs_[i];
    Setting around{world_.value_or(Frame()), recipe_.world.sea_level};
    size_t source = first_of(i) + output.shown();
    bool has_rock = output.rock.has_value();
    if (output.sheet) {
      const std::vector<Panel>& panels = output.sheet->panels;
      has_rock = panels[panel].rock.has_value();
      for (size_t k = 0; k < panel; ++k) source += panels[k].rock.has_value() ? 1 : 0;
    }
    if (has_rock) around.rock = std::get<Geology>(value_of(source));
    return around;
  }

  static Image draw_panel(const Panel& panel, const Value& value, const Setting& around, const Context& context) {
    if (panel.figure) return value_kind(value).draw(value, *panel.figure, around, context).raster();
    return draw_value(value, *panel.render, around, context);
  }

  std::vector<FileRecord> write_lapse(size_t i, const Context& context) const {
    const Output& output = *outputs_[i];
    const Timelapse& lapse = *output.timelapse;
    const Setting around = setting(i);
    const auto count = static_cast<double>(lapse.frames.size());
    const auto draw = [&](size_t k, const PictureParams& params) {
      const auto done = static_cast<double>(k);
      const Context step = context.stage(lapse.captions[k], done / count, (done + 1) / count);
      return CaptionedImage{draw_value(value_of(first_of(i) + k), params, around, step), lapse.captions[k]};
    };
    PictureParams picture = lapse.picture;
    views_.at(view_name(output)).apply(picture);
    const std::string path = path_of(output.name);
    write_timelapse(path, lapse.frames.size(), draw, picture, lapse.lapse,
                    png_text(recipe_, content(i), type_of(recipe_, output)), context);
    return {record_file(path, "figure")};
  }

  /// A file, or several of one value, with a record for each.
  std::vector<FileRecord> write_one(size_t i, const Context& context) {
    const Value whole = whole_value(first_of(i)), value = select(whole, sources_[first_of(i)].from);
    const bool late = sources_[first_of(i)].late;
    if (late) check_request(i, value);
    if (late && is_land(i)) {
      lands_[i] = manifest_land("", std::get<Terrain>(whole), context_.told_to(nullptr));
      cache_.put_note(figures_key(facts_[first_of(i)].hash), figures_text(*lands_[i]), context_);
    }
    Output output = *outputs_[i];
    if (!output.view.empty()) show_as(output, views_.at(view_name(output)));
    return write_files_of(output, value, facts_[first_of(i)].hash, setting(i), context);
  }

  static void show_as(Output& output, const SharedView& view) {
    if (output.render) view.apply(*output.render);
    if (!output.figure) return;
    if (auto* drawn = std::get_if<FigureParams>(&*output.figure))
      view.apply(*drawn);
    else
      view.apply(std::get<Turntable>(*output.figure).picture);
  }

  /// One record per file.
  std::vector<FileRecord> write_files_of(const Output& output, const Value& value, const Hash& hash,
                                         const Setting& around, const Context& context) const {
    const std::string path = path_of(output.name);
    const PngText text = png_text(recipe_, hash, value_type(value));
    if (output.render) {
      write_picture(path, picture_value(value, *output.render, around, context.stage("drawing", 0, 0.95)),
                    *output.render, text, context.stage("writing", 0.95, 1));
      std::vector<FileRecord> records;
      for (const std::string& name : picture_files(path, *output.render))
        records.push_back(record_file(name, name == path ? "picture" : "EXR"));
      return records;
    }
    if (output.figure) {
      write_value_figure(path, value, *output.figure, around, text, context);
      return {record_file(path, "figure")};
    }
    return value_kind(value).write(value, request_of(recipe_, output, hash, path), around, context);
  }

  ManifestLand land_of(size_t i, const std::string& name) {
    ManifestLand land;
    if (lands_[i]) {
      land = *lands_[i];
      land.name = name;
      land.relief = facts_[first_of(i)].outline.relief;
      land.place = place_of(facts_[first_of(i)].outline.frame);
    } else {
      land = manifest_land(name, std::get<Terrain>(built_.values[i]), context_);
      cache_.put_note(figures_key(facts_[first_of(i)].hash), figures_text(land), context_);
    }
    return land;
  }

  ManifestInfo manifest() {
    ManifestInfo info;
    info.version = version;
    info.title = recipe_.title;
    info.recipe = recipe_.name;
    info.seed = recipe_.seed;
    info.recipe_hash = recipe_.hash;
    info.sea_level = recipe_.world.sea_level;
    if (world_) info.world = *world_;
    bool placed = false;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const NodeFacts& facts = facts_[first_of(i)];
      if (facts.type != ValueType::terrain) continue;
      const TerrainOutline& outline = facts.outline;
      if (!std::exchange(placed, true)) {
        info.world = outline.frame;
        info.relief = outline.relief;
      }
      const std::string& name = recipe_.nodes[static_cast<size_t>(outputs_[i]->from.node)].name;
      const auto told = std::ranges::find(info.lands, name, &ManifestLand::name);
      if (told == info.lands.end() && is_land(i)) info.lands.push_back(land_of(i, name));
    }
    for (const BuiltFile& file : built_.files) info.files.push_back(file.record);
    return info;
  }

  void write_manifest() {
    BuiltFile file;
    file.path = path_of(recipe_.name + ".manifest.json");
    ManifestInfo info = manifest();
    // A build of some outputs keeps what the manifest says of the others, while they are still the files it means.
    std::vector<std::string> replaced;
    for (const BuiltFile& built : built_.files) replaced.push_back(built.record.name);
    if (!options_.only.empty())
      for (FileRecord& record : kept_records(file.path, replaced)) info.files.push_back(std::move(record));
    const std::string text = manifest_text(info);
    FileRecord record;
    record.bytes = text.size();
    record.hash = hash_bytes(text.data(), text.size());
    file.kept = options_.keep && has_bytes(file.path, record);
    if (!file.kept) write_file(file.path, text);
    file.record = record_file(file.path, "manifest");
    built_.files.push_back(std::move(file));
  }

  const Recipe& recipe_;
  const std::string& folder_;
  const BuildOptions& options_;
  ValueCache& cache_;
  const Context& context_;
  std::vector<const Output*> outputs_;
  std::vector<std::vector<BuiltFile>> files_;       ///< of each output
  std::vector<std::optional<ManifestLand>> lands_;  ///< figures that are known without the value
  std::optional<Frame> world_;                      ///< where an output or the manifest takes it
  std::vector<Source> sources_;                     ///< of all outputs, one after the other
  std::vector<size_t> firsts_;                      ///< of each output, the first of its sources
  std::vector<NodeFacts> facts_;                    ///< of each source
  std::vector<Value> values_;                       ///< the same
  std::map<std::string, SharedView> views_;         ///< of outputs that show stages
  std::vector<size_t> unknown_;                     ///< sources of an output that are not known yet
  std::mutex mutex_;
  Build built_;
};

}  // namespace

PngText png_text(const Recipe& recipe, const Hash& value, ValueType type) {
  return {{"Software", std::string("Tepui ") + version},
          {"Recipe", recipe.name},
          {value_kind(type).label, value.text()},
          {"Seed", std::to_string(recipe.seed)}};
}

std::vector<std::string> build_tasks(const Recipe& recipe) {
  std::vector<std::string> names;
  for (const Node& node : recipe.nodes) names.push_back(node.name);
  for (const Output& output : recipe.outputs) names.push_back(output.name);
  return names;
}

Build build(const Recipe& recipe, const std::string& folder, const BuildOptions& options, ValueCache& cache,
            const Context& context) {
  return Builder(recipe, folder, options, cache, context).build();
}

}  // namespace tepui
