#include "tepui/recipe/evaluate.h"

#include <fmt/format.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "tepui/io/read.h"

namespace tepui {

namespace {

/// One run of the graph. Tasks touch their own node's state only; a node starts when the last of its inputs is done.
class Run {
 public:
  Run(const Recipe& recipe, const std::vector<int>& wanted, ValueCache& cache, const Context& context)
      : recipe_(recipe), cache_(cache), context_(context), states_(recipe.nodes.size()) {
    for (const int index : wanted) {
      need(index);
      ++state(index).readers;
    }
  }

  Evaluation execute(const std::vector<int>& wanted) {
    // Collected first: a task started here may already make others ready.
    std::vector<int> ready;
    for (size_t i = 0; i < states_.size(); ++i)
      if (states_[i].needed && states_[i].pending == 0) ready.push_back(static_cast<int>(i));
    for (const int index : ready) start(index);
    group_.wait();
    context_.check();

    Evaluation result;
    for (const int index : wanted) result.values.push_back(*state(index).value);
    for (const State& s : states_)
      if (s.needed) result.nodes.push_back(s.report);
    return result;
  }

 private:
  struct State {
    bool needed = false;
    std::vector<int> inputs;
    std::vector<int> dependents;
    std::atomic<int> pending = 0;  ///< inputs not yet there
    std::atomic<int> readers = 0;  ///< who will still read the value
    std::optional<Value> value;
    NodeReport report;
  };

  State& state(int index) { return states_[static_cast<size_t>(index)]; }
  const Node& node(int index) const { return recipe_.nodes[static_cast<size_t>(index)]; }

  void need(int index) {
    State& s = state(index);
    if (s.needed) return;
    s.needed = true;
    s.inputs = recipe_.needs(index);
    for (const int input : s.inputs) {
      need(input);
      state(input).dependents.push_back(index);
      ++state(input).readers;
      ++s.pending;
    }
  }

  void start(int index) {
    group_.run([this, index] {
      compute(index);
      for (const int dependent : state(index).dependents)
        if (--state(dependent).pending == 0) start(dependent);
      for (const int input : state(index).inputs)
        if (--state(input).readers == 0) state(input).value.reset();
    });
  }

  void compute(int index) {
    const Node& n = node(index);
    State& s = state(index);
    const auto began = std::chrono::steady_clock::now();
    const Context context = context_.task(index);
    context.progress(0);
    try {
      OperatorCall call;
      Frame world;
      if (n.op->takes_world) {
        world = recipe_.world.from >= 0 ? std::get<Terrain>(*state(recipe_.world.from).value).frame()
                                        : recipe_.world.frame();
        call.world = &world;
      }
      call.params = n.params;
      const Hash key = gather(n, call);
      std::optional<ValueCache::Entry> entry = cache_.find(key);
      s.report.cached = entry.has_value();
      if (!entry) {
        Value value = n.op->run(call, context);
        const Hash hash = value_hash(value);
        entry = ValueCache::Entry{std::move(value), hash};
        cache_.put(key, *entry);
      }
      s.report.hash = entry->hash;
      s.report.bytes = value_bytes(entry->value);
      s.value = std::move(entry->value);
    } catch (const Error& error) {
      throw Error(error.kind(),
                  error.kind() == ErrorKind::cancelled ? error.message()
                                                       : fmt::format("node '{}': {}", n.name, error.message()),
                  error.hint(), error.where().empty() ? n.at.text() : error.where());
    }
    s.report.name = n.name;
    s.report.op = n.op->name;
    s.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    context.progress(1);
  }

  /// Fills the call's inputs and returns the node's key.
  Hash gather(const Node& n, OperatorCall& call) {
    Hasher key;
    key.add(n.op->name).add(n.op->version);
    for (size_t i = 0; i < n.params.size(); ++i) {
      hash_param(key, n.op->params.fields[i], n.params[i]);
      if (const FilePath* file = std::get_if<FilePath>(&n.params[i])) key.add(read_key(file->path));
    }
    if (call.world != nullptr) key.add(call.world->hash());
    for (const std::vector<Reference>& port : n.inputs) {
      key.add(static_cast<int64_t>(port.size()));
      call.inputs.emplace_back();
      for (const Reference& reference : port) {
        key.add(state(reference.node).report.hash).add(reference.layer);
        call.inputs.back().push_back(select(*state(reference.node).value, reference));
      }
    }
    return key.finish();
  }

  const Recipe& recipe_;
  ValueCache& cache_;
  const Context& context_;
  std::vector<State> states_;
  tbb::task_group group_;
};

}  // namespace

Value select(const Value& value, const Reference& reference) {
  if (reference.layer.empty()) return value;
  try {
    return std::get<Terrain>(value).only(reference.layer);
  } catch (const Error& error) {
    throw error.at(reference.at.text());
  }
}

Evaluation evaluate(const Recipe& recipe, const std::vector<int>& wanted, ValueCache& cache, const Context& context) {
  return Run(recipe, wanted, cache, context).execute(wanted);
}

}  // namespace tepui
