// manual: the manual page, told by the program's own commands, operators and presets.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "apps/tepui/commands.h"
#include "tepui/core/version.h"
#include "tepui/graph/disk_cache.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/presets.h"

namespace tepui::app {

namespace {

/// Text as roff takes it: nothing in it is a request, and hyphens stay what a shell takes.
std::string roff(std::string_view text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    line_begins = c == '\n';
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      case '`':
        result += "\\(ga";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

void section(std::string_view title) { fmt::print(".SH {}\n", title); }
void item(std::string_view head, std::string_view about) { fmt::print(".TP\n{}\n{}\n", head, roff(about)); }

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> shown_options(const CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}

/// "-o, --output FOLDER"; a positional argument is its name alone.
std::string option_head(const CLI::Option& option) {
  if (option.get_positional()) return italic(option.get_name());
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back(bold("-" + name));
  for (const std::string& name : option.get_lnames()) names.push_back(bold("--" + name));
  const bool takes_value = option.get_items_expected_max() > 0;
  return fmt::format("{}{}", fmt::join(names, ", "), takes_value ? " " + italic(value_name(option)) : "");
}

std::string option_about(const CLI::Option& option) {
  const std::string fallback = option.get_default_str();
  return option.get_description() + (fallback.empty() ? "" : fmt::format(" (default {})", fallback));
}

/// "tepui new [options] preset -o FILE".
std::string usage(const CLI::App& command) {
  std::string text = bold("tepui " + command.get_name()) + " [" + italic("options") + "]";
  for (const CLI::Option* option : shown_options(command)) {
    if (!option->get_positional()) continue;
    const std::string name = italic(option->get_name());
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  for (const CLI::Option* option : shown_options(command))
    if (!option->get_positional() && option->get_required()) {
      const std::string name =
          option->get_snames().empty() ? "--" + option->get_lnames().front() : "-" + option->get_snames().front();
      text += " " + bold(name) + " " + italic(value_name(*option));
    }
  return text;
}

/// Whether every command has an option of this name that says the same.
bool is_common(const CLI::Option& option, const std::vector<const CLI::App*>& commands) {
  return !option.get_positional() && std::ranges::all_of(commands, [&](const CLI::App* command) {
    const CLI::Option* own = command->get_option_no_throw(option.get_name());
    return own != nullptr && own->get_description() == option.get_description();
  });
}

void print_command(const CLI::App& command, const std::vector<const CLI::App*>& commands) {
  fmt::print(".SS {}\n{}\n.PP\n{}.\n", roff(command.get_name()), usage(command), roff(command.get_description()));
  for (const CLI::Option* option : shown_options(command))
    if (!is_common(*option, commands)) item(option_head(*option), option_about(*option));
  std::string examples = command.get_footer();
  if (const size_t begin = examples.find("  tepui "); begin != std::string::npos)
    fmt::print(".PP\nExamples:\n.PP\n.EX\n{}\n.EE\n", roff(examples.substr(begin)));
}

}  // namespace

void manual(const CLI::App& app) {
  const std::vector<const CLI::App*> commands = shown_commands(app);
  fmt::print(".\\\" Printed by 'tepui manual'.\n.TH TEPUI 1 \"\" \"tepui {}\" \"Tepui\"\n", roff(version));
  section("NAME");
  fmt::print("tepui \\- terrain from recipes\n");
  section("SYNOPSIS");
  fmt::print("{} {} [{}] ...\n.br\n{} {}\n", bold("tepui"), italic("command"), italic("options"), bold("tepui"),
             bold("--version"));
  section("DESCRIPTION");
  fmt::print(
      "{}\n.PP\n{}\n", roff(app.get_description()),
      roff("A recipe is a JSON file that names a world, operators with their parameters and connections, and the "
           "files to write. The same recipe gives the same data, to the bit, for any number of threads.\n"
           "Heights are metres; lengths may be written 350m, 1.2km or 10% (of the world's shorter side)."));
  section("COMMANDS");
  for (const CLI::App* command : commands) print_command(*command, commands);
  section("COMMON OPTIONS");
  fmt::print("Every command takes these.\n");
  if (!commands.empty())
    for (const CLI::Option* option : shown_options(*commands.front()))
      if (is_common(*option, commands)) item(option_head(*option), option_about(*option));
  section("OPERATORS");
  fmt::print("{} lists the parameters of one.\n", bold("tepui explain NAME"));
  for (const Operator& op : operators()) item(bold(op.name), op.params.about);
  section("PRESETS");
  fmt::print("Recipes that come with the program; run one by its name, or copy it with {}.\n", bold("tepui new"));
  for (const Preset& preset : presets()) item(bold(preset.name), preset.title);
  section("EXIT STATUS");
  item("0", "Done.");
  item("1", "Something failed during the work, such as a full disk.");
  item("2", "The request, the recipe or a file is wrong; the message says what would be right.");
  item("130", "Cancelled.");
  section("FILES");
  item("$XDG_CACHE_HOME/tepui, ~/.cache/tepui",
       fmt::format("Results of earlier runs, at most {} GiB. --cache selects another folder, --no-cache none.",
                   DiskCache::default_budget >> 30));
  item("NAME.manifest.json",
       "Written beside the files of a run: their position and scale, and what to type into engines.");
  section("SHELL COMPLETION");
  fmt::print("{}\n", roff("Installed with the program. To load it by hand, in bash or zsh (after compinit):"));
  fmt::print(".PP\n.EX\n  {}\n  {}\n.EE\n.PP\nand in fish:\n.PP\n.EX\n  {}\n.EE\n", roff(". <(tepui completion bash)"),
             roff(". <(tepui completion zsh)"), roff("tepui completion fish | source"));
}

}  // namespace tepui::app
