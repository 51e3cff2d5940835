#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

namespace tepui::studio {

using Clock = std::chrono::steady_clock;

/// What one thread is to do, one after the other, said by any thread.
class Tasks {
 public:
  void post(std::function<void()> task);
  /// The next task; none where none has come by then.
  std::function<void()> take_until(Clock::time_point time);

 private:
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<std::function<void()>> tasks_;
};

}  // namespace tepui::studio
