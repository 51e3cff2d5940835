#pragma once  // internal

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tepui/graph/evaluate.h"
#include "tepui/graph/look.h"
#include "tepui/graph/preview.h"
#include "tepui/graph/session_events.h"
#include "tepui/graph/session_job.h"

namespace tepui {

/// What a Session does.
class SessionWork {
 public:
  SessionWork(ValueCache& cache, SessionEvents& events, SessionOptions options);
  ~SessionWork();
  SessionWork(const SessionWork&) = delete;
  SessionWork& operator=(const SessionWork&) = delete;

  void show(SharedGraph graph, std::vector<Look> looks);
  bool wait_for(std::chrono::milliseconds time);
  void wait();
  Evaluation evaluation() const;

 private:
  struct State;
  struct Level;
  using Job = SessionJob;
  class JobSink;
  using JobKey = std::pair<Hash, bool>;  ///< of the value, and whether it is loaded

  void run();
  std::shared_ptr<Job> pick();
  void work(const std::shared_ptr<Job>& job);
  void keep(Job& job, Computed& computed, const Context& context);
  void finish(Job& job, std::optional<Computed> computed, const std::optional<Error>& error);
  void distrust(const SessionNode& node);

  void walk();
  bool want_known(Level& level, int node);
  bool want_value(Level& level, int node);
  void want_computed(Level& level, int node);
  void want_job(Level& level, int node, bool load);
  std::shared_ptr<Job> make_job(Level& level, int node, bool load);
  void become_known(Level& level, int node, NodeFacts facts, bool cached);
  void fail_node(Level& level, int node, const Error& error);
  bool is_done(const Level& level, size_t look) const;
  bool is_blocked(const Level& level, int node) const;
  KnownNodes known_nodes(Level& level);
  void tell_arrivals();
  SessionNode told(const Level& level, int node) const;

  void post(std::function<void()> event);
  void tell();

  ValueCache& cache_;
  SessionEvents& events_;
  const SessionOptions options_;
  const int threads_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;  ///< of the runners
  std::condition_variable news_;  ///< of the teller
  std::condition_variable rest_;  ///< of who waits
  bool end_ = false, settled_ = true, telling_ = false, trusts_ = true;
  uint64_t shows_ = 0;
  uint64_t walks_ = 0;    ///< how often it was found out what is wanted
  int64_t priority_ = 0;  ///< of what is being asked for; the lowest goes first
  SharedGraph graph_;
  std::vector<Look> looks_;
  std::vector<std::unique_ptr<Level>> levels_;   ///< the full one, then its preview, if there is one
  std::optional<Error> failure_;                 ///< the first of the full level
  std::map<Hash, Computed> carried_;             ///< while a graph is shown: values of the one before
  std::map<JobKey, std::shared_ptr<Job>> jobs_;  ///< that are wanted, running or not
  std::map<std::pair<std::string, bool>, std::shared_ptr<SessionSlot>>
      slots_;  ///< what operators keep, by node and preview
  std::deque<std::function<void()>> queue_;
  std::vector<std::thread> runners_;
  std::thread teller_;
};

}  // namespace tepui
