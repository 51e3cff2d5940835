#include "tepui/io/raster/place_land.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/io/place/crs.h"
#include "tepui/io/place/gdal_session.h"

namespace tepui {

namespace {

constexpr double smallest_cell = 1e-6, longest_side = 1e9, farthest = 1e12;  // metres

OGRSpatialReference parse(const std::string& path, const RasterPlace& place) {
  return parse_crs_with_heights(place.crs, fmt::format("the reference system of '{}'", path));
}

/// The latitude of a northing on the sphere that Web Mercator takes the Earth for.
double mercator_latitude(double y, double radius) {
  const double e = math::exp(std::clamp(y / radius, -20.0, 20.0));
  return 2 * math::atan2(e, 1.0) - math::pi / 2;
}

bool is_mercator(const OGRSpatialReference& crs) {
  const char* projection = crs.GetAttrValue("PROJECTION");
  return projection != nullptr &&
         (EQUAL(projection, "Mercator_1SP") || EQUAL(projection, "Mercator_Auxiliary_Sphere") ||
          EQUAL(projection, "Popular Visualisation Pseudo Mercator"));
}

/// Metres of a cell on the ground, where coordinates do not tell them.
Vec2 ground_cell(const std::string& path, const OGRSpatialReference& crs, double middle, Vec2 step) {
  if (crs.IsGeographic() == 0) {
    const double latitude = mercator_latitude(middle * crs.GetLinearUnits(), crs.GetSemiMajor());
    return step * (crs.GetLinearUnits() * math::cos(latitude));
  }
  if (const double latitude = math::degrees(middle * crs.GetAngularUnits()); !(std::abs(latitude) < 90))
    refuse(fmt::format("'{}' is centred on latitude {:g}: a pole, or not on the globe", path, latitude),
           "reproject it to metres with gdalwarp");
  const Vec2 metres = metres_per_unit(crs, middle);
  return {step.x * metres.x, step.y * metres.y};
}

/// What GDAL makes up for coordinates in a unit and no more.
bool is_unit_only(const OGRSpatialReference& crs) { return crs.IsLocal() != 0; }

}  // namespace

Frame frame_at(const std::string& path, const RasterPlace& place, int64_t width, int64_t height) {
  if (place.rotated) refuse(fmt::format("'{}' is rotated or sheared", path), "make it north-up with gdalwarp");
  if (!std::isfinite(place.origin.x) || !std::isfinite(place.origin.y) || !std::isfinite(place.step.x) ||
      !std::isfinite(place.step.y) || place.step.x == 0 || place.step.y == 0)
    refuse(fmt::format("'{}' says that its samples are {:g} x {:g} apart, starting at {:g}, {:g}", path,
                       std::abs(place.step.x), std::abs(place.step.y), place.origin.x, place.origin.y));
  const Vec2 step{std::abs(place.step.x), std::abs(place.step.y)};
  Vec2 south_west{place.origin.x + std::min(0.0, place.step.x * static_cast<double>(width - 1)),
                  place.origin.y + std::min(0.0, place.step.y * static_cast<double>(height - 1))};
  Frame frame;
  frame.width = width;
  frame.height = height;
  frame.origin = south_west;
  frame.cell = step;
  if (!place.crs.empty()) {
    const GdalSession session;
    OGRSpatialReference crs = parse(path, place);
    const double metres = crs.IsGeographic() != 0 ? 1 : crs.GetLinearUnits();
    if (!(metres > 0)) refuse(fmt::format("'{}' has coordinates in units of {:g} m", path, metres));
    if (crs.IsGeographic() != 0 && south_west.x >= 180 && crs.GetAngularUnits() > 0.017 &&
        crs.GetAngularUnits() < 0.018)
      south_west.x -= 360;  // 234 to 238 degrees east are told as 126 to 122 west
    if (crs.IsGeographic() != 0 || is_mercator(crs)) {
      frame.origin = {0, 0};
      frame.cell = ground_cell(path, crs, south_west.y + 0.5 * static_cast<double>(height - 1) * step.y, step);
    } else {
      frame.origin = south_west * metres;
      frame.cell = step * metres;
    }
    // Heights become metres, whatever they were.
    if (crs.IsCompound() && crs.GetTargetLinearUnits("VERT_CS") != 1) crs.StripVertical();
    if (!is_unit_only(crs))
      frame.geo = std::make_shared<const Georeference>(Georeference{crs_wkt(crs), south_west, step});
  }
  frame.size = extent_of(frame);
  require_sane_cells(path, frame);
  return frame;
}

std::optional<Vec2> ground_metres(const std::string& path, const OGRSpatialReference& crs, double middle) {
  const GdalSession session;
  if (crs.IsGeographic() == 0 && !is_mercator(crs)) return std::nullopt;
  return ground_cell(path, crs, middle, {1, 1});
}

double vertical_metres(const std::string& path, const RasterPlace& place) {
  if (place.crs.empty()) return 1;
  const GdalSession session;
  const OGRSpatialReference crs = parse(path, place);
  const double metres = crs.IsCompound() != 0 ? crs.GetTargetLinearUnits("VERT_CS") : 1;
  return metres > 0 ? metres : 1;
}

std::string crs_name(const std::string& path, const RasterPlace& place) {
  if (place.crs.empty()) return {};
  const OGRSpatialReference crs = parse(path, place);
  return is_unit_only(crs) ? "" : crs_name(crs);
}

bool is_sane_cell(Vec2 cell) {
  const auto sane = [](double side) { return side >= smallest_cell && side <= largest_cell; };
  return sane(cell.x) && sane(cell.y);
}

void require_sane_cells(const std::string& path, const Frame& frame) {
  if (!is_sane_cell(frame.cell))
    refuse(fmt::format("'{}' has cells of {:g} x {:g} m", path, frame.cell.x, frame.cell.y),
           fmt::format("cells may be from {:g} to {:g} m", smallest_cell, largest_cell));
  if (!(std::max(frame.size.x, frame.size.y) <= longest_side))
    refuse(fmt::format("'{}' is {:g} x {:g} m: its cell cannot be right", path, frame.size.x, frame.size.y));
  if (!(std::max(std::abs(frame.origin.x), std::abs(frame.origin.y)) <= farthest))
    refuse(fmt::format("'{}' lies at {:g}, {:g} m: its coordinates cannot be right", path, frame.origin.x,
                       frame.origin.y));
}

Vec2 extent_of(const Frame& frame) {
  return {frame.cell.x * static_cast<double>(std::max<int64_t>(frame.width - 1, 1)),
          frame.cell.y * static_cast<double>(std::max<int64_t>(frame.height - 1, 1))};
}

}  // namespace tepui
