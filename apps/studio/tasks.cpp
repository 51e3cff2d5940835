#include "apps/studio/tasks.h"

#include <utility>

namespace tepui::studio {

void Tasks::post(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  news_.notify_one();
}

std::function<void()> Tasks::take_until(Clock::time_point time) {
  std::unique_lock lock(mutex_);
  if (!news_.wait_until(lock, time, [this] { return !tasks_.empty(); })) return {};
  std::function<void()> task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

}  // namespace tepui::studio
