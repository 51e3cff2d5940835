#include "tepui/graph/session_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <set>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// What is looked at in full comes after all previews.
constexpr int64_t after_previews = int64_t{1} << 32;

}  // namespace

/// What is known of a node of the graph that is shown.
struct SessionWork::State {
  std::optional<NodeInputs> inputs{};
  std::optional<Hash> key{};
  Hash outside{};
  std::optional<NodeFacts> facts{};
  Value value{};
  bool cached = false;
  bool failed = false;
  bool lost = false;        ///< known, but its value is not in the cache
  uint64_t value_walk = 0;  ///< the last walk in which its value was wanted
  uint64_t known_walk = 0;  ///< the last one in which it was to become known
  double seconds = 0;
};

/// One of the two graphs that are computed.
struct SessionWork::Level {
  SharedGraph graph;
  bool preview = false;
  std::vector<int> targets{};  ///< the node of each look; -1: none
  std::vector<bool> told{};    ///< which looks have arrived
  std::vector<State> states{};

  State& state(int node) { return states[static_cast<size_t>(node)]; }
  const State& state(int node) const { return states[static_cast<size_t>(node)]; }
};

/// Tells the progress of a job that is still wanted.
class SessionWork::JobSink : public ProgressSink {
 public:
  JobSink(SessionWork& session, std::shared_ptr<Job> job) : session_(session), job_(std::move(job)) {}

  void progress(int, std::string_view stage, double fraction) override {
    const std::lock_guard lock(session_.mutex_);
    if (job_->cancel) return;
    job_->stage = stage;
    job_->fraction = fraction;
    if (std::exchange(job_->posted, true)) return;
    session_.post([&events = session_.events_, &mutex = session_.mutex_, job = job_] {
      std::unique_lock inner(mutex);
      job->posted = false;
      const SessionNode node = job->told;
      const std::string stage_now = job->stage;
      const double fraction_now = job->fraction;
      if (job->cancel) return;
      inner.unlock();
      events.progress(node, stage_now, fraction_now);
    });
  }
  void warn(std::string_view message) override {
    const std::lock_guard lock(session_.mutex_);
    if (job_->cancel) return;
    session_.post(
        [&events = session_.events_, node = job_->told, text = std::string(message)] { events.warned(node, text); });
  }

 private:
  SessionWork& session_;
  std::shared_ptr<Job> job_;
};

SessionWork::SessionWork(ValueCache& cache, SessionEvents& events, SessionOptions options)
    : cache_(cache), events_(events), options_(options), threads_(thread_count()) {
  // Nodes are computed side by side as the threads allow; each spreads over all of them, too.
  const int most = 4;
  for (int i = 0; i < std::clamp(threads_, 1, most); ++i) runners_.emplace_back([this] { run(); });
  teller_ = std::thread([this] { tell(); });
}

SessionWork::~SessionWork() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
    queue_.clear();
    for (auto& [key, job] : jobs_) job->cancel = true;
    jobs_.clear();
  }
  wake_.notify_all();
  news_.notify_all();
  for (std::thread& runner : runners_) runner.join();
  teller_.join();
}

void SessionWork::show(SharedGraph graph, std::vector<Look> looks) {
  const std::lock_guard lock(mutex_);
  // What was to be told of the graph before is of no interest any more.
  queue_.clear();
  ++shows_;
  for (auto& [key, job] : jobs_) job->posted = false;
  std::vector<std::unique_ptr<Level>> before = std::move(levels_);
  levels_.clear();
  graph_ = std::move(graph);
  looks_ = std::move(looks);
  settled_ = false;
  failure_.reset();
  const auto add = [&](SharedGraph shown, bool preview, std::vector<int> targets) {
    auto level = std::make_unique<Level>();
    level->graph = std::move(shown);
    level->preview = preview;
    level->targets = std::move(targets);
    level->told.assign(looks_.size(), false);
    level->states.resize(level->graph->nodes.size());
    levels_.push_back(std::move(level));
  };
  std::vector<int> targets;
  SharedGraph framed = with_looks(graph_, looks_, targets);
  add(std::move(framed), false, targets);
  if (const SharedGraph small = options_.preview > 0 ? preview_graph(graph_, options_.preview) : nullptr) {
    for (size_t i = 0; i < looks_.size(); ++i) targets[i] = looks_[i].frame || !looks_[i].value ? -1 : looks_[i].node;
    add(small, true, targets);
  }
  std::erase_if(slots_, [&](const auto& slot) { return graph_->find_node(slot.first.first) < 0; });
  // Values of the graph before that nothing else holds are at hand until it is known what is wanted now.
  for (const auto& level : before)
    for (const State& state : level->states)
      if (state.key && state.facts && !state.value.empty()) carried_[*state.key] = {state.value, *state.facts};
  walk();
  carried_.clear();
}

bool SessionWork::wait_for(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return rest_.wait_for(lock, time, [this] { return settled_ && queue_.empty() && !telling_; });
}

void SessionWork::wait() {
  std::unique_lock lock(mutex_);
  rest_.wait(lock, [this] { return settled_ && queue_.empty() && !telling_; });
}

Evaluation SessionWork::evaluation() const {
  const std::lock_guard lock(mutex_);
  if (failure_) throw Error(*failure_);
  Evaluation result;
  const Level& level = *levels_.front();
  for (const int target : level.targets) {
    const State& state = level.state(target);
    result.values.push_back(state.value);
    result.facts.push_back(state.facts.value_or(NodeFacts()));
    result.cached.push_back(state.cached);
  }
  for (size_t i = 0; i < level.states.size(); ++i) {
    const State& state = level.states[i];
    if (!state.facts) continue;
    const Node& node = level.graph->nodes[i];
    NodeReport report;
    report.name = node.name;
    report.op = node.op->name;
    report.seconds = state.seconds;
    report.bytes = state.facts->bytes;
    report.hash = state.facts->hash;
    report.key = state.key.value_or(Hash());
    report.cached = state.cached;
    report.told = state.facts->told;
    result.nodes.push_back(std::move(report));
  }
  return result;
}

// What is wanted. All of this with the mutex held.

/// Finds out what is wanted from what is known; what is not wanted any more is told to stop.
void SessionWork::walk() {
  ++walks_;
  for (size_t i = 0; i < levels_.size(); ++i) {
    Level& level = *levels_[i];
    for (size_t look = 0; look < looks_.size(); ++look) {
      if (level.targets[look] < 0 || (level.preview && is_done(*levels_.front(), look))) continue;
      priority_ = (level.preview ? 0 : after_previews) + static_cast<int64_t>(look);
      looks_[look].value ? want_value(level, level.targets[look]) : want_known(level, level.targets[look]);
    }
  }
  for (const auto& level : levels_)
    for (State& state : level->states)
      if (state.value_walk != walks_) state.value = Value();
  std::erase_if(jobs_, [this](const auto& entry) {
    if (entry.second->walk == walks_) return false;
    entry.second->cancel = true;
    return true;
  });
  tell_arrivals();
  wake_.notify_all();
}

SessionNode SessionWork::told(const Level& level, int node) const {
  // Nodes that were added to the graph stand for one of its own.
  const std::string& name = level.graph->node(node).name;
  const auto own = static_cast<size_t>(node) < graph_->nodes.size() ? node : graph_->find_node(name);
  return {own, name, level.preview, shows_};
}

KnownNodes SessionWork::known_nodes(Level& level) {
  return {[&level](int node) -> const NodeFacts& { return *level.state(node).facts; },
          {},
          [&level] {
            const World& world = level.graph->world;
            return world.from >= 0 ? level.state(world.from).facts->frame() : world.frame();
          }};
}

bool SessionWork::is_blocked(const Level& level, int node) const {
  const State& state = level.state(node);
  return state.failed;
}

/// Whether the content of the node's value is known; sees to it that it will be.
bool SessionWork::want_known(Level& level, int node) {
  State& state = level.state(node);
  if (state.facts) return true;
  if (state.failed || std::exchange(state.known_walk, walks_) == walks_) return false;
  if (!state.inputs) state.inputs = node_inputs(*level.graph, node);
  bool all = true;
  for (const int source : state.inputs->sources) {
    all = want_known(level, source) && all;
    if (is_blocked(level, source)) state.failed = true;
  }
  if (!all || state.failed) return false;
  try {
    if (!state.key) {
      state.outside = outside_of(level.graph->node(node));
      state.key = node_key(*level.graph, node, *state.inputs, state.outside, known_nodes(level));
      std::optional<NodeFacts> facts;
      if (const auto carried = carried_.find(*state.key); carried != carried_.end()) facts = carried->second.facts;
      if (!facts && trusts_) facts = cache_.find(*state.key);
      if (facts && still_stands(level.graph->node(node), *facts)) become_known(level, node, std::move(*facts), true);
    }
  } catch (const Error& error) {
    fail_node(level, node, error_at(error, level.graph->node(node)));
    return false;
  }
  if (state.facts) return true;
  want_computed(level, node);
  return state.facts.has_value();
}

/// Whether the node's value is there; sees to it that it comes.
bool SessionWork::want_value(Level& level, int node) {
  State& state = level.state(node);
  const bool asked = std::exchange(state.value_walk, walks_) == walks_;
  if (!state.value.empty()) return true;
  if (asked) return false;
  if (!want_known(level, node)) return false;
  if (const auto carried = carried_.find(*state.key); carried != carried_.end()) {
    state.value = carried->second.value;
    return true;
  }
  if (std::optional<Value> value = cache_.at_hand(*state.key)) {
    state.value = std::move(*value);
    return true;
  }
  if (!state.lost)
    want_job(level, node, true);
  else
    want_computed(level, node);
  return false;
}

void SessionWork::want_computed(Level& level, int node) {
  State& state = level.state(node);
  // A job that is under way has what it needs.
  if (jobs_.contains({*state.key, false})) return want_job(level, node, false);
  bool all = true;
  for (const int input : state.inputs->values) {
    all = want_value(level, input) && all;
    if (is_blocked(level, input)) state.failed = true;
  }
  if (all && !state.failed) want_job(level, node, false);
}

void SessionWork::want_job(Level& level, int node, bool load) {
  std::shared_ptr<Job>& job = jobs_[{*level.state(node).key, load}];
  if (job == nullptr) job = make_job(level, node, load);
  if (job->walk != walks_) {
    job->walk = walks_;
    job->priority = priority_;
    job->to_disk = false;
    job->told = told(level, node);
  }
  job->priority = std::min(job->priority, priority_);
  job->to_disk |= !level.preview;
}

std::shared_ptr<SessionWork::Job> SessionWork::make_job(Level& level, int node, bool load) {
  const State& state = level.state(node);
  auto job = std::make_shared<Job>();
  job->key = *state.key;
  job->load = load;
  job->graph = level.graph;
  job->node = node;
  job->wanted = std::ranges::find(level.targets, node) != level.targets.end();
  if (load) {
    job->facts[node] = *state.facts;
    return job;
  }
  job->inputs = *state.inputs;
  job->outside = state.outside;
  for (const int source : job->inputs.sources) job->facts[source] = *level.state(source).facts;
  for (const int input : job->inputs.values) job->values[input] = level.state(input).value;
  const World& world = level.graph->world;
  if (world.from < 0)
    job->world = world.frame();
  else if (level.state(world.from).facts)
    job->world = level.state(world.from).facts->frame();
  if (level.graph->node(node).op->again) {
    std::shared_ptr<SessionSlot>& slot = slots_[{level.graph->node(node).name, level.preview}];
    if (slot == nullptr) slot = std::make_shared<SessionSlot>();
    job->slot = slot;
  }
  return job;
}

void SessionWork::become_known(Level& level, int node, NodeFacts facts, bool cached) {
  State& state = level.state(node);
  state.cached = cached;
  state.facts = std::move(facts);
  const Node& of = level.graph->node(node);
  for (const std::string& warning : cached ? state.facts->warnings : std::vector<std::string>())
    post([this, shown = told(level, node), text = warning_now(warning, of)] { events_.warned(shown, text); });
  post([this, shown = told(level, node), copy = *state.facts, cached] { events_.known(shown, copy, cached); });
}

void SessionWork::fail_node(Level& level, int node, const Error& error) {
  level.state(node).failed = true;
  // Land that cannot be made with few samples may well be with more.
  if (level.preview) return;
  if (!failure_) failure_ = error;
  post([this, shown = told(level, node), error] { events_.failed(shown, error); });
}

bool SessionWork::is_done(const Level& level, size_t look) const {
  const State& state = level.state(level.targets[look]);
  return looks_[look].value ? !state.value.empty() : state.facts.has_value();
}

void SessionWork::tell_arrivals() {
  bool all = true;
  for (const auto& level : levels_)
    for (size_t look = 0; look < looks_.size(); ++look) {
      const int target = level->targets[look];
      if (target < 0 || level->told[look]) continue;
      const State& state = level->state(target);
      const bool overtaken = level->preview && is_done(*levels_.front(), look);
      if (!is_done(*level, look)) {
        all = all && (state.failed || overtaken);
        continue;
      }
      level->told[look] = true;
      if (overtaken) continue;
      post([this, look, shown = told(*level, target), facts = *state.facts, value = state.value] {
        events_.arrived(look, shown, facts, value);
      });
    }
  if (settled_ || !all) return;
  settled_ = true;
  post([this] { events_.settled(); });
}

// Doing it.

void SessionWork::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    std::shared_ptr<Job> job;
    wake_.wait(lock, [&] { return end_ || (job = pick()) != nullptr; });
    if (end_) return;
    job->running = true;
    lock.unlock();
    with_threads(threads_, [&] { work(job); });
    lock.lock();
  }
}

/// The job that comes first and has not begun. While there are previews to make, nothing else begins.
std::shared_ptr<SessionWork::Job> SessionWork::pick() {
  std::shared_ptr<Job> first;
  bool previews = false;
  for (const auto& [key, job] : jobs_) {
    previews |= job->priority < after_previews;
    if (!job->running && (first == nullptr || job->priority < first->priority)) first = job;
  }
  return first != nullptr && previews && first->priority >= after_previews ? nullptr : first;
}

void SessionWork::work(const std::shared_ptr<Job>& job) {
  JobSink sink(*this, job);
  const Context context(&sink, &job->cancel, job->node);
  const auto began = std::chrono::steady_clock::now();
  std::optional<Computed> computed;
  std::optional<Error> error;
  try {
    if (job->load) {
      const NodeFacts& facts = job->facts.at(job->node);
      if (std::optional<Value> value = cache_.load(job->key, facts, context)) computed = {std::move(*value), facts};
    } else {
      context.check();
      context.progress(0);
      computed = compute_job(*job, context);
    }
  } catch (const Error& thrown) {
    error = error_at(thrown, job->graph->node(job->node));
  } catch (const std::bad_alloc&) {
    error = error_at(Error(ErrorKind::failure, "out of memory", "lower the resolution"), job->graph->node(job->node));
  } catch (const std::exception& thrown) {
    error = error_at(Error(ErrorKind::failure, thrown.what()), job->graph->node(job->node));
  }
  job->values.clear();
  job->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (computed && !job->load) keep(*job, *computed, context);
  bool done = false;
  {
    const std::lock_guard lock(mutex_);
    finish(*job, std::move(computed), error);
    done = settled_;
  }
  if (done) cache_.settle();
}

/// In memory, and on disk if it is more than a preview.
void SessionWork::keep(Job& job, Computed& computed, const Context& context) {
  NodeFacts& facts = computed.facts;
  const Node& node = job.graph->node(job.node);
  bool to_disk = false;
  {
    const std::lock_guard lock(mutex_);
    to_disk = job.to_disk;
  }
  const bool stored = node.kept || node.is_stage() || job.wanted || cache_.is_worth_saving(facts);
  if (to_disk && facts.kind->is_kept() && stored) facts.cost = 0;
  cache_.put(job.key, facts, computed.value);
  if (to_disk) cache_.save(job.key, facts, computed.value, context);
}

/// With the mutex held.
void SessionWork::finish(Job& job, std::optional<Computed> computed, const std::optional<Error>& error) {
  const auto own = jobs_.find({job.key, job.load});
  if (own == jobs_.end() || own->second.get() != &job) return;  // nobody wants it any more
  jobs_.erase(own);
  bool stale = false;
  for (const auto& level : levels_)
    for (size_t i = 0; i < level->states.size(); ++i) {
      State& state = level->states[i];
      if (!state.key || *state.key != job.key) continue;
      const int node = static_cast<int>(i);
      state.seconds += job.seconds;
      if (error) {
        if (!state.failed) fail_node(*level, node, *error);
        continue;
      }
      if (!computed) {
        state.lost = true;
        continue;
      }
      stale |= state.facts && state.facts->hash != computed->facts.hash;
      state.value = computed->value;
      if (!state.facts) become_known(*level, node, computed->facts, false);
      if (!job.load) state.cached = false;
    }
  if (stale) distrust(job.told);
  walk();
}

/// A node gave another value than the cache knows of it: an operator has changed without its version.
void SessionWork::distrust(const SessionNode& node) {
  post([this, node] {
    events_.warned(node, "the cache holds a different value of this node: computing everything again");
  });
  trusts_ = false;
  for (const auto& level : levels_) {
    level->states.assign(level->states.size(), State());
    level->told.assign(looks_.size(), false);
  }
  settled_ = false;
}

// Telling.

void SessionWork::post(std::function<void()> event) {
  queue_.push_back(std::move(event));
  news_.notify_one();
}

/// One event at a time, so that they keep their order; the lock is let go while someone listens. A job's threads must
/// not do this: TBB ends a loop inside a loop that has been cancelled, and so what the listener does would end with the
/// job that happened to tell of it.
void SessionWork::tell() {
  std::unique_lock lock(mutex_);
  for (;;) {
    news_.wait(lock, [this] { return end_ || !queue_.empty(); });
    if (end_) return;
    telling_ = true;
    {
      const std::function<void()> event = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      with_threads(threads_, event);
    }
    lock.lock();
    telling_ = false;
    if (queue_.empty()) rest_.notify_all();
  }
}

}  // namespace tepui
