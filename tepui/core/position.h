#pragma once

#include <cstddef>
#include <string>

#include "tepui/core/error.h"

// Where in a text something stands, so that a message about it can say file:line:column.

namespace tepui {

/// A text that values come from: a recipe file, a one-liner, a --set.
struct Source {
  std::string name;  ///< how messages call it: the file's path, or the command's word
  std::string text;
};

/// A place in a source.
struct Position {
  const Source* source = nullptr;  ///< owned by the document
  int line = 0, column = 0;        ///< from 1; column counts bytes
  size_t begin = 0, end = 0;       ///< the bytes of the source that it covers; equal where they are not known

  /// "recipes/mesa.json:12:7", "--set age"; empty where unknown.
  std::string text() const { return place().text(); }
  /// The same as data, with its end.
  Place place() const;
};

/// Throws: the request is wrong at this place.
[[noreturn]] void refuse_at(const Position& at, std::string message, std::string hint = {});

}  // namespace tepui
