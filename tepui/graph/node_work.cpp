#include "tepui/graph/node_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/graph/land_windows.h"

namespace tepui {

namespace {

/// Passes everything on and remembers the warnings and the numbers.
class Listener : public ProgressSink {
 public:
  explicit Listener(ProgressSink* next) : next_(next) {}
  void progress(int task, std::string_view stage, double fraction) override {
    if (next_ != nullptr) next_->progress(task, stage, fraction);
  }
  void warn(std::string_view message) override {
    const std::lock_guard lock(mutex_);
    warnings_.emplace_back(message);
    if (next_ != nullptr) next_->warn(message);
  }
  void told(int task, std::string_view name, double value, std::string_view unit) override {
    if (!std::isfinite(value)) fail(fmt::format("its number '{}' is not finite", name));
    const std::lock_guard lock(mutex_);
    ToldNumber number{std::string(name), value, std::string(unit)};
    if (const auto known = std::ranges::find(numbers_, number.name, &ToldNumber::name); known != numbers_.end())
      *known = std::move(number);
    else
      numbers_.push_back(std::move(number));
    if (next_ != nullptr) next_->told(task, name, value, unit);
  }
  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::vector<ToldNumber>& numbers() const { return numbers_; }

 private:
  ProgressSink* next_;
  std::mutex mutex_;
  std::vector<std::string> warnings_;
  std::vector<ToldNumber> numbers_;
};

std::string replaced(std::string text, const std::string& old, const std::string& fresh) {
  for (size_t at = old.empty() ? std::string::npos : text.find(old); at != std::string::npos;
       at = text.find(old, at + fresh.size()))
    text.replace(at, old.size(), fresh);
  return text;
}

/// A warning as it is kept, without the names of files, which may have another one next time; and back.
std::string without_paths(std::string warning, const Node& node) {
  for (size_t i = 0; i < node.params.size(); ++i)
    if (const FilePath* file = std::get_if<FilePath>(&node.params[i]))
      warning = replaced(std::move(warning), file->path, fmt::format("\x01{}\x01", i));
  return warning;
}
std::string with_paths(std::string warning, const Node& node) {
  for (size_t i = 0; i < node.params.size(); ++i)
    if (const FilePath* file = std::get_if<FilePath>(&node.params[i]))
      warning = replaced(std::move(warning), fmt::format("\x01{}\x01", i), file->path);
  return warning;
}

/// Of all that land on other samples follows from.
Hash lattice_key(const LandChain& chain, const KnownNodes& known) {
  Hasher key;
  key.add(chain.hash());
  if (chain.takes_world()) key.add(known.world().hash());
  for (const int source : chain.sources()) key.add(known.facts(source).hash);
  return key.finish();
}

Value on_own_lattice(const Graph& graph, const Node& node, size_t port, const LandChain& chain, const KnownNodes& known,
                     const Context& context) {
  std::vector<Value> sources;
  for (const int source : chain.sources()) sources.push_back(known.value(source));
  const Frame world = chain.takes_world() ? known.world() : Frame();
  LandWindows land(chain, std::move(sources), &world);
  return land.on(node.op->lattices.at(port)(graph.completed_params(node), land.frame()), context);
}

/// The call's inputs, the hashes of their cells, and what it took to have those that are not kept.
void gather(const Graph& graph, const Node& node, const NodeInputs& inputs, const KnownNodes& nodes, OperatorCall& call,
            KnownParts& parts, double& cost, const Context& context) {
  for (size_t port = 0; port < node.inputs.size(); ++port) {
    call.inputs.emplace_back();
    call.facts.emplace_back();
    for (size_t i = 0; i < node.inputs[port].size(); ++i) {
      const Reference& reference = node.inputs[port][i];
      if (const auto& apart = inputs.apart[port]; !apart.empty()) {
        call.inputs.back().push_back(select(on_own_lattice(graph, node, port, apart[i], nodes, context), reference));
        call.facts.back().push_back(nullptr);
        continue;
      }
      const Value& value = nodes.value(reference.node);
      const NodeFacts& facts = nodes.facts(reference.node);
      add_known_parts(parts, value, facts);
      cost += facts.cost;
      call.inputs.back().push_back(select(value, reference));
      call.facts.back().push_back(&facts);
    }
  }
}

/// Refuses, before anything is allocated, to fill a world whose layers could not be held.
void require_memory(const Node& node, const Frame& world) {
  if (!node.op->reach || !node.op->output->has_samples()) return;  // it gives no land, or only a window
  const double layer = static_cast<double>(world.width) * static_cast<double>(world.height) * sizeof(float);
  const auto memory = static_cast<double>(physical_memory());
  if (layer * 3 <= memory) return;
  const auto longer = static_cast<double>(std::max(world.width, world.height));
  refuse(fmt::format("{} x {} samples need {} per layer and at least three layers; this machine has {}", world.width,
                     world.height, bytes_text(layer), bytes_text(memory)),
         fmt::format("a resolution of {} would fit; or write the land in tiles, if its operators allow that",
                     static_cast<int64_t>(std::sqrt(memory / 3 / layer) * longer)));
}

}  // namespace

NodeInputs node_inputs(const Graph& graph, int index) {
  NodeInputs inputs;
  const Node& node = graph.node(index);
  bool takes_world = node.op->takes_world;
  inputs.apart.resize(node.inputs.size());
  for (size_t port = 0; port < node.inputs.size(); ++port)
    for (const Reference& reference : node.inputs[port]) {
      if (!is_on_own_lattice(*node.op, port)) {
        inputs.values.push_back(reference.node);
        continue;
      }
      const LandChain& chain = inputs.apart[port].emplace_back(LandChain::on_any_lattice(graph, reference.node));
      inputs.values.insert(inputs.values.end(), chain.sources().begin(), chain.sources().end());
      takes_world |= chain.takes_world();
    }
  inputs.sources = inputs.values;
  if (takes_world && graph.world.from >= 0) inputs.sources.push_back(graph.world.from);
  return inputs;
}

Hash outside_of(const Node& node) { return node.op->outside ? node.op->outside(node.params) : Hash(); }

Hash node_key(const Graph& graph, int index, const NodeInputs& inputs, const Hash& outside, const KnownNodes& known) {
  const Node& node = graph.node(index);
  Hasher key;
  key.add(node.op->name).add(node.op->version);
  const std::vector<ParamValue> params = graph.completed_params(node);
  for (size_t i = 0; i < params.size(); ++i) hash_param(key, node.op->params.fields[i], params[i]);
  key.add(outside);
  if (node.op->takes_world) key.add(known.world().hash());
  for (size_t port = 0; port < node.inputs.size(); ++port) {
    key.add(static_cast<int64_t>(node.inputs[port].size()));
    for (size_t i = 0; i < node.inputs[port].size(); ++i) {
      const Reference& reference = node.inputs[port][i];
      const auto& apart = inputs.apart[port];
      key.add(apart.empty() ? known.facts(reference.node).hash : lattice_key(apart[i], known)).add(reference.layer);
    }
  }
  return key.finish();
}

bool still_stands(const Node& node, const NodeFacts& facts) {
  if (!node.op->stands) return true;
  const std::optional<Value> written = facts.kind->restore(facts.outline, facts.parts, {});
  return written && node.op->stands(*written);
}

Computed compute_node(const Graph& graph, int index, const NodeInputs& inputs, const Hash& outside,
                      const KnownNodes& known, const Context& context, const RunOperator& run) {
  const auto began = std::chrono::steady_clock::now();
  const Node& node = graph.node(index);
  OperatorCall call;
  Frame world;
  if (node.op->takes_world) {
    world = known.world();
    call.world = &world;
    require_memory(node, world);
  }
  call.params = graph.completed_params(node);
  KnownParts parts;
  double cost = 0;
  gather(graph, node, inputs, known, call, parts, cost, context);
  Listener listener(context.sink());
  const Context heard = context.told_to(&listener);
  Value value = run ? run(*node.op, call, heard) : node.op->run(call, heard);
  if (outside_of(node) != outside) refuse("a file that it reads changed during the run", "run it again");
  NodeFacts facts = facts_of(value, parts);
  facts.cost = cost + std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  facts.told = listener.numbers();
  // What is said of writing a file is said when it is written.
  if (!node.op->stands)
    for (const std::string& warning : listener.warnings()) facts.warnings.push_back(without_paths(warning, node));
  return {std::move(value), std::move(facts)};
}

std::string warning_now(const std::string& kept, const Node& node) { return with_paths(kept, node); }

}  // namespace tepui
