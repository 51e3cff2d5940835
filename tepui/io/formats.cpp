#include "tepui/io/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tepui/core/error.h"
#include "tepui/core/image.h"
#include "tepui/geology/geology.h"
#include "tepui/io/mesh/mesh_output.h"
#include "tepui/io/mesh/obj.h"
#include "tepui/io/mesh/ply.h"
#include "tepui/io/mesh/stl.h"
#include "tepui/io/raster/asc_write.h"
#include "tepui/io/raster/exr.h"
#include "tepui/io/raster/geotiff.h"
#include "tepui/io/raster/npy.h"
#include "tepui/io/raster/png.h"
#include "tepui/io/raster/raster_formats.h"
#include "tepui/io/raster/raw_write.h"
#include "tepui/io/table/engine_points.h"
#include "tepui/io/table/geojson.h"
#include "tepui/io/table/geopackage.h"
#include "tepui/io/table/lines_csv.h"
#include "tepui/volume/volume.h"

namespace tepui {

namespace {

using Names = std::vector<std::string>;

Holding read_only(std::string_view kind) { return {.kind = kind, .read = true}; }
Holding write_only(std::string_view kind, Names options = {}) {
  return {.kind = kind, .written = true, .options = std::move(options)};
}
Holding both(std::string_view kind, Names options = {}) {
  return {.kind = kind, .read = true, .written = true, .options = std::move(options)};
}

Written to_tiff(const WriteJob& job) {
  return {.bits = write_geotiff(job.to, job.terrain, job.layers, job.request.options, job.context)};
}

template <class T>
int64_t write_encoded(const WriteJob& job) {
  const Grid<float>& grid = job.layers.front().grid();
  std::vector<T> row(static_cast<size_t>(grid.width()));
  int64_t clamped = 0;
  const auto encoded = [&](int64_t y) {
    clamped += encode_cells(grid.row(grid.height() - 1 - y), grid.width(), job.encoding, row.data());
    return static_cast<const void*>(row.data());
  };
  write_png(job.to, grid.width(), grid.height(), static_cast<int>(8 * sizeof(T)), encoded, job.request.text,
            job.context.stage("writing", 0, 1));
  return clamped;
}

Written to_png(const WriteJob& job) {
  const bool wide = job.encoding.bits() == 16;
  return {.bits = wide ? 16 : 8, .clamped = wide ? write_encoded<uint16_t>(job) : write_encoded<uint8_t>(job)};
}

Written to_r16(const WriteJob& job) {
  return {.bits = 16, .clamped = write_r16(job.to, job.terrain, job.layers.front(), job.encoding, job.context)};
}

Written to_npy(const WriteJob& job) { return {.bits = write_npy(job.to, job.terrain, job.layers, job.context)}; }

/// A format of floats that needs no more than the layers.
template <auto write>
Written to_floats(const WriteJob& job) {
  write(job.to, job.terrain, job.layers, job.context);
  return {.bits = 32};
}

using WriteMesh = decltype(FileFormat::write_mesh);

/// The writer of a format that holds neither textures nor options.
template <void (*write)(const FileTarget&, const MeshSource&, const Context&)>
void write_plain_mesh(const FileTarget& to, const MeshSource& source, const MeshTextures&, const Context& context,
                      const GlbOptions&) {
  write(to, source, context);
}

/// Land as a mesh.
template <WriteMesh write>
Written to_mesh(const WriteJob& job) {
  const ExportRequest& request = job.request;
  const OutputParams& options = request.options;
  std::optional<StoredMesh> simple;
  std::optional<LandMesh> all;
  const MeshSource& source = request.surface != nullptr
                                 ? static_cast<const MeshSource&>(simple.emplace(*request.surface))
                                 : static_cast<const MeshSource&>(all.emplace(job.terrain));
  write(job.to, source, request.textures, job.context,
        {.quantise = options.quantise,
         .meshopt = options.meshopt,
         .step = request.step,
         .name_suffix = request.name_suffix,
         .scene = request.scene,
         .water = request.water,
         .standing = request.standing,
         .coarser = request.coarser,
         .within = job.terrain.frame()});
  const Vec3 centre = source.facts().centre;
  return {.centre = std::array<double, 3>{centre.x, centre.y, centre.z}};
}

void write_lines_glb(const FileTarget& to, const Lines& lines, const OutputParams& options, const Context& context) {
  write_glb(to, lines, context, {.meshopt = options.meshopt, .models_alone = options.engine != Engine::none});
}

void write_points(const FileTarget& to, const Lines& lines, const OutputParams& options, const Context& context) {
  if (options.engine == Engine::none)
    write_lines_csv(to, lines, context);
  else
    write_engine_points(to, lines, options.engine, context);
}

template <void (*write)(const FileTarget&, const Lines&, const Context&)>
void write_plain_lines(const FileTarget& to, const Lines& lines, const OutputParams&, const Context& context) {
  write(to, lines, context);
}

template <WriteMesh write>
FileFormat mesh(const char* name, const char* ending, bool y_up, decltype(FileFormat::parse_mesh) parse,
                decltype(FileFormat::check) check, const char* holds, const Names& options = {},
                const Names& looks = {}) {
  Names of_land = options, of_mesh = options;
  of_land.insert(of_land.begin(), "error");
  if (!options.empty()) {
    of_land.insert(of_land.begin(), {"tiles", "lods", "collision", "scene", "water"});
    of_land.insert(of_land.begin(), skin_fields().begin(), skin_fields().end());
  }
  if (!options.empty()) of_mesh.insert(of_mesh.begin(), {"error", "lods", "collision"});
  if (!looks.empty()) of_mesh.insert(of_mesh.end(), skin_fields().begin(), skin_fields().end());
  of_mesh.insert(of_mesh.end(), looks.begin(), looks.end());
  of_mesh.insert(of_mesh.begin(), "tiles");
  Names of_volume = of_mesh;
  of_volume.emplace_back("cell");
  return {.name = name,
          .endings = {ending},
          .kinds = {write_only(Terrain::kind_name, of_land), both(Mesh::kind_name, of_mesh),
                    write_only(Volume::kind_name, of_volume)},
          .holds = holds,
          .samples = Samples::mesh,
          .check = check,
          .write = to_mesh<write>,
          .y_up = y_up,
          .parse_mesh = parse,
          .write_mesh = write};
}

/// A format of land that is only read.
FileFormat source(const char* name, Names endings, PlaceInFile place, decltype(FileFormat::open) open,
                  const char* holds) {
  return {.name = name,
          .endings = std::move(endings),
          .kinds = {read_only(Terrain::kind_name)},
          .place = place,
          .holds = holds,
          .open = open};
}

const Names grid_of_volume{"cell", "sample", "low", "high"}, grid_of_rock{"cell", "low", "high"};

std::vector<FileFormat> rasters() {
  constexpr std::string_view land = Terrain::kind_name;
  using Samples::fitted, Samples::sixteen;
  return {
      {.name = "GeoTIFF",
       .endings = {".tif", ".tiff"},
       .kinds = {both(land, {"tiles", "cog", "compression"})},
       .place = PlaceInFile::kept,
       .holds = "float32 metres, the reference system, nodata; several layers as bands",
       .many_layers = true,
       .keeps_voids = true,
       .open = open_gdal,
       .check = check_geotiff,
       .write = to_tiff},
      {.name = "PNG",
       .endings = {".png"},
       .kinds = {both(land, {"range", "tiles"}), write_only(Image::kind_name)},
       .holds = "heights in 16 bits, classes and masks in 8",
       .samples = fitted,
       .open = open_png,
       .write = to_png},
      {.name = "WebP", .endings = {".webp"}, .kinds = {write_only(Image::kind_name)}, .holds = "a picture"},
      {.name = "R16",
       .endings = {".r16", ".raw"},
       .kinds = {both(land, {"range", "tiles"})},
       .place = PlaceInFile::kept,
       .holds = "16-bit samples for game engines, with an ENVI header file",
       .samples = sixteen,
       .open = open_raw,
       .write = to_r16},
      {.name = "R32",
       .endings = {".r32"},
       .kinds = {both(land, {"tiles"})},
       .place = PlaceInFile::kept,
       .holds = "float32 samples in metres, with an ENVI header file",
       .keeps_voids = true,
       .open = open_raw,
       .write = to_floats<write_r32>},
      {.name = "EXR",
       .endings = {".exr"},
       .kinds = {both(land, {"tiles"})},
       .place = PlaceInFile::kept,
       .holds = "float32 metres as one grey channel; several layers as channels by name",
       .many_layers = true,
       .keeps_voids = true,
       .open = open_exr,
       .check = [](const std::string& path, const Frame& frame) { check_exr(path, frame, 1); },
       .write = to_floats<write_exr>},
      {.name = "NPY",
       .endings = {".npy"},
       .kinds = {both(land, {"tiles"}), write_only(Geology::kind_name, grid_of_rock),
                 write_only(Volume::kind_name, grid_of_volume)},
       .holds = "a NumPy array (rows, columns), north first; several layers as (layer, row, column)",
       .many_layers = true,
       .keeps_voids = true,
       .open = open_npy,
       .write = to_npy,
       .write_grid = write_npy_volume},
      {.name = "VTI",
       .endings = {".vti"},
       .kinds = {write_only(Geology::kind_name, grid_of_rock), write_only(Volume::kind_name, grid_of_volume)},
       .holds = "values on a 3D grid, for ParaView",
       .write_grid = write_vti},
      {.name = "ASCII grid",
       .endings = {".asc"},
       .kinds = {both(land, {"tiles"})},
       .place = PlaceInFile::kept,
       .holds = "Esri ASCII grid in metres, with a .prj file if the reference system is known",
       .keeps_voids = true,
       .open = open_asc,
       .check = check_asc,
       .write = to_floats<write_asc>},
      source("SRTM", {".hgt", ".hgt.zip"}, PlaceInFile::kept, open_hgt,
             "heights of one square degree, named by its file name"),
      source("netCDF", {".nc", ".nc4", ".cdf"}, PlaceInFile::kept, open_netcdf, "one gridded variable"),
      source("NPZ", {".npz"}, PlaceInFile::kept, open_npy, "several NumPy arrays"),
      source("labelled samples", {".bil", ".bip", ".bsq", ".img", ".dat", ".flt"}, PlaceInFile::kept, open_raw,
             "samples described by an ENVI or Esri header file"),
  };
}

}  // namespace

const std::vector<FileFormat>& file_formats() {
  static const std::vector<FileFormat> formats = [] {
    std::vector<FileFormat> all = rasters();
    all.push_back(mesh<write_glb>("GLB", ".glb", true, parse_glb, check_glb,
                                  "a mesh with normals, colours, detail and shade, in metres, Y up, centred",
                                  {"quantise", "meshopt"}, {"paint", "texture"}));
    all.back().kinds.push_back(write_only(Lines::kind_name, {"for", "meshopt"}));
    all.back().write_lines = write_lines_glb;
    all.push_back(mesh<write_plain_mesh<write_obj>>("OBJ", ".obj", true, parse_obj, check_land_mesh,
                                                    "a mesh as text, in metres, Y up, centred"));
    all.push_back(mesh<write_plain_mesh<write_ply>>("PLY", ".ply", false, parse_ply, check_land_mesh,
                                                    "a mesh with normals and colours, in metres, z up, centred", {},
                                                    {"paint"}));
    all.push_back(mesh<write_plain_mesh<write_stl>>("STL", ".stl", false, parse_stl, check_stl,
                                                    "bare triangles, in metres, z up, centred"));
    all.push_back({.name = "CSV",
                   .endings = {".csv"},
                   .kinds = {write_only(Lines::kind_name, {"for"})},
                   .holds = "a table of points",
                   .write_lines = write_points});
    all.push_back({.name = "GeoJSON",
                   .endings = {".geojson"},
                   .kinds = {both(Lines::kind_name)},
                   .place = PlaceInFile::needed,
                   .holds = "lines, points and polygons in longitude and latitude",
                   .write_lines = write_plain_lines<write_lines_geojson>});
    all.push_back({.name = "GeoPackage",
                   .endings = {".gpkg"},
                   .kinds = {both(Lines::kind_name)},
                   .place = PlaceInFile::kept,
                   .holds = "lines, points and polygons in their own reference system",
                   .write_lines = write_plain_lines<write_lines_gpkg>});
    return all;
  }();
  return formats;
}

const Holding* FileFormat::holding(std::string_view kind) const {
  const auto found = std::ranges::find(kinds, kind, &Holding::kind);
  return found != kinds.end() ? &*found : nullptr;
}

bool FileFormat::reads(std::string_view kind) const {
  const Holding* found = holding(kind);
  return found != nullptr && found->read;
}

bool FileFormat::writes(std::string_view kind) const {
  const Holding* found = holding(kind);
  return found != nullptr && found->written;
}

bool FileFormat::has_ending(const std::string& ending) const {
  return std::ranges::find(endings, ending) != endings.end();
}

const FileFormat* reading_format(const std::string& path, std::string_view kind) {
  const std::string ending = file_ending(path);
  for (const FileFormat& format : file_formats())
    if (format.reads(kind) && format.has_ending(ending)) return &format;
  return nullptr;
}

const FileFormat* writing_format(const std::string& path, std::string_view kind) {
  const std::string ending = file_ending(path);
  for (const FileFormat& format : file_formats())
    if (format.writes(kind) && format.has_ending(ending)) return &format;
  return nullptr;
}

std::vector<std::string> reading_endings(std::string_view kind) {
  Names endings;
  for (const FileFormat& format : file_formats())
    if (format.reads(kind)) endings.insert(endings.end(), format.endings.begin(), format.endings.end());
  return endings;
}

std::vector<std::string> writing_endings(std::string_view kind) {
  Names endings;
  for (const FileFormat& format : file_formats())
    if (format.writes(kind)) endings.insert(endings.end(), format.endings.begin(), format.endings.end());
  return endings;
}

void require_option(std::string_view kind, const std::string& path, std::string_view option) {
  const auto takes = [&](const FileFormat& format) {
    return format.writes(kind) &&
           std::ranges::find(format.holding(kind)->options, option) != format.holding(kind)->options.end();
  };
  const FileFormat* format = writing_format(path, kind);
  if (format != nullptr && takes(*format)) return;
  Names others;
  for (const FileFormat& other : file_formats())
    if (takes(other)) others.push_back(other.endings.front());
  refuse(fmt::format("'{}' does not apply to '{}'", option, file_name(path)),
         others.empty() ? "leave it out" : fmt::format("it applies to {}", fmt::join(others, ", ")));
}

void check_options(std::string_view kind, const std::string& path, const OutputParams& options) {
  const OutputParams usual;
  if (options.range) require_option(kind, path, "range");
  if (options.is_tiled()) require_option(kind, path, "tiles");
  if (options.cog) require_option(kind, path, "cog");
  if (options.compression != usual.compression) require_option(kind, path, "compression");
  if (options.error) require_option(kind, path, "error");
  if (options.lods != usual.lods) require_option(kind, path, "lods");
  if (options.collision) require_option(kind, path, "collision");
  if (options.scene) require_option(kind, path, "scene");
  if (!options.water) require_option(kind, path, "water");
  if (options.quantise) require_option(kind, path, "quantise");
  if (options.meshopt) require_option(kind, path, "meshopt");
  if (options.engine != usual.engine) require_option(kind, path, "for");
}

}  // namespace tepui
