#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tepui/core/frame.h"
#include "tepui/io/export.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// One land that a build wrote: its heights and its place. Lands of a build may lie on different samples.
struct ManifestLand {
  std::string name;
  double min = 0, max = 0;
  Relief relief{};
  SamplePlace place{};  ///< without samples: unknown
  int64_t nodata_cells = 0;
};
/// All of it; the land has a height.
ManifestLand manifest_land(std::string name, const Terrain& land, const Context& context);

/// All that a program needs to import the files of a build at the right place and scale.
struct ManifestInfo {
  std::string version;  ///< of Tepui
  std::string title;    ///< of the recipe; may be empty
  std::string recipe;   ///< its name, without a folder; may be empty
  uint64_t seed = 0;
  Hash recipe_hash;
  Frame world;  ///< of the recipe; of any land's frame the whole world counts
  Relief relief;
  std::optional<double> sea_level;
  std::vector<ManifestLand> lands;
  std::vector<FileRecord> files;
};

/// As JSON text: the same build always gives the same bytes. No time, path, user or thread count.
std::string manifest_text(const ManifestInfo& info);

/// One record as a manifest holds it, and back; none where the text is no record.
std::string record_text(const FileRecord& record);
std::optional<FileRecord> parse_record(const std::string& text);

/// Writes it, atomically. Returns its own record.
FileRecord write_manifest(const FileTarget& to, const ManifestInfo& info);

/// What a manifest says of a file: the first by name of the files *.manifest.json in its folder, else in the folder
/// above, up to three above, that lists it under its path from there. Looks at 64 files of at most 1 MiB.
std::optional<FileRecord> find_record(const std::string& path);

/// The same for a file of these bytes. A record of other bytes says nothing of it: none, with a warning.
std::optional<FileRecord> find_record(const std::string& path, const Hash& bytes, const Context& context);

/// The records of the manifest at `manifest_path` whose files are still beside it with the same bytes, but for the
/// replaced ones; none where there is no sound manifest. What a build of some outputs keeps of the build before.
std::vector<FileRecord> kept_records(const std::string& manifest_path, const std::vector<std::string>& replaced_names);

}  // namespace tepui
