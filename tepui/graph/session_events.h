#pragma once

#include <cstdint>
#include <string>

#include "tepui/graph/node_report.h"

namespace tepui {

/// The node that an event is about.
struct SessionNode {
  int node = -1;  ///< of the graph that is shown
  std::string name{};
  bool preview = false;
  uint64_t show = 0;  ///< the call of Session::show that it belongs to; the first is 1
};

/// What a session reports. Calls come from a thread of the session that does nothing else, one at a time and in order:
/// a slow listener holds up what is told, not what is computed. They may give the session something else to show, and
/// must not throw.
class SessionEvents {
 public:
  virtual ~SessionEvents() = default;
  /// The content of a node's value, which need not be there; `cached`: it was known already.
  virtual void known(const SessionNode& /*node*/, const NodeFacts& /*facts*/, bool /*cached*/) {}
  /// A node is being computed.
  virtual void progress(const SessionNode& /*node*/, const std::string& /*stage*/, double /*fraction*/) {}
  virtual void warned(const SessionNode& /*node*/, const std::string& /*message*/) {}
  /// What a look asked for is there: its preview, or all of it.
  virtual void arrived(size_t /*look*/, const SessionNode& /*node*/, const NodeFacts& /*facts*/,
                       const Value& /*value*/) {}
  /// A node could not be computed; the error has its place. What depends on it does not come.
  virtual void failed(const SessionNode& /*node*/, const Error& /*error*/) {}
  /// Everything that is looked at has arrived, or cannot.
  virtual void settled() {}
};

struct SessionOptions {
  int64_t preview = 257;  ///< samples on the longer side of a preview; 0: no previews
};

}  // namespace tepui
