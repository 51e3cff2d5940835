#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"

// The commands, without the parsing of their words: main.cpp fills the options and calls one.

namespace tepui::app {

class TerminalProgress;

/// What every command gets.
struct Session {
  bool json = false;
  Context context;
  TerminalProgress& progress;  ///< told the tasks before they run
  std::string program;         ///< how it was called, for commands to try next
};

struct RunOptions {
  std::string recipe;
  std::string folder = "out";
  std::optional<uint64_t> seed;
  std::optional<int64_t> resolution;
  std::vector<std::string> set;
  std::vector<std::string> only;
};
void run(const RunOptions& options, const Session& session);
void check(const RunOptions& options, const Session& session);

struct MakeOptions {
  std::string line;
  std::vector<std::string> outputs;
  std::string picture;
  std::string size;
  std::optional<int64_t> resolution;
  int64_t seed = 0;
  bool recipe = false;
};
void make(const MakeOptions& options, const Session& session);

void list_operators(const std::string& name, const Session& session);
void explain(const std::string& name, const Session& session);
void schema();

void info(const std::string& file, const Session& session);
void compare(const std::string& a, const std::string& b, const Session& session);

struct RenderOptions {
  std::string file;
  std::string output;
  std::string size;
  std::vector<std::string> settings;  ///< "name=value" of the picture's parameters
  std::optional<double> sea_level;
};
void render(const RenderOptions& options, const Session& session);

void list_presets(const Session& session);
void new_recipe(const std::string& preset, const std::string& path, bool force, const Session& session);

void bench(const std::string& name, const Session& session);

/// One object on standard output; names that are not UTF-8 are shown as well as they can be.
void print_json(const nlohmann::ordered_json& object);

/// A word as a shell takes it.
std::string shell_word(const std::string& word);

/// 12345678 -> "12.3 MB".
std::string size_text(size_t bytes);

}  // namespace tepui::app
