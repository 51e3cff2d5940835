// completion, complete: what a shell offers when its user presses Tab. The scripts only ask; the answers come from the
// program's own options, the registry, the presets and the recipe on the line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>

#include "apps/tepui/commands.h"
#include "apps/tepui/land.h"
#include "bench/bench.h"
#include "tepui/core/number.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/raster/output_params.h"
#include "tepui/io/read.h"
#include "tepui/landforms/shipped_rules.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/presets.h"
#include "tepui/recipe/recipe.h"
#include "tepui/recipe/stages.h"
#include "tepui/render/ground/bake.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/picture/animation.h"
#include "tepui/render/picture/picture.h"

namespace tepui::app {

namespace {

namespace fs = std::filesystem;

struct Suggestion {
  std::string word, about;
};

/// What else fits, which the shell finds by itself.
enum class Paths { none, files, folders };

struct Answer {
  Paths paths = Paths::none;
  std::vector<Suggestion> words;
};

/// What the words before the last one mean.
struct Line {
  const CLI::App* command = nullptr;
  std::vector<std::pair<const CLI::Option*, std::string>> given;
  const CLI::Option* open = nullptr;  ///< the next word is its value
  bool options_ended = false;         ///< by "--"

  int64_t times(const CLI::Option* option) const {
    return std::ranges::count_if(given, [&](const auto& pair) { return pair.first == option; });
  }
};

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

const CLI::Option* find_option(const CLI::App& command, const std::string& word) {
  return command.get_option_no_throw(word.substr(0, word.find('=')));
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands(nullptr))
    if (command->get_name() == name) return command;
  return nullptr;
}

/// The positional argument that the next plain word would be; nullptr when there is none left.
const CLI::Option* next_positional(const Line& line) {
  for (const CLI::Option* option : line.command->get_options())
    if (option->get_positional() && line.times(option) < option->get_items_expected_max()) return option;
  return nullptr;
}

Line read_line(const CLI::App& app, const std::vector<std::string>& words) {
  Line line{&app, {}, nullptr, false};
  for (const std::string& word : words) {
    if (line.open != nullptr) {
      line.given.emplace_back(std::exchange(line.open, nullptr), word);
    } else if (word == "--" && !line.options_ended) {
      line.options_ended = true;
    } else if (word.size() > 1 && word[0] == '-' && !line.options_ended) {
      const CLI::Option* option = find_option(*line.command, word);
      if (option == nullptr) continue;
      const size_t equals = word.find('=');
      if (takes_value(*option) && equals == std::string::npos)
        line.open = option;
      else
        line.given.emplace_back(option, equals == std::string::npos ? "" : word.substr(equals + 1));
    } else if (line.command == &app) {
      if (const CLI::App* command = find_command(app, word)) line.command = command;
    } else if (const CLI::Option* option = next_positional(line)) {
      line.given.emplace_back(option, word);
    }
  }
  return line;
}

std::vector<JsonMember> members_of(const std::optional<Json>& document, std::string_view key) {
  const Json* found = document ? document->find(key) : nullptr;
  return found != nullptr ? found->members : std::vector<JsonMember>();
}

const Operator* operator_of(const Json& node) {
  const Json* op = node.find("op");
  const Json* as = node.find(as_key);
  if (op == nullptr || !op->is_string()) return nullptr;
  return find_operator(operator_name(op->text.substr(0, op->text.find('@')), as != nullptr ? as->text : ""));
}

/// "name=", and once that is written, the values it may have.
void suggest_setting(const std::string& name, const Field& field, const std::string& word, Answer& answer) {
  if (!word.starts_with(name + "=")) {
    answer.words.push_back({name + "=", field.doc});
    return;
  }
  std::vector<std::string> values = field.choices;
  if (field.type == ParamType::boolean) values = {"true", "false"};
  if (field.automatic) values.insert(values.begin(), std::string(automatic_text));
  for (const std::string& value : values) answer.words.push_back({name + "=" + value, ""});
}

Answer recipe_settings(const std::optional<Json>& document, const std::string& word) {
  Answer answer;
  for (const JsonMember& variable : members_of(document, "vars"))
    answer.words.push_back({variable.key + "=", "variable, " + json_text(variable.value)});
  for (const JsonMember& node : members_of(document, "nodes"))
    if (const Operator* op = operator_of(node.value)) {
      for (const Field& field : op->params.fields) suggest_setting(node.key + "." + field.name, field, word, answer);
      if (has_ages(*op)) answer.words.push_back({fmt::format("{}.{}=", node.key, every_key), every_doc});
    }
  return answer;
}

/// Of the parameters P.
template <class P>
Answer settings_of(const std::string& word) {
  Answer answer;
  Fields<P> fields;
  describe(fields);
  for (const Field& field : fields.table().fields) suggest_setting(field.name, field, word, answer);
  return answer;
}

/// The values of a picture's parameter.
Answer picture_choices(const std::string& name) {
  Fields<PictureParams> fields;
  describe(fields);
  const ParamTable& table = fields.table();
  Answer answer;
  for (const std::string& choice : table.fields[static_cast<size_t>(table.find(name))].choices)
    answer.words.push_back({choice, ""});
  return answer;
}

Answer preset_names(Paths paths) {
  Answer answer{paths, {}};
  for (const Preset& preset : presets()) answer.words.push_back({preset.name, preset.title});
  return answer;
}

Answer rule_names() {
  Answer answer;
  for (const ShippedRules& set : shipped_rules()) answer.words.push_back({set.name, shipped_rule_set(set.name).about});
  return answer;
}

Answer operator_names() {
  Answer answer;
  for (const Operator& op : operators()) answer.words.push_back({op.name, op.params.about});
  return answer;
}

/// A row, and every prefix that ends at a slash.
Answer bench_rows() {
  std::vector<std::string> names;
  for (const bench::Entry& entry : bench::entries()) {
    names.push_back(entry.name);
    for (size_t slash = entry.name.find('/'); slash != std::string::npos; slash = entry.name.find('/', slash + 1))
      names.push_back(entry.name.substr(0, slash));
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  Answer answer;
  for (const std::string& name : names) answer.words.push_back({name, ""});
  return answer;
}

Answer figure_kinds() {
  Answer answer;
  for (const auto& [name, about] : kinds_of_figures()) answer.words.push_back({name, about});
  return answer;
}

/// What a figure's --set takes: of several lands, or one from all around, the pictures' parameters and the animation's.
Answer figure_settings(const std::string& kind, const std::string& word) {
  if (kind == "sheet" || kind == "pair") return settings_of<PictureParams>(word);
  if (kind != "turntable" && kind != "timelapse") return settings_of<FigureParams>(word);
  Answer answer = kind == "turntable" ? settings_of<TurntableParams>(word) : settings_of<TimelapseParams>(word);
  for (Suggestion& suggestion : settings_of<PictureParams>(word).words) answer.words.push_back(std::move(suggestion));
  return answer;
}

/// RECIPE#node@age for each stage of a valid recipe.
void suggest_stages(const std::string& name, Answer& answer) {
  try {
    const Plan recipe = load_recipe_or_preset(name);
    for (const Node& node : recipe.nodes)
      for (const int stage : node.stages) {
        const double age = recipe.nodes[static_cast<size_t>(stage)].age;
        answer.words.push_back({name + "#" + stage_name(node.name, age), age_text(recipe, stage)});
      }
  } catch (const std::exception&) {
    // A recipe that is not right yet has none to offer.
  }
}

/// Files, and after a '#' the nodes of the recipe before it, after an '@' their stages.
Answer files_and_nodes(const std::string& word) {
  Answer answer{Paths::files, {}};
  const size_t hash = word.find('#');
  if (hash == std::string::npos) return answer;
  const std::string recipe = word.substr(0, hash);
  for (const JsonMember& node : members_of(recipe_document(recipe), "nodes")) {
    const Operator* op = operator_of(node.value);
    answer.words.push_back({recipe + "#" + node.key, op != nullptr ? op->params.about : ""});
  }
  if (word.find('@', hash) != std::string::npos) suggest_stages(recipe, answer);
  return answer;
}

/// The same, and the presets.
Answer sources(const std::string& word) {
  Answer answer = files_and_nodes(word);
  if (word.find('#') == std::string::npos)
    for (Suggestion& preset : preset_names(Paths::none).words) answer.words.push_back(std::move(preset));
  return answer;
}

/// What a recipe lets one sweep over.
Answer sweeps(const std::optional<Json>& document, const std::string& word) {
  Answer answer = recipe_settings(document, word);
  answer.words.push_back({"seed=", "1..16"});
  answer.words.push_back({"resolution=", "65,129,257"});
  return answer;
}

/// "{a,b,c}" of a type name, as CLI::IsMember writes it.
std::vector<std::string> listed_choices(const std::string& type) {
  const size_t open = type.find('{'), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

/// What an option's value may be, told by the name of its type: the word that the help shows.
Answer values_of(const CLI::Option& option, const Line& line, const std::string& word) {
  const std::string type = value_name(option);
  const std::vector<std::string> choices = listed_choices(option.get_type_name());
  if (!choices.empty()) {
    Answer answer;
    for (const std::string& choice : choices) answer.words.push_back({choice, ""});
    return answer;
  }
  bool has_recipe = false, has_kind = false;
  std::string recipe, kind, source;
  for (const CLI::Option* other : line.command->get_options()) {
    has_recipe |= value_name(*other) == "RECIPE";
    has_kind |= value_name(*other) == "KIND";
  }
  for (const auto& [given, value] : line.given) {
    if (value_name(*given) == "RECIPE") recipe = value;
    if (value_name(*given) == "KIND") kind = value;
    const bool made = value.find('#') != std::string::npos && given->get_positional();
    if (value_name(*given) == "SOURCE" || (source.empty() && made)) source = value.substr(0, value.find('#'));
  }
  if (type == "KIND") return figure_kinds();
  if (type == "SOURCE") return sources(word);
  if (type == "RECIPE=VALUE") return recipe_settings(recipe_document(source), word);
  if (type == "SWEEP=VALUES") return sweeps(recipe_document(has_recipe ? recipe : source), word);
  if (type == "SET=VALUE") {
    const bool maps = line.command->get_name() == "bake";
    Answer answer = has_kind ? figure_settings(kind, word)
                    : maps   ? settings_of<BakeParams>(word)
                             : settings_of<PictureParams>(word);
    for (Suggestion& suggestion : recipe_settings(recipe_document(source), word).words)
      answer.words.push_back(std::move(suggestion));
    return answer;
  }
  if (type == "LOOK=VALUE") return has_kind ? figure_settings(kind, word) : settings_of<PictureParams>(word);
  if (type == "BIOME") return picture_choices("biome");
  if (type == "ENGINE") return {.words = {{"unreal", ""}, {"unity", ""}, {"godot", ""}, {"blender", ""}}};
  if (type == "CAMERA") return picture_choices("camera");
  if (type == "COLOUR") return picture_choices("colour");
  if (type == "CAPTION" || type == "TITLE") return {};
  if (type == "RECIPE") return preset_names(Paths::files);
  if (type == "PRESET") return preset_names(Paths::none);
  if (type == "RULES") return rule_names();
  if (type == "OPERATOR" || type == "LINE") return operator_names();
  if (type == "ROW") return bench_rows();
  if (type == "FOLDER") return {Paths::folders, {}};
  if (type == "NAME=VALUE") return recipe_settings(recipe_document(has_recipe ? recipe : source), word);
  if (type == "MAP=VALUE") return settings_of<BakeParams>(word);
  if (type == "READ=VALUE") return settings_of<ReadParams>(word);
  if (type == "OUT=VALUE") return settings_of<OutputParams>(word);
  if (type == "OUTPUT") {
    Answer answer;
    for (const JsonMember& output : members_of(recipe_document(recipe), "outputs"))
      answer.words.push_back({output.key, ""});
    return answer;
  }
  return type == "NUMBER" || type == "SIZE" || type == "W,S,E,N" ? Answer() : files_and_nodes(word);
}

/// Those that are not on the line yet or may stand there several times.
Answer option_names(const Line& line) {
  Answer answer;
  for (const CLI::Option* option : line.command->get_options()) {
    const bool again = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
    if (option->get_positional() || option->get_group().empty() || (line.times(option) > 0 && !again)) continue;
    for (const std::string& name : option->get_lnames())
      answer.words.push_back({"--" + name, option->get_description()});
    for (const std::string& name : option->get_snames())
      answer.words.push_back({"-" + name, option->get_description()});
  }
  return answer;
}

Answer answer_for(const CLI::App& app, std::vector<std::string> words) {
  std::string last;
  if (!words.empty()) {
    last = words.back();
    words.pop_back();
  }
  const Line line = read_line(app, words);
  if (line.open != nullptr) return values_of(*line.open, line, last);
  if (last.starts_with('-') && !line.options_ended) {
    const size_t equals = last.find('=');
    const CLI::Option* option = equals == std::string::npos ? nullptr : find_option(*line.command, last);
    if (option == nullptr || !takes_value(*option)) return option_names(line);
    Answer answer = values_of(*option, line, last.substr(equals + 1));
    for (Suggestion& suggestion : answer.words) suggestion.word.insert(0, last.substr(0, equals + 1));
    return answer;
  }
  if (line.command == &app) {
    Answer answer;
    for (const CLI::App* command : app.get_subcommands(nullptr))
      if (!command->get_group().empty()) answer.words.push_back({command->get_name(), command->get_description()});
    return answer;
  }
  const CLI::Option* positional = next_positional(line);
  return positional != nullptr ? values_of(*positional, line, last) : option_names(line);
}

constexpr const char* bash_script = R"(# Completion of tepui for bash, printed by 'tepui completion bash'.
_tepui() {
  local program=${1/#\~/$HOME} last=${COMP_WORDS[COMP_CWORD]} words=() answer=() joins= word line i
  # Bash breaks words at = and :, where tepui does not.
  for ((i = 1; i <= COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ ${#words[@]} -gt 0 && ( -n $joins || $word == [=:] ) ]]; then words[-1]+=$word; else words+=("$word"); fi
    if [[ $word == [=:] ]]; then joins=yes; else joins=; fi
  done
  [[ $last != [=:] ]] || last=
  word=${words[-1]}
  mapfile -t answer < <("$program" complete "${words[@]}" 2>/dev/null)
  COMPREPLY=()
  for line in "${answer[@]:1}"; do
    line=${line%%$'\t'*}
    [[ $line != "$word"* ]] || COMPREPLY+=("${line#"${word%"$last"}"}")
  done
  case ${answer[0]} in
    files | folders)
      compopt -o filenames
      if [[ ${answer[0]} == files ]]; then i=-f; else i=-d; fi
      mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen $i -- "$last")
      ;;
  esac
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
}
complete -F _tepui tepui
)";

constexpr const char* zsh_script = R"(#compdef tepui
# Completion of tepui for zsh, printed by 'tepui completion zsh'.
_tepui() {
  local -a answer whole begun
  local line word result=1
  answer=("${(@f)$(${(Q)words[1]/#\~/$HOME} complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in "${(@)answer[2,-1]}"; do
    word=${line%%$'\t'*}
    line=${word//:/\\:}:${line#*$'\t'}
    if [[ $word == *= ]]; then begun+=("$line"); else whole+=("$line"); fi
  done
  (( $#whole )) && _describe tepui whole && result=0
  (( $#begun )) && _describe tepui begun -S '' && result=0
  [[ $PREFIX != --*=* ]] || compset -P '*='
  case $answer[1] in
    files) _files && result=0 ;;
    folders) _files -/ && result=0 ;;
  esac
  return result
}
if [[ $funcstack[1] == _tepui ]]; then _tepui "$@"; else compdef _tepui tepui; fi
)";

constexpr const char* fish_script = R"(# Completion of tepui for fish, printed by 'tepui completion fish'.
function __tepui_complete
    set -l words (commandline -opc)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -e words[1]
    set -l last (commandline -ct)
    set -l answer ($program complete $words "$last" 2>/dev/null)
    set -l paths $answer[1]
    set -e answer[1]
    string join -- \n $answer
    set -l option (string match -r -- '^--[^=]*=' $last)
    set -l rest (string replace -r -- '^--[^=]*=' '' "$last")
    switch "$paths"
        case files
            __fish_complete_path "$rest" | string replace -r '^' -- "$option"
        case folders
            __fish_complete_directories "$rest" '' | string replace -r '^' -- "$option"
    end
end
complete -c tepui -f -a '(__tepui_complete)'
)";

}  // namespace

std::string value_name(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::string name = type.substr(0, type.find(':'));
  return name == "INT" || name == "UINT" || name == "FLOAT" ? "NUMBER" : name;
}

void complete(const CLI::App& app, const std::vector<std::string>& words) {
  const Answer answer = answer_for(app, words);
  switch (answer.paths) {
    case Paths::none:
      fmt::print("none\n");
      break;
    case Paths::files:
      fmt::print("files\n");
      break;
    case Paths::folders:
      fmt::print("folders\n");
      break;
  }
  for (const Suggestion& suggestion : answer.words) {
    if (has_control_characters(suggestion.word)) continue;
    fmt::print("{}\t{}\n", suggestion.word, suggestion.about.substr(0, suggestion.about.find('\n')));
  }
}

void completion_script(const std::string& shell) {
  fmt::print("{}", shell == "bash" ? bash_script : shell == "zsh" ? zsh_script : fish_script);
}

}  // namespace tepui::app
