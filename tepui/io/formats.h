#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/io/export_request.h"
#include "tepui/io/raster/encoding.h"
#include "tepui/terrain/terrain.h"

// The formats that land is written in, one row each in formats.cpp: exporting, help and error messages read the table.

namespace tepui {

/// What a file holds.
enum class Samples {
  floats,   ///< 32 bits (a GeoTIFF of classes alone: 8 or 16)
  fitted,   ///< whole numbers of 8 or 16 bits, as the layer needs
  sixteen,  ///< whole numbers of 16 bits
  mesh,     ///< the surface of `height`
};

/// One file to write: a request found sound, or a tile of one.
struct WriteJob {
  std::string path;
  const Terrain& terrain;
  const std::vector<Layer>& layers;
  Encoding encoding;  ///< of whole numbers
  const ExportRequest& request;
  const Context& context;
};

/// What the manifest tells of the file beside its place.
struct Written {
  int bits = 0;                                   ///< per sample
  std::optional<std::array<double, 3>> centre{};  ///< of a mesh
  int64_t clamped = 0;                            ///< cells outside the range
};

struct FileFormat {
  std::string name{};                  ///< "GeoTIFF"
  std::vector<std::string> endings{};  ///< in small letters, with the dot, the usual one first
  Samples samples = Samples::floats;
  bool many_layers = false;            ///< in one file; one otherwise
  bool keeps_voids = false;            ///< as nodata; written filled otherwise
  std::vector<std::string> options{};  ///< of OutputParams, those that apply
  std::string holds{};                 ///< in words, for help
  /// Throws where the format cannot have the land's frame.
  void (*check)(const std::string& path, const Frame& frame) = nullptr;
  Written (*write)(const WriteJob& job) = nullptr;

  bool takes(std::string_view option) const;
};

const std::vector<FileFormat>& export_formats();

/// The format of a name's ending; none where it is not known.
const FileFormat* find_format(const std::string& path);

/// Throws unless the file's format takes the option, with the endings of those that do.
void require_option(const std::string& path, std::string_view option);

}  // namespace tepui
