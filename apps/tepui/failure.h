#pragma once

#include <string>
#include <vector>

#include "tepui/core/error.h"

namespace tepui::app {

/// Tells an error on standard error, with the line it points into and a caret, and with --json as an object on standard
/// output. Returns the exit code. `one_liner` is the text that "make:1:N" points into.
int report_failure(const Error& error, bool json, const std::string& one_liner, bool one_line_json = false);

/// Thrown by a command that has found all that is wrong with a recipe: at least one problem.
struct FoundProblems {
  std::vector<Error> list;
};

/// Tells all of them, in the order of their lines.
int report_problems(const FoundProblems& problems, bool json);

}  // namespace tepui::app
