#pragma once  // internal

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "tepui/graph/node_work.h"
#include "tepui/graph/session_events.h"

namespace tepui {

/// What an operator keeps between two runs for one node.
struct SessionSlot {
  std::mutex mutex;
  std::shared_ptr<void> kept;
};

/// The computing, or loading, of one value. It holds all that this takes, so that it outlasts the graph it was for.
struct SessionJob {
  Hash key;
  bool load = false;
  CancelFlag cancel{false};
  SharedGraph graph;
  int node = -1;
  NodeInputs inputs{};
  Hash outside{};
  std::map<int, NodeFacts> facts{};
  std::map<int, Value> values{};
  std::optional<Frame> world{};
  std::shared_ptr<SessionSlot> slot{};

  // Under the session's mutex.
  SessionNode told{};
  bool running = false;
  bool to_disk = false;  ///< not only a preview
  bool wanted = false;   ///< someone looks at it
  int64_t priority = 0;
  uint64_t walk = 0;
  std::string stage{};
  double fraction = 0;
  bool posted = false;  ///< an event with its progress is on its way
  double seconds = 0;
};

/// Runs its operator.
Computed compute_job(const SessionJob& job, const Context& context);

}  // namespace tepui
