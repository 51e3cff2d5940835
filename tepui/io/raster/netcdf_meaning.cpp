#include "tepui/io/raster/netcdf_meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tepui {

namespace {

std::optional<double> first_number(const NcVariable& variable, const char* name) {
  const std::vector<double>& numbers = variable.numbers(name);
  return numbers.empty() ? std::nullopt : std::optional(numbers.front());
}

const std::string& type_of(const NcVariable& variable, const char* name) {
  static const std::string none;
  const auto found = variable.attributes.find(name);
  return found != variable.attributes.end() ? found->second.type : none;
}

struct Whole {
  const char *plain, *unsigned_name;
  double count, fill;  ///< of numbers there are; what was never written, 0: every number may be a value
};
/// Bytes are too few to give one up.
constexpr Whole wholes[] = {{"Int8", "Byte", 256, 0},
                            {"Int16", "UInt16", 65536, -32767},
                            {"Int32", "UInt32", 4294967296.0, -2147483647},
                            {"Int64", "UInt64", 18446744073709551616.0, -9223372036854775806.0}};

/// What netCDF writes where nobody did.
std::optional<double> default_fill(const std::string& type) {
  if (type.starts_with("Float")) return 9.9692099683868690e+36;
  for (const Whole& whole : wholes) {
    if (whole.fill == 0) continue;
    if (type == whole.plain) return whole.fill;
    if (type == whole.unsigned_name) return type == "UInt64" ? whole.count - 2 : whole.count - 1;
  }
  return std::nullopt;
}

void take_sign(const NcVariable& variable, NcMeaning& meaning) {
  meaning.type = variable.type;
  const std::string sign = variable.text("_Unsigned");
  for (const Whole& whole : wholes) {
    if (sign == "true" && variable.type == whole.plain) {
      meaning.type = whole.unsigned_name;
      meaning.wrap = whole.count;
    } else if (sign == "false" && variable.type == whole.unsigned_name) {
      meaning.type = whole.plain;
      meaning.wrap = -whole.count;
      meaning.top = whole.count / 2 - 1;
    }
  }
}

/// Whether an attribute's numbers are values and not stored numbers: of packed whole numbers, where they have the type
/// of the scale.
bool is_unpacked(const NcVariable& variable, const NcMeaning& meaning, const char* name) {
  return meaning.scaled && !variable.type.starts_with("Float") && type_of(variable, name).starts_with("Float");
}

void take_limits(const NcVariable& variable, NcMeaning& meaning) {
  const auto limit = [&](const char* name, double value, bool upper) {
    if (std::isnan(value)) return;
    if (is_unpacked(variable, meaning, name)) {
      const double stored = (value - meaning.offset) / meaning.scale;
      if (std::isnan(stored)) return;
      // The scale is seldom exact: a limit counts as met.
      const double slack = 1e-6 * std::max(1.0, std::abs(stored));
      if (meaning.scale < 0) upper = !upper;
      value = upper ? stored + slack : stored - slack;
    } else if (type_of(variable, name) == variable.type) {
      value = meaning.wrapped(value);
    }
    (upper ? meaning.high : meaning.low) = value;
  };
  if (const std::vector<double>& range = variable.numbers("valid_range"); range.size() == 2) {
    limit("valid_range", range[0], false);
    limit("valid_range", range[1], true);
  }
  if (const auto low = first_number(variable, "valid_min")) limit("valid_min", *low, false);
  if (const auto high = first_number(variable, "valid_max")) limit("valid_max", *high, true);
}

}  // namespace

bool NcMeaning::is_value(double stored, size_t from) const {
  for (size_t i = from; i < missing.size(); ++i)
    if (missing[i] == stored) return false;
  return stored >= low && stored <= high;
}

NcMeaning meaning_of(const NcVariable& variable) {
  NcMeaning meaning;
  take_sign(variable, meaning);
  const auto scale = first_number(variable, "scale_factor"), offset = first_number(variable, "add_offset");
  meaning.scaled = scale || offset;
  meaning.scale = scale.value_or(1);
  meaning.offset = offset.value_or(0);
  if (const auto fill = first_number(variable, "_FillValue")) meaning.missing.push_back(meaning.wrapped(*fill));
  for (const double number : variable.numbers("missing_value")) meaning.missing.push_back(meaning.wrapped(number));
  if (variable.numbers("_FillValue").empty())
    if (const auto fill = default_fill(variable.type)) meaning.missing.push_back(meaning.wrapped(*fill));
  take_limits(variable, meaning);
  // A float's numbers were rounded to it, the attribute's perhaps not.
  if (variable.type == "Float32")
    for (double& number : meaning.missing)
      if (std::abs(number) <= std::numeric_limits<float>::max())
        number = static_cast<double>(static_cast<float>(number));
  return meaning;
}

std::optional<double> coordinate_metres(const std::string& unit) {
  static const std::vector<std::pair<std::string, double>> known = {{"", 1},
                                                                    {"m", 1},
                                                                    {"metre", 1},
                                                                    {"metres", 1},
                                                                    {"meter", 1},
                                                                    {"meters", 1},
                                                                    {"km", 1000},
                                                                    {"kilometre", 1000},
                                                                    {"kilometres", 1000},
                                                                    {"kilometer", 1000},
                                                                    {"kilometers", 1000},
                                                                    {"ft", 0.3048},
                                                                    {"foot", 0.3048},
                                                                    {"feet", 0.3048},
                                                                    {"us_survey_foot", 1200.0 / 3937.0},
                                                                    {"us_survey_feet", 1200.0 / 3937.0}};
  const auto found = std::ranges::find(known, unit, [](const auto& entry) { return entry.first; });
  return found != known.end() ? std::optional(found->second) : std::nullopt;
}

namespace {

/// A PROJ string in the making.
class ProjText {
 public:
  ProjText(const NcVariable& mapping, double metres, const char* projection)
      : mapping_(mapping), metres_(metres), text_(fmt::format("+proj={}", projection)) {}

  ProjText& add(const char* name, const char* proj) {
    if (const auto value = first_number(mapping_, name)) text_ += fmt::format(" +{}={}", proj, *value);
    return *this;
  }
  ProjText& add_parallels() {
    const std::vector<double>& parallels = mapping_.numbers("standard_parallel");
    for (size_t i = 0; i < std::min<size_t>(parallels.size(), 2); ++i)
      text_ += fmt::format(" +lat_{}={}", i + 1, parallels[i]);
    return *this;
  }
  ProjText& add_false_origin() {
    for (const auto& [name, proj] : {std::pair{"false_easting", "x_0"}, {"false_northing", "y_0"}})
      if (const auto value = first_number(mapping_, name)) text_ += fmt::format(" +{}={}", proj, *value * metres_);
    return *this;
  }
  /// The globe's shape, WGS 84 where nothing is said.
  std::string finish() {
    const auto radius = first_number(mapping_, "earth_radius"), a = first_number(mapping_, "semi_major_axis");
    const auto b = first_number(mapping_, "semi_minor_axis"), rf = first_number(mapping_, "inverse_flattening");
    const bool wgs84 = a == 6378137.0 && ((rf && std::abs(*rf - 298.257223563) < 1e-6) ||
                                          (!rf && b && std::abs(*b - 6356752.314245) < 1e-3));
    if ((!radius && !a) || wgs84)
      text_ += " +datum=WGS84";
    else if (radius || (!b && (!rf || *rf == 0)))
      text_ += fmt::format(" +R={}", radius ? *radius : *a);
    else
      text_ += rf && *rf != 0 ? fmt::format(" +a={} +rf={}", *a, *rf) : fmt::format(" +a={} +b={}", *a, *b);
    add("longitude_of_prime_meridian", "pm");
    return text_ + (text_.starts_with("+proj=longlat") ? "" : " +units=m") + " +no_defs +type=crs";
  }

 private:
  const NcVariable& mapping_;
  double metres_;
  std::string text_;
};

}  // namespace

std::string crs_of_mapping(const NcVariable& mapping, double metres) {
  for (const char* key : {"crs_wkt", "spatial_ref"})
    if (std::string wkt = mapping.plain_text(key); !wkt.empty()) return wkt;
  const std::string name = mapping.text("grid_mapping_name");
  const auto begin = [&](const char* projection) { return ProjText(mapping, metres, projection); };
  constexpr const char *meridian = "longitude_of_central_meridian", *longitude = "longitude_of_projection_origin",
                       *latitude = "latitude_of_projection_origin", *k0 = "scale_factor_at_projection_origin";
  if (name == "latitude_longitude") return begin("longlat").finish();
  if (name == "transverse_mercator")
    return begin("tmerc")
        .add(latitude, "lat_0")
        .add(meridian, "lon_0")
        .add("scale_factor_at_central_meridian", "k")
        .add_false_origin()
        .finish();
  if (name == "lambert_conformal_conic" || name == "albers_conical_equal_area")
    return begin(name.front() == 'l' ? "lcc" : "aea")
        .add_parallels()
        .add(latitude, "lat_0")
        .add(meridian, "lon_0")
        .add_false_origin()
        .finish();
  if (name == "mercator")
    return begin("merc")
        .add("standard_parallel", "lat_ts")
        .add(k0, "k")
        .add(longitude, "lon_0")
        .add_false_origin()
        .finish();
  if (name == "polar_stereographic")
    return begin("stere")
        .add(latitude, "lat_0")
        .add("standard_parallel", "lat_ts")
        .add(k0, "k")
        .add("straight_vertical_longitude_from_pole", "lon_0")
        .add(longitude, "lon_0")
        .add_false_origin()
        .finish();
  for (const auto& [known, projection] : {std::pair{"lambert_azimuthal_equal_area", "laea"},
                                          {"azimuthal_equidistant", "aeqd"},
                                          {"stereographic", "stere"},
                                          {"orthographic", "ortho"},
                                          {"sinusoidal", "sinu"}})
    if (name == known)
      return begin(projection).add(latitude, "lat_0").add(longitude, "lon_0").add(k0, "k").add_false_origin().finish();
  return "";
}

}  // namespace tepui
