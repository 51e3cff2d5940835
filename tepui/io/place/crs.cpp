#include "tepui/io/place/crs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/file.h"
#include "tepui/core/math.h"
#include "tepui/core/text.h"
#include "tepui/io/place/gdal_session.h"

namespace tepui {

namespace {

/// EPSG's longest WKT is a tenth of it.
constexpr size_t longest_text = 64 * 1024;

/// Of a text that may hold anything, what fits into a message.
std::string quoted(const std::string& text) {
  std::string result;
  for (const char c : text.substr(0, 60)) result += static_cast<unsigned char>(c) < 32 || c == 127 ? ' ' : c;
  return fmt::format("'{}{}'", result, text.size() > 60 ? "..." : "");
}

/// Whether GDAL or PROJ would open a file for this text: they do so while they parse it, whatever they are told.
bool names_a_file(const std::string& text) {
  const std::string lower = lower_case(text);
  // JSON can write any of the words below in escapes.
  const size_t start = lower.find_first_not_of(" \t\r\n");
  if (start != std::string::npos && lower[start] == '{') return true;
  for (const char* word : {"init=", "file=", "parameterfile", "dict:", "model="})
    if (lower.find(word) != std::string::npos) return true;
  for (size_t at = 0; (at = lower.find("grids=", at)) != std::string::npos; at += 6)
    if (lower.compare(at + 6, 5, "@null") != 0) return true;
  return false;
}

void only_horizontal(OGRSpatialReference& crs) {
  if (crs.IsCompound()) crs.StripVertical();
  if (crs.GetAxesCount() == 3) crs.DemoteTo2D(nullptr);
}

/// Before anything asks PROJ, which would fetch grids of shifts where its own settings allow it.
void no_network() {
  static std::once_flag once;
  std::call_once(once, [] { OSRSetPROJEnableNetwork(false); });
}

/// Becomes the first system of the EPSG register that is the same but for the order of its axes.
void identify(OGRSpatialReference& crs) {
  int count = 0;
  OGRSpatialReferenceH* matches = crs.FindMatches(nullptr, &count, nullptr);
  const char* const options[] = {"CRITERION=EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS",
                                 "IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", nullptr};
  for (int i = 0; i < count; ++i) {
    const OGRSpatialReference* match = OGRSpatialReference::FromHandle(matches[i]);
    const char* authority = match->GetAuthorityName(nullptr);
    if (authority == nullptr || !EQUAL(authority, "EPSG") || crs.IsSame(match, options) == 0) continue;
    crs = *match;
    break;
  }
  OSRFreeSRSArray(matches);
}

}  // namespace

OGRSpatialReference parse_crs(const std::string& text, const std::string& what) {
  OGRSpatialReference crs = parse_crs_with_heights(text, what);
  only_horizontal(crs);
  return crs;
}

bool is_crs(const std::string& text) {
  if (text.empty()) return true;
  try {
    parse_crs(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

OGRSpatialReference parse_crs_with_heights(const std::string& text, const std::string& what) {
  constexpr const char* hint = "give a code such as EPSG:32612, a PROJ string or WKT";
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    refuse(fmt::format("{} does not name a reference system", what), hint);
  if (text.size() > longest_text)
    refuse(fmt::format("{} is a text of {} bytes, which is not a reference system", what, text.size()), hint);
  if (text.find('\0') != std::string::npos) refuse(fmt::format("{} holds a zero byte", what), hint);
  if (names_a_file(text))
    refuse(fmt::format("{} {} would read a file", what, quoted(text)),
           "name the system itself, such as EPSG:32612, without a grid, a file or JSON");
  no_network();
  GdalSession session;
  OGRSpatialReference crs;
  const char* const options[] = {"ALLOW_NETWORK_ACCESS=NO", "ALLOW_FILE_ACCESS=NO", nullptr};
  if (crs.SetFromUserInput(text.c_str(), options) != OGRERR_NONE || crs.IsEmpty())
    refuse(fmt::format("{} {} is not a reference system", what, quoted(text)), hint);
  crs.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return crs;
}

std::string crs_of_prj_file(const std::string& path, std::vector<std::string>& assumed) {
  const auto unused = [&](const std::string& why) {
    assumed.push_back(fmt::format("'{}' {}: it is ignored; set the reference system with 'crs'", path, why));
    return std::string();
  };
  if (file_size(path) > longest_text) return unused("is too long for a reference system");
  const std::string text = read_file(path, longest_text);
  if (text.find('\0') != std::string::npos || names_a_file(text)) return unused("is not a plain reference system");
  no_network();
  GdalSession session;
  OGRSpatialReference crs;
  char** lines = CSLTokenizeString2(text.c_str(), "\r\n", CSLT_STRIPLEADSPACES | CSLT_STRIPENDSPACES);
  const bool known = lines != nullptr && *lines != nullptr && crs.importFromESRI(lines) == OGRERR_NONE;
  CSLDestroy(lines);
  if (!known || crs.IsEmpty()) return unused("holds no known reference system");
  crs.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return crs_wkt(crs);
}

std::string crs_wkt(const OGRSpatialReference& crs) {
  GdalSession session;
  char* text = nullptr;
  const char* const options[] = {"FORMAT=WKT2_2018", "MULTILINE=NO", nullptr};
  crs.exportToWkt(&text, options);
  const std::string result = text != nullptr ? text : "";
  CPLFree(text);
  return result;
}

std::string crs_name(const OGRSpatialReference& system) {
  GdalSession session;
  OGRSpatialReference crs = system;
  if (crs.GetAuthorityCode(nullptr) == nullptr) identify(crs);
  const char* authority = crs.GetAuthorityName(nullptr);
  const char* code = crs.GetAuthorityCode(nullptr);
  if (authority != nullptr && code != nullptr) return fmt::format("{}:{}", authority, code);
  const char* name = crs.GetName();
  return name != nullptr ? name : "unnamed";
}

int utm_epsg(Vec2 position) {
  if (!(position.y <= 84 && position.y >= -80) || !std::isfinite(position.x))
    refuse(fmt::format("UTM has no zone at latitude {:.4g}", position.y),
           "it ends at 84 N and 80 S; give a polar system, such as EPSG:3413 in the north or EPSG:3031 in the south");
  const double turned = position.x - 360 * std::floor((position.x + 180) / 360);  // in [-180, 180)
  const int zone = std::clamp(static_cast<int>(std::floor((turned + 180) / 6)) + 1, 1, 60);
  return (position.y >= 0 ? 32600 : 32700) + zone;
}

Vec2 metres_per_unit(const OGRSpatialReference& crs, double y) {
  GdalSession session;
  if (!crs.IsGeographic()) {
    const double metres = crs.GetLinearUnits();
    if (!(metres > 0 && std::isfinite(metres))) refuse(fmt::format("a reference system in units of {:g} m", metres));
    return {metres, metres};
  }
  const double unit = crs.GetAngularUnits(), latitude = y * unit;
  if (!(std::abs(latitude) < math::pi / 2))
    refuse(fmt::format("latitude {:.4g} is a pole, or not on the globe", math::degrees(latitude)));
  const double inverse = crs.GetInvFlattening();
  const double f = inverse > 0 ? 1 / inverse : 0, e2 = f * (2 - f);
  const double s = math::sin(latitude), w2 = 1 - e2 * s * s, w = std::sqrt(w2);
  return {unit * crs.GetSemiMajor() * math::cos(latitude) / w, unit * crs.GetSemiMajor() * (1 - e2) / (w2 * w)};
}

double full_turn(const OGRSpatialReference& crs) {
  return crs.IsGeographic() ? 2 * math::pi / crs.GetAngularUnits() : 0;
}

GeoArea area_of(const Frame& frame) {
  constexpr int steps = 16;
  const Georeference& geo = *frame.geo;
  std::vector<double> x, y;
  for (int j = 0; j <= steps; ++j)
    for (int i = 0; i <= steps; ++i) {
      const double u = static_cast<double>(frame.width - 1) * i / steps;
      const double v = static_cast<double>(frame.height - 1) * j / steps;
      x.push_back(geo.origin.x + (static_cast<double>(frame.first_x) + u) * geo.step.x);
      y.push_back(geo.origin.y + (static_cast<double>(frame.first_y) + v) * geo.step.y);
    }
  const OGRSpatialReference globe = parse_crs("EPSG:4326");
  CrsTransform(parse_crs(geo.crs, "the land's reference system"), globe)(x, y);
  const double centre = x[x.size() / 2];
  GeoArea area{centre, y.front(), centre, y.front()};
  for (size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]) || !std::isfinite(centre) || std::abs(y[i]) > 90.001)
      refuse("the land's coordinates are not on Earth in its own reference system",
             "give 'read' the right system: crs=EPSG:...");
    const double near = x[i] - 360 * std::round((x[i] - centre) / 360);
    area.west = std::min(area.west, near);
    area.east = std::max(area.east, near);
    area.south = std::min(area.south, y[i]);
    area.north = std::max(area.north, y[i]);
  }
  area.south = std::clamp(area.south, -90.0, 90.0);
  area.north = std::clamp(area.north, -90.0, 90.0);
  if (area.east - area.west >= 359) return {-180, area.south, 180, area.north};
  for (double* side : {&area.west, &area.east}) *side -= 360 * std::round(*side / 360);
  return area;
}

CrsTransform::CrsTransform(const OGRSpatialReference& from, const OGRSpatialReference& to, const GeoArea& area) {
  no_network();
  GdalSession session;
  OGRCoordinateTransformationOptions options;
  // Without it GDAL chooses again for every batch of points, which tears the land.
  options.SetAreaOfInterest(area.west, area.south, area.east, area.north);
  way_.reset(OGRCreateCoordinateTransformation(&from, &to, options));
  if (!way_)
    refuse(fmt::format("cannot convert from {} to {}: {}", crs_name(from), crs_name(to),
                       session.message("PROJ gives no reason")));
}

CrsTransform::CrsTransform(std::unique_ptr<OGRCoordinateTransformation> way) : way_(std::move(way)) {}
CrsTransform::CrsTransform(CrsTransform&&) noexcept = default;
CrsTransform::~CrsTransform() = default;

CrsTransform CrsTransform::clone() const {
  GdalSession session;
  CrsTransform copy(std::unique_ptr<OGRCoordinateTransformation>(way_->Clone()));
  if (!copy.way_) fail("cannot copy a transformation between reference systems");
  return copy;
}

void CrsTransform::operator()(std::span<double> x, std::span<double> y) {
  GdalSession session;
  std::vector<int> done(x.size(), 0);
  way_->Transform(static_cast<int>(x.size()), x.data(), y.data(), nullptr, nullptr, done.data());
  for (size_t i = 0; i < x.size(); ++i)
    if (done[i] == 0 || !std::isfinite(x[i]) || !std::isfinite(y[i]))
      x[i] = y[i] = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace tepui
