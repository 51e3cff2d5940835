#include "tepui/recipe/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/core/params.h"

namespace tepui {

namespace {

/// The order in which recipes have their keys; notes come first.
constexpr std::array<std::string_view, 12> recipe_order{"$schema", "tepui", "title", "doc",   "ui",      "seed",
                                                        "world",   "look",  "vars",  "nodes", "outputs", "test"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// The text between two values: where its comments and its comma are.
class Gap {
 public:
  Gap(std::string_view text, size_t begin, size_t end) : text_(text), begin_(begin), end_(end) {
    for (size_t i = begin; i < end;) {
      const size_t comment = comment_end(i);
      if (comment == i && text[i] == ',' && !comma_) comma_ = i;
      if (comment != i) ends_in_line_comment_ = text[i + 1] == '/';
      i = comment == i ? i + 1 : comment;
    }
  }

  /// Behind the comma, or the beginning where there is none.
  size_t after_comma() const { return comma_ ? *comma_ + 1 : begin_; }
  std::optional<size_t> comma() const { return comma_; }

  bool has_comment() const {
    for (size_t i = begin_; i < end_; ++i)
      if (comment_end(i) != i) return true;
    return false;
  }

  /// Whether its last comment goes on to the end of its line.
  bool ends_in_line_comment() const { return ends_in_line_comment_; }

  /// Behind the comments that follow `at` on its line; `at` where there is none.
  size_t after_comment_of_line(size_t at) const {
    size_t last = at;
    for (size_t i = at; i < end_ && text_[i] != '\n';) {
      const size_t comment = comment_end(i);
      if (comment == i && !is_blank(text_[i])) break;
      i = comment == i ? i + 1 : comment;
      if (comment == i) last = i;
    }
    return last;
  }

 private:
  /// Behind the comment that starts here, without the end of its line; `at` where none does.
  size_t comment_end(size_t at) const {
    if (text_.substr(at, 2) == "//") {
      const size_t line = std::min(text_.find('\n', at), end_);
      return line > at && text_[line - 1] == '\r' ? line - 1 : line;
    }
    if (text_.substr(at, 2) == "/*") return std::min(text_.find("*/", at + 2) + 2, end_);
    return at;
  }

  std::string_view text_;
  size_t begin_, end_;
  std::optional<size_t> comma_;
  bool ends_in_line_comment_ = false;
};

/// One entry of an object or a list, from its key to the end of its value.
struct Entry {
  size_t begin = 0, end = 0;
};

std::vector<Entry> entries_of(const Json& container) {
  std::vector<Entry> list;
  for (const JsonMember& member : container.members) list.push_back({member.at.begin, member.value.at.end});
  for (const Json& item : container.items) list.push_back({item.at.begin, item.at.end});
  return list;
}

/// The white space between the line's start and `at`, with the line end before it; empty where something else stands
/// there.
std::string line_start(std::string_view text, size_t at) {
  size_t begin = at;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  if (begin == 0 || text[begin - 1] != '\n') return {};
  begin -= begin > 1 && text[begin - 2] == '\r' ? 2 : 1;
  return std::string(text.substr(begin, at - begin));
}

/// Puts an entry behind the entry `after`, or first where that is -1.
Splice insert(std::string_view text, const Json& container, std::ptrdiff_t after, const std::string& entry) {
  const std::vector<Entry> entries = entries_of(container);
  const size_t open = container.at.begin + 1, close = container.at.end - 1;
  if (entries.empty()) {
    const Gap inside(text, open, close);
    if (inside.has_comment()) return {open, open, ' ' + entry + ' '};
    return {open, close, container.is_object() ? ' ' + entry + ' ' : entry};
  }
  if (after < 0) {
    const Entry& first = entries.front();
    const std::string start = line_start(text, first.begin);
    return {first.begin, first.begin, entry + "," + (start.empty() ? " " : start)};
  }
  const auto index = static_cast<size_t>(after);
  const bool last = index + 1 == entries.size();
  const Gap gap(text, entries[index].end, last ? close : entries[index + 1].begin);
  const std::string start = line_start(text, last ? entries[index].begin : entries[index + 1].begin);
  const std::string between = start.empty() ? " " : start;
  if (!last) {
    const size_t at = start.empty() ? gap.after_comma() : gap.after_comment_of_line(gap.after_comma());
    return {at, at, between + entry + ","};
  }
  // A comment at the end of the line stays there, behind the new comma.
  const size_t from = entries[index].end, to = start.empty() ? from : gap.after_comment_of_line(from);
  return {from, to, "," + std::string(text.substr(from, to - from)) + between + entry};
}

/// The blank part of a line that ends at `at`.
size_t before_blanks(std::string_view text, size_t at, size_t no_further) {
  while (at > no_further && is_blank(text[at - 1])) --at;
  return at;
}

Splice erase_only(std::string_view text, const Json& container, const Entry& entry) {
  const size_t open = container.at.begin + 1, close = container.at.end - 1;
  const bool alone = !Gap(text, open, entry.begin).has_comment() && !Gap(text, entry.end, close).has_comment();
  return alone ? Splice{open, close} : Splice{entry.begin, entry.end};
}

/// Whether only blanks follow on the line.
bool ends_line(std::string_view text, size_t at) {
  while (at < text.size() && is_blank(text[at]) && text[at] != '\n') ++at;
  return at == text.size() || text[at] == '\n';
}

Splice erase_last(std::string_view text, const Entry& before, const Entry& entry) {
  const Gap gap(text, before.end, entry.begin);
  const size_t comma = *gap.comma(), blank = before_blanks(text, entry.begin, comma + 1);
  std::string kept(text.substr(before.end, comma - before.end));
  kept += text.substr(comma + 1, blank - comma - 1);
  // Such a comment must not swallow what follows.
  if (gap.ends_in_line_comment() && !ends_line(text, entry.end)) kept += line_start(text, entry.begin);
  return {before.end, entry.end, std::move(kept)};
}

Splice erase_before(std::string_view text, const Entry& entry, const Entry& next) {
  const Gap gap(text, entry.end, next.begin);
  if (!gap.has_comment()) return {entry.begin, next.begin};
  // The comments stay; the line of the entry goes if nothing else is on it.
  std::string kept(text.substr(entry.end, gap.after_comma() - 1 - entry.end));
  if (before_blanks(kept, kept.size(), 0) == 0) kept.clear();
  size_t end = gap.after_comma();
  if (kept.empty() && ends_line(text, end)) return {entry.begin - line_start(text, entry.begin).size(), end};
  while (end < next.begin && (text[end] == ' ' || text[end] == '\t')) ++end;
  return {entry.begin, end, std::move(kept)};
}

Splice erase(std::string_view text, const Json& container, size_t index) {
  const std::vector<Entry> entries = entries_of(container);
  if (entries.size() == 1) return erase_only(text, container, entries.front());
  if (index + 1 == entries.size()) return erase_last(text, entries[index - 1], entries[index]);
  return erase_before(text, entries[index], entries[index + 1]);
}

std::string quoted(const std::string& text) { return json_text(json_string(text, {})); }

std::string path_text(const JsonPath& path) { return fmt::format("{}", fmt::join(path, ".")); }

std::optional<size_t> index_in(const Json& container, const std::string& key) {
  if (container.is_array()) {
    const std::optional<double> number = parse_number(key);
    if (!number || *number < 0 || *number != static_cast<double>(static_cast<size_t>(*number)))
      refuse(fmt::format("'{}' is not a place in a list", key), "lists count from 0");
    const auto index = static_cast<size_t>(*number);
    return index < container.items.size() ? std::optional(index) : std::nullopt;
  }
  for (size_t i = 0; i < container.members.size(); ++i)
    if (container.members[i].key == key) return i;
  return std::nullopt;
}

const Json& value_in(const Json& container, size_t index) {
  return container.is_array() ? container.items[index] : container.members[index].value;
}

void require_container(const Json& value, const JsonPath& path, size_t depth) {
  if (value.is_object() || value.is_array()) return;
  refuse_at(value.at, fmt::format("'{}' is {}, which has no '{}'",
                                  path_text({path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth)}),
                                  value.type_name(), path[depth]));
}

/// Behind which entry a new key belongs.
std::ptrdiff_t place_of(const Json& object, const std::string& key, bool top) {
  std::ptrdiff_t after = std::ssize(object.members) - 1;
  const auto rank = [](const std::string& name) {
    return std::ranges::find(recipe_order, name) - recipe_order.begin();
  };
  if (!top) return after;
  while (after >= 0 && rank(object.members[static_cast<size_t>(after)].key) > rank(key)) --after;
  return after;
}

JsonPath path_below(JsonPath path, const std::string& rest) {
  for (size_t begin = 0; begin <= rest.size();) {
    const size_t end = std::min(rest.find('.', begin), rest.size());
    path.push_back(rest.substr(begin, end - begin));
    begin = end + 1;
  }
  return path;
}

/// Names of outputs have dots of their own: what follows a known one leads into it.
JsonPath output_path(const Json& document, const std::string& rest) {
  const Json* outputs = document.find("outputs");
  for (const JsonMember& output : outputs != nullptr ? outputs->members : std::vector<JsonMember>())
    if (rest.starts_with(output.key + "."))
      return path_below({"outputs", output.key}, rest.substr(output.key.size() + 1));
  return {"outputs", rest};
}

}  // namespace

std::string spliced(std::string_view text, const Splice& splice) {
  return std::string(text.substr(0, splice.begin)) + splice.with + std::string(text.substr(splice.end));
}

std::string spliced(std::string_view text, const std::vector<Splice>& splices) {
  std::string result;
  size_t at = 0;
  for (const Splice& splice : splices) {
    result += text.substr(at, splice.begin - at);
    result += splice.with;
    at = splice.end;
  }
  return result + std::string(text.substr(at));
}

Splice inverse(std::string_view text, const Splice& splice) {
  return {splice.begin, splice.begin + splice.with.size(),
          std::string(text.substr(splice.begin, splice.end - splice.begin))};
}

Splice set_value(const Source& source, const JsonPath& path, std::string_view value) {
  parse_json({"the new value", std::string(value)});
  const Json document = parse_json(source);
  const Json* at = &document;
  for (size_t depth = 0; depth < path.size(); ++depth) {
    require_container(*at, path, depth);
    const std::optional<size_t> index = index_in(*at, path[depth]);
    if (index) {
      at = &value_in(*at, *index);
      continue;
    }
    // From here on nothing is there: the value, in as many new objects as it needs.
    std::string entry(value);
    for (size_t i = path.size(); i-- > depth + 1;) entry = fmt::format("{{ {}: {} }}", quoted(path[i]), entry);
    if (at->is_array() && parse_number(path[depth]) != static_cast<double>(at->items.size()))
      refuse_at(at->at,
                fmt::format("the list has {} values, so the next index is {}", at->items.size(), at->items.size()));
    if (at->is_array()) return insert(source.text, *at, std::ssize(at->items) - 1, entry);
    return insert(source.text, *at, place_of(*at, path[depth], depth == 0), quoted(path[depth]) + ": " + entry);
  }
  return {at->at.begin, at->at.end, std::string(value)};
}

Splice add_members(const Source& source, const JsonPath& object, const std::vector<NamedText>& members) {
  const Json document = parse_json(source);
  const Json* at = find_value(document, object);
  if (members.empty()) return {};
  std::string start;
  if (at != nullptr && !at->members.empty()) start = line_start(source.text, entries_of(*at).back().begin);
  std::vector<std::string> entries;
  for (const NamedText& member : members) entries.push_back(quoted(member.key) + ": " + member.value);
  const std::string all = fmt::format("{}", fmt::join(entries, "," + (start.empty() ? " " : start)));
  if (at == nullptr) return set_value(source, object, "{ " + all + " }");
  if (!at->is_object())
    refuse_at(at->at, fmt::format("'{}' is {}, which has no keys", path_text(object), at->type_name()));
  parse_json({"the new values", "{" + all + "}"});
  return insert(source.text, *at, std::ssize(at->members) - 1, all);
}

Splice remove_value(const Source& source, const JsonPath& path) {
  const Json document = parse_json(source);
  const Json* at = &document;
  if (path.empty()) refuse("the whole recipe cannot be removed");
  for (size_t depth = 0;; ++depth) {
    require_container(*at, path, depth);
    const std::optional<size_t> index = index_in(*at, path[depth]);
    if (!index) {
      std::vector<std::string> known;
      for (const JsonMember& member : at->members) known.push_back(member.key);
      refuse(fmt::format("there is no '{}'", path_text(path)), suggest_name(path[depth], known));
    }
    if (depth + 1 == path.size()) return erase(source.text, *at, *index);
    at = &value_in(*at, *index);
  }
}

JsonPath path_of_name(const Json& document, const std::string& name) {
  const Json *vars = document.find("vars"), *nodes = document.find("nodes");
  if (vars != nullptr && vars->find(name) != nullptr) return {"vars", name};
  const size_t dot = name.find('.');
  const std::string first = name.substr(0, dot);
  if (dot == std::string::npos) {
    if (name == "seed" || name == "title" || name == "doc") return {name};
    if (name == "resolution") return {"world", name};
    std::vector<std::string> known;
    if (vars != nullptr)
      for (const JsonMember& member : vars->members) known.push_back(member.key);
    known.insert(known.end(), {"seed", "resolution", "title"});
    refuse(fmt::format("the recipe has no variable '{}'", name),
           fmt::format("{}; a node's parameter is node.parameter, a new variable vars.{}", suggest_name(name, known),
                       name));
  }
  const std::string rest = name.substr(dot + 1);
  if (rest.empty() || first.empty()) refuse(fmt::format("'{}' is not a name", name), "for example rock.count");
  if (nodes != nullptr && nodes->find(first) != nullptr) return path_below({"nodes", first}, rest);
  if (first == "outputs") return output_path(document, rest);
  const std::vector<std::string> parts{"world", "look", "vars", "nodes", "test"};
  if (std::ranges::find(parts, first) != parts.end()) return path_below({first}, rest);
  std::vector<std::string> known = parts;
  for (const JsonMember& member : nodes != nullptr ? nodes->members : std::vector<JsonMember>())
    known.push_back(member.key);
  refuse(fmt::format("there is no node '{}'", first), suggest_name(first, known));
}

std::string value_of_word(const std::string& word) {
  try {
    parse_json({"", word});
    return word;
  } catch (const Error&) {
    return quoted(word);
  }
}

}  // namespace tepui
