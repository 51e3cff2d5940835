#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/embedded.h"

namespace tepui::studio {

/// What `GET` of a path answers.
struct PageFile {
  std::string type;
  std::string_view bytes;
  bool gzip = true;
};

/// The page, as `studio/dist/table.txt` lists its files, and the presets' pictures.
struct PageTable {
  std::string build;  ///< which page it is; a greeting names it. Empty: any
  std::map<std::string, PageFile, std::less<>> files;
};

/// Of these files; without a table among them, a page that says that there is none. Refuses a table that names a file
/// that is not there.
PageTable page_table(const std::vector<EmbeddedFile>& files);

/// The path of a preset's picture in the table; empty where it has none.
std::string picture_of_preset(const PageTable& page, const std::string& preset);

/// The files of studio/dist and studio/presets that are built in.
const std::vector<EmbeddedFile>& embedded_page();

}  // namespace tepui::studio
