#include "tepui/planet/planet_rivers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/planet/place_params.h"
#include "tepui/planet/place_values.h"
#include "tepui/planet/planet_crs.h"
#include "tepui/planet/planet_patch.h"
#include "tepui/planet/planet_places.h"
#include "tepui/planet/refine.h"
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

using Way = std::vector<WayPoint>;

/// The land through which rivers run: that of the whole planet, or a refined piece.
struct RiverLand {
  std::span<const Vec3> direction;
  std::span<const double> height;
  std::span<const int32_t> receiver;
  std::span<const int64_t> discharge;
  double height_scale = 1;
  double flow = 1;  ///< m3/s of one unit of discharge
};

Way way_of(const RiverLand& land, const RiverCourse& course) {
  Way way;
  const auto sea = [&](int32_t v) { return land.receiver[static_cast<size_t>(v)] == in_the_sea; };
  for (const int32_t vertex : course.vertices) {
    const auto v = static_cast<size_t>(vertex);
    way.push_back({land.direction[v], sea(vertex) ? 0 : std::max(land.height[v], 0.0) * land.height_scale,
                   static_cast<double>(land.discharge[v]) * land.flow});
  }
  // What joins at the end is not the river's own yet.
  way.back().discharge = way[way.size() - 2].discharge;
  if (sea(course.vertices.back())) way.back() = between(way[way.size() - 2], way.back(), 0.5), way.back().height = 0;
  return way;
}

/// Corners cut (Chaikin 1974); both ends stay.
Way smoothed(Way way, int times) {
  for (; times > 0; --times) {
    Way finer{way.front()};
    for (size_t i = 0; i + 1 < way.size(); ++i) {
      if (i > 0) finer.push_back(between(way[i], way[i + 1], 0.25));
      if (i + 2 < way.size()) finer.push_back(between(way[i], way[i + 1], 0.75));
    }
    finer.push_back(way.back());
    way = std::move(finer);
  }
  return way;
}

/// The flat sheet on which lines are drawn.
class Sheet {
 public:
  virtual ~Sheet() = default;
  virtual Georeference geo() const = 0;
  virtual Vec3 place(const WayPoint& at) const = 0;
  /// What of a way is on it, in one piece or several.
  virtual std::vector<Way> parts(const Way& way) const = 0;
};

/// The map that planet_map draws, metres from 180 degrees west and the south pole.
class MapSheet : public Sheet {
 public:
  explicit MapSheet(double radius) : radius_(radius) {}

  Georeference geo() const override {
    const double degree = math::degrees(1 / radius_);
    return {planet_crs(radius_), {-180, -90}, {degree, degree}};
  }
  Vec3 place(const WayPoint& at) const override {
    return {(longitude(at.direction) + math::pi) * radius_, (latitude(at.direction) + math::pi / 2) * radius_,
            at.height};
  }
  /// Where the date line is crossed one part ends and another begins.
  std::vector<Way> parts(const Way& way) const override {
    std::vector<Way> parts{{way.front()}};
    for (size_t i = 1; i < way.size(); ++i) {
      if (std::abs(longitude(way[i].direction) - longitude(way[i - 1].direction)) > math::pi) parts.emplace_back();
      parts.back().push_back(way[i]);
    }
    return parts;
  }

 private:
  double radius_;
};

/// A patch as planet_patch cuts it out.
class PatchSheet : public Sheet {
 public:
  PatchSheet(const Frame& frame, const PatchPlane& plane) : frame_(frame), plane_(plane) {}

  Georeference geo() const override { return *lines_geo(frame_); }
  Vec3 place(const WayPoint& at) const override {
    const Vec2 p = frame_.origin + frame_.size * 0.5 + plane_.position(at.direction);
    return {p.x, p.y, at.height};
  }
  /// What lies beyond the border is cut off.
  std::vector<Way> parts(const Way& way) const override {
    std::vector<Way> parts;
    bool open = false;  // whether the last part goes on
    for (size_t i = 1; i < way.size(); ++i) {
      const auto [from, to] = inside(place(way[i - 1]), place(way[i]));
      if (!(from < to)) {
        open = false;
        continue;
      }
      if (!open || from > 0) parts.push_back({from > 0 ? between(way[i - 1], way[i], from) : way[i - 1]});
      parts.back().push_back(to < 1 ? between(way[i - 1], way[i], to) : way[i]);
      open = to >= 1;
    }
    return parts;
  }

 private:
  /// The shares of a straight step between which it is inside; the first is not below the second if it never is.
  std::pair<double, double> inside(Vec3 a, Vec3 b) const {
    double from = 0, to = 1;
    const auto cut = [&](double start, double step, double low, double high) {
      if (step == 0) {
        if (start < low || start > high) to = -1;
        return;
      }
      const auto [first, last] = std::minmax({(low - start) / step, (high - start) / step});
      from = std::max(from, first);
      to = std::min(to, last);
    };
    cut(a.x, b.x - a.x, frame_.origin.x, frame_.origin.x + frame_.size.x);
    cut(a.y, b.y - a.y, frame_.origin.y, frame_.origin.y + frame_.size.y);
    return {from, to};
  }

  Frame frame_;
  PatchPlane plane_;
};

class RiverLines {
 public:
  RiverLines(const Sheet& sheet, double radius, const PlanetRiversParams& params)
      : sheet_(sheet), radius_(radius), params_(params) {
    builder_.set_geo(sheet.geo());
  }

  void add(const RiverLand& land, const RiverCourse& course) {
    const std::vector<Way> parts = sheet_.parts(smoothed(way_of(land, course), params_.smoothing));
    if (parts.empty()) return;
    builder_.begin(FeatureShape::line, fmt::format("River {}", course.river + 1));
    double long_way = 0;
    for (const Way& part : parts)
      for (size_t i = 1; i < part.size(); ++i) long_way += arc(part[i - 1].direction, part[i].direction) * radius_;
    const WayPoint& end = parts.back().back();
    builder_.set(order_, course.order);
    builder_.set(length_, long_way);
    builder_.set(basin_, course.basin + 1);
    builder_.set(discharge_, end.discharge);
    builder_.set(width_, width(end));
    builder_.set(depth_, depth(end));
    for (const Way& part : parts) add_part(part);
  }

  Lines lines() && { return std::move(builder_).build(); }

 private:
  double width(const WayPoint& at) const { return params_.width * std::sqrt(at.discharge); }
  double depth(const WayPoint& at) const { return params_.depth * math::pow(at.discharge, 0.4); }

  void add_part(const Way& way) {
    std::vector<Vec3> points;
    std::vector<double> flows, widths, depths;
    for (const WayPoint& at : way) {
      points.push_back(sheet_.place(at));
      flows.push_back(at.discharge);
      widths.push_back(width(at));
      depths.push_back(depth(at));
    }
    builder_.part(points);
    builder_.set(flows_, flows);
    builder_.set(widths_, widths);
    builder_.set(depths_, depths);
  }

  const Sheet& sheet_;
  double radius_;
  const PlanetRiversParams& params_;
  LinesBuilder builder_;
  NumberColumn order_ = builder_.number("order"), length_ = builder_.number("length", "m");
  NumberColumn discharge_ = builder_.number("discharge", "m3/s"), width_ = builder_.number("width", "m");
  NumberColumn depth_ = builder_.number("depth", "m"), basin_ = builder_.number("basin");
  VertexColumn flows_ = builder_.vertex_number("discharge", "m3/s"), widths_ = builder_.vertex_number("width", "m");
  VertexColumn depths_ = builder_.vertex_number("depth", "m");
};

/// The lines of all rivers in which so much water runs.
Lines lines_of(const RiverLand& land, int64_t least, const Sheet& sheet, double radius,
               const PlanetRiversParams& params) {
  RiverLines lines(sheet, radius, params);
  for (const RiverCourse& course : river_courses(land.receiver, land.discharge, least)) lines.add(land, course);
  return std::move(lines).lines();
}

/// Units of water a year; more than there are where the source is more than any river.
int64_t units_of(double source, double unit) {
  return static_cast<int64_t>(std::clamp(source * year / unit, 1.0, 0x1p62));
}

/// What a hundred vertices of a level shed on a piece of land, about.
int64_t brook_of(const FineLand& fine, int level, double unit) {
  double runoff = 0, count = 0;
  for (size_t v = 0; v < fine.vertices.size(); ++v)
    if (fine.vertices.receiver[v] != in_the_sea)
      runoff += static_cast<double>(fine.vertices.trait(v, Trait::runoff)), ++count;
  const double area = 4 * math::pi * earth_radius * earth_radius / static_cast<double>(vertices_of_level(level));
  return std::max<int64_t>(static_cast<int64_t>(100 * area * runoff / std::max(count, 1.0) / unit), 1);
}

/// No rivers are seen where ice lies on them.
std::vector<int64_t> open_water(const GlobalLand& land, const FineLand& fine) {
  std::vector<int64_t> discharge(fine.vertices.discharge.begin(), fine.vertices.discharge.end());
  for (size_t v = 0; v < discharge.size(); ++v) {
    const auto corner = static_cast<int32_t>(v);
    if (values_at(land, fine, {corner, corner, corner}, {1, 0, 0}).ice > 0) discharge[v] = 0;
  }
  return discharge;
}

/// The land around a patch, and two edges more.
FineLand land_of(const Planet& planet, const Frame& frame, const PatchPlane& plane, int level, const Context& context) {
  constexpr double most_triangles = 4e7;
  const Vec3 middle = plane.direction({});
  const double angle = arc(middle, plane.direction(frame.size * 0.5)) + 2 * edge_of_level(level);
  if (0.25 * angle * angle * static_cast<double>(triangles_of_level(level)) > most_triangles)
    refuse("this patch has too many samples for its brooks", "a lower 'resolution', or a smaller 'size'");
  return Refiner(planet.share()).refine(PatchRegion(middle, angle, level), context);
}

Lines patch_rivers(const Frame& world, const Planet& planet, const PlanetRiversParams& params, const Context& context) {
  const Frame frame = patch_frame(world, planet,
                                  {.latitude = params.latitude,
                                   .longitude = params.longitude,
                                   .size = params.size,
                                   .resolution = params.resolution});
  const PatchPlane plane(planet.radius(),
                         direction_at(math::radians(params.latitude), math::radians(params.longitude)));
  const int level = level_at(planet, std::max(frame.cell.x, frame.cell.y));
  const FineLand fine = land_of(planet, frame, plane, level, context.stage("refining", 0, 0.8));
  const std::vector<int64_t> discharge = open_water(planet.land(), fine);
  const FineVertices& v = fine.vertices;
  const double unit = planet.land().unit;
  const RiverLand land{v.direction, v.height, v.receiver, discharge, planet.height_scale(), unit / year};
  const int64_t least = params.source ? units_of(*params.source, unit) : brook_of(fine, level, unit);
  return lines_of(land, least, PatchSheet(frame, plane), planet.radius(), params);
}

void refuse_what_maps_have_not(const PlanetRiversParams& params) {
  const auto refuse_given = [](bool given, const char* name) {
    if (given) refuse(fmt::format("'{}' is for the rivers of a patch", name), "patch = true, or leave it out");
  };
  refuse_given(params.latitude != 0, "latitude");
  refuse_given(params.longitude != 0, "longitude");
  refuse_given(params.size.has_value(), "size");
  refuse_given(params.resolution.has_value(), "resolution");
}

}  // namespace

void describe(Fields<PlanetRiversParams>& f) {
  using P = PlanetRiversParams;
  f.about("Trace the rivers of a planet as lines");
  f.reach(Reach::whole);
  f.example("planet level=6 | {} source=2000");
  f("patch", &P::patch, "the rivers and brooks of a patch instead, on the land of 'planet_patch'");
  describe_place(f, "of the patch's middle");
  f("size", &P::size, open_range(0, 1e12), "of the patch's longer side; auto: the world's");
  f("resolution", &P::resolution, Range{1, 32769}, "samples along the patch's longer side; auto: the world's");
  f("source", &P::source, open_range(0, 1e9),
    "the discharge at which a river begins to be one; auto: 300 m3/s, and in a patch what a hundred cells shed")
      .unit("m3/s")
      .slider(50, 5000)
      .sweep("100", "1000", "5000");
  f("width", &P::width, not_negative, "of a river of 1 m3/s; grows with the square root of its discharge").unit("m");
  f("depth", &P::depth, not_negative, "of a river of 1 m3/s; grows with the power 0.4").unit("m");
  f("smoothing", &P::smoothing, Range{0, 6}, "how often corners are cut");
}

Lines planet_rivers(const Frame& world, const Planet& in, const PlanetRiversParams& params, const Context& context) {
  constexpr double usual_source = 300;
  if (params.patch) return patch_rivers(world, in, params, context);
  refuse_what_maps_have_not(params);
  const GlobalLand& all = in.land();
  const std::vector<Vec3> directions(all.mesh.directions.begin(), all.mesh.directions.end());
  const RiverLand land{directions, all.height, all.receiver, all.discharge, in.height_scale(), all.unit / year};
  return lines_of(land, units_of(params.source.value_or(usual_source), all.unit), MapSheet(in.radius()), in.radius(),
                  params);
}

}  // namespace tepui
