#include "tepui/io/tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr const char* column_mark = "{x}";
constexpr const char* row_mark = "{y}";
constexpr const char* age_mark = "{age}";

bool has(const std::string& name, const char* mark) { return name.find(mark) != std::string::npos; }

void replace(std::string& name, const char* mark, int64_t number) {
  for (size_t at; (at = name.find(mark)) != std::string::npos;) name.replace(at, 3, std::to_string(number));
}

/// With an addition before the ending.
std::string with_suffix(const std::string& name, const std::string& suffix) {
  const size_t slash = name.rfind('/') + 1, dot = name.rfind('.');
  std::string result = name;
  return result.insert(dot != std::string::npos && dot >= slash ? dot : name.size(), suffix);
}

int64_t whole(double side) { return static_cast<int64_t>(side); }

/// Whether samples make this many tiles of at least one cell.
bool divides(int64_t samples, int64_t tiles) { return tiles == 1 || (samples > tiles && (samples - 1) % tiles == 0); }

/// The resolution next to this land's, below or above, at which both sides divide.
std::optional<int64_t> fitting_resolution(const Frame& frame, Vec2 tiles, int64_t step) {
  constexpr int64_t farthest = 4096;
  const int64_t resolution = std::max(frame.width, frame.height);
  for (int64_t r = resolution + step; r >= 2 && std::abs(r - resolution) <= farthest; r += step) {
    const Frame candidate = make_world(frame.size, r);
    if (divides(candidate.width, whole(tiles.x)) && divides(candidate.height, whole(tiles.y))) return r;
  }
  return std::nullopt;
}

std::string remedy(const Frame& frame, Vec2 tiles) {
  const bool own_world = !frame.geo && frame.first_x == 0 && frame.first_y == 0;
  if (own_world && frame.size.x > 0 && frame.size.y > 0) {
    const Frame all = make_world(frame.size, std::max(frame.width, frame.height));
    const auto below = fitting_resolution(frame, tiles, -1), above = fitting_resolution(frame, tiles, 1);
    if (all.width == frame.width && all.height == frame.height && (below || above))
      return below && above ? fmt::format("a resolution of {} or {} would fit", *below, *above)
                            : fmt::format("a resolution of {} would fit", below ? *below : *above);
  }
  const auto near = [](int64_t samples, int64_t n) {
    const int64_t below = std::max<int64_t>((samples - 1) / n, 1) * n + 1;
    return divides(samples, n) ? std::to_string(samples)
           : samples < below   ? std::to_string(below)
                               : fmt::format("{} or {}", below, below + n);
  };
  return fmt::format("{} samples from west to east and {} from south to north would fit: 'crop' or 'resample' the land",
                     near(frame.width, whole(tiles.x)), near(frame.height, whole(tiles.y)));
}

}  // namespace

void check_tiling(const std::string& name, Vec2 tiles) {
  if (tiles.x != std::floor(tiles.x) || tiles.y != std::floor(tiles.y) || !(tiles.x >= 1) || !(tiles.y >= 1))
    refuse("'tiles' must be two whole numbers, columns and rows");
  const bool columns = has(name, column_mark), rows = has(name, row_mark);
  if ((columns && !rows && tiles.y > 1) || (rows && !columns && tiles.x > 1))
    refuse(fmt::format("several tiles of '{}' would have the same name", name),
           fmt::format("the name needs {} too", columns ? row_mark : column_mark));
}

std::string lod_name(const std::string& name, int level) {
  return level == 0 ? name : with_suffix(name, "_lod" + std::to_string(level));
}

std::string collision_name(const std::string& name) { return with_suffix(name, "_collision"); }

std::vector<std::string> output_files(const std::string& name, const OutputParams& options) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& level) {
    for (std::string& tile : tile_names(level, options.tiles)) names.push_back(std::move(tile));
  };
  for (int level = 0; level < options.lods; ++level) add(lod_name(name, level));
  if (options.collision) add(collision_name(name));
  return names;
}

std::string tile_name(const std::string& name, int64_t x, int64_t y) {
  std::string result = name;
  if (!has(name, column_mark) && !has(name, row_mark)) result = with_suffix(name, "_x{x}_y{y}");
  replace(result, column_mark, x);
  replace(result, row_mark, y);
  return result;
}

std::string name_of_all(const std::string& name) {
  namespace fs = std::filesystem;
  const auto is_marked = [](const std::string& text) {
    return has(text, column_mark) || has(text, row_mark) || has(text, age_mark);
  };
  if (!is_marked(name)) return name;
  fs::path folder;
  for (const fs::path& part : fs::path(name).parent_path()) {
    if (is_marked(part.string())) break;
    folder /= part;
  }
  std::string stem = fs::path(name).stem().string();
  for (const char* mark : {column_mark, row_mark, age_mark})
    for (size_t at; (at = stem.find(mark)) != std::string::npos;) {
      stem.erase(at, std::string_view(mark).size());
      // "h_x3_y2" is h, too.
      if (at > 0 && (stem[at - 1] == 'x' || stem[at - 1] == 'y') && (at == 1 || stem[at - 2] == '_'))
        stem.erase(--at, 1);
      while (at > 0 && (stem[at - 1] == '_' || stem[at - 1] == '-' || stem[at - 1] == '.')) stem.erase(--at, 1);
    }
  const bool is_nothing = stem.find_first_not_of("_-.") == std::string::npos;
  return (folder / ((is_nothing ? "all" : stem) + fs::path(name).extension().string())).string();
}

std::vector<std::string> tile_names(const std::string& name, Vec2 tiles) {
  check_tiling(name, tiles);
  if (tiles == Vec2{1, 1} && !has(name, column_mark) && !has(name, row_mark)) return {name};
  std::vector<std::string> names;
  for (int64_t y = 0; y < whole(tiles.y); ++y)
    for (int64_t x = 0; x < whole(tiles.x); ++x) names.push_back(tile_name(name, x, y));
  return names;
}

std::vector<TileWindow> tile_windows(const std::string& path, const Frame& frame, Vec2 tiles) {
  check_tiling(path, tiles);
  const int64_t columns = whole(tiles.x), rows = whole(tiles.y);
  if (!divides(frame.width, columns) || !divides(frame.height, rows))
    refuse(fmt::format("cannot write '{}': {} x {} samples do not divide into {} x {} tiles that share their edges",
                       path, frame.width, frame.height, columns, rows),
           remedy(frame, tiles));
  const int64_t step_x = (frame.width - 1) / columns, step_y = (frame.height - 1) / rows;
  std::vector<TileWindow> windows;
  for (int64_t y = 0; y < rows; ++y)
    for (int64_t x = 0; x < columns; ++x)
      windows.push_back({x, y, x * step_x, (rows - 1 - y) * step_y, step_x + 1, step_y + 1});
  return windows;
}

Terrain cut_tile(const Terrain& terrain, const TileWindow& window, const std::vector<std::string>& layers) {
  Terrain tile(terrain.frame().window(window.first_x, window.first_y, window.width, window.height), terrain.relief());
  for (const std::string& name : layers) {
    const Layer* layer = terrain.find(name);
    if (layer == nullptr) continue;
    Grid<float> cells(window.width, window.height);
    for (int64_t y = 0; y < window.height; ++y)
      std::copy_n(layer->grid().row(window.first_y + y) + window.first_x, window.width, cells.row(y));
    tile = tile.with(layer->holding(std::move(cells)));
  }
  return tile;
}

}  // namespace tepui
