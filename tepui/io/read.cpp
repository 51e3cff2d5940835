#include "tepui/io/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/core/text.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/file/sidecars.h"
#include "tepui/io/formats.h"
#include "tepui/io/manifest.h"
#include "tepui/io/raster/border_watch.h"
#include "tepui/io/raster/map_tile.h"
#include "tepui/io/raster/place_land.h"
#include "tepui/io/raster/read_samples.h"
#include "tepui/io/raster_open.h"
#include "tepui/terrain/fill_voids.h"
#include "tepui/terrain/stairs.h"

namespace tepui {

namespace {

/// Indexed by SampleType.
constexpr const char* type_names[] = {"", "Byte", "Int16", "UInt16", "Int32", "UInt32", "Float32", "Float64"};
constexpr const char* encoding_names[] = {"", "terrarium", "mapbox"};

constexpr double survey_foot = 1200.0 / 3937.0;

/// Indexed by HeightUnit.
constexpr double unit_metres[] = {0, 1, 0.1, 0.01, 0.001, 1000, 0.3048, survey_foot};

/// Heights may mean anything in these, and 0 to 1 in floats of some.
bool is_picture(const RasterInfo& info) {
  return info.format == "PNG" || info.format == "raw" || info.format == "EXR" || info.format == "NPY" ||
         info.format == "NPZ";
}

/// Metres per unit that a file names.
std::optional<double> named_unit(const std::string& unit) {
  static const std::vector<std::pair<std::string, double>> units = {{"m", 1},
                                                                    {"metre", 1},
                                                                    {"meter", 1},
                                                                    {"metres", 1},
                                                                    {"meters", 1},
                                                                    {"dm", 0.1},
                                                                    {"cm", 0.01},
                                                                    {"mm", 0.001},
                                                                    {"km", 1000},
                                                                    {"ft", 0.3048},
                                                                    {"foot", 0.3048},
                                                                    {"feet", 0.3048},
                                                                    {"us-ft", survey_foot},
                                                                    {"ftus", survey_foot},
                                                                    {"us survey foot", survey_foot},
                                                                    {"foot_us", survey_foot}};
  const std::string lower = lower_case(unit);
  for (const auto& [name, metres] : units)
    if (name == lower) return metres;
  return std::nullopt;
}

/// Whether a manifest may have more to say of a file than the file itself.
bool leaves_unsaid(const std::string& path) {
  const FileFormat* format = reading_format(path, Terrain::kind_name);
  return format != nullptr && format->name != "GeoTIFF";
}

/// One reading of a file: what it says, what the caller and the manifest add, and what had to be assumed. That is told
/// at the end: of a file that turns out to be none, only the reason matters.
struct Reading {
  const ReadParams& p;
  const RasterInfo& info;
  const std::optional<FileRecord>& record;
  const Context& context;
  std::vector<std::string>& assumed;

  const std::string& path() const { return p.file.path; }
};

double metres_per_unit(const Reading& r, const RasterBand& band) {
  if (r.p.unit != HeightUnit::as_stored) return unit_metres[static_cast<size_t>(r.p.unit)];
  if (const std::optional<double> metres = named_unit(band.unit)) return *metres;
  if (!band.unit.empty())
    r.assumed.push_back(
        fmt::format("'{}' gives heights in '{}': assuming metres; set 'unit' to change that", r.path(), band.unit));
  else if (r.info.place)
    return vertical_metres(r.path(), *r.info.place);
  return 1;
}

/// Of the numbers in a band that is a height.
Scaling height_scaling(const Reading& r, const RasterBand& band) {
  const ReadParams& p = r.p;
  if (p.range) {
    const std::optional<double> largest = largest_of(band.type);
    if (band.scaled || !is_picture(r.info) || (!largest && !band.type.starts_with("Float")))
      refuse(fmt::format("'range' does not apply to '{}': its numbers are heights", r.path()),
             "use 'scale' and 'offset', or 'adjust' afterwards");
    if (p.scale || p.offset != 0 || p.unit != HeightUnit::as_stored)
      refuse("'range' cannot be used together with 'scale', 'offset' or 'unit'", "give one of them");
    return {p.range->low, (p.range->high - p.range->low) / largest.value_or(1)};
  }
  Scaling file{band.offset, band.scale};
  if (r.record && r.record->scale && !band.scaled && !p.scale)
    file = {r.record->offset.value_or(0), *r.record->scale};
  else if (largest_of(band.type) && is_picture(r.info) && !band.scaled && !p.scale && p.unit == HeightUnit::as_stored)
    r.assumed.push_back(fmt::format(
        "'{}' does not say what its numbers mean: assuming metres; set 'range' or 'scale' to change that", r.path()));
  const double metres = metres_per_unit(r, band), scale = p.scale.value_or(1);
  return {p.offset + scale * metres * file.offset, scale * metres * file.scale};
}

/// Samples and where they lie.
struct Placed {
  Frame frame;
  Turn turn;
};

/// Indexed by Orientation.
constexpr Turn turns[] = {{false, false, true},  {true, false, false}, {true, true, true},  {false, true, false},
                          {false, false, false}, {false, true, true},  {true, true, false}, {true, false, true}};

Placed place_by_file(const Reading& r) {
  RasterPlace place = *r.info.place;
  if (r.p.orientation != Orientation::as_stored)
    refuse(fmt::format("'{}' itself says where its samples are", r.path()), "leave 'orientation' out");
  if (r.p.crs) place.crs = *r.p.crs;
  if (r.p.crs && !r.info.place->crs.empty())
    r.context.warn(fmt::format("'{}' has its own reference system ({}); using 'crs' instead", r.path(),
                               crs_name(r.path(), *r.info.place)));
  Placed placed{frame_at(r.path(), place, r.info.width, r.info.height), {false, place.step.x < 0, place.step.y < 0}};
  if (!r.p.cell) return placed;
  r.context.warn(
      fmt::format("'{}' has its own distance between samples; with another 'cell' its position is lost", r.path()));
  placed.frame.origin = {};
  placed.frame.cell = {r.p.cell->value, r.p.cell->value};
  placed.frame.geo.reset();
  return placed;
}

Placed place_by_caller(const Reading& r) {
  if (r.p.crs) refuse(fmt::format("'{}' has no coordinates, so 'crs' does not apply to it", r.path()));
  Placed placed{{}, turns[static_cast<size_t>(r.p.orientation)]};
  Frame& frame = placed.frame;
  frame.width = placed.turn.transpose ? r.info.height : r.info.width;
  frame.height = placed.turn.transpose ? r.info.width : r.info.height;
  if (r.p.cell) {
    frame.cell = {r.p.cell->value, r.p.cell->value};
  } else if (r.record && r.record->place) {
    const SamplePlace& place = *r.record->place;
    frame.cell = placed.turn.transpose ? Vec2{place.cell.y, place.cell.x} : place.cell;
    const bool whole =
        r.p.orientation == Orientation::as_stored && place.width == frame.width && place.height == frame.height;
    if (whole) frame.origin = place.origin;
    if (whole && place.geo) frame.geo = std::make_shared<const Georeference>(*place.geo);
  } else {
    r.assumed.push_back(fmt::format(
        "'{}' does not say how far apart its samples are: assuming 1 m; set 'cell' to change that", r.path()));
  }
  return placed;
}

Placed place_samples(const Reading& r) {
  Placed placed = r.info.place ? place_by_file(r) : place_by_caller(r);
  placed.frame.size = extent_of(placed.frame);
  require_sane_cells(r.path(), placed.frame);
  return placed;
}

/// A file that Tepui wrote says of every band what it is.
bool is_own(const RasterInfo& info) {
  return std::ranges::all_of(info.bands, [](const RasterBand& band) { return band.kind && !band.name.empty(); });
}

struct BandChoice {
  std::vector<int> bands;
  bool own = false;
};

BandChoice choose_bands(const Reading& r) {
  const int count = static_cast<int>(r.info.bands.size());
  if (r.p.band && (*r.p.band < 1 || *r.p.band > count))
    refuse(fmt::format("'{}' has no band {}", r.path(), *r.p.band), fmt::format("it has {}", count));
  if (r.p.band) return {{*r.p.band - 1}, false};
  if (r.p.layer) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) {
      names.push_back(r.info.bands[static_cast<size_t>(i)].name);
      if (names.back() == r.p.layer) return {{i}, false};
    }
    refuse(fmt::format("'{}' has no layer '{}'", r.path(), *r.p.layer),
           names.front().empty() ? "its layers have no names: use 'band', which counts them"
                                 : fmt::format("it has {}", fmt::join(names, ", ")));
  }
  if (is_own(r.info)) {
    BandChoice all{{}, true};
    for (int i = 0; i < count; ++i) all.bands.push_back(i);
    return all;
  }
  if (count > 1)
    r.assumed.push_back(
        fmt::format("'{}' has {} bands: using the first as the height; 'band' selects another", r.path(), count));
  return {{0}, false};
}

RasterBand with_nodata(const Reading& r, RasterBand band) {
  if (!r.p.nodata) return band;
  band.nodata.reset();
  if (r.p.nodata == "none") return band;
  band.nodata = parse_number(*r.p.nodata);
  if (!band.nodata) refuse(fmt::format("'nodata' must be a number or 'none', not '{}'", *r.p.nodata));
  return band;
}

/// Options that another format would need.
void require_fitting(const Reading& r) {
  const bool sized = r.p.size || r.p.type != SampleType::as_stored;
  if (r.info.format != "raw" && (sized || r.p.order != ByteOrder::little))
    refuse(fmt::format("'{}' has its own size and type", r.path()),
           "'size', 'type' and 'order' only apply to raw samples");
  if (r.info.format != "PNG" && r.p.encoding != PngEncoding::grey)
    refuse(fmt::format("'{}' is not a PNG; 'encoding' only applies to PNG", r.path()));
}

/// 8 bits make steps that show.
void smooth_or_warn(const Reading& r, const RasterBand& band, const Scaling& scaling, const Grid<float>& voids,
                    Grid<float>& height) {
  const bool whole = band.type.find("Int") != std::string::npos || band.type == "Byte";
  if (r.p.smooth) {
    if (!whole) refuse(fmt::format("'smooth' only applies to whole numbers, and '{}' holds {}", r.path(), band.type));
    smooth_stairs(height, voids, std::abs(scaling.scale), r.context.stage("smoothing", 0.8, 1));
  } else if (band.type == "Byte" && r.info.format == "PNG") {
    r.assumed.push_back(fmt::format("'{}' has 8 bits, so steps of {:g} m are visible; 'smooth' removes them", r.path(),
                                    std::abs(scaling.scale)));
  }
}

std::string layer_name(const RasterInfo& info, const BandChoice& chosen, size_t i) {
  const std::string& name = info.bands[static_cast<size_t>(chosen.bands[i])].name;
  return chosen.own ? name : "height";
}

Terrain assemble(const Reading& r, Raster& raster) {
  const BandChoice chosen = choose_bands(r);
  Placed placed = place_samples(r);
  const auto count = static_cast<int64_t>(chosen.bands.size());
  SampleCanvas canvas(placed.frame.width, placed.frame.height);
  std::vector<Grid<float>> grids;
  Relief relief{std::numeric_limits<double>::infinity(), 0};
  std::optional<size_t> main;
  std::vector<Scaling> scalings;
  for (size_t i = 0; i < chosen.bands.size(); ++i) {
    const RasterBand band = with_nodata(r, r.info.bands[static_cast<size_t>(chosen.bands[i])]);
    const bool height = layer_name(r.info, chosen, i) == "height";
    scalings.push_back(height ? height_scaling(r, band) : Scaling{band.offset, band.scale});
    const double share = 0.8 / static_cast<double>(count);
    const Context context =
        r.context.stage("reading", static_cast<double>(i) * share, static_cast<double>(i + 1) * share);
    BorderWatch border(r.info.width, r.info.height);
    grids.push_back(
        canvas.read(raster, r.path(), chosen.bands[i], band, scalings.back(), placed.turn, context, &border));
    // Of a file that Tepui wrote, a manifest knows, and whoever says 'nodata' does.
    if (height && !chosen.own && !r.record && !r.p.nodata)
      if (const std::optional<std::string> hint = border.hint(r.path())) r.assumed.push_back(*hint);
    if (height || (!main && i + 1 == chosen.bands.size())) main = i;
  }
  if (canvas.void_cells() == placed.frame.width * placed.frame.height)
    refuse(fmt::format("'{}' holds no heights: every cell is nodata", r.path()));
  const Grid<float>& voids = canvas.voids();
  const size_t first = static_cast<size_t>(chosen.bands[*main]);
  if (layer_name(r.info, chosen, *main) == "height")
    smooth_or_warn(r, r.info.bands[first], scalings[*main], voids, grids[*main]);
  relief = relief_of(grids[*main], voids);

  Terrain terrain(placed.frame, relief);
  for (size_t i = 0; i < chosen.bands.size(); ++i) {
    const RasterBand& band = r.info.bands[static_cast<size_t>(chosen.bands[i])];
    Layer layer{layer_name(r.info, chosen, i), band.unit, LayerKind::continuous, nullptr, 0};
    if (layer.name == "height") layer.unit = "m";
    if (chosen.own) {
      layer.kind = *band.kind;
      layer.classes = band.classes;
    }
    if (canvas.void_cells() > 0 && layer.kind == LayerKind::continuous) fill_voids(grids[i], voids, r.context);
    layer.data = std::make_shared<const Grid<float>>(std::move(grids[i]));
    terrain = terrain.with(std::move(layer));
  }
  if (canvas.void_cells() > 0) terrain = terrain.with(make_layer("void", "", LayerKind::mask, canvas.take_voids()));
  return terrain;
}

}  // namespace

void describe(Fields<ReadParams>& f) {
  f.about("Read land from a file: GeoTIFF, PNG, EXR, ASC, HGT, BIL, netCDF, NPY, R16, R32");
  f.reach(Reach::whole);
  f.example("{} file=recipes/data/hills.png cell=20m range=180..800");
  f("file", &ReadParams::file, "path of the file, relative to the recipe");
  f("layer", &ReadParams::layer, "name of the band, variable, array or channel; auto: the only or most likely one");
  f("band", &ReadParams::band, Range{1, 65535},
    "number of the band; auto: all layers if Tepui wrote the file, else the first")
      .slider(1, 8);
  f("encoding", &ReadParams::encoding, {"grey", "terrarium", "mapbox"}, "how a PNG stores heights");
  f("size", &ReadParams::size, Range{1, 1e9}, "samples of a raw file: width, height; auto: a square").slider(1, 8193);
  f("type", &ReadParams::type, {"as_stored", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"},
    "type of raw samples; as_stored: from the file's extension");
  f("order", &ReadParams::order, {"little", "big"}, "byte order of raw samples");
  f("orientation", &ReadParams::orientation,
    {"as_stored", "turn_left", "turn_right", "turn_round", "flip_rows", "flip_columns", "transpose", "transpose_round"},
    "how to turn the grid so that north is at the top, if the file does not say")
      .sweep("as_stored", "turn_left", "flip_rows");
  f("cell", &ReadParams::cell, Range{1e-6, largest_cell},
    "metres between samples, from a micrometre; auto: what the file says")
      .slider(1e-6, 100);
  f("crs", &ReadParams::crs, "reference system of the file's coordinates, such as EPSG:32611; auto: what it says");
  f("range", &ReadParams::range,
    "heights of the smallest and largest number of a PNG or R16, or of 0 and 1 for floats; auto: use 'scale'")
      .slider(-500, 9000)
      .sweep("180..400", "180..800", "180..2000")
      .unit("m");
  f("unit", &ReadParams::unit, {"as_stored", "m", "dm", "cm", "mm", "km", "ft", "us_ft"}, "unit of the file's heights");
  f("scale", &ReadParams::scale, Range{-1e6, 1e6}, "metres per stored unit; auto: what the file says").slider(0, 10);
  f("offset", &ReadParams::offset, Range{-1e6, 1e6}, "metres added").slider(-1000, 1000).unit("m");
  f("nodata", &ReadParams::nodata, "stored number that marks missing heights, or none; auto: what the file says");
  f("smooth", &ReadParams::smooth, "smooth away the steps of heights stored as whole numbers");
}

RasterOptions raster_options(const ReadParams& p) {
  RasterOptions options;
  const Vec2 size = p.size.value_or(Vec2{});
  options.width = static_cast<int64_t>(size.x);
  options.height = static_cast<int64_t>(size.y);
  if (static_cast<double>(options.width) != size.x || static_cast<double>(options.height) != size.y)
    refuse("'size' must be two whole numbers of samples", "such as size=2017,2017");
  options.type = type_names[static_cast<size_t>(p.type)];
  options.big_endian = p.order == ByteOrder::big;
  options.layer = p.layer.value_or("");
  options.encoding = encoding_names[static_cast<size_t>(p.encoding)];
  return options;
}

Terrain read(const ReadParams& params, const Context& context) {
  if (params.file.path.empty()) refuse("'read' needs a file", "file=land.tif");
  if (params.cell && params.cell->percent)
    refuse("the cell of a file must be a length, not a percentage", "give metres, such as 30m");
  if (params.scale == 0.0) refuse("'scale' must not be 0", "remove it, or write auto");
  RasterOptions options = raster_options(params);
  std::optional<FileRecord> record;
  if (leaves_unsaid(params.file.path)) {
    record = find_record(params.file.path, hash_file(params.file.path), context);
    if (record && record->place && options.width == 0 && sidecars(params.file.path).empty()) {
      options.width = record->place->width;
      options.height = record->place->height;
      if (options.type.empty() && record->format == "R16") options.type = "UInt16";
    }
  }
  const std::unique_ptr<Raster> raster = open_raster(params.file.path, options);
  std::vector<std::string> assumed = raster->info().assumed;
  const Reading reading{params, raster->info(), record, context, assumed};
  require_fitting(reading);
  Terrain land = assemble(reading, *raster);
  for (const std::string& message : assumed) context.warn(message);
  return land;
}

std::vector<std::string> read_files(const std::string& path) {
  std::vector<std::string> files = sidecars(path);
  files.insert(files.begin(), path);
  return files;
}

Hash read_key(const std::string& path) {
  Hasher hasher;
  Hash bytes;
  for (const std::string& file : read_files(path)) {
    const Hash hash = hash_file(file);
    if (file == path) bytes = hash;
    hasher.add(hash);
  }
  // What a file's name tells of its place.
  if (file_ending(path) == ".hgt") hasher.add(file_name(path));
  if (const auto tile = file_ending(path) == ".png" ? map_tile_place(path, 1, 1) : std::nullopt)
    hasher.add(tile->origin.x).add(tile->origin.y).add(tile->step.x);
  if (!leaves_unsaid(path)) return hasher.finish();
  const std::optional<FileRecord> record = find_record(path, bytes, Context());
  if (!record) return hasher.finish();
  hasher.add(record->scale.value_or(0)).add(record->offset.value_or(0));
  if (!record->place) return hasher.finish();
  const SamplePlace& place = *record->place;
  hasher.add(place.cell.x).add(place.cell.y).add(place.origin.x).add(place.origin.y);
  hasher.add(place.width).add(place.height);
  if (place.geo)
    hasher.add(place.geo->crs)
        .add(place.geo->origin.x)
        .add(place.geo->origin.y)
        .add(place.geo->step.x)
        .add(place.geo->step.y);
  return hasher.finish();
}

}  // namespace tepui
