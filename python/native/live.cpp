#include "python/native/live.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "python/native/job.h"
#include "tepui/core/parallel.h"

namespace tepui::python {

namespace py = pybind11;

namespace {

constexpr auto between_looks = std::chrono::milliseconds(20);

}  // namespace

Live::Live(int64_t preview) : store_(cache()) {
  if (preview < 0) refuse("a preview has 2 samples or more on its longer side", "0: no previews");
  with_threads(threads(), [&] { session_ = std::make_unique<Session>(*store_, *this, SessionOptions{preview}); });
}

Live::~Live() { close(); }

Session& Live::session() const {
  if (!session_) refuse("it was closed", "make another: tp.Live()");
  return *session_;
}

void Live::show(const std::vector<NodeHandle>& nodes) {
  session();
  std::vector<DeferredPointer> targets;
  for (const NodeHandle& node : nodes) targets.push_back(node.node);
  auto graph = std::make_shared<DeferredGraph>();
  work([&](const Context& context) { *graph = computing_graph(targets, *store_, context); });
  std::vector<Look> looks;
  for (const int target : graph->targets) looks.push_back({target});
  {
    const std::lock_guard lock(mutex_);
    shown_ = nodes;
    ++shows_;
    queue_.clear();
  }
  {
    const py::gil_scoped_release released;
    session_->show(std::move(graph), std::move(looks));
  }
  interrupt_calls();
}

py::object Live::next(bool wait) {
  for (;;) {
    if (std::optional<Event> event = take()) return told(std::move(*event));
    if (!wait || is_settled()) {
      std::optional<Event> last = take();
      return last ? py::object(told(std::move(*last))) : py::none();
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    const py::gil_scoped_release released;
    std::unique_lock lock(mutex_);
    if (queue_.empty()) news_.wait_for(lock, between_looks);
  }
}

bool Live::is_settled() {
  const py::gil_scoped_release released;
  return session().wait_for(std::chrono::milliseconds(0));
}

void Live::close() {
  if (!session_) return;
  std::atomic<bool> done = false;
  std::thread ending([&, ended = std::move(session_)]() mutable {
    ended.reset();
    done = true;
  });
  while (!done) {
    interrupt_calls();
    const py::gil_scoped_release released;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ending.join();
}

void Live::add(const SessionNode& node, Event event) {
  const std::lock_guard lock(mutex_);
  if (node.show != shows_) return;
  const bool again = event.kind == "progress" && !queue_.empty() && queue_.back().kind == "progress";
  if (again && queue_.back().name == event.name) queue_.pop_back();
  queue_.push_back(std::move(event));
  news_.notify_all();
}

void Live::progress(const SessionNode& node, const std::string& stage, double fraction) {
  if (!node.preview) add(node, {.kind = "progress", .name = node.name, .text = stage, .fraction = fraction});
}

void Live::warned(const SessionNode& node, const std::string& message) {
  if (!node.preview) add(node, {.kind = "warning", .name = node.name, .text = message});
}

void Live::arrived(size_t look, const SessionNode& node, const NodeFacts&, const Value& value) {
  add(node, {.kind = node.preview ? "preview" : "value", .name = node.name, .look = look, .value = value});
}

void Live::failed(const SessionNode& node, const Error& error) {
  if (!node.preview) add(node, {.kind = "failed", .name = node.name, .text = error.message(), .error = error});
}

void Live::settled() { news_.notify_all(); }

std::optional<Live::Event> Live::take() {
  const std::lock_guard lock(mutex_);
  if (queue_.empty()) return std::nullopt;
  Event event = std::move(queue_.front());
  queue_.pop_front();
  return event;
}

py::dict Live::told(Event event) const {
  py::dict dict;
  dict["kind"] = event.kind;
  dict["name"] = event.name;
  if (event.kind == "progress") dict["fraction"] = event.fraction;
  if (!event.text.empty()) dict["text"] = event.text;
  if (event.error) dict["error"] = error_object(*event.error);
  if (event.value.empty()) return dict;
  const NodeHandle& node = shown_[event.look];
  if (event.kind == "value") node.node->keep(event.value);
  dict["look"] = event.look;
  dict["value"] = event.kind == "value" ? node.value() : node.part_of(event.value);
  return dict;
}

void bind_live(py::module_& module) {
  py::class_<Live>(module, "Live")
      .def(py::init<int64_t>())
      .def("show", &Live::show)
      .def("next", &Live::next)
      .def("close", &Live::close)
      .def_property_readonly("settled", &Live::is_settled);
}

}  // namespace tepui::python
