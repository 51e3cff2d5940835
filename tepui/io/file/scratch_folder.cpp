#include "tepui/io/file/scratch_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>

#include "tepui/core/error.h"

namespace tepui {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  if (error) fail("there is no folder for temporary files: " + error.message(), "set TMPDIR to one");
  path_ = (folder / "tepui-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) fail(fmt::format("cannot create a folder in '{}'", folder.string()));
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace tepui
