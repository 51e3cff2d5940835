#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/apps/program.h"

// What the tests of trust share: they all run the program itself.

namespace tepui::test {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;
/// Contents by name.
using Files = std::map<std::string, std::string>;

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline void put(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

inline size_t count_temporary(const std::string& folder) {
  size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) count += entry.path().extension() == ".tmp";
  return count;
}

/// Runs the program and expects it to end well.
inline Outcome must_run(const Words& words, const std::string& folder) {
  Outcome outcome = run_program(words, folder);
  EXPECT_EQ(outcome.exit_code, 0) << words.front() << ": " << outcome.err;
  return outcome;
}

/// One message: a first line that names the file, and below it only what belongs to it, further in.
inline void expect_one_message(const std::string& text, const std::string& file) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_TRUE(contains(line, file)) << text;
  EXPECT_FALSE(line.starts_with("warning")) << text;
  while (std::getline(lines, line)) EXPECT_TRUE(line.starts_with("  ")) << text;
}

}  // namespace tepui::test
