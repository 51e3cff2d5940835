#include "tepui/core/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace tepui {

namespace {

constexpr size_t deepest = 64;
/// A value takes a hundred times the memory of the bracket that it may be.
constexpr size_t most_values = 1000000;

/// Counts what the parser has read, which is where the current token ends.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* p = nullptr;
  size_t* count = nullptr;

  reference operator*() const { return *p; }
  CountingIterator& operator++() {
    ++p;
    if (count != nullptr) ++*count;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.p != b.p; }
};

/// Turns byte offsets, asked for in rising order, into lines and columns.
class LineCounter {
 public:
  explicit LineCounter(const Source& source) : source_(&source) {}

  Position at(size_t offset) {
    if (offset < next_) {
      next_ = 0;
      line_ = 1;
      line_start_ = 0;
    }
    for (; next_ < offset && next_ < source_->text.size(); ++next_)
      if (source_->text[next_] == '\n') {
        ++line_;
        line_start_ = next_ + 1;
      }
    return {source_, line_, static_cast<int>(offset - line_start_) + 1, offset, offset};
  }

 private:
  const Source* source_;
  size_t next_ = 0, line_start_ = 0;
  int line_ = 1;
};

class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(const Source& source, const size_t& read) : source_(source), read_(read), lines_(source) {}

  bool null() override { return add_word(Json::Type::null); }
  bool boolean(bool value) override {
    add_word(Json::Type::boolean);
    last_->boolean = value;
    return true;
  }
  bool number_integer(number_integer_t value) override {
    add_word(Json::Type::integer);
    last_->integer = value;
    last_->number = static_cast<double>(value);
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<number_unsigned_t>(INT64_MAX)) return number_float(static_cast<double>(value), {});
    return number_integer(static_cast<number_integer_t>(value));
  }
  bool number_float(number_float_t value, const string_t&) override {
    add_word(Json::Type::number);
    last_->number = value;
    return true;
  }
  bool string(string_t& value) override {
    add(Json::Type::string, string_start(), read_);
    last_->text = std::move(value);
    return true;
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::Type::object); }
  bool start_array(std::size_t) override { return open(Json::Type::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    Position at = lines_.at(string_start());
    at.end = read_;
    const auto [first, added] = keys_.back().emplace(name, at.line);
    if (!added)
      refuse_at(at, fmt::format("the key \"{}\" appears twice in one object", name),
                fmt::format("the first is at line {}", first->second));
    Json& object = *stack_.back();
    object.members.push_back({std::move(name), at, {}});
    return true;
  }
  bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception& error) override {
    std::string message = error.what();
    // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while parsing value - invalid
    // literal; last read: ..."
    if (const size_t bracket = message.find("] "); bracket != std::string::npos) message = message.substr(bracket + 2);
    if (const size_t colon = message.find(": "); colon != std::string::npos) message = message.substr(colon + 2);
    if (const size_t last = message.find("; last read"); last != std::string::npos) message = message.substr(0, last);
    const size_t dash = message.find(" - ");
    if (dash != std::string::npos) message = message.substr(dash + 3);
    (void)token;
    const size_t at = read_ > 0 ? read_ - 1 : 0;
    refuse_at(lines_.at(std::min(at, source_.text.size())), "not JSON: " + message);
  }

  Json take() { return std::move(root_); }

 private:
  bool add(Json::Type type, size_t begin, size_t end) {
    if (++values_ > most_values) refuse_at(lines_.at(begin), fmt::format("there are more than {} values", most_values));
    Json value;
    value.type = type;
    value.at = lines_.at(begin);
    value.at.end = end;
    if (stack_.empty()) {
      root_ = std::move(value);
      last_ = &root_;
    } else if (Json& parent = *stack_.back(); parent.is_array()) {
      parent.items.push_back(std::move(value));
      last_ = &parent.items.back();
    } else {
      parent.members.back().value = std::move(value);
      last_ = &parent.members.back().value;
    }
    return true;
  }
  bool add_word(Json::Type type) {
    const auto [begin, end] = word();
    return add(type, begin, end);
  }
  bool open(Json::Type type) {
    if (stack_.size() >= deepest) refuse_at(lines_.at(read_ - 1), fmt::format("nested more than {} deep", deepest));
    add(type, read_ - 1, read_);
    stack_.push_back(last_);
    keys_.emplace_back();
    return true;
  }
  bool close() {
    stack_.back()->at.end = read_;
    stack_.pop_back();
    keys_.pop_back();
    return true;
  }

  /// The opening quote of the string that ends at read_.
  size_t string_start() const {
    const std::string& text = source_.text;
    for (size_t i = read_ - 1; i-- > 0;) {
      if (text[i] != '"') continue;
      size_t slashes = 0;
      while (slashes < i && text[i - 1 - slashes] == '\\') ++slashes;
      if (slashes % 2 == 0) return i;
    }
    return 0;
  }
  /// The number or literal that ends at read_ or, where the lexer had to look one character ahead, just before it.
  std::pair<size_t, size_t> word() const {
    const std::string& text = source_.text;
    const auto in_word = [&](size_t i) {
      const char c = text[i];
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '+' || c == '-' || c == '.';
    };
    size_t end = std::min(read_, text.size());
    if (end > 0 && !in_word(end - 1)) --end;
    size_t begin = end;
    while (begin > 0 && in_word(begin - 1)) --begin;
    return {begin, end};
  }

  const Source& source_;
  const size_t& read_;
  LineCounter lines_;
  Json root_;
  Json* last_ = nullptr;
  size_t values_ = 0;
  std::vector<Json*> stack_;
  std::vector<std::map<std::string, int>> keys_;  ///< of each open object, with their lines
};

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string scalar_text(const Json& value) {
  switch (value.type) {
    case Json::Type::null:
      return "null";
    case Json::Type::boolean:
      return value.boolean ? "true" : "false";
    case Json::Type::integer:
      return fmt::format("{}", value.integer);
    case Json::Type::number:
      return fmt::format("{}", value.number);
    default:
      return quoted(value.text);
  }
}

/// On one line.
std::string flat_text(const Json& value) {
  std::vector<std::string> parts;
  if (value.is_array()) {
    for (const Json& item : value.items) parts.push_back(flat_text(item));
    return fmt::format("[{}]", fmt::join(parts, ", "));
  }
  if (value.is_object()) {
    for (const JsonMember& member : value.members) parts.push_back(quoted(member.key) + ": " + flat_text(member.value));
    return parts.empty() ? "{}" : fmt::format("{{ {} }}", fmt::join(parts, ", "));
  }
  return scalar_text(value);
}

bool has_objects_inside(const Json& value) {
  for (const JsonMember& member : value.members)
    if (member.value.is_object()) return true;
  return false;
}

void write(std::string& out, const Json& value, size_t indent) {
  constexpr size_t line_width = 110;
  const bool container = value.is_object() || value.is_array();
  if (!container || (!has_objects_inside(value) && indent > 0)) {
    const std::string flat = flat_text(value);
    if (!container || indent + flat.size() <= line_width) {
      out += flat;
      return;
    }
  }
  const std::string pad(indent + 2, ' ');
  out += value.is_object() ? "{\n" : "[\n";
  const size_t count = value.is_object() ? value.members.size() : value.items.size();
  for (size_t i = 0; i < count; ++i) {
    out += pad;
    if (value.is_object()) out += quoted(value.members[i].key) + ": ";
    write(out, value.is_object() ? value.members[i].value : value.items[i], indent + 2);
    out += i + 1 < count ? ",\n" : "\n";
  }
  out += std::string(indent, ' ') + (value.is_object() ? "}" : "]");
}

}  // namespace

const Json* Json::find(std::string_view key) const {
  for (const JsonMember& member : members)
    if (member.key == key) return &member.value;
  return nullptr;
}

Json* Json::find(std::string_view key) { return const_cast<Json*>(std::as_const(*this).find(key)); }

std::string_view Json::type_name() const {
  static constexpr std::string_view names[] = {"null", "true or false", "a whole number", "a number",
                                               "text", "a list",        "an object"};
  return names[static_cast<size_t>(type)];
}

Json Json::placed_at(Position position) const {
  Json copy = *this;
  copy.at = position;
  for (Json& item : copy.items) item = item.placed_at(position);
  for (JsonMember& member : copy.members) member = {member.key, position, member.value.placed_at(position)};
  return copy;
}

Json json_string(std::string text, Position at) {
  Json value;
  value.type = Json::Type::string;
  value.text = std::move(text);
  value.at = at;
  return value;
}

Json json_boolean(bool value, Position at) {
  Json result;
  result.type = Json::Type::boolean;
  result.boolean = value;
  result.at = at;
  return result;
}

Json json_integer(int64_t value, Position at) {
  Json result;
  result.type = Json::Type::integer;
  result.integer = value;
  result.number = static_cast<double>(value);
  result.at = at;
  return result;
}

Json json_list(std::vector<Json> items, Position at) {
  Json value;
  value.type = Json::Type::array;
  value.items = std::move(items);
  value.at = at;
  return value;
}

Json json_object(Position at) {
  Json value;
  value.type = Json::Type::object;
  value.at = at;
  return value;
}

namespace {

/// Text whose letters are two bytes each, as some editors save it.
bool is_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
         (text.size() >= 2 && (text[0] == '\0') != (text[1] == '\0'));
}

}  // namespace

Json parse_json(const Source& source) {
  if (is_utf16(source.text)) refuse_at({&source, 1, 1}, "this file is UTF-16 text", "save it as UTF-8");
  size_t read = 0;
  Builder builder(source, read);
  const char* first = source.text.data();
  const CountingIterator begin{first, &read};
  const CountingIterator end{first + source.text.size(), nullptr};
  nlohmann::json::sax_parse(begin, end, &builder, nlohmann::json::input_format_t::json, true, true);
  return builder.take();
}

Json parse_word(const std::string& word, Position at) {
  try {
    return parse_json(Source{"", word}).placed_at(at);
  } catch (const Error&) {
    return json_string(word, at);
  }
}

std::string json_text(const Json& value) {
  std::string out;
  write(out, value, 0);
  return out;
}

void hash_json(Hasher& hasher, const Json& value, const std::vector<std::string_view>& except) {
  hasher.add(static_cast<int64_t>(value.is_number() ? Json::Type::number : value.type));
  hasher.add(value.boolean).add(value.number).add(value.text);
  hasher.add(static_cast<int64_t>(value.items.size()));
  for (const Json& item : value.items) hash_json(hasher, item);
  for (const JsonMember& member : value.members) {
    if (std::ranges::find(except, member.key) != except.end()) continue;
    hasher.add(member.key);
    hash_json(hasher, member.value);
  }
  hasher.add("end");
}

}  // namespace tepui
