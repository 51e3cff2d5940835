#include "tepui/graph/evaluate.h"

#include <fmt/format.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

#include "tepui/core/error.h"
#include "tepui/graph/land_windows.h"
#include "tepui/graph/node_work.h"

namespace tepui {

namespace {

/// Thrown where a node gives another value than the cache knows of it: an operator has changed without its version.
struct StaleCache {
  std::string node;
};

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

/// One run of the graph. A node is *known* once the content of its value is, which is all that the keys of its readers
/// take: from the cache's facts, or by computing it. Its *value* is brought only when someone reads it: from the cache,
/// or by computing it, which reads its inputs' values in turn. Tasks never wait: what a node waits for is counted, and
/// the last to come starts it.
class Run {
 public:
  Run(const Graph& graph, const std::vector<int>& wanted, ValueCache& cache, const Context& context,
      const ValueNeed& need)
      : graph_(graph), wanted_(wanted), cache_(cache), context_(context), need_(need), states_(graph.nodes.size()) {
    for (const int index : wanted) {
      require(index);
      state(index).wanted = true;
      ++state(index).holds;
    }
  }

  /// With `trust` false the cache is written, never asked.
  Evaluation execute(bool trust) {
    trust_ = trust;
    // Collected first: a task started here may already make others ready.
    std::vector<int> ready;
    for (size_t i = 0; i < states_.size(); ++i)
      if (states_[i].required && states_[i].unknown_inputs == 0) ready.push_back(static_cast<int>(i));
    for (const int index : ready) start(index, &Run::find);
    try {
      group_.wait();
    } catch (const Error&) {
      // What was finished is kept, however the rest ended.
      save_pending();
      // Nodes that a stale cache stopped say so.
      if (stale_.empty()) throw;
    }
    context_.check();
    if (!stale_.empty()) throw StaleCache{stale_};

    Evaluation result;
    for (const int index : wanted_) {
      result.values.push_back(state(index).value.value_or(Value()));
      result.facts.push_back(state(index).facts);
      result.cached.push_back(state(index).report.cached);
    }
    for (const State& s : states_)
      if (s.required) result.nodes.push_back(s.report);
    return result;
  }

 private:
  struct State {
    bool required = false;
    bool wanted = false;
    NodeInputs inputs;
    std::vector<int> dependents;  ///< whose source it is
    // From here on under the mutex, but for what a node's own task writes before it becomes known.
    int unknown_inputs = 0;
    bool known = false;
    bool coming = false;       ///< its value is being brought
    int missing_values = 0;    ///< before it can be computed
    int holds = 0;             ///< who may still read the value
    std::vector<int> waiting;  ///< nodes that will be computed from the value
    std::optional<Value> value;
    Hash key;
    Hash outside;  ///< of what it reads beside its inputs
    NodeFacts facts;
    NodeReport report;
  };
  struct Pending {
    Hash key;
    NodeFacts facts;
    Value value;
  };
  using Step = void (Run::*)(int);

  State& state(int index) { return states_[static_cast<size_t>(index)]; }
  const Node& node(int index) const { return graph_.node(index); }

  void require(int index) {
    State& s = state(index);
    if (s.required) return;
    s.required = true;
    s.report.name = node(index).name;
    s.report.op = node(index).op->name;
    s.inputs = node_inputs(graph_, index);
    for (const int source : s.inputs.sources) {
      require(source);
      state(source).dependents.push_back(index);
      ++s.unknown_inputs;
    }
    for (const int input : s.inputs.values) ++state(input).holds;
  }

  void start(int index, Step step) {
    group_.run([this, index, step] {
      const Clock::time_point began = Clock::now();
      try {
        (this->*step)(index);
      } catch (const Error& error) {
        throw error_at(error, node(index));
      }
      const std::lock_guard lock(mutex_);
      state(index).report.seconds += seconds_since(began);
    });
  }

  /// First step: the key, and what the cache knows under it.
  void find(int index) {
    State& s = state(index);
    context_.task(index).progress(0);
    s.outside = outside_of(node(index));
    s.key = s.report.key = node_key(graph_, index, s.inputs, s.outside, known_nodes());
    std::optional<NodeFacts> facts = trust_ ? cache_.find(s.key) : std::nullopt;
    if (facts && still_stands(node(index), *facts)) {
      s.facts = std::move(*facts);
      s.report.cached = true;
      for (const std::string& warning : s.facts.warnings) context_.warn(warning_now(warning, node(index)));
      for (const ToldNumber& told : s.facts.told) context_.task(index).tell(told.name, told.value, told.unit);
      context_.task(index).progress(1);
      become_known(index);
      const std::lock_guard lock(mutex_);
      for (const int input : s.inputs.values) release(input);
      return;
    }
    const std::lock_guard lock(mutex_);
    await_inputs(index);
  }

  /// A known node whose value is asked for.
  void fetch(int index) {
    State& s = state(index);
    if (std::optional<Value> value = cache_.load(s.key, s.facts, context_.task(index))) {
      s.report.loaded = true;
      arrive(index, std::move(*value));
      return;
    }
    // The cells are gone, or were never worth keeping.
    const std::lock_guard lock(mutex_);
    for (const int input : s.inputs.values) ++state(input).holds;
    await_inputs(index);
  }

  void compute(int index) {
    const Node& n = node(index);
    State& s = state(index);
    const Context context = context_.task(index);
    auto [value, facts] = compute_node(graph_, index, s.inputs, s.outside, known_nodes(), context);
    if (facts.kind->is_kept() && (s.wanted || n.kept || n.is_stage() || cache_.is_worth_saving(facts))) facts.cost = 0;
    s.report.cached = false;
    save(index, facts, value);
    {
      const std::lock_guard lock(mutex_);
      for (const int input : s.inputs.values) release(input);
      if (s.known && facts.hash != s.facts.hash) {
        stale_ = n.name;
        group_.cancel();
        return;
      }
    }
    const bool was_known = s.known;
    if (!was_known) s.facts = std::move(facts);
    arrive(index, std::move(value));
    if (!was_known) become_known(index);
    context.progress(1);
  }

  /// In memory at once; on disk beside the nodes to come, but for a second one, whose writer would hold memory for
  /// long, and for a stage, which a run that is stopped after it must find again.
  void save(int index, const NodeFacts& facts, const Value& value) {
    const Hash key = state(index).key;
    cache_.put(key, facts, value);
    if (!cache_.saves()) return;
    if (node(index).is_stage() || saving_.exchange(true)) {
      cache_.save(key, facts, value, context_);
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      pending_ = {key, facts, value};
    }
    group_.run([this] { save_pending(); });
  }

  void save_pending() {
    std::optional<Pending> last;
    {
      const std::lock_guard lock(mutex_);
      last.swap(pending_);
    }
    if (!last) return;
    cache_.save(last->key, last->facts, last->value, context_);
    last.reset();
    saving_ = false;
  }

  void become_known(int index) {
    State& s = state(index);
    s.report.hash = s.facts.hash;
    s.report.bytes = s.facts.bytes;
    s.report.told = s.facts.told;
    std::vector<int> ready;
    {
      const std::lock_guard lock(mutex_);
      s.known = true;
      for (const int dependent : s.dependents)
        if (--state(dependent).unknown_inputs == 0) ready.push_back(dependent);
    }
    for (const int dependent : ready) start(dependent, &Run::find);
    for (size_t i = 0; i < wanted_.size(); ++i) {
      if (wanted_[i] != index) continue;
      const bool needed = !need_ || need_(i, s.facts);
      const std::lock_guard lock(mutex_);
      needed ? bring(index) : release(index);
    }
  }

  void arrive(int index, Value value) {
    const std::lock_guard lock(mutex_);
    State& s = state(index);
    s.coming = false;
    s.value = std::move(value);
    for (const int reader : std::exchange(s.waiting, {}))
      if (--state(reader).missing_values == 0) start(reader, &Run::compute);
    if (s.holds == 0) s.value.reset();
  }

  /// With the mutex held: sees to it that the value comes. One that is not known is being computed anyway.
  void bring(int index) {
    State& s = state(index);
    if (s.value || s.coming) return;
    s.coming = true;
    start(index, &Run::fetch);
  }

  /// With the mutex held, like all below: computes the node once its inputs' values are there.
  void await_inputs(int index) {
    State& s = state(index);
    s.coming = true;
    s.missing_values = 0;
    for (const int input : s.inputs.values) {
      if (state(input).value) continue;
      ++s.missing_values;
      state(input).waiting.push_back(index);
      bring(input);
    }
    if (s.missing_values == 0) start(index, &Run::compute);
  }

  void release(int index) {
    State& s = state(index);
    if (--s.holds == 0) s.value.reset();
  }

  Frame world_frame() { return graph_.world.from >= 0 ? state(graph_.world.from).facts.frame() : graph_.world.frame(); }

  KnownNodes known_nodes() {
    return {[this](int index) -> const NodeFacts& { return state(index).facts; },
            [this](int index) -> const Value& { return *state(index).value; }, [this] { return world_frame(); }};
  }

  const Graph& graph_;
  const std::vector<int>& wanted_;
  ValueCache& cache_;
  const Context& context_;
  const ValueNeed& need_;
  bool trust_ = true;
  std::string stale_;
  std::atomic<bool> saving_ = false;
  std::optional<Pending> pending_;  ///< to be saved by a task that has not begun
  std::mutex mutex_;
  std::vector<State> states_;
  tbb::task_group group_;
};

}  // namespace

Frame world_frame(const Graph& graph, ValueCache& cache, const Context& context) {
  if (graph.world.from < 0) return graph.world.frame();
  const auto facts_alone = [](size_t, const NodeFacts&) { return false; };
  return evaluate(graph, {graph.world.from}, cache, context, facts_alone).facts.front().frame();
}

Evaluation evaluate(const Graph& graph, const std::vector<int>& wanted, ValueCache& cache, const Context& context,
                    const ValueNeed& need) {
  Evaluation result;
  try {
    result = Run(graph, wanted, cache, context, need).execute(true);
  } catch (const StaleCache& stale) {
    context.warn(fmt::format("the cache holds a different value of node '{}': computing everything again", stale.node));
    result = Run(graph, wanted, cache, context, need).execute(false);
  }
  cache.settle();
  return result;
}

LandWindows land_windows(const Graph& graph, int node, ValueCache& cache, const Context& context) {
  LandChain chain(graph, node);
  std::vector<Value> sources = evaluate(graph, chain.sources(), cache, context).values;
  std::optional<Frame> world;
  if (chain.takes_world()) world = world_frame(graph, cache, context);
  return {std::move(chain), std::move(sources), world ? &*world : nullptr};
}

}  // namespace tepui
