#pragma once  // internal

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tepui/core/frame.h"

class OGRSpatialReference;
class OGRCoordinateTransformation;

// Reference systems: what places on Earth a file's coordinates mean. Coordinates are x (or longitude) first.

namespace tepui {

/// The system that a person or a file names: "EPSG:32612", "WGS84", a URN, a PROJ string or WKT. Heights are
/// not part of it. Throws for what is not one; `what` says in the message whose it is. The text may be hostile: it is
/// of bounded length, and neither a file nor the network is asked, so grids of shifts are refused too.
OGRSpatialReference parse_crs(const std::string& text, const std::string& what = "'crs'");

/// Whether a text is empty or one that parse_crs takes.
bool is_crs(const std::string& text);

/// As parse_crs, with its system of heights, where it has one.
OGRSpatialReference parse_crs_with_heights(const std::string& text, const std::string& what);

/// The system of a .prj file, as WKT: Esri's WKT, or the lines of old ("Projection UTM"). Where it holds none that is
/// known, nothing, and `assumed` says that it is not used.
std::string crs_of_prj_file(const std::string& path, std::vector<std::string>& assumed);

/// WKT (ISO 19162) on one line, as Georeference keeps it.
std::string crs_wkt(const OGRSpatialReference& crs);

/// "EPSG:32612", also where the system does not say so but is the same, else its own name.
std::string crs_name(const OGRSpatialReference& crs);

/// EPSG's code for the UTM zone (WGS 84) of a longitude and latitude in degrees: plain zones of 6 degrees. Throws
/// beyond 84 degrees north and 80 degrees south, where UTM ends.
int utm_epsg(Vec2 position);

/// Metres of one unit of the system along x and along y: of degrees, on its ellipsoid at the latitude `y` (in the
/// system's unit). Throws at the poles and off the globe.
Vec2 metres_per_unit(const OGRSpatialReference& crs, double y);

/// Of coordinates that come back to where they were, the length of the way around; 0 where they do not.
double full_turn(const OGRSpatialReference& crs);

/// Degrees. West of 170 and east of -170 is a box across the date line.
struct GeoArea {
  double west = -180, south = -90, east = 180, north = 90;
};

/// Where the land of a frame with a reference system lies. Throws where that is nowhere on Earth.
GeoArea area_of(const Frame& frame);

/// From one system to another by the way that serves `area` best. One thread at a time.
class CrsTransform {
 public:
  CrsTransform(const OGRSpatialReference& from, const OGRSpatialReference& to, const GeoArea& area = {});
  CrsTransform(CrsTransform&&) noexcept;
  ~CrsTransform();
  CrsTransform clone() const;

  /// In place; both NaN where there is no such place in the other system.
  void operator()(std::span<double> x, std::span<double> y);

 private:
  explicit CrsTransform(std::unique_ptr<OGRCoordinateTransformation> way);

  std::unique_ptr<OGRCoordinateTransformation> way_;
};

}  // namespace tepui
