#include "tepui/io/table/lines_geometry.h"

#include <fmt/format.h>
#include <ogr_geometry.h>

#include "tepui/core/error.h"
#include "tepui/core/text.h"

namespace tepui {

namespace {

constexpr int deepest = 32;

/// "CIRCULARSTRING" -> "circularstring"
std::string kind_of(const OGRGeometry& geometry) { return lower_case(geometry.getGeometryName()); }

FileGeometry::Part add(const OGRSimpleCurve& curve, std::vector<Vec3>& vertices) {
  FileGeometry::Part part{vertices.size(), vertices.size() + static_cast<size_t>(curve.getNumPoints()), false};
  if (part.first == part.end) return part;
  vertices.resize(part.end);
  Vec3* to = vertices.data() + part.first;
  constexpr int stride = sizeof(Vec3);
  curve.getPoints(&to->x, stride, &to->y, stride, curve.Is3D() != 0 ? &to->z : nullptr, stride);
  part.returns = part.end - part.first > 1 && vertices[part.first] == vertices[part.end - 1];
  return part;
}

void add_points(const OGRGeometry& geometry, FileGeometry& into) {
  const size_t first = into.vertices.size();
  const auto add_point = [&](const OGRPoint& p) {
    if (p.IsEmpty() == 0) into.vertices.push_back({p.getX(), p.getY(), p.Is3D() != 0 ? p.getZ() : 0});
  };
  if (wkbFlatten(geometry.getGeometryType()) == wkbPoint)
    add_point(*geometry.toPoint());
  else
    for (const OGRPoint* p : *geometry.toMultiPoint()) add_point(*p);
  if (into.vertices.size() > first)
    into.pieces.push_back({FeatureShape::point, {{first, into.vertices.size(), false}}});
}

void add_polygon(const OGRPolygon& polygon, FileGeometry& into) {
  FileGeometry::Piece piece{FeatureShape::polygon, {}};
  for (const OGRLinearRing* ring : polygon)
    if (ring->IsEmpty() == 0) piece.parts.push_back(add(*ring, into.vertices));
  if (!piece.parts.empty()) into.pieces.push_back(std::move(piece));
}

void add_any(const OGRGeometry& geometry, const std::string& whose, int depth, FileGeometry& into) {
  switch (wkbFlatten(geometry.getGeometryType())) {
    case wkbPoint:
    case wkbMultiPoint:
      return add_points(geometry, into);
    case wkbLineString:
      into.pieces.push_back({FeatureShape::line, {add(*geometry.toLineString(), into.vertices)}});
      return;
    case wkbMultiLineString: {
      FileGeometry::Piece piece{FeatureShape::line, {}};
      for (const OGRLineString* line : *geometry.toMultiLineString()) piece.parts.push_back(add(*line, into.vertices));
      if (!piece.parts.empty()) into.pieces.push_back(std::move(piece));
      return;
    }
    case wkbPolygon:
      return add_polygon(*geometry.toPolygon(), into);
    case wkbMultiPolygon:
    case wkbGeometryCollection:
      if (depth > deepest) refuse(fmt::format("{} is nested deeper than {} times", whose, deepest));
      for (const OGRGeometry* member : *geometry.toGeometryCollection()) add_any(*member, whose, depth + 1, into);
      return;
    default:
      refuse(fmt::format("{} is a {}, which is not supported", whose, kind_of(geometry)),
             "only points, lines and polygons are; convert curves with ogr2ogr -nlt CONVERT_TO_LINEAR");
  }
}

}  // namespace

size_t FileGeometry::distinct_vertices() const {
  size_t count = vertices.size();
  for (const Piece& piece : pieces)
    for (const Part& part : piece.parts) count -= part.returns ? 1 : 0;
  return count;
}

void take_apart(const OGRGeometry& geometry, const std::string& whose, FileGeometry& into) {
  into.vertices.clear();
  into.pieces.clear();
  add_any(geometry, whose, 0, into);
}

}  // namespace tepui
