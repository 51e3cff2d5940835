#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/io/export_request.h"
#include "tepui/io/mesh/glb.h"
#include "tepui/io/raster/encoding.h"
#include "tepui/io/raster/raster.h"
#include "tepui/io/raster/vti.h"
#include "tepui/mesh/mesh.h"
#include "tepui/mesh/source.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

// The one table of file formats, a row each in formats.cpp. Reading, writing, help and messages go by it, whatever
// kind of value a file holds.

namespace tepui {

/// What a format does with one kind of value.
struct Holding {
  std::string_view kind;  ///< for example Terrain::kind_name
  bool read = false, written = false;
  std::vector<std::string> options{};  ///< those of OutputParams that apply when it is written
};

/// What a file says of its place on Earth.
enum class PlaceInFile {
  none,    ///< nothing; a manifest beside it does
  kept,    ///< the reference system and the position, where they are known
  needed,  ///< its coordinates are degrees on Earth; what lies nowhere is written in metres, with a warning
};

/// The numbers in a file of land.
enum class Samples {
  floats,   ///< 32 bits (a GeoTIFF of classes alone: 8 or 16)
  fitted,   ///< whole numbers of 8 or 16 bits, as the layer needs
  sixteen,  ///< whole numbers of 16 bits
  mesh,     ///< the surface of `height`
};

/// One file of land to write: a request found sound, or a tile of one.
struct WriteJob {
  FileTarget to;
  const Terrain& terrain;
  const std::vector<Layer>& layers;
  Encoding encoding;  ///< of whole numbers
  const ExportRequest& request;
  const Context& context;
};

/// What the manifest says of a file of land beside its place.
struct Written {
  int bits = 0;                                   ///< per sample
  std::optional<std::array<double, 3>> centre{};  ///< of a mesh
  int64_t clamped = 0;                            ///< cells outside the range
};

struct FileFormat {
  std::string name{};                  ///< "GeoTIFF"
  std::vector<std::string> endings{};  ///< in small letters, with the dot, the usual one first
  std::vector<Holding> kinds{};
  PlaceInFile place = PlaceInFile::none;
  std::string holds{};  ///< in words, for help

  // Land.
  Samples samples = Samples::floats;
  bool many_layers = false;  ///< in one file; one otherwise
  bool keeps_voids = false;  ///< as nodata; written filled otherwise
  std::unique_ptr<Raster> (*open)(const std::string& path, const RasterOptions& options) = nullptr;
  /// Throws where the format cannot have the land's frame.
  void (*check)(const std::string& path, const Frame& frame) = nullptr;
  Written (*write)(const WriteJob& job) = nullptr;

  // Meshes.
  bool y_up = false;
  Mesh (*parse_mesh)(std::string_view bytes, const std::string& path, const Context& context) = nullptr;
  /// Only a GLB takes the textures and options.
  void (*write_mesh)(const FileTarget& to, const MeshSource& source, const MeshTextures& textures,
                     const Context& context, const GlbOptions& options) = nullptr;

  // Lines.
  void (*write_lines)(const FileTarget& to, const Lines& lines, const OutputParams& options,
                      const Context& context) = nullptr;

  // Numbers on a grid in space.
  void (*write_grid)(const FileTarget& to, const VolumeSamples& samples, const Context& context) = nullptr;

  /// What it does with this kind of value; none where it does not hold it.
  const Holding* holding(std::string_view kind) const;
  bool reads(std::string_view kind) const;
  bool writes(std::string_view kind) const;
  bool has_ending(const std::string& ending) const;
};

const std::vector<FileFormat>& file_formats();

/// The format of the name's ending that reads, or writes, this kind of value; none where there is none.
const FileFormat* reading_format(const std::string& path, std::string_view kind);
const FileFormat* writing_format(const std::string& path, std::string_view kind);

/// The endings of files that this kind of value is read from, or written to.
std::vector<std::string> reading_endings(std::string_view kind);
std::vector<std::string> writing_endings(std::string_view kind);

/// Refuses an option that a file of this kind of value does not take, with the endings of those that do.
void require_option(std::string_view kind, const std::string& path, std::string_view option);

/// Refuses options other than their defaults that the file does not take.
void check_options(std::string_view kind, const std::string& path, const OutputParams& options);

}  // namespace tepui
