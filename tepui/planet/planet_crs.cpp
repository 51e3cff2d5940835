#include "tepui/planet/planet_crs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"

namespace tepui {

namespace {

constexpr const char* degree = "ANGLEUNIT[\"degree\",0.0174532925199433]";
constexpr const char* metre = "LENGTHUNIT[\"metre\",1]";

/// What a geographic system and the base of a projected one have in common.
std::string sphere(double radius) {
  return fmt::format(
      "\"Sphere of radius {0} m\",DATUM[\"Sphere of radius {0} m\",ELLIPSOID[\"Sphere\",{0},0,{1}]],"
      "PRIMEM[\"Reference meridian\",0,{2}]",
      radius, metre, degree);
}

}  // namespace

std::string planet_crs(double radius) {
  const std::string axes = fmt::format(
      "CS[ellipsoidal,2],AXIS[\"geodetic latitude (Lat)\",north,ORDER[1],{0}],AXIS[\"geodetic longitude "
      "(Lon)\",east,ORDER[2],{0}]",
      degree);
  if (radius == earth_radius)
    return fmt::format(
        "GEOGCRS[\"WGS 84\",DATUM[\"World Geodetic System 1984\",ELLIPSOID[\"WGS 84\",6378137,298.257223563,{}]],"
        "PRIMEM[\"Greenwich\",0,{}],{},ID[\"EPSG\",4326]]",
        metre, degree, axes);
  return fmt::format("GEOGCRS[{},{}]", sphere(radius), axes);
}

std::string patch_crs(double radius, double latitude, double longitude) {
  return fmt::format(
      "PROJCRS[\"Equal-area plane at {1}, {2}\",BASEGEOGCRS[{0}],CONVERSION[\"Equal-area plane\",METHOD[\"Lambert "
      "Azimuthal Equal Area\",ID[\"EPSG\",9820]],PARAMETER[\"Latitude of natural "
      "origin\",{1},{3},ID[\"EPSG\",8801]],PARAMETER[\"Longitude of natural "
      "origin\",{2},{3},ID[\"EPSG\",8802]],PARAMETER[\"False easting\",0,{4},ID[\"EPSG\",8806]],PARAMETER[\"False "
      "northing\",0,{4},ID[\"EPSG\",8807]]],CS[Cartesian,2],AXIS[\"(E)\",east,ORDER[1],{4}],AXIS[\"(N)\",north,ORDER[2]"
      ","
      "{4}]]",
      sphere(radius), latitude, longitude, degree, metre);
}

PatchPlane::PatchPlane(double radius, Vec3 centre) : radius_(radius), centre_(centre), axes_(local_axes(centre)) {}

Vec3 PatchPlane::direction(Vec2 at) const {
  // With s half the chord over the radius, the angle from the middle is 2 asin(s).
  const double out = std::sqrt(at.x * at.x + at.y * at.y);
  if (!(out > 0)) return centre_;
  const double s = std::min(out / (2 * radius_), 1.0), side = 2 * s * std::sqrt((1 - s) * (1 + s));
  return normalised(centre_ * (1 - 2 * s * s) + (axes_.east * at.x + axes_.north * at.y) * (side / out));
}

Vec2 PatchPlane::position(Vec3 direction) const {
  const Vec3 chord = direction - centre_;
  const double s = std::min(length(chord) / 2, 1.0), flat = 2 * s * std::sqrt((1 - s) * (1 + s));
  if (!(flat > 0)) return s > 0.5 ? Vec2{2 * radius_, 0} : Vec2{0, 0};
  const double scale = 2 * s * radius_ / flat;
  return {dot(direction, axes_.east) * scale, dot(direction, axes_.north) * scale};
}

}  // namespace tepui
