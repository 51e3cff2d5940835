#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "tepui/graph/evaluate.h"
#include "tepui/graph/look.h"
#include "tepui/graph/session_events.h"

namespace tepui {

class SessionWork;

/// A live graph. It is shown again after every edit; what has the same key is kept or continues to be computed, and
/// what nothing needs any more is cancelled, and nothing else. Previews of what is looked at come first, in the order
/// of the looks, then the looks themselves. Values are kept by the cache, within its budget; previews never go to disk.
class Session {
 public:
  /// The cache and the events outlast the session. It works with as many threads as there are where it is made.
  Session(ValueCache& cache, SessionEvents& events, SessionOptions options = {});
  /// Cancels what is being computed.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Shows another graph, or other nodes of it. Stale work has been asked to stop when this returns.
  void show(SharedGraph graph, std::vector<Look> looks);

  /// Waits until everything that is looked at has arrived, or cannot, and all has been reported; at most so long.
  /// Whether it has. Not from within an event.
  bool wait_for(std::chrono::milliseconds time);
  void wait();

  /// Of a session that has settled: what evaluate() would give for the nodes that are looked at, in their order. Throws
  /// what failed first.
  Evaluation evaluation() const;

 private:
  std::unique_ptr<SessionWork> work_;
};

}  // namespace tepui
