#include "apps/tepui/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "apps/tepui/commands.h"
#include "tepui/core/number.h"

namespace tepui::app {

namespace {

/// The line an error points into.
std::optional<std::string> line_of(const Place& place, const std::string& one_liner) {
  if (place.file == "make") return one_liner;
  std::ifstream file(place.file);
  std::string text;
  for (int i = 0; i < place.line; ++i)
    if (!std::getline(file, text)) return std::nullopt;
  return text;
}

void point_at(const Place& place, const std::string& one_liner) {
  constexpr size_t widest = 100;
  if (place.line < 1 || place.column < 1) return;
  std::optional<std::string> text = line_of(place, one_liner);
  if (!text) return;
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

Ordered error_json(const Error& error) {
  const Place& place = error.place();
  Ordered object = {
      {"message", readable(error.message())}, {"where", readable(place.text())}, {"hint", readable(error.hint())}};
  if (place.is_known()) object["file"] = readable(place.file);
  if (place.line > 0) object.update({{"line", place.line}, {"column", place.column}});
  if (place.end_line > 0) object.update({{"end_line", place.end_line}, {"end_column", place.end_column}});
  if (!place.node.empty()) object["node"] = readable(place.node);
  if (!place.field.empty()) object["field"] = readable(place.field);
  return object;
}

/// Standard output may be what failed.
void print_failure(const Ordered& object, bool one_line) {
  try {
    print_json(object, one_line);
  } catch (const std::system_error&) {
  }
}

void tell_error(const Error& error, const std::string& one_liner) {
  const std::string where = readable(error.where()), hint = readable(error.hint());
  tell(fmt::format("{}: {}\n", where.empty() ? "tepui" : where, readable(error.message())));
  point_at(error.place(), one_liner);
  if (!hint.empty()) tell(fmt::format("  {}\n", hint));
}

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::request:
      return 2;
    case ErrorKind::failure:
      return 1;
    case ErrorKind::cancelled:
      return 130;
  }
  return 1;
}

}  // namespace

int report_failure(const Error& error, bool json, const std::string& one_liner, bool one_line_json) {
  if (json) print_failure({{"error", error_json(error)}}, one_line_json);
  tell_error(error, one_liner);
  return exit_code(error.kind());
}

int report_problems(const FoundProblems& problems, bool json) {
  std::vector<Error> list = problems.list;
  std::ranges::stable_sort(list, {},
                           [](const Error& error) { return std::make_pair(error.place().line, error.place().column); });
  if (json) {
    Ordered all = Ordered::array();
    for (const Error& error : list) all.push_back(error_json(error));
    print_failure({{"valid", false}, {"error", all.front()}, {"problems", all}}, false);
  }
  for (const Error& error : list) tell_error(error, {});
  if (list.size() > 1) tell(fmt::format("{} problems\n", list.size()));
  return exit_code(ErrorKind::request);
}

}  // namespace tepui::app
