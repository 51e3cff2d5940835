#pragma once  // internal

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tepui/io/raster/netcdf_file.h"

// What a netCDF variable's attributes make of its numbers: the NetCDF User's Guide, appendix "Attribute Conventions",
// and the CF conventions, chapters 2.5, 8.1 and appendix F.

namespace tepui {

struct NcMeaning {
  std::string type;  ///< of the numbers after the wrap, as RasterBand::type
  /// Added to numbers below 0 (`_Unsigned`), or taken from those above `top` where it is negative.
  double wrap = 0, top = 0;
  double scale = 1, offset = 0;  ///< value = offset + scale * stored
  bool scaled = false;
  std::vector<double> missing;  ///< stored numbers that are no values, after the wrap; the one to name first
  double low = -std::numeric_limits<double>::infinity(), high = -low;  ///< stored numbers beyond are no values either

  double wrapped(double stored) const {
    if (wrap > 0) return stored < 0 ? stored + wrap : stored;
    return wrap < 0 && stored > top ? stored + wrap : stored;
  }
  /// Whether a stored number is within the limits and none of `missing` from the one of this number on.
  bool is_value(double stored, size_t from) const;
};

NcMeaning meaning_of(const NcVariable& variable);

/// Metres per unit of a coordinate; nothing where it is not a length. No unit is one metre.
std::optional<double> coordinate_metres(const std::string& unit);

/// The reference system that a grid mapping names, as parse_crs takes it: its WKT, else a PROJ string from its
/// parameters, whose lengths are in `metres`. Empty where Tepui knows no such mapping.
std::string crs_of_mapping(const NcVariable& mapping, double metres);

}  // namespace tepui
