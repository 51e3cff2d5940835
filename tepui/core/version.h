#pragma once

namespace tepui {

/// "0.1.0": the project's version in CMakeLists.txt.
extern const char* const version;

}  // namespace tepui
