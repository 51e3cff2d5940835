#include "tepui/io/reproject.h"

#include <fmt/format.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/core/parallel.h"
#include "tepui/core/pool.h"
#include "tepui/io/place/crs.h"
#include "tepui/io/raster/place_land.h"
#include "tepui/io/raster/source_positions.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/fill_voids.h"
#include "tepui/terrain/resample.h"

namespace tepui {

namespace {

/// Steps of the lattice over the old land from which the new rectangle is found.
constexpr int outline_steps = 64;

/// Old cells are brought to the size of the new ones first where those are this much larger: cubic convolution at
/// single points would skip samples.
constexpr double coarser = 1.5;

/// Of the samples that the same ground had before, and some more for small lands.
constexpr double most_samples = 4, always_allowed = 65536;

constexpr float void_share = 0.5f + 1e-6f;

OGRSpatialReference target_crs(const Frame& from, const GeoArea& area, const std::string& text) {
  if (text == "utm") {
    std::array<double, 1> x{from.geo->origin.x +
                            (static_cast<double>(from.first_x) + 0.5 * static_cast<double>(from.width - 1)) *
                                from.geo->step.x};
    std::array<double, 1> y{from.geo->origin.y +
                            (static_cast<double>(from.first_y) + 0.5 * static_cast<double>(from.height - 1)) *
                                from.geo->step.y};
    CrsTransform(parse_crs(from.geo->crs), parse_crs("EPSG:4326"), area)(x, y);
    return parse_crs(fmt::format("EPSG:{}", utm_epsg({x[0], y[0]})));
  }
  OGRSpatialReference crs = parse_crs(text);
  if (!crs.IsProjected() && !crs.IsGeographic())
    refuse(fmt::format("'crs' {} has neither a projection nor degrees", crs_name(crs)),
           "give a projected system, such as EPSG:32612, or utm");
  OGRAxisOrientation first = OAO_Other, second = OAO_Other;
  crs.GetAxis(nullptr, 0, &first);
  crs.GetAxis(nullptr, 1, &second);
  // Around a pole both axes run north, or both south: that is no mirror.
  const bool westward = first == OAO_West || second == OAO_West;
  if (westward || (first != second && (first == OAO_South || second == OAO_South)))
    refuse(fmt::format("the axes of {} run west or south", crs_name(crs)),
           "give a system whose axes run east and north");
  return crs;
}

/// How the old land lies in the new system.
struct Laid {
  Vec2 low, high;  ///< the box around it
  Vec2 centre;
  Vec2 along_x, along_y;  ///< an old cell's sides at the centre
  double cell_area() const { return std::abs(along_x.x * along_y.y - along_x.y * along_y.x); }
};

[[noreturn]] void refuse_part(const OGRSpatialReference& to) {
  refuse(fmt::format("part of the land lies outside {}", crs_name(to)),
         "'crop' it to a part inside, or give another system");
}

/// Throws unless going there and back ends where it began: far outside their zone, projections give rubbish.
void require_way_back(const GeoArea& area, const OGRSpatialReference& from_crs, const OGRSpatialReference& to,
                      const std::vector<double>& x, const std::vector<double>& y, double slack) {
  if (full_turn(to) > 0) return;
  std::vector<double> back_x = x, back_y = y;
  CrsTransform(to, from_crs, area)(back_x, back_y);
  CrsTransform(from_crs, to, area)(back_x, back_y);
  for (size_t i = 0; i < x.size(); ++i)
    if (!(std::abs(back_x[i] - x[i]) <= slack && std::abs(back_y[i] - y[i]) <= slack)) refuse_part(to);
}

Laid lay(const Frame& from, const GeoArea& area, const OGRSpatialReference& from_crs, const OGRSpatialReference& to) {
  const SourcePlace place(from, full_turn(from_crs));
  std::vector<double> x, y;
  const auto add = [&](double u, double v) {
    const Vec2 at = place.position(u, v);
    x.push_back(at.x);
    y.push_back(at.y);
  };
  const double w = static_cast<double>(from.width), h = static_cast<double>(from.height);
  for (int j = 0; j <= outline_steps; ++j)
    for (int i = 0; i <= outline_steps; ++i) add(w * i / outline_steps - 0.5, h * j / outline_steps - 0.5);
  const size_t lattice = x.size();
  const double u = 0.5 * (w - 1), v = 0.5 * (h - 1);
  add(u, v);
  add(u - 0.5, v);
  add(u + 0.5, v);
  add(u, v - 0.5);
  add(u, v + 0.5);
  CrsTransform(from_crs, to, area)(x, y);
  for (const double value : x)
    if (std::isnan(value)) refuse_part(to);
  const double turn = full_turn(to);
  if (turn > 0)
    for (double& value : x) value -= turn * std::round((value - x[lattice]) / turn);
  Laid laid;
  laid.low = laid.high = laid.centre = {x[lattice], y[lattice]};
  laid.along_x = {x[lattice + 2] - x[lattice + 1], y[lattice + 2] - y[lattice + 1]};
  laid.along_y = {x[lattice + 4] - x[lattice + 3], y[lattice + 4] - y[lattice + 3]};
  for (size_t i = 0; i < lattice; ++i) {
    if (turn > 0 && i % (outline_steps + 1) != 0 && std::abs(x[i] - x[i - 1]) > turn / 4)
      refuse(fmt::format("the land goes around a pole, or around the Earth, in {}", crs_name(to)),
             "'crop' it to a part, or give a polar system");
    laid.low = {std::min(laid.low.x, x[i]), std::min(laid.low.y, y[i])};
    laid.high = {std::max(laid.high.x, x[i]), std::max(laid.high.y, y[i])};
  }
  // Neighbours half the land apart: between them the map is cut open, and what lies at the cut would be lost.
  for (size_t i = 1; i < lattice; ++i)
    if (i % (outline_steps + 1) != 0 && std::abs(x[i] - x[i - 1]) > 0.5 * (laid.high.x - laid.low.x))
      refuse(fmt::format("the land lies across the edge of the map that {} makes of the Earth", crs_name(to)),
             "'crop' it to one side of the edge, or give another system");
  const double cell = std::sqrt(laid.cell_area());
  if (!(cell > 0) || !std::isfinite(cell)) refuse_part(to);
  require_way_back(area, from_crs, to, x, y, 0.5 * cell);
  return laid;
}

/// Multiples of the step from `low` to `high`; one in the middle where there is none.
struct Samples {
  double first = 0;  ///< in steps
  int64_t count = 1;
};

Samples samples_between(double low, double high, double step) {
  const double first = std::ceil(rounded_position(low / step)), last = std::floor(rounded_position(high / step));
  if (last < first) return {rounded_position(0.5 * (low + high) / step), 1};
  if (!(std::abs(first) < 1e15 && last - first < 1e9))
    refuse(fmt::format("this cell makes {:.3g} samples on a side", last - first + 1), "use a larger cell");
  return {first, static_cast<int64_t>(last - first) + 1};
}

/// In the new system's unit.
double step_of(const Terrain& in, const ReprojectParams& params, const OGRSpatialReference& to, const Laid& laid,
               bool same_crs) {
  if (params.cell) {
    const double step = params.cell->in(in.frame()) / metres_per_unit(to, laid.centre.y).y;
    if (!(step > 0)) refuse(fmt::format("a cell of {:g} m is too small", params.cell->in(in.frame())));
    return step;
  }
  const double step = std::sqrt(laid.cell_area());
  // A number that a person would write, and PROJ's last bits do not reach it.
  return same_crs ? step : parse_number(fmt::format("{:.4g}", step)).value_or(step);
}

Frame frame_in(const OGRSpatialReference& to, const Laid& laid, double step, const Frame& from) {
  const Samples x = samples_between(laid.low.x, laid.high.x, step), y = samples_between(laid.low.y, laid.high.y, step);
  Frame frame;
  frame.width = x.count;
  frame.height = y.count;
  const double samples = static_cast<double>(x.count) * static_cast<double>(y.count);
  const double before = static_cast<double>(from.width) * static_cast<double>(from.height);
  if (samples > most_samples * before * (laid.cell_area() / (step * step)) + always_allowed)
    refuse(fmt::format("in {} a box of {} x {} samples around the land would be mostly empty", crs_name(to), x.count,
                       y.count),
           "'crop' the land to a part, or give a system made for its place, such as utm");
  const Georeference geo{crs_wkt(to), {x.first * step, y.first * step}, {step, step}};
  RasterPlace place;
  place.crs = geo.crs;
  place.origin = geo.origin;
  place.step = geo.step;
  frame = frame_at("the land", place, x.count, y.count);
  frame.geo = std::make_shared<const Georeference>(geo);
  return frame;
}

/// Before the positions, which take time in proportion, are worked out.
void require_memory(const Frame& to, size_t layers) {
  const double needed =
      static_cast<double>(to.width) * static_cast<double>(to.height) * sizeof(float) * static_cast<double>(layers + 1);
  if (needed > static_cast<double>(physical_memory()))
    refuse(fmt::format("{} x {} samples of {:g} m need {}; this machine has {}", to.width, to.height, to.cell.y,
                       bytes_text(needed), bytes_text(static_cast<double>(physical_memory()))),
           "use a larger cell");
}

/// The old land with cells not much smaller than the new ones, over the same ground.
Terrain smoothed(const Terrain& in, const Laid& laid, double step, const Context& context) {
  const Frame& from = in.frame();
  Frame like = from;
  like.geo = nullptr;
  like.first_x = like.first_y = 0;
  const auto fewer = [step](Vec2 side, double start, double cell, int64_t samples, double& origin, double& new_cell,
                            int64_t& count) {
    const double ratio = step / std::sqrt(side.x * side.x + side.y * side.y);
    count = samples;
    if (ratio > coarser)
      count = std::max<int64_t>(static_cast<int64_t>(std::round(static_cast<double>(samples) / ratio)), 1);
    new_cell = cell * static_cast<double>(samples) / static_cast<double>(count);
    origin = start + 0.5 * (new_cell - cell);
  };
  fewer(laid.along_x, from.x(0), from.cell.x, from.width, like.origin.x, like.cell.x, like.width);
  fewer(laid.along_y, from.y(0), from.cell.y, from.height, like.origin.y, like.cell.y, like.height);
  if (like.width == from.width && like.height == from.height) return in;
  const Terrain on(like, in.relief());
  return resample(in, &on, {}, context);
}

/// How far beyond the old samples, in old cells, new ones still belong to the land: half a cell, the old or the new,
/// and a little for the positions' own error.
Vec2 reach_of(const Frame& from, const Frame& smooth, const Laid& laid, double step) {
  const auto reach = [step](Vec2 side, int64_t before, int64_t after) {
    const double cell = std::sqrt(side.x * side.x + side.y * side.y) * static_cast<double>(before);
    return 0.5 * std::max(1.0, rounded_position(step * static_cast<double>(after) / cell)) + 1.0 / 64;
  };
  return {reach(laid.along_x, from.width, smooth.width), reach(laid.along_y, from.height, smooth.height)};
}

/// Keys 1981, Eq. 4; beyond the border the land goes on in a straight line.
struct Cubic {
  int64_t index;
  std::array<double, 4> w;  ///< of index - 1 to index + 2; 0 outside the land

  Cubic(double position, int64_t samples) {
    const double u = std::clamp(position, 0.0, static_cast<double>(samples - 1));
    index = static_cast<int64_t>(u);
    const double t = u - static_cast<double>(index);
    w = {((-0.5 * t + 1) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1, ((-1.5 * t + 2) * t + 0.5) * t,
         (0.5 * t - 0.5) * t * t};
    if (index == 0) {
      w[1] += 2 * w[0];
      w[2] -= w[0];
      w[0] = 0;
    }
    if (index + 2 == samples) {
      w[2] += 2 * w[3];
      w[1] -= w[3];
      w[3] = 0;
    }
  }
};

float cubic(const Grid<float>& in, double u, double v) {
  const Cubic x(u, in.width()), y(v, in.height());
  std::array<double, 4> rows;
  if (x.index > 0 && x.index + 2 < in.width() && y.index > 0 && y.index + 2 < in.height()) {
    const float* z = in.data() + (y.index - 1) * in.width() + x.index - 1;
    for (double& row : rows) {
      row = x.w[0] * static_cast<double>(z[0]) + x.w[1] * static_cast<double>(z[1]) +
            x.w[2] * static_cast<double>(z[2]) + x.w[3] * static_cast<double>(z[3]);
      z += in.width();
    }
  } else {
    for (int64_t l = 0; l < 4; ++l) {
      const float* z = in.row(std::clamp<int64_t>(y.index - 1 + l, 0, in.height() - 1));
      double sum = 0;
      for (int64_t k = 0; k < 4; ++k)
        sum += x.w[static_cast<size_t>(k)] *
               static_cast<double>(z[std::clamp<int64_t>(x.index - 1 + k, 0, in.width() - 1)]);
      rows[static_cast<size_t>(l)] = sum;
    }
  }
  return to_cell(y.w[0] * rows[0] + y.w[1] * rows[1] + y.w[2] * rows[2] + y.w[3] * rows[3]);
}

float linear(const Grid<float>& in, double u, double v) {
  const double x = std::clamp(u, 0.0, static_cast<double>(in.width() - 1));
  const double y = std::clamp(v, 0.0, static_cast<double>(in.height() - 1));
  const int64_t i = static_cast<int64_t>(x), j = static_cast<int64_t>(y);
  const double s = x - static_cast<double>(i), t = y - static_cast<double>(j);
  const int64_t i1 = std::min(i + 1, in.width() - 1), j1 = std::min(j + 1, in.height() - 1);
  const auto at = [&](int64_t a, int64_t b) { return static_cast<double>(in(a, b)); };
  const double south = (1 - s) * at(i, j) + s * at(i1, j), north = (1 - s) * at(i, j1) + s * at(i1, j1);
  return static_cast<float>(std::clamp((1 - t) * south + t * north, 0.0, 1.0));
}

float nearest(const Grid<float>& in, double u, double v) {
  const auto index = [](double at, int64_t samples) {
    return static_cast<int64_t>(std::ceil(std::clamp(at, 0.0, static_cast<double>(samples - 1)) - 0.5));
  };
  return in(index(u, in.width()), index(v, in.height()));
}

void sample_tile(const Layer& layer, const Tile& tile, Grid<float>& out) {
  const auto each = [&](const auto& sample) {
    for (int64_t y = 0; y < tile.height; ++y) {
      float* to = out.row(tile.y + y) + tile.x;
      const size_t row = static_cast<size_t>(y * tile_side);
      for (int64_t x = 0; x < tile.width; ++x)
        to[x] = sample(layer.grid(), tile.u[row + static_cast<size_t>(x)], tile.v[row + static_cast<size_t>(x)]);
    }
  };
  if (layer.kind == LayerKind::continuous)
    each(cubic);
  else if (layer.kind == LayerKind::category)
    each(nearest);
  else if (layer.name == "void")
    each([](const Grid<float>& in, double u, double v) { return linear(in, u, v) > void_share ? 1.0f : 0.0f; });
  else
    each(linear);
}

/// Marks the tile's samples outside the old land, gives those without any position one, and counts them.
int64_t mark_outside(Tile& tile, const Frame& from, Vec2 reach, Grid<float>& outside) {
  const double last_u = static_cast<double>(from.width - 1) + reach.x;
  const double last_v = static_cast<double>(from.height - 1) + reach.y;
  int64_t count = 0;
  for (int64_t y = 0; y < tile.height; ++y)
    for (int64_t x = 0; x < tile.width; ++x) {
      const size_t i = static_cast<size_t>(y * tile_side + x);
      double &u = tile.u[i], &v = tile.v[i];
      const bool inside = u >= -reach.x && u <= last_u && v >= -reach.y && v <= last_v;
      outside(tile.x + x, tile.y + y) = inside ? 0 : 1;
      count += inside ? 0 : 1;
      if (std::isnan(u) || std::isnan(v)) u = v = 0;
    }
  return count;
}

Terrain sampled(const Terrain& land, const SourcePositions& positions, const Frame& to, Vec2 reach,
                const Context& context) {
  std::vector<Grid<float>> grids;
  for (size_t i = 0; i < land.layers().size(); ++i) grids.emplace_back(to.width, to.height);
  Grid<float> outside(to.width, to.height);
  const int64_t empty = parallel_reduce(
      positions.tile_rows(), 1, context.stage("sampling", 0.2, 0.9), int64_t{0},
      [&](int64_t begin, int64_t end) {
        int64_t count = 0;
        Tile tile;
        for (int64_t j = begin; j < end; ++j)
          for (int64_t i = 0; i < positions.tile_columns(); ++i) {
            positions.fill(i, j, tile);
            count += mark_outside(tile, land.frame(), reach, outside);
            for (size_t k = 0; k < grids.size(); ++k) sample_tile(land.layers()[k], tile, grids[k]);
          }
        return count;
      },
      std::plus<>());
  if (empty == outside.size()) refuse("no sample of the new grid falls on the land", "use a smaller cell");
  Terrain out(to, land.relief());
  for (size_t k = 0; k < grids.size(); ++k) {
    const Layer& layer = land.layers()[k];
    if (empty > 0 && layer.kind == LayerKind::continuous)
      fill_voids(grids[k], outside, context.stage("filling", 0.9, 1));
    if (layer.kind == LayerKind::mask && layer.name == "void")
      for (int64_t i = 0; i < outside.size(); ++i)
        if (outside.data()[i] != 0) grids[k].data()[i] = 1;
    out = out.with(layer.holding(std::move(grids[k])));
  }
  if (empty > 0 && out.find("void") == nullptr)
    out = out.with(make_layer("void", "", LayerKind::mask, std::move(outside)));
  return out;
}

}  // namespace

void describe(Fields<ReprojectParams>& f) {
  f.about("Reproject land to another reference system, such as UTM");
  f.reach(Reach::whole);
  f.example("read file=recipes/data/hills.tif | {}");
  f("crs", &ReprojectParams::crs,
    "utm (the zone of the land's centre), a code such as EPSG:32612, a PROJ string or WKT")
      .sweep("utm", "EPSG:3995", "EPSG:3413");
  f("cell", &ReprojectParams::cell, Range{1e-6}, "distance between samples; auto: keeps the number of samples per area")
      .slider(1e-6, 100);
}

Terrain reproject(const Terrain& in, const ReprojectParams& params, const Context& context) {
  const Frame& from = in.frame();
  if (from.width == 0 || from.height == 0) refuse("land without samples cannot be reprojected");
  if (!from.geo || from.geo->crs.empty())
    refuse("the land has no place on Earth", "give 'read' its reference system: crs=EPSG:...");
  const OGRSpatialReference from_crs = parse_crs(from.geo->crs, "the land's reference system");
  if (!from_crs.IsProjected() && !from_crs.IsGeographic())
    refuse(fmt::format("the land's reference system '{}' is not on Earth", crs_name(from_crs)),
           "give 'read' the right one: crs=EPSG:...");
  const GeoArea area = area_of(from);
  const OGRSpatialReference to_crs = target_crs(from, area, params.crs);
  const char* const ignore[] = {"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES", nullptr};
  const bool same = from_crs.IsSame(&to_crs, ignore) != 0;
  if (same && !params.cell && from.geo->step.x == from.geo->step.y) return in;

  const Laid laid = lay(from, area, from_crs, to_crs);
  const double step = step_of(in, params, to_crs, laid, same);
  const Frame to = frame_in(to_crs, laid, step, from);
  require_memory(to, in.layers().size());
  const Terrain land = smoothed(in, laid, step, context.stage("smoothing", 0, 0.1));
  const SourcePositions positions(land.frame(), CrsTransform(to_crs, from_crs, area), full_turn(from_crs), to,
                                  context.stage("positions", 0.1, 0.2));
  return sampled(land, positions, to, reach_of(from, land.frame(), laid, step), context);
}

}  // namespace tepui
