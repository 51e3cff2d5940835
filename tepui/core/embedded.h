#pragma once

#include <string>
#include <string_view>

namespace tepui {

/// A file that is built into the library (cmake/embed.cmake).
struct EmbeddedFile {
  std::string name;
  std::string_view bytes;
};

}  // namespace tepui
