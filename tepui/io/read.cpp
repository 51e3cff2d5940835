#include "tepui/io/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/io/atomic_file.h"
#include "tepui/io/geotiff.h"
#include "tepui/io/manifest.h"
#include "tepui/io/png.h"

namespace tepui {

namespace {

constexpr int64_t row_grain = 32;
constexpr double smallest_cell = 1e-6, largest_cell = 1e7, longest_side = 1e9, farthest = 1e12;  // metres

/// z = offset + scale * stored.
struct Scaling {
  double offset = 0, scale = 1;
};

bool has_range(const ReadParams& p) { return p.range.low != 0 || p.range.high != 0; }

Scaling scaling_of(const ReadParams& p, const std::optional<FileRecord>& record, int bits, const Context& context) {
  if (has_range(p)) {
    if (p.scale != 0 || p.offset != 0)
      refuse("'range' and 'scale' or 'offset' say the same thing twice", "give one of them");
    return {p.range.low, (p.range.high - p.range.low) / (bits == 16 ? 65535 : 255)};
  }
  if (p.scale != 0) return {p.offset, p.scale};
  if (record && record->scale) return {p.offset + record->offset.value_or(0), *record->scale};
  context.warn(fmt::format("'{}' does not say what its numbers mean: metres assumed", p.file.path));
  return {p.offset, 1};
}

/// Heights stay within what a layer can hold, given the largest stored number.
void require_finite(const std::string& path, const Scaling& s, double largest) {
  if (!(std::abs(s.offset) + std::abs(s.scale) * largest <= std::numeric_limits<float>::max()))
    refuse(fmt::format("heights of '{}' would be out of bounds at a scale of {:g} and an offset of {:g}", path, s.scale,
                       s.offset));
}

Vec2 cell_of(const ReadParams& p, const std::optional<FileRecord>& record, const Context& context) {
  if (p.cell.value > 0) return {p.cell.value, p.cell.value};
  if (record && record->place) return record->place->cell;
  context.warn(fmt::format("'{}' does not say how far apart its samples are: 1 m assumed", p.file.path));
  return {1, 1};
}

Vec2 extent(const Frame& frame) {
  return {frame.cell.x * static_cast<double>(std::max<int64_t>(frame.width - 1, 1)),
          frame.cell.y * static_cast<double>(std::max<int64_t>(frame.height - 1, 1))};
}

/// z' = offset + scale * z, for every cell.
Grid<float> scaled(const Grid<float>& from, Scaling s, const Context& context) {
  Grid<float> to(from.width(), from.height());
  parallel_chunks(from.height(), row_grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * from.width(); i < end * from.width(); ++i)
      to.data()[i] = static_cast<float>(s.offset + s.scale * static_cast<double>(from.data()[i]));
  });
  return to;
}

Terrain read_tiff(const ReadParams& p, const Context& context) {
  if (has_range(p))
    refuse("'range' is for PNG: the numbers in a TIFF are heights", "use 'scale' and 'offset', or 'adjust' afterwards");
  Terrain land = read_geotiff(p.file.path, p.band, context);
  const Scaling s{p.offset, p.scale != 0 ? p.scale : 1};
  if (land.find("height") != nullptr && (s.offset != 0 || s.scale != 1)) {
    require_finite(p.file.path, s, std::max(std::abs(land.relief().base), std::abs(land.relief().top)));
    const double a = s.offset + s.scale * land.relief().base, b = s.offset + s.scale * land.relief().top;
    land = land.with_height(scaled(land.height(), s, context)).with_relief({std::min(a, b), std::max(a, b)});
  }
  if (p.cell.value == 0) return land;
  Frame frame = land.frame();
  frame.cell = {p.cell.value, p.cell.value};
  frame.size = extent(frame);
  require_sane_cells(p.file.path, frame);
  Terrain moved(frame, land.relief());
  for (const Layer& layer : land.layers()) moved = moved.with(layer);
  return moved;
}

Terrain read_grey_png(const ReadParams& p, const Context& context) {
  if (p.band > 1) refuse(fmt::format("'{}' has no band {}", p.file.path, p.band), "a PNG has one");
  const PngSamples samples = read_png(p.file.path);
  const std::optional<FileRecord> record = find_record(p.file.path, hash_file(p.file.path), context);
  const Scaling s = scaling_of(p, record, samples.bits, context);
  require_finite(p.file.path, s, samples.bits == 16 ? 65535 : 255);
  Frame frame;
  frame.width = samples.grid.width();
  frame.height = samples.grid.height();
  frame.cell = cell_of(p, record, context);
  frame.size = extent(frame);
  require_sane_cells(p.file.path, frame);
  Grid<float> z(frame.width, frame.height);
  parallel_chunks(frame.height, row_grain, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * frame.width; i < end * frame.width; ++i)
      z.data()[i] = static_cast<float>(s.offset + s.scale * static_cast<double>(samples.grid.data()[i]));
  });
  const auto [low, high] = std::minmax_element(z.cells().begin(), z.cells().end());
  const Relief relief{static_cast<double>(*low), static_cast<double>(*high > *low ? *high : *low + 1)};
  return Terrain(frame, relief, std::move(z));
}

}  // namespace

bool is_sane_cell(Vec2 cell) {
  const auto sane = [](double side) { return side >= smallest_cell && side <= largest_cell; };
  return sane(cell.x) && sane(cell.y);
}

void require_sane_cells(const std::string& path, const Frame& frame) {
  if (!is_sane_cell(frame.cell))
    refuse(fmt::format("'{}' has cells of {:g} x {:g} m", path, frame.cell.x, frame.cell.y),
           fmt::format("cells are from {:g} to {:g} m", smallest_cell, largest_cell));
  if (!(std::max(frame.size.x, frame.size.y) <= longest_side))
    refuse(fmt::format("'{}' is {:g} x {:g} m: its cell cannot be right", path, frame.size.x, frame.size.y));
  if (!(std::max(std::abs(frame.origin.x), std::abs(frame.origin.y)) <= farthest))
    refuse(fmt::format("'{}' lies at {:g}, {:g} m: its coordinates cannot be right", path, frame.origin.x,
                       frame.origin.y));
}

void describe(Fields<ReadParams>& f) {
  f.about("Land from a GeoTIFF or a grey PNG");
  f.reach(Reach::whole);
  f("file", &ReadParams::file, "a .tif, .tiff or .png, relative to the recipe");
  f("cell", &ReadParams::cell, Range{0, largest_cell},
    "metres between samples, from a micrometre; 0: what the file says")
      .slider(0, 100);
  f("range", &ReadParams::range, "heights that the smallest and largest number of a PNG mean; 0..0: use scale")
      .slider(-500, 9000)
      .unit("m");
  f("scale", &ReadParams::scale, Range{-1e6, 1e6}, "metres per stored unit; 0: what the file says").slider(0, 10);
  f("offset", &ReadParams::offset, Range{-1e6, 1e6}, "metres added").slider(-1000, 1000).unit("m");
  f("band", &ReadParams::band, Range{0, 65535}, "of a TIFF; 0: the first, or the layers that Tepui wrote").slider(0, 8);
}

Terrain read(const ReadParams& params, const Context& context) {
  if (params.file.path.empty()) refuse("'read' needs a file", "file=land.tif");
  if (params.cell.percent) refuse("the cell of a file is a length, not a share of a world", "give metres, such as 30m");
  const std::string ending = file_ending(params.file.path);
  if (ending == ".tif" || ending == ".tiff") return read_tiff(params, context);
  if (ending == ".png") return read_grey_png(params, context);
  refuse(fmt::format("cannot read '{}': no format has the ending '{}'", params.file.path, ending),
         "the endings are .tif, .tiff, .png");
}

Hash read_key(const std::string& path) {
  const Hash bytes = hash_file(path);
  Hasher hasher;
  hasher.add(bytes);
  if (file_ending(path) != ".png") return hasher.finish();
  const std::optional<FileRecord> record = find_record(path, bytes, Context());
  if (!record) return hasher.finish();
  hasher.add(record->scale.value_or(0)).add(record->offset.value_or(0));
  if (record->place) hasher.add(record->place->cell.x).add(record->place->cell.y);
  return hasher.finish();
}

}  // namespace tepui
