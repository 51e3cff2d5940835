#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tepui::test {

/// How a run of the program ended.
struct Outcome {
  int exit_code = -1;
  std::string out, err;
  double seconds = 0;

  /// Standard output as JSON; a test failure where it is none.
  nlohmann::json json() const;
};

/// Runs the program with these words in `folder`; sends it SIGINT after `interrupt_after` seconds unless that is 0.
Outcome run_program(const std::vector<std::string>& words, const std::string& folder, double interrupt_after = 0);

}  // namespace tepui::test
