#include "apps/studio/page_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "apps/studio/embedded_studio.h"
#include "tepui/core/error.h"
#include "tepui/core/file.h"

namespace tepui::studio {

namespace {

constexpr std::string_view no_page =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Tepui studio</title>\n"
    "<p>This program was built without its page.\n";

std::string preset_picture(const std::string& name) { return "/presets/" + name; }

std::string_view bytes_of(const std::vector<EmbeddedFile>& files, const std::string& name) {
  const auto found =
      std::ranges::find_if(files, [&](const EmbeddedFile& file) { return file_name(file.name) == name; });
  if (found == files.end()) fail(fmt::format("the studio's table names '{}', which is not built in", name));
  return found->bytes;
}

}  // namespace

PageTable page_table(const std::vector<EmbeddedFile>& files) {
  PageTable page;
  for (const EmbeddedFile& file : files)
    if (file.name.ends_with(".webp"))
      page.files[preset_picture(file_name(file.name))] = {"image/webp", file.bytes, false};
  const auto is_table = [](const EmbeddedFile& file) { return file_name(file.name) == "table.txt"; };
  if (std::ranges::none_of(files, is_table)) {
    page.files["/"] = {"text/html; charset=utf-8", no_page, false};
    return page;
  }
  std::istringstream lines{std::string(bytes_of(files, "table.txt"))};
  std::string word, path, file, type;
  if (!(lines >> word >> page.build) || word != "page") fail("the studio's table does not begin with its page");
  while (lines >> path >> file && std::getline(lines >> std::ws, type))
    page.files[path] = {type, bytes_of(files, file)};
  return page;
}

std::string picture_of_preset(const PageTable& page, const std::string& preset) {
  const std::string path = preset_picture(preset + ".webp");
  return page.files.contains(path) ? path : "";
}

const std::vector<EmbeddedFile>& embedded_page() { return embedded_studio(); }

}  // namespace tepui::studio
