#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/vec.h"
#include "tepui/terrain/terrain.h"

// Samples in a file as they are stored: what every raster format gives to `read`, `info` and `convert`. A format opens
// its file, checks what the header claims before it allocates anything, and hands out rows.

namespace tepui {

/// One number per sample.
struct RasterBand {
  std::string name;                 ///< of the band, variable, array or channel; empty where it has none
  std::string type;                 ///< as GDAL calls them: "Byte", "Int16", "UInt16", "Int32", "Float32", "Float64"
  std::string unit;                 ///< of the heights, as the file says; empty where it does not
  double scale = 1, offset = 0;     ///< value = offset + scale * stored, in `unit`
  bool scaled = false;              ///< whether the file says the scale: whole numbers may mean anything otherwise
  std::optional<double> nodata;     ///< stored number that is no height; NaN and infinities never are
  std::optional<LayerKind> kind{};  ///< of a file that Tepui wrote
  int classes = 0;                  ///< of a category that Tepui wrote
};

/// Where the samples' centres lie in the file's reference system: (column, row) of the file is at
/// origin + (column * step.x, row * step.y). Steps may be negative; a north-up file has step.y < 0.
struct RasterPlace {
  std::string crs;  ///< WKT, or what GDAL takes for one ("EPSG:4326"); empty where unknown
  Vec2 origin;
  Vec2 step{1, -1};
  bool rotated = false;  ///< or sheared: then origin and step say nothing of use
};

/// What a file says of itself.
struct RasterInfo {
  std::string format;  ///< "GeoTIFF", "PNG", "NPY"
  int64_t width = 0, height = 0;
  std::vector<RasterBand> bands;       ///< at least one
  std::optional<RasterPlace> place{};  ///< none: the file does not say
  std::string registration{};          ///< "point" or "area"; empty where unknown
  std::vector<std::string> assumed{};  ///< what was taken for granted, each ready for a warning that names the file
};

/// What a caller knows that a file may not say.
struct RasterOptions {
  int64_t width = 0, height = 0;  ///< of raw samples; 0: what a header or the file's length says
  std::string type{};             ///< of raw samples, as RasterBand::type; empty: by the ending
  bool big_endian = false;        ///< raw samples
  std::string layer{};            ///< which variable, array or channel; empty: the only one, or the likeliest
  std::string encoding{};         ///< of a colour PNG: "terrarium", "mapbox"; empty: grey
};

/// An open file. Reading is from one thread at a time.
class Raster {
 public:
  virtual ~Raster() = default;
  const RasterInfo& info() const { return info_; }

  /// `rows` rows of a band (from 0) from row `first`, the file's first row first, as stored. valid[i] becomes 0 where
  /// the file masks a sample by other means than nodata or NaN, else 1. Throws where the file is damaged.
  virtual void read_rows(int band, int64_t first, int64_t rows, float* values, uint8_t* valid) = 0;
  virtual void read_rows(int band, int64_t first, int64_t rows, double* values, uint8_t* valid) = 0;

  /// Adds to what info() says was taken for granted.
  void assume(std::string what) { info_.assumed.push_back(std::move(what)); }

  /// Rows that are best read together.
  virtual int64_t block_rows() const { return 64; }

 protected:
  RasterInfo info_;
};

/// Throws unless samples of `bytes_per_sample` and this number fit into memory as floats, and a file of `file_bytes`
/// can hold them when it shrinks them at most `ratio` to 1 (1 for uncompressed samples).
void check_raster_claim(const std::string& path, int64_t width, int64_t height, int64_t bands, double bytes_per_sample,
                        double file_bytes, double ratio);

/// Whether every number of a type is also a float.
bool fits_float(const std::string& type);

/// The largest number of a type of unsigned samples; none for other types.
std::optional<double> largest_of(const std::string& type);

}  // namespace tepui
