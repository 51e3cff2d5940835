#pragma once

#include <string>

#include "tepui/core/error.h"

namespace tepui::app {

/// Tells an error on standard error, with the line it points into and a caret, and with --json as an object on standard
/// output. Returns the exit code. `one_liner` is the text that "make:1:N" points into.
int report_failure(const Error& error, bool json, const std::string& one_liner, bool one_line_json = false);

}  // namespace tepui::app
