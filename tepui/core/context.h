#pragma once

#include <atomic>
#include <string>
#include <string_view>

namespace tepui {

/// Receives progress and messages. Calls come from any thread.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  /// `task` is one of several that may run side by side; `fraction` of it is done, in [0, 1].
  virtual void progress(int task, std::string_view stage, double fraction) = 0;
  virtual void warn(std::string_view message) = 0;
  /// A number about what the task did; `unit` is "m", "m3", ..., empty for none.
  virtual void told(int /*task*/, std::string_view /*name*/, double /*value*/, std::string_view /*unit*/) {}
};

/// Set from a signal handler or another thread; work stops at the next chunk.
using CancelFlag = std::atomic<bool>;

/// What travels beside the values of every operator: progress and cancellation, never anything that changes a result.
class Context {
 public:
  /// Silent, never cancelled.
  Context() = default;
  Context(ProgressSink* sink, const CancelFlag* cancel, int task = 0) : sink_(sink), cancel_(cancel), task_(task) {}

  /// The same sink and flag for another task.
  Context task(int id) const { return {sink_, cancel_, id}; }

  /// The same work, told to another sink.
  Context told_to(ProgressSink* sink) const {
    Context other = *this;
    other.sink_ = sink;
    return other;
  }
  ProgressSink* sink() const { return sink_; }

  /// A part of this work: its 0..1 is [from, to] here.
  Context stage(std::string_view name, double from, double to) const;

  void progress(double fraction) const;
  void warn(std::string_view message) const;
  /// Tells a number about what was done: tell("shed", 1234.5, "m3"). One that is told again replaces the first.
  void tell(std::string_view name, double value, std::string_view unit = {}) const;

  bool cancelled() const { return cancel_ != nullptr && cancel_->load(std::memory_order_relaxed); }
  /// Throws Error{cancelled} once the flag is set.
  void check() const;

 private:
  ProgressSink* sink_ = nullptr;
  const CancelFlag* cancel_ = nullptr;
  int task_ = 0;
  double from_ = 0, to_ = 1;
  std::string stage_;
};

}  // namespace tepui
