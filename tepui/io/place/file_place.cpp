#include "tepui/io/place/file_place.h"

#include "tepui/io/place/gdal_session.h"

namespace tepui {

FilePlace file_place(const Frame& frame) {
  const Vec2 origin = frame.geo ? frame.geo->origin : frame.origin;
  const Vec2 step = frame.geo ? frame.geo->step : frame.cell;
  return {origin.x + (static_cast<double>(frame.first_x) - 0.5) * step.x,
          origin.y + (static_cast<double>(frame.first_y) - 0.5) * step.y,
          origin.y + (static_cast<double>(frame.first_y + frame.height) - 0.5) * step.y, step};
}

std::string esri_wkt(const Frame& frame) {
  if (!frame.geo || frame.geo->crs.empty()) return {};
  const GdalSession session;
  OGRSpatialReference crs;
  if (crs.importFromWkt(frame.geo->crs.c_str()) != OGRERR_NONE) return {};
  const char* const options[] = {"FORMAT=WKT1_ESRI", nullptr};
  char* text = nullptr;
  const bool done = crs.exportToWkt(&text, options) == OGRERR_NONE && text != nullptr;
  const std::string result = done ? text : "";
  CPLFree(text);
  return result;
}

bool is_geographic(const Frame& frame) {
  if (!frame.geo || frame.geo->crs.empty()) return false;
  const GdalSession session;
  OGRSpatialReference crs;
  return crs.importFromWkt(frame.geo->crs.c_str()) == OGRERR_NONE && crs.IsGeographic();
}

}  // namespace tepui
