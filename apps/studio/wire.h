#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "apps/studio/gate.h"
#include "apps/studio/outbox.h"
#include "apps/studio/page_table.h"
#include "tepui/core/context.h"

namespace tepui::studio {

/// A page that has been let in; no number is given twice.
using Peer = uint64_t;
inline constexpr Peer everyone = 0;

/// Hears what pages say. Calls come from the wire's own thread, which waits meanwhile.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void greeted(Peer peer, const std::string& key) = 0;
  virtual void said(Peer peer, std::string text) = 0;
  virtual void sent(Peer peer, std::string bytes) = 0;
  virtual void left(Peer peer) = 0;
};

/// Limits that tests make small.
struct WireOptions {
  uint16_t port = 0;  ///< 0: any that is free
  size_t most_sockets = 32, most_pages = 4;
  size_t most_unheard = 32;  ///< messages of a page that nobody has dealt with: it is not read meanwhile
};

/// HTTP and WebSocket on the loopback interface, in one thread of its own.
class Wire {
 public:
  Wire(const WireOptions& options, PageTable page, Listener& listener);
  /// Says good-bye to all.
  ~Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  uint16_t port() const;
  /// What the page says in its greeting.
  const std::string& token() const;

  // All below from any thread.
  /// As Outbox has it, to one page or to all.
  void say(Peer to, std::string text, const std::string& slot = {});
  void queue(uint64_t generation, std::string bytes, bool binary);
  void begin(uint64_t generation);
  void credit(Peer peer, uint64_t bytes);
  /// One message of the page has been dealt with.
  void heard(Peer peer);
  void close(Peer peer, uint16_t code, const std::string& reason);

  /// Waits until no page's outbox is full, or the work is cancelled. A page that takes nothing for a long time is left
  /// behind.
  void wait_for_room(const Context& context);

 private:
  class Io;
  std::unique_ptr<Io> io_;
};

}  // namespace tepui::studio
