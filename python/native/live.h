#pragma once

#include <pybind11/pybind11.h>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "python/native/bind.h"
#include "tepui/core/error.h"
#include "tepui/graph/session.h"

namespace tepui::python {

/// A session whose events wait until Python asks for them: no thread of the engine calls Python to tell of them.
class Live : public SessionEvents {
 public:
  /// `preview`: samples on the longer side of a preview; 0: none.
  explicit Live(int64_t preview);
  ~Live() override;

  void show(const std::vector<NodeHandle>& nodes);
  /// What comes next, as a dict; None where nothing is left to come, or with `wait` false nothing has come yet.
  pybind11::object next(bool wait);
  /// Stops what is being computed and waits for that.
  void close();
  bool is_settled();

 private:
  struct Event {
    std::string kind;
    std::string name;
    std::string text{};
    double fraction = 0;
    size_t look = 0;
    Value value{};
    std::optional<Error> error{};
  };

  void progress(const SessionNode& node, const std::string& stage, double fraction) override;
  void warned(const SessionNode& node, const std::string& message) override;
  void arrived(size_t look, const SessionNode& node, const NodeFacts& facts, const Value& value) override;
  void failed(const SessionNode& node, const Error& error) override;
  void settled() override;
  void add(const SessionNode& node, Event event);
  std::optional<Event> take();
  pybind11::dict told(Event event) const;
  Session& session() const;

  std::shared_ptr<ValueCache> store_;
  std::unique_ptr<Session> session_;
  std::vector<NodeHandle> shown_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<Event> queue_;
  uint64_t shows_ = 0;
};

void bind_live(pybind11::module_& module);

}  // namespace tepui::python
