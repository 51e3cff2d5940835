#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "apps/studio/frames.h"
#include "apps/studio/wire.h"
#include "tepui/core/error.h"

namespace tepui::studio {

/// Makes frames in a thread of its own, one job at a time; a new job ends the one before.
class Painter {
 public:
  using Work = std::function<void(FrameSink& sink, const Context& context)>;
  /// What came of it: the bytes of binary frames, and what went wrong. Not called of a job that was ended.
  using Then = std::function<void(uint64_t bytes, const std::optional<Error>& error)>;

  /// With as many threads as there are where it is made.
  explicit Painter(Wire& wire);
  ~Painter();
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  void start(uint64_t generation, Work work, Then then);
  void stop();

 private:
  struct Job {
    uint64_t generation = 0;
    Work work;
    Then then;
    CancelFlag cancel{false};
  };
  void run();
  void do_job(Job& job);

  Wire& wire_;
  const int threads_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::shared_ptr<Job> next_, now_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace tepui::studio
