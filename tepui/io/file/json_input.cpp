#include "tepui/io/file/json_input.h"

namespace tepui {

namespace {

constexpr int deepest = 64;
constexpr size_t most_values = 1 << 20;

/// Whether a text stays within bounds of depth and number of values, whatever else it may be. Looked at beforehand: the
/// parser's own callback takes time in the square of the values.
bool is_bounded(std::string_view text) {
  int depth = 0;
  size_t values = 1;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
      continue;
    }
    if (c == '"') quoted = true;
    if (c == ']' || c == '}') --depth;
    if (c == ',' || c == '[' || c == '{') ++values;
    if ((c == '[' || c == '{') && ++depth > deepest) return false;
    if (values > most_values) return false;
  }
  return true;
}

}  // namespace

std::optional<nlohmann::json> parse_untrusted_json(std::string_view text) {
  if (!is_bounded(text)) return std::nullopt;
  try {
    return nlohmann::json::parse(text.begin(), text.end());
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace tepui
