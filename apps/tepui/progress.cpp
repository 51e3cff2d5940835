#include "apps/tepui/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "apps/tepui/commands.h"

namespace tepui::app {

namespace {

constexpr auto between_draws = std::chrono::milliseconds(80);
constexpr auto between_lines = std::chrono::seconds(5);
constexpr int bar_width = 28;

double seconds(std::chrono::steady_clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

std::string time_text(double s) {
  if (s < 10) return fmt::format("{:.1f} s", s);
  return s < 60 ? fmt::format("{:.0f} s", s)
                : fmt::format("{}:{:02} min", static_cast<int>(s) / 60, static_cast<int>(s) % 60);
}

}  // namespace

TerminalProgress::TerminalProgress(bool progress, bool warnings)
    : quiet_(!progress), warns_(warnings), terminal_(isatty(STDERR_FILENO) != 0) {}

TerminalProgress::~TerminalProgress() { end(); }

void TerminalProgress::begin(std::vector<std::string> names) {
  const std::lock_guard lock(mutex_);
  tasks_.clear();
  for (std::string& name : names) tasks_.push_back({readable(std::move(name)), 0, {}, {}});
  began_ = Clock::now();
}

void TerminalProgress::end() {
  const std::lock_guard lock(mutex_);
  clear();
  tasks_.clear();
}

void TerminalProgress::progress(int task, std::string_view stage, double fraction) {
  const std::lock_guard lock(mutex_);
  if (quiet_ || task < 0 || static_cast<size_t>(task) >= tasks_.size()) return;
  Task& t = tasks_[static_cast<size_t>(task)];
  if (t.fraction >= 1) return;  // a chunk's report that was overtaken by the task's end
  const auto now = Clock::now();
  if (t.began == Clock::time_point()) t.began = t.told = now;
  const bool finished = fraction >= 1 && stage.empty() && t.fraction < 1;
  // Chunks finish out of order; the bar never runs back.
  t.fraction = std::max(t.fraction, stage.empty() || fraction < 1 ? fraction : std::min(fraction, 0.999));
  if (terminal_) {
    if (finished || now - last_draw_ >= between_draws) draw(t, stage);
  } else if (finished) {
    tell(fmt::format("{}: done in {}\n", t.name, time_text(seconds(now - t.began))));
  } else if (now - t.told >= between_lines) {
    t.told = now;
    const double spent = seconds(now - t.began);
    const std::string left = t.fraction > 0 ? ", " + time_text(spent / t.fraction - spent) + " left" : "";
    tell(fmt::format("{}: {}{:.0f} %{}\n", t.name, stage.empty() ? "" : std::string(stage) + " ", 100 * t.fraction,
                     left));
  }
}

void TerminalProgress::warn(std::string_view message) {
  if (!warns_) return;
  const std::lock_guard lock(mutex_);
  clear();
  tell(fmt::format("warning: {}\n", readable(std::string(message))));
}

void TerminalProgress::draw(const Task& task, std::string_view stage) {
  last_draw_ = Clock::now();
  double sum = 0;
  for (const Task& t : tasks_) sum += t.fraction;
  const double fraction = sum / static_cast<double>(tasks_.size());
  const double spent = seconds(last_draw_ - began_);
  const int filled = static_cast<int>(fraction * bar_width);
  std::string bar;
  for (int i = 0; i < bar_width; ++i) bar += i < filled ? "█" : "░";
  const std::string left = fraction > 0.02 ? time_text(spent / fraction - spent) + " left" : "";
  std::string what = task.name;
  if (!stage.empty()) what += fmt::format(" ({})", stage);
  tell(fmt::format("\r\x1b[2K{} {:3.0f} %  {}  {}", bar, 100 * fraction, what, left));
  drawn_ = true;
}

void TerminalProgress::clear() {
  if (!drawn_) return;
  tell("\r\x1b[2K");
  drawn_ = false;
}

}  // namespace tepui::app
