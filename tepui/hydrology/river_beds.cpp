#include "tepui/hydrology/river_beds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/hydrology/rivers.h"
#include "tepui/hydrology/water_layers.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// The nearest river of each cell, measured in half widths from its middle, and what the river is there.
struct Nearest {
  float reach = std::numeric_limits<float>::infinity();  ///< Metres from the edge of the water, below 0 in it.
  float level = 0, depth = 0, half_width = 0;
};

/// A value at each end of a piece of a river.
struct End {
  Vec3 at;
  double width, depth;
};

class Beds {
 public:
  Beds(const Terrain& land, const RiverBedsParams& params)
      : land_(land),
        bank_(math::tan(math::radians(params.bank))),
        least_width_(std::max(land.frame().cell.x, land.frame().cell.y)),
        nearest_(land.frame().width, land.frame().height, Nearest{}) {}

  void add(const End& a, const End& b) {
    const Frame& frame = land_.frame();
    const double wide =
        std::max({a.width, b.width, least_width_}) / 2 + 3 * least_width_ + 3 * std::max(a.depth, b.depth);
    const auto column = [&](double x) { return (x - frame.x(0)) / frame.cell.x; };
    const auto row = [&](double y) { return (y - frame.y(0)) / frame.cell.y; };
    const auto first = [](double v) { return std::max<int64_t>(0, static_cast<int64_t>(std::ceil(v))); };
    const auto last = [](double v, int64_t count) { return std::min(count - 1, static_cast<int64_t>(std::floor(v))); };
    for (int64_t y = first(row(std::min(a.at.y, b.at.y) - wide));
         y <= last(row(std::max(a.at.y, b.at.y) + wide), frame.height); ++y)
      for (int64_t x = first(column(std::min(a.at.x, b.at.x) - wide));
           x <= last(column(std::max(a.at.x, b.at.x) + wide), frame.width); ++x)
        look(a, b, x, y);
  }

  Terrain build(const Context& context) && {
    Grid<float> z = land_.height().clone(), level = water_levels_of(land_);
    for (int64_t i = 0; i < z.size(); ++i) {
      const Nearest& n = nearest_.data()[i];
      if (!std::isfinite(n.reach)) continue;
      const double ground = z.data()[i], surface = n.level;
      if (n.reach < 0) {
        const double across = 1 + n.reach / n.half_width;  // 0 in the middle, 1 at the edge
        z.data()[i] = to_cell(std::min(ground, surface - 0.8 * n.depth * (1 - across * across) - 0.02 * n.depth));
        level.data()[i] = std::max({level.data()[i], n.level, z.data()[i]});
      } else {
        // Banks: no higher than they may be steep, and next to the water no lower than it.
        double bank = std::min(ground, surface + 0.2 * n.depth + n.reach * bank_);
        if (n.reach < least_width_ && level.data()[i] <= ground) bank = std::max(bank, surface + 0.05 * n.depth);
        z.data()[i] = to_cell(bank);
        if (level.data()[i] <= ground) level.data()[i] = z.data()[i];
      }
    }
    return with_water(land_.with_height(std::move(z)), std::move(level), context);
  }

 private:
  void look(const End& a, const End& b, int64_t x, int64_t y) {
    const double px = land_.frame().x(x) - a.at.x, py = land_.frame().y(y) - a.at.y;
    const double dx = b.at.x - a.at.x, dy = b.at.y - a.at.y, square = dx * dx + dy * dy;
    const double t = square > 0 ? std::clamp((px * dx + py * dy) / square, 0.0, 1.0) : 0;
    const double half = std::max(a.width + t * (b.width - a.width), least_width_) / 2;
    const double depth = a.depth + t * (b.depth - a.depth);
    const auto reach = static_cast<float>(std::hypot(px - t * dx, py - t * dy) - half);
    if (reach > 3 * depth / bank_ + least_width_) return;
    Nearest& n = nearest_(x, y);
    if (!(reach < n.reach)) return;
    n = {reach, to_cell(a.at.z + t * (b.at.z - a.at.z) - 0.2 * depth), static_cast<float>(depth),
         static_cast<float>(half)};
  }

  const Terrain& land_;
  double bank_, least_width_;
  Grid<Nearest> nearest_;
};

/// The attribute of a vertex or of its feature.
double value_at(const Lines& lines, const char* name, size_t feature, size_t vertex) {
  if (const LineAttribute* column = lines.vertex_number(name); column != nullptr && !std::isnan(column->values[vertex]))
    return column->values[vertex];
  if (const LineAttribute* column = lines.number(name); column != nullptr && !std::isnan(column->values[feature]))
    return column->values[feature];
  refuse(std::string("the lines of 'along' have no attribute '") + name + "'", "give it in metres; 'rivers' does");
}

}  // namespace

void describe(Fields<RiverBedsParams>& f) {
  f.about("Cut the beds of rivers into the land and let water into them");
  f.example("noise height=400m | {} scale=4");
  f("scale", &RiverBedsParams::scale, Range{0.01, 100}, "times the width and depth of the lines")
      .slider(0.1, 10)
      .sweep("1", "4", "12");
  f("bank", &RiverBedsParams::bank, Range{1, 85}, "how steeply the banks rise").unit("degrees").slider(5, 60);
  f("sea_level", &RiverBedsParams::sea_level, Range{-1e7, 1e7},
    "where no lines are given: land at or below it is sea; auto: the world's sea, if it has one")
      .unit("m")
      .slider(0, 1000)
      .sea_level();
}

Terrain river_beds(const Terrain& in, const Lines* lines, const RiverBedsParams& params, const Context& context) {
  RiversParams own;
  own.sea_level = params.sea_level;
  const Lines along = lines != nullptr ? *lines : rivers(in, own, context.stage("rivers", 0, 0.5));
  Beds beds(in, params);
  for (size_t f = 0; f < along.features(); ++f) {
    context.check();
    const LineFeature feature = along.feature(f);
    if (feature.shape != FeatureShape::line) continue;
    for (size_t p = feature.first_part; p < feature.end_part; ++p) {
      const auto first = static_cast<size_t>(along.columns().part_starts[p]),
                 end = static_cast<size_t>(along.columns().part_starts[p + 1]);
      const auto end_at = [&](size_t v) {
        return End{along.vertices()[v], params.scale * value_at(along, "width", f, v),
                   params.scale * value_at(along, "depth", f, v)};
      };
      for (size_t v = first; v + 1 < end; ++v) beds.add(end_at(v), end_at(v + 1));
    }
  }
  return std::move(beds).build(context);
}

}  // namespace tepui
