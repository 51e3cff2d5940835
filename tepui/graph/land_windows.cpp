#include "tepui/graph/land_windows.h"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "tepui/core/error.h"

namespace tepui {

namespace {

/// Passes progress on, and each warning once: windows have the same to say. Numbers about a window are not the node's.
class WindowSink : public ProgressSink {
 public:
  WindowSink(ProgressSink* next, std::set<std::string>& said) : next_(next), said_(said) {}
  void progress(int task, std::string_view stage, double fraction) override {
    if (next_ != nullptr) next_->progress(task, stage, fraction);
  }
  void warn(std::string_view message) override {
    const std::lock_guard lock(mutex_);
    if (said_.emplace(message).second && next_ != nullptr) next_->warn(message);
  }

 private:
  ProgressSink* next_;
  std::mutex mutex_;
  std::set<std::string>& said_;
};

Value cut(const Value& value, const Frame& window, const Context& context) {
  return value.kind().window(value, window, context);
}

/// The window with a halo, as far as there is land.
Frame grown(const Frame& window, Halo halo, const Frame& all) {
  const auto widen = [](int64_t& first, int64_t& count, int64_t more, int64_t from, int64_t samples) {
    const int64_t end = first + count, last = from + samples;
    first -= std::min(more, first - from);
    count = end + std::min(more, last - end) - first;
  };
  Frame result = window;
  widen(result.first_x, result.width, halo.x, all.first_x, all.width);
  widen(result.first_y, result.height, halo.y, all.first_y, all.height);
  return result;
}

/// The smallest window that holds both.
Frame around(const Frame& a, const Frame& b) {
  const auto span = [](int64_t& first, int64_t& count, int64_t other, int64_t others) {
    const int64_t end = std::max(first + count, other + others);
    first = std::min(first, other);
    count = end - first;
  };
  Frame result = a;
  span(result.first_x, result.width, b.first_x, b.width);
  span(result.first_y, result.height, b.first_y, b.height);
  return result;
}

}  // namespace

LandWindows::LandWindows(LandChain chain, std::vector<Value> sources, const Frame* world)
    : chain_(std::move(chain)), sources_(std::move(sources)) {
  if (world != nullptr) world_ = *world;
  if (!chain_.is_by_windows()) frames_.push_back(sources_.front().kind().lies(sources_.front()));
  for (size_t step = 0; step < chain_.steps().size(); ++step) {
    try {
      frames_.push_back(whole_frame(step));
    } catch (const Error& error) {
      throw error_at(error, node(step));
    }
    NodeReport report;
    report.name = node(step).name;
    report.op = node(step).op->name;
    reports_.push_back(std::move(report));
  }
}

std::optional<Frame> LandWindows::frame_of(const Reference& reference) const {
  if (const int step = chain_.step_of(reference.node); step >= 0) return frames_[static_cast<size_t>(step)];
  const Value& source = sources_[static_cast<size_t>(chain_.source_of(reference.node))];
  return source.kind().has_samples() ? std::optional(source.kind().lies(source)) : std::nullopt;
}

LandFrames LandWindows::frames_at(size_t step) const {
  LandFrames at;
  for (size_t port = 0; port < node(step).inputs.size(); ++port) {
    at.emplace_back();
    if (is_on_own_lattice(*node(step).op, port)) continue;
    for (const Reference& reference : node(step).inputs[port]) at.back().push_back(frame_of(reference));
  }
  return at;
}

Frame LandWindows::whole_frame(size_t step) const {
  const Operator& op = *node(step).op;
  if (op.takes_world) return *world_;
  const LandFrames at = frames_at(step);
  if (op.framing) return op.framing->frame(at, chain_.steps()[step].params);
  std::optional<Frame> first;
  const char* first_name = nullptr;
  for (size_t port = 0; port < at.size(); ++port)
    for (const std::optional<Frame>& frame : at[port]) {
      if (!frame) continue;
      if (first)
        require_same_frame(*first, first_name, *frame, op.inputs[port].name.c_str());
      else
        first_name = op.inputs[port].name.c_str();
      if (!first) first = frame;
    }
  return *first;
}

Frame LandWindows::run_on(size_t step, const Frame& window) const {
  const Operator& op = *node(step).op;
  const std::vector<ParamValue>& params = chain_.steps()[step].params;
  if (!op.halo || op.reach(params) != Reach::window) return window;
  return grown(window, op.halo(params, frames_[step]), frames_[step]);
}

/// The samples of the land on a port that the step needs for a window; none where it needs only its frame.
std::optional<Frame> LandWindows::needed(size_t step, size_t port, const Frame& window) const {
  const Operator& op = *node(step).op;
  if (!op.framing || !op.framing->source) return run_on(step, window);
  if (port > 0) return std::nullopt;
  return op.framing->source(frames_at(step), chain_.steps()[step].params, window);
}

Value LandWindows::window(const Frame& wanted, const Context& context) {
  const size_t count = chain_.steps().size();
  if (count == 0) return cut(sources_.front(), wanted, context);
  // From the last to the first: all that a step's readers need of it is computed at once.
  std::vector<std::optional<Frame>> windows(count);
  std::vector<int> readers(count, 0);
  windows.back() = wanted;
  for (size_t step = count; step-- > 0;) {
    if (!windows[step]) continue;
    for (size_t port = 0; port < node(step).inputs.size(); ++port)
      for (const Reference& reference : node(step).inputs[port]) {
        const int from = chain_.step_of(reference.node);
        const std::optional<Frame> part =
            from >= 0 && !is_on_own_lattice(*node(step).op, port) ? needed(step, port, *windows[step]) : std::nullopt;
        if (!part) continue;
        std::optional<Frame>& all = windows[static_cast<size_t>(from)];
        all = all ? around(*all, *part) : *part;
        ++readers[static_cast<size_t>(from)];
      }
  }
  std::vector<Value> values(count);
  WindowSink sink(context.sink(), said_);
  for (size_t step = 0; step < count; ++step) {
    if (!windows[step]) continue;
    const double share = 1 / static_cast<double>(count), begin = static_cast<double>(step) * share;
    const Context own = context.told_to(&sink).stage(node(step).name, begin, begin + share);
    const auto began = std::chrono::steady_clock::now();
    try {
      values[step] = compute(step, *windows[step], values, readers, own);
    } catch (const Error& error) {
      throw error_at(error, node(step));
    }
    reports_[step].seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    ++reports_[step].windows;
  }
  return std::move(values.back());
}

std::vector<Value> LandWindows::gather(size_t step, size_t port, const Frame& window, std::vector<Value>& values,
                                       std::vector<int>& readers, const Context& context) {
  std::vector<Value> list;
  const std::vector<Reference>& references = node(step).inputs[port];
  for (size_t i = 0; i < references.size(); ++i) {
    const Reference& reference = references[i];
    if (is_on_own_lattice(*node(step).op, port)) {
      list.push_back(select(on_own_lattice(step, port, i, context), reference));
      continue;
    }
    const int from = chain_.step_of(reference.node);
    const Value& value =
        from >= 0 ? values[static_cast<size_t>(from)] : sources_[static_cast<size_t>(chain_.source_of(reference.node))];
    if (from < 0 && !value.kind().has_samples()) {
      list.push_back(select(value, reference));
      continue;
    }
    const std::optional<Frame> part = needed(step, port, window);
    if (!part) continue;
    list.push_back(cut(select(value, reference), *part, context));
    if (from >= 0 && --readers[static_cast<size_t>(from)] == 0) values[static_cast<size_t>(from)] = Value();
  }
  return list;
}

Value LandWindows::compute(size_t step, const Frame& window, std::vector<Value>& values, std::vector<int>& readers,
                           const Context& context) {
  const Operator& op = *node(step).op;
  OperatorCall call;
  call.params = chain_.steps()[step].params;
  const Frame at = run_on(step, window);
  if (op.takes_world) call.world = &at;
  for (size_t port = 0; port < node(step).inputs.size(); ++port)
    call.inputs.push_back(gather(step, port, window, values, readers, context));
  if (op.framing && op.framing->run) return op.framing->run(call, frames_at(step), window, context);
  return cut(op.run(call, context), window, context);
}

/// Computed once, whichever window asks first.
Value LandWindows::on_own_lattice(size_t step, size_t port, size_t index, const Context& context) {
  Value& known = apart_[{step, port, index}];
  if (!known.empty()) return known;
  const LandChain& chain = chain_.steps()[step].apart[port][index];
  std::vector<Value> sources;
  for (const int source : chain.sources()) sources.push_back(sources_[static_cast<size_t>(chain_.source_of(source))]);
  LandWindows land(chain, std::move(sources), world_ ? &*world_ : nullptr);
  const Frame lattice = node(step).op->lattices.at(port)(chain_.steps()[step].params, land.frame());
  return known = land.on(lattice, context);
}

Value LandWindows::on(const Frame& lattice, const Context& context) {
  if (chain_.fits_any_lattice()) return LandWindows(chain_, sources_, &lattice).window(lattice, context);
  const Value whole = window(frame(), context.stage("land", 0, 0.9));
  return whole.kind().resampled(whole, lattice, context.stage("resampling", 0.9, 1));
}

Value LandWindows::at(const Frame& wanted, const Context& context) {
  const Frame& own = frame();
  const bool same = wanted.origin == own.origin && wanted.size == own.size && wanted.cell == own.cell;
  if (same) return window(wanted, context);
  Frame all = wanted;
  const auto samples = [](double size, double cell) { return static_cast<int64_t>(size / cell * (1 + 0x1p-40)) + 1; };
  all.first_x = all.first_y = 0;
  all.width = samples(all.size.x, all.cell.x);
  all.height = samples(all.size.y, all.cell.y);
  if (!chain_.fits_any_lattice()) return cut(on(all, context), wanted, context);
  return LandWindows(chain_, sources_, &all).window(wanted, context);
}

}  // namespace tepui
