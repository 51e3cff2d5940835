#include "tepui/erode/glacier_paths.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tepui/core/math.h"
#include "tepui/core/noise.h"
#include "tepui/erode/stream_rock.h"

namespace tepui {

namespace {

constexpr double least_flux = 3e5;  // m3 a year with which a glacier begins
constexpr double wear_of_sliding = 1e-4;
constexpr double deepest_share = 1.5;  // of the ice's thickness: what carving approaches
constexpr double yield_length = 11;    // thickness times slope of ice that flows in a valley, metres (Nye 1952)
constexpr double steepest_trough = 1;  // depth over half the width
constexpr double variety_scale = 900, variety_share = 0.4;
constexpr int most_rounds = 600;
constexpr double thick_share = 1.5;   // of what usual glaciers are thick: what ice in a flat valley approaches
constexpr double full_melting = 150;  // metres below the snow line

/// The samples of the middle line of one glacier, downstream.
struct Line {
  std::vector<int32_t> cells;
  int joins = -1;
};

/// Follows the ice up from where it ends, along the larger branch; the others are lines of their own.
class LineFinder {
 public:
  explicit LineFinder(const GlacierFlow& flow) : flow_(flow), count_(flow.receiver.size()) {
    on_.assign(count_, 0), main_.assign(count_, -1), branches_.assign(count_, {});
  }

  std::vector<Line> lines() {
    mark();
    std::vector<Line> out;
    struct Start {
      int32_t cell;
      int32_t below;
      int joins;
    };
    std::vector<Start> starts;
    for (const int32_t cell : flow_.order)
      if (on_[at(cell)] && !flows_on(cell)) starts.push_back({cell, -1, -1});
    for (size_t next = 0; next < starts.size(); ++next) {
      const Start start = starts[next];
      Line line;
      line.joins = start.joins;
      if (start.below >= 0) line.cells.push_back(start.below);
      for (int32_t cell = start.cell; cell >= 0; cell = main_[at(cell)]) {
        line.cells.push_back(cell);
        for (const int32_t side : branches_[at(cell)])
          if (side != main_[at(cell)]) starts.push_back({side, cell, static_cast<int>(next)});
      }
      std::ranges::reverse(line.cells);
      out.push_back(std::move(line));
    }
    return out;
  }

 private:
  static size_t at(int32_t cell) { return static_cast<size_t>(cell); }
  bool flows_on(int32_t cell) const {
    const int32_t down = flow_.receiver[at(cell)];
    return flow_.leaving[at(cell)] > 0 && down >= 0 && flow_.is_land[at(down)] != 0;
  }

  void mark() {
    for (const int32_t cell : flow_.order) {
      if (flow_.flux(cell) >= least_flux) on_[at(cell)] = 1;
      if (!on_[at(cell)] || !flows_on(cell)) continue;
      const int32_t down = flow_.receiver[at(cell)];
      on_[at(down)] = 1;
      branches_[at(down)].push_back(cell);
      int32_t& main = main_[at(down)];
      if (main < 0 || flow_.leaving[at(cell)] > flow_.leaving[at(main)]) main = cell;
    }
  }

  const GlacierFlow& flow_;
  size_t count_;
  std::vector<uint8_t> on_;
  std::vector<int32_t> main_;
  std::vector<std::vector<int32_t>> branches_;
};

/// [1 2 1] again and again along the line, so often that bends narrower than the glacier go; ends stay.
template <class Member>
void smooth(std::vector<GlacierPoint>& points, double step, double share, Member GlacierPoint::*member) {
  std::vector<Member> next(points.size());
  const auto rounds = [&](size_t i) {
    const double cells = share * points[i].half / step;
    return std::min(most_rounds, static_cast<int>(2 * cells * cells));
  };
  int most = 0;
  for (size_t i = 0; i < points.size(); ++i) most = std::max(most, rounds(i));
  for (int round = 0; round < most; ++round) {
    for (size_t i = 1; i + 1 < points.size(); ++i) {
      const Member own = points[i].*member;
      next[i] = round >= rounds(i) ? own : (points[i - 1].*member + points[i + 1].*member) * 0.25 + own * 0.5;
    }
    for (size_t i = 1; i + 1 < points.size(); ++i) points[i].*member = next[i];
  }
}

class PathMaker {
 public:
  PathMaker(const GlacierFlow& flow, const IceClimate& climate, const Geology* rock, const GlaciersParams& params)
      : flow_(flow), climate_(climate), rock_(rock), params_(params), noise_(spec(params)) {
    point_of_.assign(flow.receiver.size(), {-1, 0});
  }

  std::vector<GlacierPath> make(const std::vector<Line>& lines) {
    for (const Line& line : lines) add(line);
    return std::move(paths_);
  }

 private:
  static NoiseSpec spec(const GlaciersParams& params) {
    NoiseSpec spec;
    spec.octaves = 2;
    spec.scale = variety_scale;
    spec.key = params.seed.stream("glaciers").bits(0, 1);
    return spec;
  }

  GlacierPoint point_of(int32_t cell) const {
    GlacierPoint p;
    const Lattice& l = flow_.lattice;
    p.at = {l.origin.x + static_cast<double>(cell % l.width) * l.cell.x,
            l.origin.y + static_cast<double>(cell / l.width) * l.cell.y};
    p.floor = static_cast<double>(flow_.bed.data()[cell]);
    p.flux = flow_.flux(cell);
    p.half = 0.5 * glacier_width(p.flux);
    const double line = static_cast<double>(climate_.snow_line.data()[cell]);
    p.melting = std::clamp((line - p.floor - glacier_thickness(p.flux)) / full_melting, 0.0, 1.0);
    return p;
  }

  double softness(const GlacierPoint& p) const {
    double factor = 1;
    if (params_.variety > 0) {
      float n = 0;
      noise_.points({&p.at.x, 1}, {&p.at.y, 1}, {&n, 1});
      factor = std::max(0.1, 1 + variety_share * params_.variety * static_cast<double>(n));
    }
    if (rock_ == nullptr) return factor;
    float rho = 0;
    rock_->resistance({&p.at.x, &p.at.y, &p.floor, 1}, &rho);
    return factor * 2 * StreamRock::softness_of(static_cast<double>(rho));
  }

  /// The surface of ice that yields on its bed, from the end of the glacier up: thickness times slope is one length.
  void lay_ice(std::vector<GlacierPoint>& points, double below) const {
    double down = below;
    for (size_t i = points.size(); i-- > 0;) {
      GlacierPoint& p = points[i];
      const size_t other = i + 1 < points.size() ? i + 1 : i;
      const Vec2 way = points[other].at - p.at;
      const double length = other == i ? 0 : std::sqrt(way.x * way.x + way.y * way.y);
      const double rise = p.floor - down;
      const double thick = 0.5 * (std::sqrt(rise * rise + 4 * yield_length * length) - rise);
      // Where the bed is nearly level, as much ice as flows does not need to be as thick as it may.
      const double most = std::max(thick_share * glacier_thickness(p.flux), 1.0);
      p.surface = p.floor + std::max(0.0, thick * most / std::sqrt(thick * thick + most * most));
      down = p.surface;
    }
  }

  void carve(std::vector<GlacierPoint>& points) const {
    for (GlacierPoint& p : points) {
      const double thick = glacier_thickness(p.flux);
      const double wear = wear_of_sliding * glacier_speed(p.flux) * params_.years * params_.carving * softness(p);
      p.carved = thick > 0 ? wear / (1 + wear / (deepest_share * thick)) : 0;
    }
  }

  void add(const Line& line) {
    GlacierPath path;
    for (const int32_t cell : line.cells) path.points.push_back(point_of(cell));
    std::vector<GlacierPoint>& points = path.points;
    const bool side = line.joins >= 0;
    const std::pair<int, int> ends =
        side ? point_of_[static_cast<size_t>(line.cells.back())] : std::pair<int, int>{-1, 0};
    const auto on = static_cast<size_t>(std::max(ends.first, 0)), index = static_cast<size_t>(ends.second);
    path.joins = ends.first;
    if (side) {
      const GlacierPoint& there = paths_[on].points[index];
      // A side glacier has its own width until it is part of the larger one.
      points.back() = there;
      points.back().flux = points[points.size() - 2].flux, points.back().half = points[points.size() - 2].half;
      points.back().floor = there.floor + there.carved;
    }
    const double step = std::sqrt(flow_.lattice.cell.x * flow_.lattice.cell.y);
    carve(points);
    lay_ice(points, side ? paths_[on].points[index].surface : points.back().floor);
    smooth(points, step, 1, &GlacierPoint::at);
    smooth(points, step, 0.5, &GlacierPoint::half);
    smooth(points, step, 0.7, &GlacierPoint::floor);
    smooth(points, step, 0.5, &GlacierPoint::carved);
    smooth(points, step, 0.7, &GlacierPoint::surface);
    for (GlacierPoint& p : points) {
      p.floor -= p.carved;
      p.depth = std::max(p.surface - p.floor, 0.2 * p.half);
      p.half = std::max(p.half, p.depth / steepest_trough);
    }
    for (size_t i = 0; i < points.size(); ++i)
      if (!side || i + 1 < points.size())
        point_of_[static_cast<size_t>(line.cells[i])] = {static_cast<int>(paths_.size()), static_cast<int>(i)};
    if (points.size() >= 2) paths_.push_back(std::move(path));
  }

  const GlacierFlow& flow_;
  const IceClimate& climate_;
  const Geology* rock_;
  const GlaciersParams& params_;
  Noise noise_;
  std::vector<GlacierPath> paths_;
  std::vector<std::pair<int, int>> point_of_;
};

}  // namespace

std::vector<GlacierPath> glacier_paths(const GlacierFlow& flow, const IceClimate& climate, const Geology* rock,
                                       const GlaciersParams& params, const Context& context) {
  context.check();
  return PathMaker(flow, climate, rock, params).make(LineFinder(flow).lines());
}

}  // namespace tepui
