#include "tepui/recipe/one_liner.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "tepui/recipe/operators.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

namespace {

struct Word {
  std::string text;
  Position at;
};

/// Words of each stage. Quotes keep spaces and bars; brackets keep their commas and spaces together.
std::vector<std::vector<Word>> split(const Source& line) {
  std::vector<std::vector<Word>> stages(1);
  std::string word;
  size_t start = 0;
  int depth = 0;
  char quote = 0;
  const auto place = [&](size_t i, size_t length = 0) {
    return Position{&line, 1, static_cast<int>(i) + 1, i, i + length};
  };
  const auto flush = [&] {
    if (!word.empty()) stages.back().push_back({word, place(start, word.size())});
    word.clear();
  };
  for (size_t i = 0; i < line.text.size(); ++i) {
    const char c = line.text[i];
    if (word.empty()) start = i;
    if (quote != 0) {
      if (c == quote) quote = 0;
      word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      word += c;
    } else if (depth == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      flush();
    } else if (depth == 0 && c == '|') {
      flush();
      if (stages.back().empty()) refuse_at(place(i), "there is no operator before this bar");
      stages.emplace_back();
    } else {
      if (c == '[') ++depth;
      if (c == ']') --depth;
      word += c;
    }
  }
  if (quote != 0) refuse_at(place(start), "a quote is not closed");
  if (depth != 0) refuse_at(place(start), "a bracket is not closed");
  flush();
  if (stages.back().empty())
    refuse_at(place(line.text.size()), "there is no operator here",
              "for example: circular_faults faults=300 | materials count=5");
  return stages;
}

/// The last node that gave each kind of value.
using Latest = std::map<const Kind*, std::string>;
/// Ports and the nodes that feed them.
using Inputs = std::vector<std::pair<std::string, std::string>>;

/// Land that became a volume is no mask of it: a port of that name takes what an operator made to be one.
bool is_meant(const std::string& port, const std::string& from) {
  return port != "mask" || from.starts_with("mask") || from.starts_with("read_mask");
}

/// What is piped into an operator: its first port of each kind takes the latest value of that kind.
Inputs piped(const Operator& op, const Latest& latest) {
  Inputs list;
  std::set<const Kind*> seen;
  for (const Port& port : op.inputs)
    if (const auto value = latest.find(port.kind);
        seen.insert(port.kind).second && value != latest.end() && is_meant(port.name, value->second))
      list.emplace_back(port.name, value->second);
  return list;
}

Json node_of(const std::vector<Word>& words, const Inputs& inputs) {
  const Position at = words.front().at;
  Json node = json_object(at);
  node.members.push_back({"op", at, json_string(words.front().text, at)});
  // A port that the line names is not piped into.
  const auto is_named = [&](const std::string& port) {
    return std::ranges::any_of(words, [&](const Word& word) { return word.text.starts_with(port + "="); });
  };
  for (const auto& [port, from] : inputs)
    if (!is_named(port)) node.members.push_back({port, at, json_string(from, at)});
  for (size_t i = 1; i < words.size(); ++i) {
    const Word& word = words[i];
    const size_t equals = word.text.find('=');
    if (equals == std::string::npos || equals == 0)
      refuse_at(word.at, fmt::format("'{}' is not parameter=value", word.text),
                "separate operators by a bar: op a=1 | op b=2");
    const std::string key = word.text.substr(0, equals);
    if (node.find(key) != nullptr) refuse_at(word.at, fmt::format("'{}' is given twice", key));
    Position value_at = word.at;
    value_at.column += static_cast<int>(equals) + 1;
    value_at.begin += equals + 1;
    const std::string value = word.text.substr(equals + 1);
    const bool quoted = value.size() >= 2 && value.front() == '\'' && value.back() == '\'';
    node.members.push_back(
        {key, word.at,
         quoted ? json_string(value.substr(1, value.size() - 2), value_at) : parse_word(value, value_at)});
  }
  return node;
}

Json size_of(const std::string& text, Position at) {
  const size_t cross = text.find('x');
  if (cross == std::string::npos) return parse_word(text, at);
  const auto trimmed = [](std::string part) {
    std::erase(part, ' ');
    return part;
  };
  return json_list({parse_word(trimmed(text.substr(0, cross)), at), parse_word(trimmed(text.substr(cross + 1)), at)},
                   at);
}

/// The shortest line that makes such a value: found kind by kind, from operators that need nothing.
std::string maker_of(const Kind& kind) {
  std::map<const Kind*, std::string> lines;
  const auto by_name = [](const Operator* a, const Operator* b) {
    return a->name.size() != b->name.size() ? a->name.size() < b->name.size() : a->name < b->name;
  };
  std::vector<const Operator*> all;
  for (const Operator& op : operators())
    if (!op.outside && !op.partial) all.push_back(&op);
  std::ranges::sort(all, by_name);
  for (bool found = true; found && !lines.contains(&kind);) {
    found = false;
    const std::map<const Kind*, std::string> before = lines;
    for (const Operator* op : all) {
      const bool fed = op->inputs.empty() || before.contains(op->inputs.front().kind);
      if (!fed || lines.contains(op->output)) continue;
      const bool alone = op->inputs.empty() || op->inputs.front().optional;
      lines[op->output] = alone ? op->name : before.at(op->inputs.front().kind) + " | " + op->name;
      found = true;
    }
  }
  return lines[&kind];
}

/// The stages of a line as nodes, and what is to be known of them.
struct Line {
  Json nodes;
  std::vector<const Operator*> operators;  ///< of each node; nullptr for one that there is not
  std::string frame_from;                  ///< the node that brings a frame of its own
  bool fills_world = false;

  /// Land where the last operator is not known.
  const Kind& kind() const { return operators.back() != nullptr ? *operators.back()->output : kind_of<Terrain>(); }
};

/// The "mask" of "read file=a.png as=mask".
std::string as_of(const std::vector<Word>& words) {
  const std::string start = std::string(as_key) + "=";
  for (const Word& word : words)
    if (word.text.starts_with(start)) return word.text.substr(start.size());
  return {};
}

Line line_of(const Source& source) {
  Line line{json_object({&source, 1, 1}), {}, {}};
  Latest latest;
  std::map<std::string, int> copies;
  for (const std::vector<Word>& words : split(source)) {
    const std::string op_name = words.front().text.substr(0, words.front().text.find('@'));
    const int copy = ++copies[op_name];
    const std::string name = copy == 1 ? op_name : fmt::format("{}_{}", op_name, copy);
    // What is unknown is told when the recipe is checked.
    const Operator* op = line.operators.emplace_back(find_operator(operator_name(op_name, as_of(words))));
    Json node = node_of(words, op != nullptr ? piped(*op, latest) : Inputs());
    line.nodes.members.push_back({name, words.front().at, std::move(node)});
    if (op == nullptr) continue;
    if (op->output->frame != nullptr && !op->takes_world && op->inputs.empty()) line.frame_from = name;
    line.fills_world |= op->takes_world;
    latest[op->output] = name;
  }
  return line;
}

/// The nodes that others take, piped, named by hand or as their world. A word that is no parameter is a port, or
/// refused later.
std::set<std::string> taken_nodes(const Line& line) {
  std::set<std::string> names;
  for (size_t i = 0; i < line.operators.size(); ++i)
    for (const JsonMember& word : line.nodes.members[i].value.members) {
      if (word.key == "op" || word.key == as_key || line.operators[i]->params.find(word.key) >= 0) continue;
      for (const Json& reference : word.value.is_array() ? word.value.items : std::vector<Json>{word.value})
        names.insert(reference.text.substr(0, reference.text.find_first_of(".@")));
    }
  // Land from a file is the world of rock, lines and volumes; new land would take its place.
  const auto fills = [](const Operator* op) { return op->takes_world && op->output->frame == nullptr; };
  if (std::ranges::any_of(line.operators, fills)) names.insert(line.frame_from);
  return names;
}

/// What to do with a value that nothing takes.
std::string untaken_hint(const Line& line, size_t untaken) {
  std::vector<std::string> nouns;
  for (size_t i = untaken + 1; i < line.operators.size(); ++i) {
    const Operator& op = *line.operators[i];
    const Json& node = line.nodes.members[i].value;
    if (const Port* first = op.inputs.empty() ? nullptr : &op.inputs.front();
        first != nullptr && !first->optional && node.find(first->name) == nullptr)
      if (const Operator* between = converter(*line.operators[untaken]->output, *first->kind))
        return fmt::format("put '{0}' between them: {1} | {0} | {2}", between->name, line.operators[untaken]->name,
                           op.name);
    const Port* port = nullptr;  // that could take it, rather one that is open
    for (const Port& other : op.inputs) {
      const std::string& noun = other.kind->noun;
      if (std::ranges::find(nouns, noun) == nouns.end()) nouns.push_back(noun);
      if (other.kind != line.operators[untaken]->output) continue;
      if (port == nullptr || (node.find(port->name) != nullptr && node.find(other.name) == nullptr)) port = &other;
    }
    if (port != nullptr)
      return fmt::format("remove it, or say where it goes in: {} {}={}", op.name, port->name,
                         line.nodes.members[untaken].key);
    if (!op.inputs.empty() && node.find(op.inputs.front().name) == nullptr) return pipe_hint(op.inputs.front(), op);
  }
  return fmt::format("remove it: what comes after it takes {}",
                     nouns.empty() ? "nothing" : fmt::format("{}", fmt::join(nouns, " and ")));
}

/// Only the last value is written, so that the others must go into it.
void require_takers(const Line& line) {
  if (std::ranges::find(line.operators, nullptr) != line.operators.end()) return;
  const std::set<std::string> taken = taken_nodes(line);
  for (size_t i = 0; i + 1 < line.operators.size(); ++i)
    if (const JsonMember& node = line.nodes.members[i]; !taken.contains(node.key))
      refuse_at(node.at,
                fmt::format("'{}' makes {}, which nothing after it uses", line.operators[i]->name,
                            line.operators[i]->output->noun),
                untaken_hint(line, i));
}

}  // namespace

std::string pipe_hint(const Port& port, const Operator& op) {
  return fmt::format("pipe {} into '{}': {} | {}", port.kind->noun, op.name, maker_of(*port.kind), op.name);
}

const Kind& line_kind(const Source& line) { return line_of(line).kind(); }

Json parse_one_liner(const Source& line, const OneLinerOptions& options) {
  const Position start{&line, 1, 1};
  Line stages = line_of(line);
  require_takers(stages);
  // What the command line's options say has no place in the line.
  const Position option;
  Json document = json_object(start);
  document.members.push_back({"tepui", option, json_integer(1)});
  document.members.push_back({"seed", option, json_integer(options.seed)});
  if (!stages.frame_from.empty() && (!options.size.empty() || options.resolution))
    refuse("the land comes from a file and keeps its own samples, so --size and --resolution cannot be given",
           "add '| resample resolution=513'");
  if (!stages.frame_from.empty() && stages.fills_world) {
    Json world = json_object(option);
    world.members.push_back({"from", option, json_string(stages.frame_from, option)});
    document.members.push_back({"world", option, std::move(world)});
  }
  if (stages.frame_from.empty()) {
    Json world = json_object(option);
    world.members.push_back({"size", option, size_of(options.size.empty() ? "2048x2048" : options.size, option)});
    world.members.push_back({"resolution", option, json_integer(options.resolution.value_or(1025))});
    document.members.push_back({"world", option, std::move(world)});
  }
  document.members.push_back({"nodes", start, std::move(stages.nodes)});
  return document;
}

}  // namespace tepui
