#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/json_input.h"
#include "tepui/io/manifest.h"
#include "tepui/io/place/crs.h"
#include "tepui/io/raster/place_land.h"

namespace tepui {

namespace {

namespace fs = std::filesystem;
using ParsedJson = nlohmann::json;

/// Bounds on the search for a manifest.
constexpr size_t most_candidates = 64;
constexpr size_t largest_manifest = 1 << 20;
constexpr int most_levels = 3;

const ParsedJson& member(const ParsedJson& object, const char* key) {
  static const ParsedJson none;
  const auto found = object.find(key);
  return found != object.end() ? *found : none;
}

std::optional<double> number(const ParsedJson& value) {
  if (!value.is_number()) return std::nullopt;
  const auto result = value.get<double>();
  return std::isfinite(result) ? std::optional(result) : std::nullopt;
}

std::optional<Vec2> pair(const ParsedJson& value) {
  if (!value.is_array() || value.size() != 2 || !number(value[0]) || !number(value[1])) return std::nullopt;
  return Vec2{*number(value[0]), *number(value[1])};
}

std::optional<Hash> parse_hash(const ParsedJson& value) {
  if (!value.is_string()) return std::nullopt;
  const auto text = value.get<std::string>();
  Hash hash;
  if (text.size() != 32) return std::nullopt;
  for (size_t i = 0; i < 32; ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return std::nullopt;
    uint64_t& word = i < 16 ? hash.high : hash.low;
    word = word << 4 | static_cast<uint64_t>(digit);
  }
  return hash;
}

/// A whole number within [0, most]; 0 for anything else.
int64_t count_of(const ParsedJson& value, double most) {
  const std::optional<double> n = number(value);
  return n && *n >= 0 && *n <= most ? static_cast<int64_t>(*n) : 0;
}

std::optional<Georeference> geo_in(const ParsedJson& value) {
  if (!value.is_object()) return std::nullopt;
  const std::optional<Vec2> origin = pair(member(value, "south_west")), step = pair(member(value, "step"));
  if (!origin || !step || !(step->x > 0) || !(step->y > 0)) return std::nullopt;
  const ParsedJson& crs = member(value, "crs");
  Georeference geo{crs.is_string() ? crs.get<std::string>() : "", *origin, *step};
  if (!is_crs(geo.crs)) return std::nullopt;
  return geo;
}

std::optional<SamplePlace> place_in(const ParsedJson& file) {
  const std::optional<Vec2> cell = pair(member(file, "metres_per_sample"));
  if (!cell || !is_sane_cell(*cell)) return std::nullopt;
  SamplePlace place;
  place.cell = *cell;
  const std::optional<Vec2> samples = pair(member(file, "samples")), origin = pair(member(file, "origin"));
  if (!samples || !origin) return place;
  place.width = count_of(member(file, "samples")[0], 1e9);
  place.height = count_of(member(file, "samples")[1], 1e9);
  if (place.width < 1 || place.height < 1) place.width = place.height = 0;
  place.origin = *origin;
  place.geo = geo_in(member(file, "geo"));
  return place;
}

std::optional<TileIndex> tile_in(const ParsedJson& value) {
  if (!value.is_object() || !pair(member(value, "of"))) return std::nullopt;
  const TileIndex tile{count_of(member(value, "x"), 1e9), count_of(member(value, "y"), 1e9),
                       count_of(member(value, "of")[0], 1e9), count_of(member(value, "of")[1], 1e9)};
  if (tile.x >= tile.columns || tile.y >= tile.rows) return std::nullopt;
  return tile;
}

std::optional<Vec3> point_in(const ParsedJson& point) {
  if (!point.is_array() || point.size() != 3) return std::nullopt;
  const auto x = number(point[0]), y = number(point[1]), z = number(point[2]);
  if (!x || !y || !z) return std::nullopt;
  return Vec3{*x, *y, *z};
}

FileRecord record_in(const ParsedJson& file) {
  FileRecord record;
  record.name = file["name"].get<std::string>();
  const ParsedJson& format = member(file, "format");
  if (format.is_string()) record.format = format.get<std::string>();
  record.offset = number(member(file, "offset"));
  record.scale = number(member(file, "scale"));
  record.bits = static_cast<int>(count_of(member(file, "bits"), 64));
  record.bytes = static_cast<size_t>(count_of(member(file, "bytes"), 0x1p53));
  record.hash = parse_hash(member(file, "hash")).value_or(Hash());
  for (const ParsedJson& layer : member(file, "layers"))
    if (layer.is_string()) record.layers.push_back(layer.get<std::string>());
  record.place = place_in(file);
  record.tile = tile_in(member(file, "tile"));
  if (const auto centre = point_in(member(file, "centre"))) record.centre = {centre->x, centre->y, centre->z};
  const ParsedJson& bounds = member(file, "bounds");
  const auto low = point_in(member(bounds, "min")), high = point_in(member(bounds, "max"));
  if (low && high) record.bounds = {*low, *high};
  if (const ParsedJson& weights = member(file, "weights"); member(weights, "for").is_string())
    record.weights_for = {member(weights, "for").get<std::string>(), count_of(member(weights, "first"), 1000)};
  return record;
}

/// All files that a manifest lists; none where it is damaged, too large, or no manifest.
std::vector<FileRecord> records_in(const std::string& manifest) {
  std::vector<FileRecord> records;
  try {
    const std::optional<ParsedJson> json = parse_untrusted_json(read_file(manifest, largest_manifest));
    if (!json || !json->is_object() || !json->contains("tepui_manifest")) return records;
    const ParsedJson& files = member(*json, "files");
    if (!files.is_array()) return records;
    for (const ParsedJson& file : files)
      if (file.is_object() && member(file, "name").is_string()) records.push_back(record_in(file));
  } catch (const Error&) {
    // Not ours to judge: a folder may hold anything.
  }
  return records;
}

/// The folder's manifests by name.
std::vector<std::string> manifests_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().string().ends_with(".manifest.json")) names.push_back(entry->path().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Whether a name leads to a place below the manifest's folder and nowhere else.
bool stays_below(const std::string& name) {
  const fs::path path(name);
  return !name.empty() && path.is_relative() && std::ranges::find(path, fs::path("..")) == path.end();
}

}  // namespace

namespace {

/// All records of a file, the nearest manifest's first.
std::vector<FileRecord> find_records(const std::string& path) {
  std::vector<FileRecord> found;
  std::error_code error;
  const fs::path file = fs::absolute(path, error).lexically_normal();
  if (error) return found;
  fs::path folder = file.parent_path();
  size_t looked_at = 0;
  for (int level = 0; level <= most_levels; ++level, folder = folder.parent_path()) {
    const std::string name = file.lexically_relative(folder).generic_string();
    for (const std::string& manifest : manifests_in(folder)) {
      if (++looked_at > most_candidates) return found;
      for (FileRecord& record : records_in(manifest))
        if (record.name == name) found.push_back(std::move(record));
    }
    if (folder == folder.parent_path()) break;
  }
  return found;
}

}  // namespace

std::optional<FileRecord> find_record(const std::string& path) {
  std::vector<FileRecord> records = find_records(path);
  return records.empty() ? std::nullopt : std::optional(std::move(records.front()));
}

std::optional<FileRecord> find_record(const std::string& path, const Hash& bytes, const Context& context) {
  std::vector<FileRecord> records = find_records(path);
  for (FileRecord& record : records)
    if (record.hash == Hash() || record.hash == bytes) return std::move(record);
  if (records.empty()) return std::nullopt;
  context.warn(fmt::format("'{}' has changed since its manifest was written; the manifest is ignored", path));
  return std::nullopt;
}

std::optional<FileRecord> parse_record(const std::string& text) {
  const std::optional<ParsedJson> json = parse_untrusted_json(text);
  if (!json || !json->is_object() || !member(*json, "name").is_string()) return std::nullopt;
  return record_in(*json);
}

std::vector<FileRecord> kept_records(const std::string& manifest_path, const std::vector<std::string>& replaced_names) {
  const fs::path folder = fs::path(manifest_path).parent_path();
  std::vector<FileRecord> kept;
  for (FileRecord& record : records_in(manifest_path)) {
    if (!stays_below(record.name) || std::ranges::find(replaced_names, record.name) != replaced_names.end()) continue;
    const std::string path = (folder / record.name).string();
    try {
      if (file_size(path) == record.bytes && hash_file(path) == record.hash) kept.push_back(std::move(record));
    } catch (const Error&) {
      // The file is gone.
    }
  }
  return kept;
}

}  // namespace tepui
