#include "apps/tepui/gallery.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>

#include "apps/tepui/land.h"
#include "apps/tepui/progress.h"
#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/core/version.h"
#include "tepui/graph/evaluate.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/output/read_value.h"
#include "tepui/output/recipe_look.h"
#include "tepui/recipe/presets.h"
#include "tepui/recipe/stages.h"

namespace tepui::app {

namespace {

namespace fs = std::filesystem;

/// RECIPE#node, a recipe's file, or a name that can only be a preset's.
bool is_made(const std::string& source) {
  return is_node_spec(source) || is_recipe(source) || (!fs::exists(source) && file_ending(source).empty());
}

/// The node that a recipe is about: that of its first output, or its last.
Reference main_node(const Plan& recipe, const std::string& source) {
  if (!recipe.outputs.empty()) {
    const int node = recipe.outputs.front().from.node, whole = recipe.nodes[static_cast<size_t>(node)].whole;
    return {whole >= 0 ? whole : node, "", {}};
  }
  if (recipe.nodes.empty()) refuse(fmt::format("'{}' has no nodes to show", source));
  return {static_cast<int>(recipe.nodes.size()) - 1, "", {}};
}

/// Nodes as a part of one task.
class NodeProgress : public ProgressSink {
 public:
  NodeProgress(size_t nodes, Context task) : fractions_(nodes), task_(std::move(task)) {}

  void progress(int node, std::string_view stage, double fraction) override {
    const std::lock_guard lock(mutex_);
    if (node < 0 || static_cast<size_t>(node) >= fractions_.size()) return;
    double& known = fractions_[static_cast<size_t>(node)];
    known = std::max(known, fraction);
    double sum = 0;
    for (const double f : fractions_) sum += f;
    task_.stage(stage.empty() ? "making" : stage, 0, 0.5).progress(sum / static_cast<double>(fractions_.size()));
  }
  void warn(std::string_view message) override { task_.warn(message); }

 private:
  std::mutex mutex_;
  std::vector<double> fractions_;
  Context task_;
};

}  // namespace

Gallery::Gallery(const FigureOptions& options, const Invocation& call) : options_(options), call_(call) {
  for (const std::string& text : options.sweeps) sweeps_.push_back(parse_sweep(text));
  table_ = sweep_table(sweeps_, overrides_of(options.changes));
  if (!sweeps_.empty() && options.sources.size() > 1)
    refuse(fmt::format("a sweep takes one recipe, but {} sources are given", options.sources.size()),
           "remove all but one");
  for (const std::string& source : options.sources)
    for (const SweepEntry& entry : table_.entries) add(source, entry.overrides, entry.caption);
  if (sweeps_.empty()) name_entries();
  if (sweeps_.empty() && (options.kind == "timelapse" || options.kind == "sheet")) show_stages();
  if (!options.captions.empty()) {
    if (options.captions.size() != entries_.size())
      refuse(fmt::format("there are {} captions for {} pictures", options.captions.size(), entries_.size()));
    for (size_t i = 0; i < entries_.size(); ++i) entries_[i].caption = options.captions[i];
  }
  disk_ = open_cache(call.cache);
  cache_ = std::make_unique<ValueCache>(physical_memory() / 8, disk_.get());
  std::set<std::string> warned;
  for (const Entry& entry : entries_)
    for (const std::string& warning : entry.recipe ? entry.recipe->warnings : std::vector<std::string>())
      if (warned.insert(warning).second) call.context.warn(warning);
  std::vector<std::string> tasks;
  for (const Entry& entry : entries_) tasks.push_back(entry.caption.empty() ? entry.source : entry.caption);
  call.progress.begin(std::move(tasks));
}

/// An error in a value tells the option that gave it here.
Plan Gallery::load(const std::string& name, const Overrides& overrides) const {
  try {
    return load_recipe_or_preset(name, overrides);
  } catch (const Error& error) {
    const std::string option = "--set ";
    if (!error.place().file.starts_with(option)) throw;
    const std::string set = error.place().file.substr(option.size());
    const bool swept = std::ranges::any_of(sweeps_, [&](const Sweep& sweep) { return set.starts_with(sweep.name); });
    const bool with =
        std::ranges::any_of(options_.with, [&](const std::string& word) { return word.starts_with(set); });
    if (!swept && !with) throw;
    Place place = error.place();
    place.file = (swept ? "--sweep " : "--with ") + set;
    throw Error(error.kind(), error.message(), error.hint(), std::move(place));
  }
}

void Gallery::add(const std::string& source, const Overrides& overrides, const std::string& caption) {
  Entry entry{source, nullptr, {}, caption};
  if (is_made(source)) {
    if (!options_.how.empty()) refuse(fmt::format("'{}' is computed, not read from a file", source), "remove '--in'");
    const size_t hash = is_node_spec(source) ? source.find('#') : std::string::npos;
    entry.recipe = std::make_shared<const Plan>(load(source.substr(0, hash), overrides));
    entry.node = hash == std::string::npos ? main_node(*entry.recipe, source)
                                           : named_node(*entry.recipe, source.substr(hash + 1));
  } else {
    if (overrides.seed || overrides.resolution || !overrides.set.empty())
      refuse(fmt::format("'{}' is a file; only recipes have parameters to set", source),
             "remove '--sweep', '--set', '--seed' and '--resolution', or give RECIPE#node");
    file_size(source);
  }
  entries_.push_back(std::move(entry));
}

/// By what tells them apart: nodes of one recipe by the node, whole recipes by the recipe.
void Gallery::name_entries() {
  std::set<std::string> recipes;
  bool whole = true;
  for (const Entry& entry : entries_) {
    recipes.insert(entry.recipe ? entry.recipe->name : "");
    whole = whole && !is_node_spec(entry.source);
  }
  for (Entry& entry : entries_) {
    if (!entry.recipe) {
      entry.caption = fs::path(entry.source).stem().string();
      continue;
    }
    std::string node = entry.recipe->nodes[static_cast<size_t>(entry.node.node)].name;
    if (!entry.node.layer.empty()) node += "." + entry.node.layer;
    entry.caption = recipes.size() == 1 ? node : whole ? entry.recipe->name : entry.recipe->name + ": " + node;
  }
}

/// A single node that stops on its way is shown at each of its ages.
void Gallery::show_stages() {
  if (entries_.size() != 1 || !entries_.front().recipe) return;
  const Entry whole = entries_.front();
  const std::vector<int>& stages = whole.recipe->nodes[static_cast<size_t>(whole.node.node)].stages;
  if (stages.empty()) return;
  if (stages.size() > most_sweep_entries)
    refuse(
        fmt::format("{} stages are too many for one figure; at most {} are shown", stages.size(), most_sweep_entries),
        "raise the node's \"every\"");
  entries_.clear();
  for (const int stage : stages)
    entries_.push_back({whole.source, whole.recipe, {stage, whole.node.layer, {}}, age_text(*whole.recipe, stage)});
}

Json Gallery::look() const { return entries_.front().recipe ? look_of(*entries_.front().recipe) : Json(); }

std::string Gallery::title() const {
  const std::shared_ptr<const Plan>& first = entries_.front().recipe;
  const auto same = [&](const Entry& entry) { return entry.recipe && entry.recipe->name == first->name; };
  return first && std::ranges::all_of(entries_, same) ? first->title : std::string();
}

const Kind& Gallery::kind(size_t i) const {
  const Entry& entry = entries_[i];
  if (!entry.recipe) return tepui::kind_of_file(entry.source);
  return *entry.recipe->node(entry.node).op->output;
}

Exhibit Gallery::load(size_t i) {
  call_.context.check();
  const Entry& entry = entries_[i];
  if (entry.recipe) return evaluate_node(i);
  const Context context = call_.context.task(static_cast<int>(i)).stage("reading", 0, 0.5);
  return {read_value(entry.source, options_.how, context), {{}, options_.sea_level}, {}};
}

Exhibit Gallery::evaluate_node(size_t i) {
  const Entry& entry = entries_[i];
  const Plan& recipe = *entry.recipe;
  NodeProgress nodes(recipe.nodes.size(), call_.context.task(static_cast<int>(i)));
  Evaluation evaluation = evaluate(recipe, {entry.node.node}, *cache_, call_.context.told_to(&nodes));
  cache_->settle();
  computed_ += std::ranges::count(evaluation.nodes, false, &NodeReport::cached);
  Setting around{{}, options_.sea_level ? options_.sea_level : recipe.world.sea_level};
  if (output_kind(*evaluation.facts.front().kind).takes_world)
    around.world = world_frame(recipe, *cache_, call_.context.told_to(&nodes));
  return {select(evaluation.values.front(), entry.node), around, evaluation.facts.front().hash};
}

PngText Gallery::text() const {
  PngText text{{"Software", std::string("Tepui ") + version}};
  std::set<std::string> recipes, seeds;
  for (const Entry& entry : entries_) {
    if (!entry.recipe) continue;
    recipes.insert(entry.recipe->name);
    seeds.insert(std::to_string(entry.recipe->seed));
  }
  std::vector<std::string> sweeps;
  for (const Sweep& sweep : sweeps_) sweeps.push_back(sweep.text);
  if (!recipes.empty()) text["Recipe"] = fmt::format("{}", fmt::join(recipes, ", "));
  if (seeds.size() == 1) text["Seed"] = *seeds.begin();
  if (!sweeps.empty()) text["Sweep"] = fmt::format("{}", fmt::join(sweeps, "; "));
  return text;
}

}  // namespace tepui::app
