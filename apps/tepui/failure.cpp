#include "apps/tepui/failure.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "apps/tepui/commands.h"
#include "tepui/core/number.h"

namespace tepui::app {

namespace {

struct Place {
  std::string name;
  int line = 0, column = 0;
};

std::optional<Place> split_place(const std::string& where) {
  const size_t last = where.rfind(':');
  if (last == std::string::npos || last == 0) return std::nullopt;
  const size_t middle = where.rfind(':', last - 1);
  if (middle == std::string::npos) return std::nullopt;
  const auto line = parse_number(where.substr(middle + 1, last - middle - 1));
  const auto column = parse_number(where.substr(last + 1));
  if (!line || !column) return std::nullopt;
  return Place{where.substr(0, middle), static_cast<int>(*line), static_cast<int>(*column)};
}

/// The line an error points into.
std::optional<std::string> line_of(const Place& place, const std::string& one_liner) {
  if (place.name == "make") return one_liner;
  std::ifstream file(place.name);
  std::string text;
  for (int i = 0; i < place.line; ++i)
    if (!std::getline(file, text)) return std::nullopt;
  return text;
}

void point_at(const Place& place, const std::string& one_liner) {
  constexpr size_t widest = 100;
  std::optional<std::string> text = line_of(place, one_liner);
  if (!text || place.column < 1) return;
  auto column = static_cast<size_t>(place.column) - 1;
  if (column > text->size()) return;
  if (column > widest / 2 && text->size() > widest) {
    const size_t cut = column - widest / 2;
    *text = text->substr(cut);
    column -= cut;
  }
  for (char& c : *text)
    if (has_control_characters({&c, 1})) c = ' ';
  tell(fmt::format("  {}\n  {:>{}}\n", text->substr(0, widest), "^", column + 1));
}

}  // namespace

int report_failure(const Error& error, bool json, const std::string& one_liner, bool one_line_json) {
  const std::string message = readable(error.message()), where = readable(error.where()), hint = readable(error.hint());
  try {
    if (json) print_json({{"error", {{"message", message}, {"where", where}, {"hint", hint}}}}, one_line_json);
  } catch (const std::system_error&) {
    // Standard output may be what failed.
  }
  tell(fmt::format("{}: {}\n", where.empty() ? "tepui" : where, message));
  if (const std::optional<Place> place = split_place(error.where())) point_at(*place, one_liner);
  if (!hint.empty()) tell(fmt::format("  {}\n", hint));
  switch (error.kind()) {
    case ErrorKind::request:
      return 2;
    case ErrorKind::failure:
      return 1;
    case ErrorKind::cancelled:
      return 130;
  }
  return 1;
}

}  // namespace tepui::app
