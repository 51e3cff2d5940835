#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tepui {

/// A file of the source tree that is built into the library (cmake/embed.cmake).
struct EmbeddedFile {
  std::string name;  ///< relative to the source tree's root
  std::string_view bytes;
};

const std::vector<EmbeddedFile>& embedded_files();

}  // namespace tepui
