#include "tepui/output/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>

#include "tepui/core/version.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file_list.h"
#include "tepui/io/formats.h"
#include "tepui/io/manifest.h"
#include "tepui/output/output_nodes.h"

namespace tepui {

namespace {

namespace fs = std::filesystem;

std::vector<const Output*> choose(const Plan& plan, const std::vector<std::string>& only) {
  std::vector<const Output*> chosen;
  std::vector<std::string> known;
  const auto is_named = [&](const std::string& name) { return std::ranges::find(only, name) != only.end(); };
  for (const Output& output : plan.outputs) {
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

/// The nodes of an output tell their progress as one task: the drawing first, then the writing.
class OutputProgress : public ProgressSink {
 public:
  OutputProgress(ProgressSink* next, int nodes) : next_(next), nodes_(nodes) {}

  /// What is added to the graph from `node` on belongs to the output with this task; -1: to none.
  void add(int node, int task) { tasks_[node] = task; }

  void progress(int task, std::string_view stage, double fraction) override {
    if (next_ == nullptr) return;
    if (task < nodes_) return next_->progress(task, stage, fraction);
    const auto own = std::prev(tasks_.upper_bound(task));
    if (own->second < 0) return;
    const bool writes = std::next(own) == tasks_.end() || std::next(own)->first == task + 1;
    next_->progress(own->second, stage, writes ? 0.95 + 0.05 * fraction : 0.95 * fraction);
  }
  void warn(std::string_view message) override {
    if (next_ != nullptr) next_->warn(message);
  }
  void told(int task, std::string_view name, double value, std::string_view unit) override {
    if (next_ != nullptr && task < nodes_) next_->told(task, name, value, unit);
  }

 private:
  ProgressSink* next_;
  int nodes_;
  std::map<int, int> tasks_;  ///< by the first node of an output
};

/// One build: the outputs, and the nodes that they are at the end of the graph.
class Builder : public std::enable_shared_from_this<Builder> {
 public:
  Builder(std::shared_ptr<const Plan> plan, std::string folder, BuildOptions options)
      : owned_(std::move(plan)),
        plan_(*owned_),
        folder_(std::move(folder)),
        options_(std::move(options)),
        outputs_(choose(plan_, options_.only)),
        nodes_(
            plan_, [this](const std::string& name) { return path_of(name); }, options_.keep) {}

  Build build(ValueCache& cache, const Context& context, const Evaluator& evaluator) {
    const auto began = std::chrono::steady_clock::now();
    ensure_folder(folder_);
    for (const Output* output : outputs_) check_places(*output);
    choose_cuts();
    OutputProgress progress(context.sink(), static_cast<int>(plan_.nodes.size()));
    add_nodes(progress);
    const SharedGraph graph(shared_from_this(), &nodes_.graph());
    evaluation_ = evaluator(graph, wanted_, context.told_to(&progress), [this](size_t i, const auto&) {
      return options_.values && i >= outputs_.size() && i < 2 * outputs_.size();
    });
    for (NodeReport& node : evaluation_.nodes)
      if (!node.name.empty()) built_.nodes.push_back(std::move(node));
    add_window_reports();
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (options_.values) built_.values.push_back(evaluation_.values[outputs_.size() + i]);
      add_files(i);
    }
    write_manifest(cache, context);
    built_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(built_);
  }

 private:
  /// The nodes that write, what the outputs are made from, and what measures their lands.
  void add_nodes(OutputProgress& progress) {
    const auto count = [&] { return static_cast<int>(nodes_.graph().nodes.size()); };
    progress.add(count(), -1);
    for (size_t i = 0; i < outputs_.size(); ++i)
      cuts_[i] ? nodes_.add_check(*outputs_[i], *cuts_[i]) : nodes_.add_check(*outputs_[i]);
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const auto place = static_cast<size_t>(outputs_[i] - plan_.outputs.data());
      progress.add(count(), static_cast<int>(plan_.nodes.size() + place));
      wanted_.push_back(cuts_[i] ? nodes_.add(*outputs_[i], *cuts_[i]) : nodes_.add(*outputs_[i]));
    }
    progress.add(count(), -1);
    for (size_t i = 0; i < outputs_.size(); ++i)
      wanted_.push_back(cuts_[i] ? nodes_.add_outline(*outputs_[i], *cuts_[i]) : outputs_[i]->from.node);
    for (size_t i = 0; i < outputs_.size(); ++i) {
      // Who writes land in windows measures it on the way.
      if (cuts_[i])
        measures_.push_back(wanted_[i]);
      else
        measures_.push_back(is_of_one_node(*outputs_[i]) ? nodes_.add_measure(outputs_[i]->from) : -1);
      if (measures_.back() >= 0) wanted_.push_back(measures_.back());
    }
  }

  /// Which outputs are computed window by window.
  void choose_cuts() {
    if (options_.window) {
      require_land();
      for (const Output* output : outputs_)
        cuts_.push_back(LandCut{LandChain(plan_, output->from.node), options_.window});
      return;
    }
    const auto in_tiles = [&](const Output& output) {
      // Tiles of a mesh share its error, and its textures their light.
      return !options_.values && output.options.is_tiled() && !output.is_shown() &&
             plan_.node(output.from).op->output->has_samples() &&
             writing_format(output.name, Terrain::kind_name)->samples != Samples::mesh;
    };
    std::vector<bool> whole(plan_.nodes.size(), false);
    for (const Output* output : outputs_)
      if (!in_tiles(*output))
        for (const Reference& source : output->sources()) mark_needed(source.node, whole);
    // What one land's windows start from is there for all.
    for (std::vector<bool> before; before != whole;) {
      before = whole;
      cuts_.assign(outputs_.size(), std::nullopt);
      for (size_t i = 0; i < outputs_.size(); ++i) {
        if (!in_tiles(*outputs_[i])) continue;
        LandChain chain(plan_, outputs_[i]->from.node, before);
        for (const int source : chain.sources()) mark_needed(source, whole);
        if (chain.is_by_windows()) cuts_[i] = LandCut{std::move(chain), {}};
      }
    }
  }

  void mark_needed(int node, std::vector<bool>& marks) const {
    if (marks[static_cast<size_t>(node)]) return;
    marks[static_cast<size_t>(node)] = true;
    for (const int input : plan_.needs(node)) mark_needed(input, marks);
  }

  /// Only files of land have windows.
  void require_land() const {
    const auto is_land = [&](const Output& output) {
      return !output.is_shown() && plan_.node(output.from).op->output->has_samples();
    };
    std::vector<std::string> fitting;
    for (const Output& output : plan_.outputs)
      if (is_land(output)) fitting.push_back(output.name);
    for (const Output* output : outputs_)
      if (!is_land(*output))
        throw Error(ErrorKind::request,
                    fmt::format("output '{}' is {}; --window only applies to files of land", output->name,
                                output->is_shown() ? "a picture" : "of " + plan_.node(output->from).op->output->noun),
                    fitting.empty() ? "this recipe has no file of land"
                                    : fmt::format("choose with --only: {}", fmt::join(fitting, ", ")),
                    output->at.place());
  }

  /// Nodes that were computed by windows are told in the graph's order; those whose files were all there, too.
  void add_window_reports() {
    for (size_t i = 0; i < outputs_.size(); ++i) {
      if (!cuts_[i]) continue;
      for (const LandChain::Step& step : cuts_[i]->chain.steps()) {
        const Node& node = plan_.node(step.node);
        if (std::ranges::find(built_.nodes, node.name, &NodeReport::name) != built_.nodes.end()) continue;
        const auto found = nodes_.window_reports().find(node.name);
        NodeReport report;
        if (found != nodes_.window_reports().end()) report = found->second;
        report.name = node.name;
        report.op = node.op->name;
        report.cached = report.windows == 0;
        built_.nodes.push_back(std::move(report));
      }
    }
    std::ranges::stable_sort(built_.nodes, {}, [&](const NodeReport& node) { return plan_.find_node(node.name); });
  }

  /// Whether the manifest may tell of its land: the one that it is made from.
  static bool is_of_one_node(const Output& output) { return !output.sheet && output.sources().size() == 1; }

  /// Refuses names that could not be written, before there is anything to write. A file that is there may be kept, in a
  /// folder that takes no others.
  void check_places(const Output& output) const {
    try {
      for (const std::string& name : output.files()) {
        const std::string path = path_of(name);
        std::error_code ignored;
        if (fs::is_regular_file(path, ignored)) continue;
        ensure_folder(fs::path(path).parent_path().string());
        check_writable(path);
      }
    } catch (const Error& error) {
      throw error.at(output.at.place());
    }
  }

  std::string path_of(const std::string& name) const {
    const std::string path = (fs::path(folder_) / name).string();
    if (name.find('/') != std::string::npos) require_inside(folder_, path);
    return path;
  }

  void add_files(size_t i) {
    const NodeFacts& facts = evaluation_.facts[i];
    const Value written = facts.kind->restore(facts.outline, facts.parts, {}).value();
    for (const FileRecord& record : get<FileList>(written).records())
      built_.files.push_back({path_of(record.name), record, evaluation_.cached[i]});
  }

  const std::vector<ToldNumber>& measured(size_t i) const {
    const auto at = std::ranges::find(wanted_, measures_[i]) - wanted_.begin();
    return evaluation_.facts[static_cast<size_t>(at)].told;
  }

  void add_lands(ManifestInfo& info, ValueCache& cache, const Context& context) const {
    bool placed = false;
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const NodeFacts& facts = evaluation_.facts[outputs_.size() + i];
      if (output_kind(*facts.kind).land == nullptr) continue;
      ManifestLand land = output_kind(*facts.kind).land(facts);
      if (!std::exchange(placed, true)) {
        info.world = facts.frame();
        info.relief = land.relief;
      }
      land.name = plan_.node(outputs_[i]->from).name;
      const bool told = std::ranges::find(info.lands, land.name, &ManifestLand::name) != info.lands.end();
      if (told || measures_[i] < 0 || measured(i).empty()) continue;
      for (const ToldNumber& number : measured(i)) {
        if (number.name == "low") land.min = number.value;
        if (number.name == "high") land.max = number.value;
        if (number.name == "voids") land.nodata_cells = static_cast<int64_t>(number.value);
      }
      info.lands.push_back(std::move(land));
    }
    // The manifest takes its world from the lands, where there are some.
    if (!placed) info.world = world_frame(plan_, cache, context.told_to(nullptr));
  }

  void write_manifest(ValueCache& cache, const Context& context) {
    ManifestInfo info;
    info.version = version;
    info.title = plan_.title;
    info.recipe = plan_.name;
    info.seed = plan_.seed;
    info.recipe_hash = plan_.hash;
    info.sea_level = plan_.world.sea_level;
    add_lands(info, cache, context);
    for (const BuiltFile& built : built_.files) info.files.push_back(built.record);
    BuiltFile file;
    file.path = path_of(plan_.name + ".manifest.json");
    // A build of some outputs keeps what the manifest says of the others, while they are still the files it means.
    std::vector<std::string> replaced;
    for (const BuiltFile& built : built_.files) replaced.push_back(built.record.name);
    if (!options_.only.empty())
      for (FileRecord& record : kept_records(file.path, replaced)) info.files.push_back(std::move(record));
    const std::string text = manifest_text(info);
    const Hash hash = hash_bytes(text.data(), text.size());
    std::error_code ignored;
    file.kept = options_.keep && fs::is_regular_file(file.path, ignored) && file_size(file.path) == text.size() &&
                hash_file(file.path) == hash;
    if (!file.kept) write_file(file.path, text);
    file.record.name = file_name(file.path);
    file.record.format = "manifest";
    file.record.bytes = text.size();
    file.record.hash = hash;
    built_.files.push_back(std::move(file));
  }

  std::shared_ptr<const Plan> owned_;
  const Plan& plan_;
  std::string folder_;
  BuildOptions options_;
  std::vector<const Output*> outputs_;
  std::vector<std::optional<LandCut>> cuts_;  ///< of each output; none where its land is computed whole
  OutputGraph nodes_;
  std::vector<int> wanted_;  ///< of each output the node that writes, then of each what it is made from, then measures
  std::vector<int> measures_;  ///< of each output; -1 where there is none
  Evaluation evaluation_;
  Build built_;
};

}  // namespace

std::vector<std::string> build_tasks(const Plan& plan) {
  std::vector<std::string> names;
  for (const Node& node : plan.nodes) names.push_back(node.name);
  for (const Output& output : plan.outputs) names.push_back(output.name);
  return names;
}

Build build(const Plan& plan, const std::string& folder, const BuildOptions& options, ValueCache& cache,
            const Context& context) {
  // The plan outlasts the call, and nothing goes on after it.
  const std::shared_ptr<const Plan> borrowed(std::shared_ptr<const Plan>(), &plan);
  return build(borrowed, folder, options, cache, context,
               [&](const SharedGraph& graph, const std::vector<int>& wanted, const Context& own,
                   const ValueNeed& need) { return evaluate(*graph, wanted, cache, own, need); });
}

Build build(std::shared_ptr<const Plan> plan, const std::string& folder, const BuildOptions& options, ValueCache& cache,
            const Context& context, const Evaluator& evaluator) {
  return std::make_shared<Builder>(std::move(plan), folder, options)->build(cache, context, evaluator);
}

}  // namespace tepui
