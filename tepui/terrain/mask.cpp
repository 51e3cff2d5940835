#include "tepui/terrain/mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "tepui/core/curve.h"
#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/noise.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

namespace {

/// 1 at or below no distance from the range, 0 from `falloff` on, smooth in between.
float weight_at(double outside, double falloff) {
  if (outside <= 0) return 1;
  if (!(outside < falloff)) return 0;
  const double t = 1 - outside / falloff;
  return static_cast<float>(t * t * (3 - 2 * t));
}

double outside_of(const Interval& range, double value) { return std::max(range.low - value, value - range.high); }

/// Degrees from the sector, the short way round.
double outside_of_sector(const Interval& sector, double degrees) {
  const double half = (sector.high - sector.low) / 2;
  const double turn = std::abs(degrees - (sector.low + half));
  const double rest = turn - 360 * std::floor(turn / 360);
  return std::min(rest, 360 - rest) - half;
}

/// `values` becomes the mask: `outside` says how far beyond the range a value lies.
template <class Outside>
void weigh(Grid<float>& values, const MaskParams& params, const Context& context, const Outside& outside) {
  parallel_chunks(values.height(), rows_per_chunk(values.width()), context, [&](int64_t begin, int64_t end) {
    for (float& v : values.cells().subspan(static_cast<size_t>(begin * values.width()),
                                           static_cast<size_t>((end - begin) * values.width()))) {
      const float weight = weight_at(outside(v), params.falloff);
      v = params.invert ? 1 - weight : weight;
    }
  });
}

/// How much of all land lies below a value of the mask's noise, in per cent: quantiles of 12 million of its samples.
Curve noise_distribution() {
  constexpr Vec2 upper[] = {{0.0965, 60}, {0.1940, 70}, {0.2985, 80},   {0.4287, 90},
                            {0.5225, 95}, {0.6623, 99}, {0.7735, 99.9}, {1, 100}};
  Curve curve{{{0, 50}}};
  for (const Vec2& p : upper) {
    curve.points.push_back(p);
    curve.points.insert(curve.points.begin(), {-p.x, 100 - p.y});
  }
  return curve;
}

/// Its percentage at every sample.
Grid<float> noise_percentages(const Frame& frame, double scale, const Seed& seed, const Context& context) {
  NoiseSpec spec;
  spec.scale = scale;
  spec.octaves = 5;
  spec.key = seed.stream("mask").key();
  require_fine_positions(frame, spec, 0);
  const Noise noise(spec);
  const CurveFunction distribution(noise_distribution());
  std::vector<double> x(static_cast<size_t>(frame.width));
  for (size_t i = 0; i < x.size(); ++i) x[i] = frame.x(static_cast<int64_t>(i));
  Grid<float> result(frame.width, frame.height);
  parallel_chunks(frame.height, rows_per_chunk(frame.width), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) {
      const std::span<float> row(result.row(y), x.size());
      noise.row(x, frame.y(y), row);
      for (float& v : row) v = static_cast<float>(distribution(v));
    }
  });
  return result;
}

double scale_in(const MaskParams& params, const Frame& frame) {
  const double scale = params.scale.in(frame);
  if (!(scale > 0)) refuse(fmt::format("'scale' must be above 0, not {:g} m", scale), "use more than 0 m");
  return scale;
}

bool looks_around(MaskBy by) { return by == MaskBy::slope || by == MaskBy::aspect || by == MaskBy::curvature; }

Halo halo_of(const MaskParams& params, const Frame& frame) {
  return params.by == MaskBy::curvature ? curvature_halo(frame, params.scale.in(frame)) : gradient_halo(frame);
}

}  // namespace

void describe(Fields<MaskParams>& f) {
  f.about("Select land by height, slope, aspect, curvature or noise; adds a layer 'mask' from 0 to 1");
  f.window(halo_of);
  f.reach_by([](const MaskParams& p) { return looks_around(p.by) ? Reach::window : Reach::point; },
             "point by height, relief and noise");
  f.example("circular_faults | {}");
  f("by", &MaskParams::by, {"height", "relief", "slope", "aspect", "curvature", "noise"},
    "what to select by; this sets the unit of 'range' and 'falloff': height in m, relief in % from base to top, slope "
    "in degrees, aspect in degrees clockwise from north, curvature in % (100: a dome of radius 'scale'; below 0 "
    "hollow), "
    "noise in % of the land below")
      .sweep("relief", "curvature", "noise");
  f("range", &MaskParams::range, Range{-1e7, 1e7}, "where the mask is 1; aspect may wrap: -45..45 faces north")
      .slider(-100, 360)
      .sweep("15..90", "30..90", "45..90");
  f("falloff", &MaskParams::falloff, Range{0, 1e7}, "distance outside the range at which the mask reaches 0")
      .slider(0, 50);
  f("scale", &MaskParams::scale, not_negative, "size of the bends (curvature) or features (noise)").slider(0, 1000);
  f("invert", &MaskParams::invert, "select the rest instead");
  f.seed(&MaskParams::seed, "by=noise");
}

Terrain mask(const Terrain& in, const MaskParams& params, const Context& context) {
  const Context first = context.stage("measure", 0, 0.6), second = context.stage("select", 0.6, 1);
  const auto within_range = [&](double value) { return outside_of(params.range, value); };
  Grid<float> values;
  switch (params.by) {
    case MaskBy::height:
      values = in.height().clone();
      weigh(values, params, second, within_range);
      break;
    case MaskBy::relief: {
      const Relief relief = in.relief();
      if (!(relief.span() > 0))
        refuse(fmt::format("the relief goes from {:g} to {:g} m, so shares of it are not defined", relief.base,
                           relief.top),
               "set it with 'adjust', or mask by height");
      values = in.height().clone();
      weigh(values, params, second, [&](double z) { return within_range(100 * ((z - relief.base) / relief.span())); });
      break;
    }
    case MaskBy::slope:
      values = slope_grid(in, first);
      weigh(values, params, second, [&](double tangent) { return within_range(math::degrees(math::atan(tangent))); });
      break;
    case MaskBy::aspect:
      values = aspect_grid(in, first);
      weigh(values, params, second, [&](double degrees) {
        return degrees < 0 ? std::numeric_limits<double>::infinity() : outside_of_sector(params.range, degrees);
      });
      break;
    case MaskBy::curvature: {
      const double scale = scale_in(params, in.frame());
      values = curvature_grid(in, scale, first);
      weigh(values, params, second, [&](double bend) { return within_range(100 * (bend * scale)); });
      break;
    }
    case MaskBy::noise:
      values = noise_percentages(in.frame(), scale_in(params, in.frame()), params.seed, first);
      weigh(values, params, second, within_range);
      break;
  }
  return in.with(make_layer("mask", "", LayerKind::mask, std::move(values)));
}

}  // namespace tepui
