#include "tepui/mesh/standing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/random.h"

namespace tepui {

namespace {

constexpr double tallest = 1000, farthest_lean = 90, most_forms = 1e9;

/// The numbers of a feature that tell of what stands there.
struct Columns {
  const LineAttribute *height, *crown, *turn, *lean, *form;
  const LineTextAttribute* species;

  explicit Columns(const Lines& points)
      : height(points.number("height")),
        crown(points.number("crown")),
        turn(points.number("turn")),
        lean(points.number("lean")),
        form(points.number("form")),
        species(points.text("species")) {}
};

/// A feature's number within its bounds; `missing` where it has none.
double number_of(const LineAttribute* column, size_t feature, double low, double high, double missing) {
  if (column == nullptr || std::isnan(column->values[feature])) return missing;
  const double value = column->values[feature];
  if (!(value >= low && value <= high))
    refuse(fmt::format("point {} has a {} of {:g}{}{}", feature + 1, column->name, value,
                       column->unit.empty() ? "" : " ", column->unit),
           fmt::format("from {:g} to {:g}; leave it out for the usual", low, high));
  return value;
}

Species species_at(const LineTextAttribute* column, size_t feature) {
  if (column == nullptr || column->present[feature] == 0) return Species::broadleaf;
  const std::string_view name = column->values[feature];
  if (const auto species = species_of(name)) return *species;
  refuse(fmt::format("point {} is of species '{}', which has no model", feature + 1, name),
         fmt::format("species: {}", fmt::join(species_names, ", ")));
}

}  // namespace

double chance_at(Vec3 foot, uint64_t channel) {
  const uint64_t key =
      mix_bits(std::bit_cast<uint64_t>(foot.x) + 0x9e3779b97f4a7c15u) ^ std::bit_cast<uint64_t>(foot.y);
  return Stream(key).uniform(0, channel);
}

std::vector<Standing> standing_at(const Lines& points) {
  const Columns columns(points);
  std::vector<Standing> all;
  all.reserve(points.vertices().size());
  for (size_t f = 0; f < points.features(); ++f) {
    const LineFeature feature = points.feature(f);
    if (feature.shape != FeatureShape::point)
      refuse(fmt::format("what stands on the land is given as points, and feature {} is none", f + 1));
    Standing one;
    one.species = species_at(columns.species, f);
    one.height = number_of(columns.height, f, 1e-3, tallest, usual_height(one.species));
    one.crown = number_of(columns.crown, f, 0, tallest, 0);
    one.lean = number_of(columns.lean, f, -farthest_lean, farthest_lean, 0);
    const double turn = number_of(columns.turn, f, -1e6, 1e6, -1e9),
                 form = number_of(columns.form, f, 0, most_forms, -1);
    for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v) {
      one.foot = points.vertices()[v];
      one.turn = turn > -1e9 ? turn : 360 * chance_at(one.foot, 0);
      one.form = static_cast<int>(form >= 0 ? form : most_forms * chance_at(one.foot, 1));
      all.push_back(one);
    }
  }
  return all;
}

StandingAxes axes_of(const Standing& s) { return axes_of(s, form_radius(s.species, s.form)); }

StandingAxes axes_of(const Standing& s, double radius) {
  const FormScale scale = form_scale(radius, s.height, s.crown);
  const double turn = math::radians(s.turn), lean = math::radians(s.lean);
  const double c = math::cos(turn), n = math::sin(turn), cl = math::cos(lean), sl = math::sin(lean);
  // Leans to its north, then turns clockwise.
  return {Vec3{c, -n, 0} * scale.across, Vec3{n * cl, c * cl, -sl} * scale.across, Vec3{n * sl, c * sl, cl} * scale.up};
}

Vec3 standing_centre(std::span<const Lines> points) {
  bool any = false;
  Vec3 low, high;
  for (const Lines& lines : points)
    for (const Vec3 p : lines.vertices()) {
      low = any ? Vec3{std::min(low.x, p.x), std::min(low.y, p.y), 0} : p;
      high = any ? Vec3{std::max(high.x, p.x), std::max(high.y, p.y), 0} : p;
      any = true;
    }
  return {std::floor((low.x + high.x) / 2 + 0.5), std::floor((low.y + high.y) / 2 + 0.5), 0};
}

}  // namespace tepui
