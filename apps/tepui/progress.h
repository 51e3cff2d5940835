#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include "tepui/core/context.h"

namespace tepui::app {

/// Shows progress on standard error: one bar with the time left on a terminal, a plain line per finished task
/// elsewhere.
class TerminalProgress : public ProgressSink {
 public:
  /// What it is to show; the rest is kept quiet.
  TerminalProgress(bool progress, bool warnings);
  ~TerminalProgress() override;

  /// Names the tasks to come; their number is the whole.
  void begin(std::vector<std::string> names);
  /// Clears the bar.
  void end();

  void progress(int task, std::string_view stage, double fraction) override;
  void warn(std::string_view message) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Task {
    std::string name;
    double fraction = 0;
    Clock::time_point began;
    Clock::time_point told;
  };

  void draw(const Task& task, std::string_view stage);
  void clear();

  std::mutex mutex_;
  bool quiet_, warns_, terminal_, drawn_ = false;
  std::vector<Task> tasks_;
  Clock::time_point began_, last_draw_;
};

}  // namespace tepui::app
