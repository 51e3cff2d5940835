#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "apps/studio/frames.h"
#include "tepui/core/context.h"
#include "tepui/core/error.h"

namespace tepui::studio {

/// Work that takes longer than a page should wait for other answers, one after the other, in a thread of its own.
class Errands {
 public:
  using Work = std::function<Ordered(const Context& context)>;
  using Then = std::function<void(Ordered answer)>;

  /// With as many threads as there are where it is made.
  Errands();
  /// Ends what is being done.
  ~Errands();
  Errands(const Errands&) = delete;
  Errands& operator=(const Errands&) = delete;

  /// `then` is told the answer, or the error as answers have it; its thread is that of the work. Refuses more than
  /// a few at a time.
  void start(Work work, Then then);
  /// Ends what is being done, and all that waits; each is answered.
  void stop();

 private:
  struct Errand {
    Work work;
    Then then;
    CancelFlag cancel{false};
  };
  void run();
  static void do_errand(Errand& errand);

  const int threads_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<std::shared_ptr<Errand>> waiting_;
  std::shared_ptr<Errand> now_;
  bool end_ = false;
  std::thread thread_;
};

/// The error as answers have it.
Ordered error_json(const Error& error);

}  // namespace tepui::studio
