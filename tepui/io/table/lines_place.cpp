#include "tepui/io/table/lines_place.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/io/place/crs.h"
#include "tepui/io/place/gdal_session.h"
#include "tepui/io/raster/place_land.h"

namespace tepui {

namespace {

constexpr double farthest = 1e12;  // metres
constexpr size_t block = size_t{1} << 16;

struct Box {
  Vec2 low, high;
};

Box box_of(std::span<const Vec3> vertices) {
  Box box;
  if (!vertices.empty()) box.low = box.high = {vertices[0].x, vertices[0].y};
  for (const Vec3& p : vertices) {
    box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
    box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
  }
  return box;
}

/// A box of coordinates as the frame of a land, to ask where it lies.
GeoArea area_of_box(const std::string& crs, const Box& box) {
  Frame frame;
  frame.width = frame.height = 2;
  frame.geo = std::make_shared<const Georeference>(Georeference{crs, box.low, box.high - box.low});
  return area_of(frame);
}

void transform(CrsTransform& way, std::span<Vec3> vertices, const Context& context) {
  std::vector<double> x, y;
  for (size_t from = 0; from < vertices.size(); from += block) {
    context.check();
    const auto own = vertices.subspan(from, std::min(block, vertices.size() - from));
    x.clear();
    y.clear();
    for (const Vec3& p : own) {
      x.push_back(p.x);
      y.push_back(p.y);
    }
    way(x, y);
    for (size_t i = 0; i < own.size(); ++i) own[i] = {x[i], y[i], own[i].z};
  }
}

void check_finite(const std::string& path, std::span<const Vec3> vertices) {
  for (const Vec3& p : vertices)
    if (!(std::abs(p.x) <= farthest && std::abs(p.y) <= farthest && std::isfinite(p.z)))
      refuse(fmt::format("'{}' has a point at {:g}, {:g}, {:g}: its coordinates cannot be right", path, p.x, p.y, p.z));
}

void check_degrees(const std::string& path, const OGRSpatialReference& crs, const Box& box) {
  const double unit = crs.GetAngularUnits();
  const double latitude = math::degrees(std::max(std::abs(box.low.y), std::abs(box.high.y)) * unit);
  const double longitude = math::degrees(std::max(std::abs(box.low.x), std::abs(box.high.x)) * unit);
  if (latitude > 90.001 || longitude > 720)
    refuse(fmt::format("'{}' says that its coordinates are degrees, but contains {:g}", path,
                       latitude > 90.001 ? latitude : longitude),
           "set the right system: crs=EPSG:..., or crs=metres for coordinates without a place on Earth");
}

/// West of the date line and east of it become one where that makes the whole narrower.
void unwrap(std::span<Vec3> vertices, const Box& box, double turn) {
  const auto split = [&](double x) { return x < 0 ? x + turn : x; };
  if (!(turn > 0) || vertices.empty() || box.high.x - box.low.x <= turn / 2) return;
  double low = split(vertices[0].x), high = low;
  for (const Vec3& p : vertices) {
    low = std::min(low, split(p.x));
    high = std::max(high, split(p.x));
  }
  if (high - low >= box.high.x - box.low.x) return;
  for (Vec3& p : vertices) p.x = split(p.x);
}

/// World metres of coordinates that are right already.
void to_world(const Georeference& geo, std::span<Vec3> vertices) {
  for (Vec3& p : vertices) p = {(p.x - geo.origin.x) / geo.step.x, (p.y - geo.origin.y) / geo.step.y, p.z};
}

Georeference place_beside(const std::string& path, const OGRSpatialReference& crs, std::span<Vec3> vertices,
                          const Frame& land, const Context& context) {
  const std::optional<Georeference> geo = lines_geo(land);
  if (!geo)
    refuse(fmt::format("'{}' has a place on Earth, but the land has none", path),
           "crs=metres reads its coordinates as world metres");
  const OGRSpatialReference to = parse_crs(geo->crs, "the land's reference system");
  const char* const options[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", nullptr};
  if (crs.IsSame(&to, options) == 0) {
    CrsTransform way(crs, to, area_of(land));
    transform(way, vertices, context);
    for (const Vec3& p : vertices)
      if (!std::isfinite(p.x)) refuse(fmt::format("'{}' has a point outside {}", path, crs_name(to)));
  }
  if (const double turn = full_turn(to); turn > 0) {
    const double middle =
        land.geo->origin.x +
        (static_cast<double>(land.first_x) + static_cast<double>(land.width - 1) / 2) * land.geo->step.x;
    for (Vec3& p : vertices) p.x -= turn * std::round((p.x - middle) / turn);
  }
  to_world(*geo, vertices);
  return *geo;
}

Georeference place_alone(const std::string& path, const OGRSpatialReference& crs, std::span<Vec3> vertices) {
  const Box wide = box_of(vertices);
  if (crs.IsGeographic() != 0) check_degrees(path, crs, wide);
  unwrap(vertices, wide, full_turn(crs));
  const Box box = box_of(vertices);
  Georeference geo{crs_wkt(crs), {0, 0}, {1, 1}};
  if (const auto metres = ground_metres(path, crs, (box.low.y + box.high.y) / 2)) {
    geo.origin = box.low;
    geo.step = {1 / metres->x, 1 / metres->y};
  } else {
    const double unit = crs.GetLinearUnits();
    if (!(unit > 0)) refuse(fmt::format("'{}' has coordinates in units of {:g} m", path, unit));
    geo.step = {1 / unit, 1 / unit};
  }
  to_world(geo, vertices);
  return geo;
}

/// Also what GeoPackage and GDAL write where nothing is known.
bool is_nowhere(const OGRSpatialReference& crs) {
  const char* name = crs.GetName();
  return crs.IsLocal() != 0 || (name != nullptr && STARTS_WITH_CI(name, "undefined"));
}

}  // namespace

std::optional<Georeference> place_lines(const std::string& path, const std::string& crs, std::span<Vec3> vertices,
                                        const Frame* land, const Context& context) {
  check_finite(path, vertices);
  const std::optional<Georeference> worlds = land != nullptr ? lines_geo(*land) : std::nullopt;
  if (crs.empty()) return worlds;
  const GdalSession session;
  const std::string what = fmt::format("the reference system of '{}'", path);
  const OGRSpatialReference with_heights = parse_crs_with_heights(crs, what);
  if (is_nowhere(with_heights)) {
    const double unit = with_heights.IsLocal() != 0 ? with_heights.GetLinearUnits() : 1;
    if (!(unit > 0)) refuse(fmt::format("'{}' has coordinates in units of {:g} m", path, unit));
    for (Vec3& p : vertices) p = {p.x * unit, p.y * unit, p.z};
    return worlds;
  }
  if (with_heights.IsCompound() != 0)
    if (const double unit = with_heights.GetTargetLinearUnits("VERT_CS"); unit > 0)
      for (Vec3& p : vertices) p.z *= unit;
  const OGRSpatialReference horizontal = parse_crs(crs, what);
  const Georeference geo = land != nullptr ? place_beside(path, horizontal, vertices, *land, context)
                                           : place_alone(path, horizontal, vertices);
  check_finite(path, vertices);
  return geo;
}

std::vector<Vec2> degrees_of(const Lines& lines, const Context& context) {
  const Georeference& geo = *lines.geo();
  std::vector<Vec3> points;
  points.reserve(lines.vertices().size());
  for (const Vec3& p : lines.vertices()) {
    const Vec2 at = map_point(geo, p);
    points.push_back({at.x, at.y, 0});
  }
  std::vector<Vec2> degrees;
  if (points.empty()) return degrees;
  const GeoArea area = area_of_box(geo.crs, box_of(points));
  CrsTransform way(parse_crs(geo.crs, "the lines' reference system"), parse_crs("EPSG:4326"), area);
  transform(way, points, context);
  const double middle = area.west <= area.east ? (area.west + area.east) / 2 : (area.west + area.east + 360) / 2;
  degrees.reserve(points.size());
  for (const Vec3& p : points) {
    if (!std::isfinite(p.x) || !(std::abs(p.y) <= 90.001)) refuse("the lines have a point that is not on Earth");
    degrees.push_back({p.x - 360 * std::round((p.x - middle) / 360), std::clamp(p.y, -90.0, 90.0)});
  }
  return degrees;
}

}  // namespace tepui
