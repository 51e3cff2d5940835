// What several commands print.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/tepui/commands.h"
#include "tepui/core/number.h"

namespace tepui::app {

void print_json(const Ordered& object, bool one_line) {
  fmt::print("{}\n", object.dump(one_line ? -1 : 2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void report(const Invocation& call, const std::string& text) {
  if (!call.quiet && !call.json) fmt::print("{}", text);
}

void tell(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

std::string readable(std::string text, size_t longest) {
  if (text.size() > longest) text = text.substr(0, longest) + " ...";
  for (char& c : text)
    if (has_control_characters({&c, 1})) c = '?';
  return text;
}

std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./=%:,+@").find(c) != std::string_view::npos;
  };
  bool all_plain = !word.empty();
  std::string inside;
  for (const char c : word) {
    all_plain = all_plain && plain(c);
    inside += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return all_plain ? word : "'" + inside + "'";
}

std::string size_text(size_t bytes) {
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* next : {"kB", "MB", "GB", "TB"}) {
    if (value < 1000) break;
    value /= 1000;
    unit = next;
  }
  return fmt::format("{:.1f} {}", value, unit);
}

}  // namespace tepui::app
