#include "python/native/job.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/core/pool.h"
#include "tepui/graph/disk_cache.h"

namespace tepui::python {

namespace py = pybind11;

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto between_looks = std::chrono::milliseconds(50);
constexpr auto before_progress = std::chrono::milliseconds(500);

struct Store {
  Store(size_t memory, const std::string& folder)
      : disk(folder.empty() ? nullptr : std::make_unique<DiskCache>(folder)), values(memory, disk.get()) {}
  std::unique_ptr<DiskCache> disk;
  ValueCache values;
};

struct Settings {
  std::mutex mutex;
  int threads = 0;
  std::shared_ptr<Store> store;
};

/// Lives as long as the program: threads may still hold it when Python ends.
Settings& settings() {
  static auto* all = new Settings;
  return *all;
}

/// The same: what Python holds must not be let go after Python has ended.
py::object& listener() {
  static auto* object = new py::object(py::none());
  return *object;
}

thread_local const Context* outer = nullptr;

/// A thread that runs a Python function for the engine.
struct Call {
  unsigned long thread = 0;  ///< Python's number of it
  const Context* context = nullptr;
  bool interrupted = false;
};
std::mutex calls_mutex;
std::list<Call>& calls() {
  static auto* all = new std::list<Call>;
  return *all;
}

/// What the work tells, for the thread that waits to hand on.
class Told : public ProgressSink {
 public:
  void progress(int task, std::string_view stage, double fraction) override {
    const std::lock_guard lock(mutex_);
    double& known = tasks_[task];
    known = std::max(known, fraction);
    stage_ = stage;
  }
  void warn(std::string_view message) override {
    const std::lock_guard lock(mutex_);
    warnings_.emplace_back(message);
  }

  /// The mean of what has begun.
  std::pair<double, std::string> now() const {
    const std::lock_guard lock(mutex_);
    double sum = 0;
    for (const auto& [task, fraction] : tasks_) sum += fraction;
    return {tasks_.empty() ? 0 : sum / static_cast<double>(tasks_.size()), stage_};
  }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  mutable std::mutex mutex_;
  std::map<int, double> tasks_;
  std::string stage_;
  std::vector<std::string> warnings_;
};

/// Work on a thread of its own.
class Job {
 public:
  explicit Job(const std::function<void(const Context&)>& task) {
    thread_ = std::thread([this, task, count = threads()] {
      try {
        with_threads(count, [&] { task(Context(&told_, &cancel_)); });
      } catch (...) {
        failure_ = std::current_exception();
      }
      const std::lock_guard lock(mutex_);
      done_ = true;
      changed_.notify_all();
    });
  }
  ~Job() { thread_.join(); }

  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, between_looks, [&] { return done_; });
  }
  void cancel() { cancel_ = true; }
  bool cancelled() const { return cancel_; }
  const Told& told() const { return told_; }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  Told told_;
  CancelFlag cancel_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

/// What has come of Ctrl-C and of the listener; true where the work is to stop.
bool listen(const Job& job, Clock::time_point began, bool& heard) {
  if (PyErr_CheckSignals() != 0) return true;
  if (outer != nullptr && outer->cancelled()) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
    return true;
  }
  if (listener().is_none() || Clock::now() - began < before_progress) return false;
  heard = true;
  const auto [fraction, stage] = job.told().now();
  try {
    listener()(fraction, stage);
  } catch (py::error_already_set& error) {
    error.restore();
    return true;
  }
  return false;
}

void wait_for(Job& job, std::optional<py::error_already_set>& stopped) {
  const Clock::time_point began = Clock::now();
  bool heard = false, done = false;
  while (!done) {
    {
      const py::gil_scoped_release released;
      done = job.wait();
    }
    if (stopped) {
      interrupt_calls();
    } else if (!done && listen(job, began, heard)) {
      stopped.emplace();
      job.cancel();
    }
  }
  if (heard && !listener().is_none()) listener()(py::none(), "");
}

void warn(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return;
  const py::object tell = py::module_::import("tepui._errors").attr("warn");
  for (const std::string& warning : warnings) tell(warning);
}

}  // namespace

void work(const std::function<void(const Context& context)>& task) {
  std::optional<py::error_already_set> stopped;
  std::vector<std::string> warnings;
  std::exception_ptr failure;
  {
    Job job(task);
    wait_for(job, stopped);
    warnings = job.told().warnings();
    try {
      job.rethrow();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (stopped) throw std::move(*stopped);
  if (failure) std::rethrow_exception(failure);
  warn(warnings);
}

Within::Within(const Context& context) : before_(outer) { outer = &context; }
Within::~Within() { outer = before_; }

PythonCall::PythonCall(const Context& context) : within_(context) {
  const std::lock_guard lock(calls_mutex);
  calls().push_front({PyThread_get_thread_ident(), &context, false});
}
PythonCall::~PythonCall() {
  const std::lock_guard lock(calls_mutex);
  const unsigned long thread = PyThread_get_thread_ident();
  calls().erase(std::ranges::find(calls(), thread, &Call::thread));
}

void set_listener(py::object object) { listener() = std::move(object); }

void set_threads(int threads) {
  const std::lock_guard lock(settings().mutex);
  settings().threads = threads;
}

int threads() {
  const std::lock_guard lock(settings().mutex);
  return settings().threads;
}

void interrupt_calls() {
  const std::lock_guard lock(calls_mutex);
  for (Call& call : calls())
    if (call.context->cancelled() && !std::exchange(call.interrupted, true))
      PyThreadState_SetAsyncExc(call.thread, PyExc_KeyboardInterrupt);
}

void set_cache(size_t memory, const std::string& folder) {
  auto store = std::make_shared<Store>(memory, folder);
  const std::lock_guard lock(settings().mutex);
  settings().store = std::move(store);
}

std::shared_ptr<ValueCache> cache() {
  const std::lock_guard lock(settings().mutex);
  std::shared_ptr<Store>& store = settings().store;
  if (!store) store = std::make_shared<Store>(physical_memory() / 8, default_cache_folder());
  return {store, &store->values};
}

void bind_job(py::module_& module) {
  module.def("set_listener", &set_listener);
  module.def("set_threads", &set_threads);
  module.def("set_cache", &set_cache);
  module.def("default_cache", [] { return py::make_tuple(physical_memory() / 8, default_cache_folder()); });
  module.def("cache_bytes", [] { return cache()->bytes(); });
}

}  // namespace tepui::python
