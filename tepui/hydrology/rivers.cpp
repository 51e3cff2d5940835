#include "tepui/hydrology/rivers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/hydrology/inflow.h"
#include "tepui/hydrology/river_network.h"
#include "tepui/hydrology/sea_level.h"
#include "tepui/terrain/lines_builder.h"

namespace tepui {

namespace {

/// Columns of the lines.
struct Columns {
  explicit Columns(LinesBuilder& b)
      : order(b.number("order")),
        length(b.number("length", "m")),
        slope(b.number("slope", "m/m")),
        drainage(b.number("drainage", "m2")),
        discharge(b.number("discharge", "m3/s")),
        width(b.number("width", "m")),
        depth(b.number("depth", "m")),
        at_drainage(b.vertex_number("drainage", "m2")),
        at_discharge(b.vertex_number("discharge", "m3/s")),
        at_width(b.vertex_number("width", "m")),
        at_depth(b.vertex_number("depth", "m")) {}

  NumberColumn order, length, slope, drainage, discharge, width, depth;
  VertexColumn at_drainage, at_discharge, at_width, at_depth;
};

class RiverLines {
 public:
  RiverLines(const Terrain& land, const Streams& streams, const RiversParams& params)
      : land_(land),
        streams_(streams),
        params_(params),
        discharge_(land.find("discharge")),
        columns_(builder_),
        smoothed_(land.frame().cell) {}

  void add(const RiverReach& reach) {
    if (reach.cells.size() < 2) return;
    const std::vector<Vec3> points = smooth(reach.cells);
    builder_.begin(FeatureShape::line, fmt::format("River {}", reach.river + 1));
    builder_.part(points);
    double length = 0;
    for (size_t i = 1; i < points.size(); ++i)
      length += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
    std::vector<double> drainage, discharge, width, depth;
    for (size_t i = 0; i < reach.cells.size(); ++i) {
      // Below a meeting there is more than this river.
      const int32_t cell = reach.cells[reach.below >= 0 && i + 1 == reach.cells.size() ? i - 1 : i];
      drainage.push_back(streams_.cells().data()[cell] * land_.frame().cell.x * land_.frame().cell.y);
      const double flow = discharge_ != nullptr ? discharge_->grid().data()[cell]
                                                : drainage.back() * params_.runoff / 1000 / seconds_a_year;
      discharge.push_back(discharge.empty() ? flow : std::max(flow, discharge.back()));
      width.push_back(params_.width * std::sqrt(discharge.back()));
      depth.push_back(discharge.back() > 0 ? params_.depth * math::pow(discharge.back(), 0.4) : 0);
    }
    builder_.set(columns_.order, reach.order);
    builder_.set(columns_.length, length);
    builder_.set(columns_.slope, length > 0 ? (points.front().z - points.back().z) / length : 0);
    builder_.set(columns_.drainage, drainage.back());
    builder_.set(columns_.discharge, discharge.back());
    builder_.set(columns_.width, width.back());
    builder_.set(columns_.depth, depth.back());
    builder_.set(columns_.at_drainage, drainage);
    builder_.set(columns_.at_discharge, discharge);
    builder_.set(columns_.at_width, width);
    builder_.set(columns_.at_depth, depth);
  }

  Lines build() && {
    if (const auto geo = lines_geo(land_.frame())) builder_.set_geo(*geo);
    return std::move(builder_).build();
  }

 private:
  /// Means of neighbours, the ends staying, never further than three quarters of a cell from where the points were. The
  /// heights are averaged alike, so that what fell before falls still.
  std::vector<Vec3> smooth(const std::vector<int32_t>& cells) const {
    const Frame& frame = land_.frame();
    std::vector<Vec3> points;
    for (int32_t cell : cells)
      points.push_back({frame.x(cell % frame.width), frame.y(cell / frame.width), streams_.water().filled(cell)});
    const std::vector<Vec3> original = points;
    std::vector<Vec3> next = points;
    for (int round = 0; round < params_.smoothing; ++round) {
      for (size_t i = 1; i + 1 < points.size(); ++i) next[i] = (points[i - 1] + points[i] * 2.0 + points[i + 1]) * 0.25;
      points.swap(next);
      std::copy_n(points.begin(), 1, next.begin());
      next.back() = points.back();
    }
    for (size_t i = 1; i + 1 < points.size(); ++i) {
      const Vec3 moved = points[i] - original[i];
      const double far = std::max(std::abs(moved.x) / smoothed_.x, std::abs(moved.y) / smoothed_.y);
      if (far > 0.75)
        points[i] = {original[i].x + moved.x * 0.75 / far, original[i].y + moved.y * 0.75 / far, points[i].z};
    }
    return points;
  }

  const Terrain& land_;
  const Streams& streams_;
  const RiversParams& params_;
  const Layer* discharge_;
  LinesBuilder builder_;
  Columns columns_;
  Vec2 smoothed_;
};

}  // namespace

void describe(Fields<RiversParams>& f) {
  f.about("Draw the rivers of the land as lines, with order, discharge, width and depth");
  f.example("noise height=400m | {}");
  f("source", &RiversParams::source, Range{0, 1e15},
    "the area that feeds a river's head; auto: a five-hundredth of the land")
      .unit("m2")
      .slider(0, 1e6)
      .sweep("2000", "10000", "50000");
  f("runoff", &RiversParams::runoff, Range{0, 20000},
    "water that runs off in a year, where the land has no layer 'discharge'")
      .unit("mm")
      .slider(0, 3000);
  f("width", &RiversParams::width, Range{0, 1000}, "of a river with 1 m3/s; it grows with the square root of that")
      .unit("m")
      .slider(0, 30);
  f("depth", &RiversParams::depth, Range{0, 100}, "of a river with 1 m3/s; it grows with the power 0.4 of that")
      .unit("m")
      .slider(0, 3);
  f("smoothing", &RiversParams::smoothing, Range{0, 100}, "rounds of smoothing; 0 keeps the steps of the grid")
      .slider(0, 20);
  describe_sea_level(f);
}

Lines rivers(const Terrain& in, const RiversParams& params, const Context& context) {
  const Streams streams(in, params.source, params.sea_level, context.stage("streams", 0, 0.8));
  return river_lines(in, streams, params, context.stage("lines", 0.8, 1));
}

Lines river_lines(const Terrain& in, const Streams& streams, const RiversParams& params, const Context& context) {
  const std::vector<RiverReach> network = river_network(streams, context);
  RiverLines lines(in, streams, params);
  for (const RiverReach& reach : network) lines.add(reach);
  return std::move(lines).build();
}

}  // namespace tepui
