#include "tepui/io/formats.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/mesh/mesh_file.h"
#include "tepui/io/raster/asc_write.h"
#include "tepui/io/raster/exr.h"
#include "tepui/io/raster/geotiff.h"
#include "tepui/io/raster/npy.h"
#include "tepui/io/raster/png.h"
#include "tepui/io/raster/raw_write.h"

namespace tepui {

namespace {

Written to_tiff(const WriteJob& job) {
  return {.bits = write_geotiff(job.path, job.terrain, job.layers, job.request.options, job.context)};
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
  write_png(job.path, grid.width(), grid.height(), static_cast<int>(8 * sizeof(T)), encoded, job.request.text,
            job.context.stage("writing", 0, 1));
  return clamped;
}

Written to_png(const WriteJob& job) {
  const bool wide = job.encoding.bits() == 16;
  return {.bits = wide ? 16 : 8, .clamped = wide ? write_encoded<uint16_t>(job) : write_encoded<uint8_t>(job)};
}

Written to_r16(const WriteJob& job) {
  return {.bits = 16, .clamped = write_r16(job.path, job.terrain, job.layers.front(), job.encoding, job.context)};
}

Written to_npy(const WriteJob& job) { return {.bits = write_npy(job.path, job.terrain, job.layers, job.context)}; }

Written to_mesh(const WriteJob& job) {
  return {.centre =
              write_mesh(job.path, job.terrain, job.request.textures, job.context, glb_options(job.request.options))};
}

FileFormat mesh(const char* name, const char* ending, const char* holds, std::vector<std::string> options = {}) {
  return {.name = name,
          .endings = {ending},
          .samples = Samples::mesh,
          .options = std::move(options),
          .holds = holds,
          .check = check_mesh_export,
          .write = to_mesh};
}

/// A format of floats that needs no more than the layers.
template <auto write>
Written to_floats(const WriteJob& job) {
  write(job.path, job.terrain, job.layers, job.context);
  return {.bits = 32};
}

}  // namespace

const std::vector<FileFormat>& export_formats() {
  using Samples::fitted, Samples::sixteen;
  static const std::vector<FileFormat> formats = {
      {.name = "GeoTIFF",
       .endings = {".tif", ".tiff"},
       .many_layers = true,
       .keeps_voids = true,
       .options = {"tiles", "cog", "compression"},
       .holds = "float32 metres, the reference system, nodata; several layers as bands",
       .check = check_geotiff,
       .write = to_tiff},
      {.name = "PNG",
       .endings = {".png"},
       .samples = fitted,
       .options = {"range", "tiles"},
       .holds = "heights in 16 bits, classes and masks in 8",
       .write = to_png},
      {.name = "R16",
       .endings = {".r16", ".raw"},
       .samples = sixteen,
       .options = {"range", "tiles"},
       .holds = "16-bit samples for game engines, with an ENVI header beside",
       .write = to_r16},
      {.name = "R32",
       .endings = {".r32"},
       .keeps_voids = true,
       .options = {"tiles"},
       .holds = "float32 samples in metres, with an ENVI header beside",
       .write = to_floats<write_r32>},
      {.name = "EXR",
       .endings = {".exr"},
       .many_layers = true,
       .keeps_voids = true,
       .options = {"tiles"},
       .holds = "float32 metres as one grey channel; several layers as channels by name",
       .check = [](const std::string& path, const Frame& frame) { check_exr(path, frame, 1); },
       .write = to_floats<write_exr>},
      {.name = "NPY",
       .endings = {".npy"},
       .many_layers = true,
       .keeps_voids = true,
       .options = {"tiles"},
       .holds = "a NumPy array (rows, columns), north first; several layers as (layer, row, column)",
       .write = to_npy},
      {.name = "ASCII grid",
       .endings = {".asc"},
       .keeps_voids = true,
       .options = {"tiles"},
       .holds = "Esri's text, in metres, with a .prj beside where the system is known",
       .check = check_asc,
       .write = to_floats<write_asc>},
      mesh("GLB", ".glb", "a mesh with normals, colours, detail and shade, in metres, Y up, centred",
           {"palette", "quantise", "meshopt"}),
      mesh("OBJ", ".obj", "a mesh as text, in metres, Y up, centred"),
      mesh("PLY", ".ply", "a mesh with normals, in metres, z up, centred"),
      mesh("STL", ".stl", "bare triangles, in metres, z up, centred"),
  };
  return formats;
}

bool FileFormat::takes(std::string_view option) const { return std::ranges::find(options, option) != options.end(); }

const FileFormat* find_format(const std::string& path) {
  const std::string ending = file_ending(path);
  for (const FileFormat& format : export_formats())
    if (std::ranges::find(format.endings, ending) != format.endings.end()) return &format;
  return nullptr;
}

void require_option(const std::string& path, std::string_view option) {
  const FileFormat* format = find_format(path);
  if (format != nullptr && format->takes(option)) return;
  std::vector<std::string> others;
  for (const FileFormat& other : export_formats())
    if (other.takes(option)) others.push_back(other.endings.front());
  refuse(format != nullptr ? fmt::format("'{}' is not for {}, which '{}' is", option, format->name, file_name(path))
                           : fmt::format("'{}' is not for '{}'", option, file_name(path)),
         fmt::format("it is for {}", fmt::join(others, ", ")));
}

}  // namespace tepui
