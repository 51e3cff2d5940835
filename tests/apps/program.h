#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/support.h"

namespace tepui::test {

/// How a run of the program ended.
struct Outcome {
  int exit_code = -1;
  std::string out, err;
  size_t peak_memory = 0;  ///< bytes that it held at most
  double processor_seconds = 0;

  /// Standard output as JSON; a test failure where it is none.
  nlohmann::json json() const;
};

/// Runs the program with these words in `folder`.
Outcome run_program(const std::vector<std::string>& words, const std::string& folder);

/// The program while it runs. Its cache is a folder of its own, gone with this object, unless the words or the
/// environment name another: no test meets the user's, or what another test computed.
class Program {
 public:
  /// `through` is a command that runs it, such as {"prlimit", "--fsize=4096"}.
  Program(const std::vector<std::string>& words, const std::string& folder,
          const std::map<std::string, std::string>& environment = {}, const std::vector<std::string>& through = {});
  /// Ends it at once if it still runs.
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool ended();
  void send(int signal) const;
  /// Standard output and error so far.
  std::string out() const;
  std::string err() const;
  /// Whether it has this file open.
  bool has_open(const std::string& path) const;
  /// Waits until the condition holds; false if that takes as long as only a hang does, or the program has ended before.
  bool wait_until(const std::function<bool()>& condition);
  /// Waits for the end.
  Outcome finish();

 private:
  TemporaryFolder scratch_;
  pid_t child_ = -1;
  bool ended_ = false;
  int status_ = 0;
  size_t peak_memory_ = 0;
  double processor_seconds_ = 0;
};

/// A file's bytes; none where there is no file.
std::string contents(const std::filesystem::path& path);
/// The bytes of every file below a folder, by its name there.
std::map<std::string, std::string> files_of(const std::string& folder);

}  // namespace tepui::test
