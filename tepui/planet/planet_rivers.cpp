#include "tepui/planet/planet_rivers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/planet/planet_crs.h"
#include "tepui/planet/river_courses.h"
#include "tepui/terrain/lines_builder.h"

namespace tepui {

namespace {

constexpr double year = 365.25 * 86400;

/// A point of a river on its way.
struct WayPoint {
  Vec3 direction;
  double height = 0;     ///< of the water, metres
  double discharge = 0;  ///< m3/s
};

WayPoint between(const WayPoint& a, const WayPoint& b, double t) {
  return {normalised(a.direction * (1 - t) + b.direction * t), a.height + t * (b.height - a.height),
          a.discharge + t * (b.discharge - a.discharge)};
}

std::vector<WayPoint> way_of(const Planet& planet, const RiverCourse& course) {
  const GlobalLand& land = planet.land();
  std::vector<WayPoint> way;
  for (const int32_t vertex : course.vertices) {
    const auto v = static_cast<size_t>(vertex);
    const bool sea = land.receiver[v] < 0;
    way.push_back({land.mesh.directions[v], sea ? 0 : std::max(land.height[v], 0.0) * planet.height_scale(),
                   static_cast<double>(land.discharge[v]) * land.unit / year});
  }
  // What joins at the end is not the river's own yet.
  way.back().discharge = way[way.size() - 2].discharge;
  if (way.back().height <= 0 && land.receiver[static_cast<size_t>(course.vertices.back())] < 0)
    way.back() = between(way[way.size() - 2], way.back(), 0.5), way.back().height = 0;
  return way;
}

/// Corners cut (Chaikin 1974); both ends stay.
std::vector<WayPoint> smoothed(std::vector<WayPoint> way, int times) {
  for (; times > 0; --times) {
    std::vector<WayPoint> finer{way.front()};
    for (size_t i = 0; i + 1 < way.size(); ++i) {
      if (i > 0) finer.push_back(between(way[i], way[i + 1], 0.25));
      if (i + 2 < way.size()) finer.push_back(between(way[i], way[i + 1], 0.75));
    }
    finer.push_back(way.back());
    way = std::move(finer);
  }
  return way;
}

/// A place on the map that planet_map draws, metres from 180 degrees west and the south pole.
Vec3 on_map(const Planet& planet, const WayPoint& at) {
  return {(longitude(at.direction) + math::pi) * planet.radius(),
          (latitude(at.direction) + math::pi / 2) * planet.radius(), at.height};
}

class RiverLines {
 public:
  RiverLines(const Planet& planet, const PlanetRiversParams& params) : planet_(planet), params_(params) {
    const double degree = math::degrees(1 / planet.radius());
    builder_.set_geo({planet_crs(planet.radius()), {-180, -90}, {degree, degree}});
  }

  void add(const RiverCourse& course) {
    const std::vector<WayPoint> way = smoothed(way_of(planet_, course), params_.smoothing);
    builder_.begin(FeatureShape::line, fmt::format("River {}", course.river + 1));
    double long_way = 0;
    for (size_t i = 1; i < way.size(); ++i) long_way += arc(way[i - 1].direction, way[i].direction) * planet_.radius();
    builder_.set(order_, course.order);
    builder_.set(length_, long_way);
    builder_.set(basin_, course.basin + 1);
    builder_.set(discharge_, way.back().discharge);
    builder_.set(width_, width(way.back()));
    builder_.set(depth_, depth(way.back()));
    // Where the date line is crossed one part ends and another begins.
    size_t first = 0;
    for (size_t i = 1; i <= way.size(); ++i)
      if (i == way.size() || std::abs(longitude(way[i].direction) - longitude(way[i - 1].direction)) > math::pi) {
        add_part({way.begin() + static_cast<std::ptrdiff_t>(first), way.begin() + static_cast<std::ptrdiff_t>(i)});
        first = i;
      }
  }

  Lines lines() && { return std::move(builder_).build(); }

 private:
  double width(const WayPoint& at) const { return params_.width * std::sqrt(at.discharge); }
  double depth(const WayPoint& at) const { return params_.depth * math::pow(at.discharge, 0.4); }

  void add_part(const std::vector<WayPoint>& way) {
    std::vector<Vec3> points;
    std::vector<double> flows, widths, depths;
    for (const WayPoint& at : way) {
      points.push_back(on_map(planet_, at));
      flows.push_back(at.discharge);
      widths.push_back(width(at));
      depths.push_back(depth(at));
    }
    builder_.part(points);
    builder_.set(flows_, flows);
    builder_.set(widths_, widths);
    builder_.set(depths_, depths);
  }

  const Planet& planet_;
  const PlanetRiversParams& params_;
  LinesBuilder builder_;
  NumberColumn order_ = builder_.number("order"), length_ = builder_.number("length", "m");
  NumberColumn discharge_ = builder_.number("discharge", "m3/s"), width_ = builder_.number("width", "m");
  NumberColumn depth_ = builder_.number("depth", "m"), basin_ = builder_.number("basin");
  VertexColumn flows_ = builder_.vertex_number("discharge", "m3/s"), widths_ = builder_.vertex_number("width", "m");
  VertexColumn depths_ = builder_.vertex_number("depth", "m");
};

}  // namespace

void describe(Fields<PlanetRiversParams>& f) {
  using P = PlanetRiversParams;
  f.about("Trace the rivers of a planet as lines");
  f.reach(Reach::whole);
  f.example("planet level=6 | {} source=2000");
  f("source", &P::source, open_range(0, 1e9), "the discharge at which a river begins to be one")
      .unit("m3/s")
      .slider(50, 5000)
      .sweep("100", "1000", "5000");
  f("width", &P::width, not_negative, "of a river of 1 m3/s; grows with the square root of its discharge").unit("m");
  f("depth", &P::depth, not_negative, "of a river of 1 m3/s; grows with the power 0.4").unit("m");
  f("smoothing", &P::smoothing, Range{0, 6}, "how often corners are cut");
}

Lines planet_rivers(const Planet& in, const PlanetRiversParams& params, const Context&) {
  const GlobalLand& land = in.land();
  const double least = params.source * year / land.unit;
  RiverLines lines(in, params);
  if (least < 0x1p62)
    for (const RiverCourse& course :
         river_courses(land.receiver, land.discharge, std::max<int64_t>(static_cast<int64_t>(least), 1)))
      lines.add(course);
  return std::move(lines).lines();
}

}  // namespace tepui
