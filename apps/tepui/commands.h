#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tepui/core/context.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

// The commands, without the parsing of their words: main.cpp fills the options and calls one.

namespace tepui::app {

/// JSON whose members stay in the order they were given.
using Ordered = nlohmann::ordered_json;

class TerminalProgress;

/// Where results are kept between runs.
struct CacheOptions {
  bool off = false;
  std::string folder{};  ///< empty: the user's own
};

/// What every command gets.
struct Invocation {
  bool json = false;
  Context context;
  TerminalProgress& progress;  ///< told the tasks before they run
  std::string program;         ///< how it was called, for commands to try next
  CacheOptions cache{};
  bool quiet = false;
};

/// What the command line changes in a recipe.
struct RecipeChanges {
  std::optional<uint64_t> seed;
  std::optional<int64_t> resolution;
  std::vector<std::string> set;  ///< "name=value" of a variable or node.parameter

  bool empty() const { return !seed && !resolution && set.empty(); }
};

struct RunOptions : RecipeChanges {
  std::string recipe;
  std::string folder = "out";
  std::vector<std::string> only;
  std::vector<std::string> sweeps;
  std::string table;     ///< of a sweep: a file for the table of all runs
  std::string window{};  ///< "W,S,E,N"; empty: all of the land
  bool watch = false;
};
void run(const RunOptions& options, const Invocation& call);
void check(const RunOptions& options, const Invocation& call);
/// Runs the recipe once for every combination of the sweeps' values.
void run_sweep(const RunOptions& options, const Invocation& call);

struct SetOptions {
  std::string recipe;
  std::vector<std::string> values;   ///< "name=value"
  std::vector<std::string> removed;  ///< names
  std::vector<std::string> renamed;  ///< "node=name"
};
/// Edits a recipe's file.
void set(const SetOptions& options, const Invocation& call);

struct MakeOptions {
  std::string line;
  std::vector<std::string> outputs;
  std::vector<std::string> out;
  std::string picture;
  std::string camera, biome, samples;
  std::vector<std::string> look;  ///< "name=value" of the picture's parameters
  std::string size;               ///< of the picture
  std::string world;              ///< its sides
  std::optional<int64_t> resolution;
  int64_t seed = 0;
  bool recipe = false;
};
void make(const MakeOptions& options, const Invocation& call);

void list_operators(const std::string& name, const Invocation& call);
void explain(const std::string& name, const Invocation& call);
void schema();

struct DocsOptions {
  std::string folder;
  std::vector<std::string> only;  ///< operators; empty: all
  bool draft = false;             ///< small pictures of few samples
};
void docs(const DocsOptions& options, const Invocation& call);

/// FILE or RECIPE#node, what a file does not say itself ("name=value" of the parameters of `read`), and what is changed
/// in a recipe.
struct LandFile {
  std::string name;
  std::vector<std::string> how{};
  RecipeChanges changes{};
};
struct InfoOptions {
  bool statistics = false;  ///< of the land as a whole
  bool csv = false;         ///< those alone, as a table
};
void info(const LandFile& file, const InfoOptions& options, const Invocation& call);
void compare(const LandFile& a, const std::string& b, const Invocation& call);

struct ConvertOptions {
  LandFile file;
  std::string output;
  std::vector<std::string> out;     ///< "name=value" of the output's options
  std::vector<std::string> layers;  ///< empty: all that the format holds
};
void convert(const ConvertOptions& options, const Invocation& call);

struct RenderOptions {
  LandFile file;
  std::string along;  ///< lines that the camera inside follows: FILE, RECIPE#node or #node of the same recipe
  std::vector<std::string> scatter;  ///< points where plants and rocks stand, the same way
  std::string output;
  std::string size, camera, colour, samples;
  bool draft = false;
  std::vector<std::string> look;  ///< "name=value" of the picture's parameters
  std::optional<double> sea_level;
};
void render(const RenderOptions& options, const Invocation& call);

struct BakeOptions {
  LandFile file;
  std::string folder;
  std::vector<std::string> look;  ///< "name=value" of the maps' parameters
  std::string engine;             ///< in whose form the weights are
  std::optional<double> sea_level;
};
void bake(const BakeOptions& options, const Invocation& call);

struct FigureOptions {
  std::string kind;
  std::vector<std::string> sources;
  std::string output;
  std::vector<std::string> how;  ///< as LandFile's
  std::vector<std::string> sweeps;
  std::vector<std::string> look;  ///< "name=value" of the figure's or the pictures' parameters
  RecipeChanges changes;
  std::vector<std::string> with;  ///< the same as changes.set, for the recipe alone
  std::optional<double> sea_level;
  std::string size;
  int64_t columns = 0;
  std::vector<std::string> captions;
  std::optional<std::string> title;
  std::string rivers;  ///< lines that a map shows: FILE, RECIPE#node or #node of the same recipe
  std::string along;   ///< the same of the lines that the camera inside follows
};
void figure(const FigureOptions& options, const Invocation& call);
/// The kinds of figures, each with what it shows.
const std::vector<std::pair<std::string, std::string>>& kinds_of_figures();

void list_presets(const Invocation& call);
/// The rules that come with the program, or those named, to copy and change.
void rules(const std::string& name, bool schema, const Invocation& call);
void new_recipe(const std::string& preset, const std::string& path, bool force, const Invocation& call);

struct StudioCommand {
  std::string recipe = "monuments";
  int port = 0;  ///< 0: any that is free
  bool no_open = false;
};
/// A recipe's land in the browser, until Ctrl-C.
void studio(const StudioCommand& options, const Invocation& call);

void bench(const std::string& name, const Invocation& call);

/// For the completion scripts: what the last of the words after "tepui" could be. One line each, "word<Tab>about",
/// after a line that says whether `files` or `folders` fit too, or `none`.
void complete(const CLI::App& app, const std::vector<std::string>& words);
void completion_script(const std::string& shell);
/// The manual page, in roff.
void manual(const CLI::App& app);
/// What the help calls an option's value, set by type_name(). Completion goes by it: RECIPE, PRESET, OPERATOR, OUTPUT,
/// ROW, LINE, KIND, SOURCE, CAMERA, COLOUR, BIOME, FOLDER and those with VALUE offer what they say, SIZE, NUMBER,
/// CAPTION and TITLE nothing, any other name files.
std::string value_name(const CLI::Option& option);

/// One object on standard output; names that are not UTF-8 are shown as well as they can be.
void print_json(const Ordered& object, bool one_line = false);

/// Tells on standard output what a command has done, unless it is to be quiet. What a command was asked for, such as
/// the answer of `info`, is printed in any case.
void report(const Invocation& call, const std::string& text);

/// Says something on standard error. That nobody can hear it, as on a full disk, is no reason to stop.
void tell(const std::string& text);

/// Fit for a terminal, whoever wrote it: no control characters, not longer than anyone reads of a message.
std::string readable(std::string text, size_t longest = 600);

/// A word as a shell takes it.
std::string shell_word(const std::string& word);

/// 12345678 -> "12.3 MB".
std::string size_text(size_t bytes);

}  // namespace tepui::app
