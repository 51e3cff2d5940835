#include "tepui/landforms/gallery_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr size_t most_places = 20'000'000;

/// Radii of vertices go before those of lines.
class Radii {
 public:
  Radii(const Lines& lines, const AxisRule& rule)
      : of_vertices_(lines.vertex_number("radius")), of_features_(lines.number("radius")), rule_(rule) {}

  double at(size_t feature, size_t vertex) const {
    double radius = rule_.radius;
    if (of_features_ != nullptr && !std::isnan(of_features_->values[feature])) radius = of_features_->values[feature];
    if (of_vertices_ != nullptr && !std::isnan(of_vertices_->values[vertex])) radius = of_vertices_->values[vertex];
    if (!(radius > 0)) refuse(fmt::format("line {} has a radius of {:g} m", feature + 1, radius), "give radii above 0");
    return radius * rule_.width;
  }

 private:
  const LineAttribute *of_vertices_, *of_features_;
  const AxisRule& rule_;
};

template <class Act>
void for_each_course(const Lines& lines, const Placing& placing, const AxisRule& rule, const Act& act) {
  const Radii radii(lines, rule);
  const std::vector<uint64_t>& starts = lines.columns().part_starts;
  for (size_t f = 0; f < lines.features(); ++f) {
    const LineFeature feature = lines.feature(f);
    if (feature.shape == FeatureShape::point) continue;
    for (size_t p = feature.first_part; p < feature.end_part; ++p) {
      GalleryCourse course;
      for (size_t v = starts[p]; v < starts[p + 1]; ++v) {
        Vec3 at = placing.place(lines.vertices()[v]);
        at.z += rule.raise;
        course.at.push_back(at);
        course.radius.push_back(radii.at(f, v));
      }
      if (course.at.size() < 2) continue;
      if (lines.columns().part_closed[p] != 0) {
        course.at.push_back(course.at.front());
        course.radius.push_back(course.radius.front());
      }
      act(course);
    }
  }
}

Vec3 curve(Vec3 before, Vec3 from, Vec3 to, Vec3 after, double t) {
  const double t2 = t * t, t3 = t2 * t;
  return before * (0.5 * (2 * t2 - t3 - t)) + from * (0.5 * (3 * t3 - 5 * t2 + 2)) +
         to * (0.5 * (4 * t2 - 3 * t3 + t)) + after * (0.5 * (t3 - t2));
}

GalleryCourse finer(const GalleryCourse& course) {
  const size_t last = course.at.size() - 1;
  GalleryCourse fine;
  for (size_t i = 0; i < last; ++i) {
    const Vec3 before = course.at[i > 0 ? i - 1 : 0], from = course.at[i], to = course.at[i + 1],
               after = course.at[std::min(i + 2, last)];
    const double radius = std::min(course.radius[i], course.radius[i + 1]);
    const int pieces = static_cast<int>(std::clamp(std::ceil(length(to - from) / radius * 2), 1.0, 64.0));
    for (int k = 0; k < pieces; ++k) {
      const double t = static_cast<double>(k) / pieces;
      fine.at.push_back(curve(before, from, to, after, t));
      fine.radius.push_back(course.radius[i] * (1 - t) + course.radius[i + 1] * t);
    }
  }
  fine.at.push_back(course.at.back());
  fine.radius.push_back(course.radius.back());
  fine.open.resize(fine.at.size());
  return fine;
}

/// Places in the middle of steps, so that where two lines meet none lies twice.
void add_places(const GalleryCourse& course, std::vector<AxisPoint>& places) {
  double ahead = 0.5;  // steps to the next place
  for (size_t i = 0; i + 1 < course.at.size(); ++i) {
    const Vec3 way = course.at[i + 1] - course.at[i];
    const double metres = length(way);
    if (!(metres > 0)) continue;
    double done = 0;
    while (true) {
      const double t = done / metres;
      const double radius = course.radius[i] * (1 - t) + course.radius[i + 1] * t, step = axis_step * radius;
      if (done + ahead * step > metres) {
        ahead -= (metres - done) / step;
        break;
      }
      done += ahead * step;
      ahead = 1;
      if (places.size() == most_places)
        refuse(fmt::format("the lines need more than {} points", most_places), "use wider or shorter passages");
      places.push_back({course.at[i] + way * (done / metres), way * (1 / metres), radius, step});
    }
  }
}

}  // namespace

std::vector<GalleryCourse> gallery_courses(const Lines& lines, const Placing& placing, const AxisRule& rule) {
  std::vector<GalleryCourse> courses;
  for_each_course(lines, placing, rule, [&](const GalleryCourse& course) { courses.push_back(finer(course)); });
  return courses;
}

std::vector<AxisPoint> gallery_axes(const std::vector<GalleryCourse>& courses) {
  std::vector<AxisPoint> places;
  for (const GalleryCourse& course : courses) add_places(course, places);
  return places;
}

std::vector<AxisPoint> gallery_vertices(const Lines& lines, const Placing& placing, const AxisRule& rule) {
  std::vector<AxisPoint> places;
  std::set<std::tuple<double, double, double>> known;
  for_each_course(lines, placing, rule, [&](const GalleryCourse& course) {
    for (size_t i = 0; i < course.at.size(); ++i) {
      const Vec3 at = course.at[i];
      if (known.insert({at.x, at.y, at.z}).second) places.push_back({at, {1, 0, 0}, course.radius[i], 0});
    }
  });
  return places;
}

}  // namespace tepui
