#include "tepui/io/file/sidecars.h"

#include <fmt/format.h>

#include <filesystem>

#include "tepui/io/file/atomic_file.h"

namespace tepui {

namespace {

bool is_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

/// "land.asc" -> "land.prj" or "land.PRJ"; with `also_after`, "land.asc.prj" too.
void find(const std::string& path, const char* lower, const char* upper, bool also_after,
          std::vector<std::string>& found) {
  const std::string stem = path.substr(0, path.size() - file_ending(path).size());
  for (const std::string& base : also_after ? std::vector{path, stem} : std::vector{stem})
    for (const char* ending : {lower, upper})
      if (is_file(base + ending)) {
        found.push_back(base + ending);
        return;
      }
}

}  // namespace

std::vector<std::string> sidecars(const std::string& path) {
  std::vector<std::string> found;
  const std::string ending = file_ending(path);
  for (const char* labelled : {".bil", ".bip", ".bsq", ".img", ".dat", ".flt", ".raw", ".r16", ".r32"}) {
    if (ending != labelled) continue;
    find(path, ".hdr", ".HDR", true, found);
    const std::string world{'.', ending[1], ending.back(), 'w'};  // .bil -> .blw
    find(path, world.c_str(), ".wld", false, found);
  }
  for (const char* projected : {".asc", ".bil", ".bip", ".bsq", ".flt"})
    if (ending == projected) find(path, ".prj", ".PRJ", false, found);
  return found;
}

std::vector<std::string> unread_sidecars(const std::string& path, bool placed) {
  std::vector<std::string> said;
  const std::string ending = file_ending(path);
  if (!placed && (ending == ".tif" || ending == ".tiff" || ending == ".png")) {
    std::vector<std::string> world;
    find(path, ending == ".png" ? ".pgw" : ".tfw", ".wld", false, world);
    for (const std::string& file : world)
      said.push_back(fmt::format("'{}' is not read; set 'cell' to the distance between samples", file));
  }
  // GDAL's, where a format has no words of its own.
  constexpr size_t longest = 16 << 20;
  if (const std::string beside = path + ".aux.xml"; is_file(beside) && file_size(beside) <= longest) {
    const std::string text = read_file(beside, longest);
    std::vector<std::string> found;
    for (const auto& [mark, option] : {std::pair{"<NoDataValue", "nodata"},
                                       {"<Scale>", "scale"},
                                       {"<Offset>", "offset"},
                                       {"<UnitType>", "unit"},
                                       {"<GeoTransform>", "cell"},
                                       {"<SRS", "crs"}})
      if (text.find(mark) != std::string::npos) found.push_back(fmt::format("'{}'", option));
    if (!found.empty())
      said.push_back(fmt::format("'{}' is not read; give what it says with {}", beside, fmt::join(found, ", ")));
  }
  return said;
}

}  // namespace tepui
