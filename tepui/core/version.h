#pragma once

namespace tepui {

/// Set by CMake from the project's version.
inline constexpr const char* version = TEPUI_VERSION;

}  // namespace tepui
