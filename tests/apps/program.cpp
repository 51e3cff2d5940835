#include "tests/apps/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace tepui::test {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto between_looks = std::chrono::milliseconds(2);
/// Seconds; only a program that hangs takes as long.
constexpr double longest_run = 600, longest_wait = 300;

double since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

void redirect(const std::string& path, int descriptor) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, descriptor);
  close(file);
}

}  // namespace

nlohmann::json Outcome::json() const {
  nlohmann::json value = nlohmann::json::parse(out, nullptr, false);
  EXPECT_FALSE(value.is_discarded()) << "not JSON: " << out << "\nstandard error: " << err;
  return value;
}

Program::Program(const std::vector<std::string>& words, const std::string& folder,
                 const std::map<std::string, std::string>& environment, const std::vector<std::string>& through) {
  const std::string out = scratch_ / "out", err = scratch_ / "err", cache = scratch_ / "cache";
  child_ = fork();
  if (child_ != 0) return;
  redirect(out, STDOUT_FILENO);
  redirect(err, STDERR_FILENO);
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  if (chdir(folder.c_str()) != 0) _exit(126);
  std::vector<char*> arguments;
  for (const std::string& word : through) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(const_cast<char*>(TEPUI_PROGRAM));
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments.front(), arguments.data());
  _exit(127);
}

Program::~Program() {
  if (ended()) return;
  send(SIGKILL);
  waitpid(child_, &status_, 0);
}

bool Program::ended() {
  if (ended_) return true;
  struct rusage usage {};
  ended_ = wait4(child_, &status_, WNOHANG, &usage) != 0;
  if (ended_) {
    peak_memory_ = static_cast<size_t>(usage.ru_maxrss) << 10;
    processor_seconds_ = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return ended_;
}

void Program::send(int signal) const {
  if (!ended_) kill(child_, signal);
}

bool Program::has_open(const std::string& path) const {
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(child_) + "/fd", gone)) {
    const std::filesystem::path target = std::filesystem::read_symlink(entry.path(), gone);
    if (!gone && std::filesystem::equivalent(target, path, gone) && !gone) return true;
  }
  return false;
}

std::string Program::out() const { return contents(scratch_ / "out"); }
std::string Program::err() const { return contents(scratch_ / "err"); }

bool Program::wait_until(const std::function<bool()>& condition) {
  for (const auto began = Clock::now(); since(began) < longest_wait; std::this_thread::sleep_for(between_looks)) {
    const bool last_look = ended();
    if (condition()) return true;
    if (last_look) return false;
  }
  return false;
}

Outcome Program::finish() {
  for (const auto began = Clock::now(); !ended(); std::this_thread::sleep_for(between_looks))
    if (since(began) > longest_run) send(SIGKILL);
  Outcome outcome;
  outcome.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  outcome.out = out();
  outcome.err = err();
  outcome.peak_memory = peak_memory_;
  outcome.processor_seconds = processor_seconds_;
  return outcome;
}

Outcome run_program(const std::vector<std::string>& words, const std::string& folder) {
  return Program(words, folder).finish();
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::map<std::string, std::string> files_of(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[std::filesystem::relative(entry.path(), folder).string()] = contents(entry.path());
  return files;
}

}  // namespace tepui::test
