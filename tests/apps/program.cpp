#include "tests/apps/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/support.h"

namespace tepui::test {

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
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

Outcome run_program(const std::vector<std::string>& words, const std::string& folder, double interrupt_after) {
  const TemporaryFolder scratch;
  const auto began = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  const std::string out = scratch / "out", err = scratch / "err";
  const pid_t child = fork();
  if (child == 0) {
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    if (chdir(folder.c_str()) != 0) _exit(126);
    std::vector<char*> arguments{const_cast<char*>(TEPUI_PROGRAM)};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execv(TEPUI_PROGRAM, arguments.data());
    _exit(127);
  }
  Outcome outcome;
  double interrupted_at = 0;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (interrupt_after > 0 && interrupted_at == 0 && elapsed() > interrupt_after) {
      kill(child, SIGINT);
      interrupted_at = elapsed();
    }
    if (elapsed() > 120) kill(child, SIGKILL);
  }
  outcome.seconds = elapsed() - interrupted_at;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = contents(out);
  outcome.err = contents(err);
  return outcome;
}

}  // namespace tepui::test
