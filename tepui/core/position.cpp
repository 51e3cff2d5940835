#include "tepui/core/position.h"

#include <algorithm>

namespace tepui {

Place Position::place() const {
  if (source == nullptr) return {};
  Place place{source->name};
  // A word of the command line is a place of its own.
  if (source->name.starts_with("--")) return place;
  place.line = line;
  place.column = column;
  if (begin == end || end > source->text.size()) return place;
  place.end_line = line;
  size_t line_start = begin - std::min(begin, static_cast<size_t>(column - 1));
  for (size_t i = begin; i < end; ++i)
    if (source->text[i] == '\n') {
      ++place.end_line;
      line_start = i + 1;
    }
  place.end_column = static_cast<int>(end - line_start) + 1;
  return place;
}

void refuse_at(const Position& at, std::string message, std::string hint) {
  throw Error(ErrorKind::request, std::move(message), std::move(hint), at.place());
}

}  // namespace tepui
