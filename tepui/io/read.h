#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/io/raster/raster.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// How a file's rows and columns lie, where it does not say. Turns are of the picture as a viewer shows it.
enum class Orientation {
  as_stored,   ///< the first row is the northern edge, from west to east
  turn_left,   ///< a quarter against the clock brings north to the top
  turn_right,  ///< a quarter with the clock does
  turn_round,  ///< half a turn does
  flip_rows,   ///< the first row is the southern edge
  flip_columns,
  transpose,       ///< the first row is the western edge, from north to south
  transpose_round  ///< the first row is the eastern edge, from south to north
};
enum class HeightUnit { as_stored, m, dm, cm, mm, km, ft, us_ft };
enum class SampleType { as_stored, uint8, int16, uint16, int32, uint32, float32, float64 };
enum class ByteOrder { little, big };
enum class PngEncoding { grey, terrarium, mapbox };

/// Land from a file: every format of open_raster. Samples are points at the pixels' centres (see place_land.h for
/// where they lie), z = offset + scale * what the file says in metres.
///
/// What a file does not say comes from the parameters, else from a manifest of Tepui's that lists it, else it is
/// assumed, with a warning.
///
/// Cells that are nodata, masked, NaN or infinite become 1 in a mask layer `void` (present only where there are any)
/// and are filled smoothly. The relief spans the other cells; flat land gets a relief of 1 m. A file that Tepui wrote
/// gives its layers back.
struct ReadParams {
  FilePath file;
  std::optional<std::string> layer{};  ///< the name of a band, variable, array or channel
  std::optional<int> band{};           ///< its number from 1; not given: the layers Tepui wrote, or the first
  PngEncoding encoding = PngEncoding::grey;
  std::optional<Vec2> size{};  ///< samples of a raw file
  SampleType type = SampleType::as_stored;
  ByteOrder order = ByteOrder::little;
  Orientation orientation = Orientation::as_stored;
  // Where these are not given, what the file says holds.
  std::optional<Length> cell{};      ///< metres
  std::optional<std::string> crs{};  ///< reference system of the file's coordinates
  /// Heights of the smallest and largest number samples can hold, of floats: of 0 and 1.
  std::optional<Interval> range{};
  HeightUnit unit = HeightUnit::as_stored;
  std::optional<double> scale{};  ///< metres per metre or stored unit
  double offset = 0;
  std::optional<std::string> nodata{};  ///< stored number that is no height; "none": every number is one
  bool smooth = false;                  ///< takes the steps out of heights in whole numbers
};
void describe(Fields<ReadParams>&);

Terrain read(const ReadParams& params, const Context& context);

/// What `read` passes to open_raster.
RasterOptions raster_options(const ReadParams& params);

/// All files that `read` looks at for this one and that exist: itself, its sidecars.
std::vector<std::string> read_files(const std::string& path);

/// Of all that `read` looks at for this file: its bytes, its sidecars', and what a manifest says of it.
Hash read_key(const std::string& path);

}  // namespace tepui
