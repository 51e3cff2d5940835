#include "tepui/geology/rock_planes.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/geology/rock_tree.h"

namespace tepui {

namespace {

/// One plane: d / R = normal . (p - at), the normal divided by R.
struct Sheet {
  Vec3 at, normal;
  double resistance;
};

class PlanarRock : public Rock {
 public:
  PlanarRock(std::vector<Sheet> sheets, const NoiseSpec& spec, double base, double roughness, Interval levels)
      : sheets_(std::move(sheets)), spec_(spec), noise_(spec), base_(base), roughness_(roughness), levels_(levels) {}

  void resistance(const RockPoints& at, float* rho) const override {
    double sum[rock_run];
    for_runs(at, [&](const RockPoints& run, int64_t first) {
      const auto count = static_cast<size_t>(run.count);
      std::fill_n(sum, count, base_);
      for (const Sheet& sheet : sheets_) add(sheet, run, sum);
      if (roughness_ > 0) {
        noise_.points({run.x, count}, {run.y, count}, {run.z, count}, {rho + first, count});
        for (size_t i = 0; i < count; ++i)
          sum[i] += roughness_ * static_cast<double>(rho[first + static_cast<int64_t>(i)]);
      }
      for (size_t i = 0; i < count; ++i) rho[first + static_cast<int64_t>(i)] = static_cast<float>(sum[i]);
    });
  }
  Interval levels() const override { return levels_; }

  void hash(Hasher& hasher) const override {
    hasher.add("planes").add(base_).add(roughness_).add(levels_.low).add(levels_.high);
    if (roughness_ > 0) hasher.add(spec_.scale).add(spec_.octaves).add(spec_.key);
    hasher.add(static_cast<int64_t>(sheets_.size()));
    for (const Sheet& sheet : sheets_)
      for (const double number :
           {sheet.at.x, sheet.at.y, sheet.at.z, sheet.normal.x, sheet.normal.y, sheet.normal.z, sheet.resistance})
        hasher.add(number);
  }
  size_t bytes() const override { return sizeof *this + sheets_.size() * sizeof(Sheet); }

 private:
  static void add(const Sheet& sheet, const RockPoints& run, double* sum) {
    for (int64_t i = 0; i < run.count; ++i) {
      const double u = (run.z[i] - sheet.at.z) * sheet.normal.z +
                       ((run.x[i] - sheet.at.x) * sheet.normal.x + (run.y[i] - sheet.at.y) * sheet.normal.y);
      sum[i] += sheet.resistance * falloff_of_square(u * u);
    }
  }

  std::vector<Sheet> sheets_;
  NoiseSpec spec_;
  Noise noise_;
  double base_, roughness_;
  Interval levels_;
};

}  // namespace

std::vector<RockPlane> sample_planes() {
  std::vector<RockPlane> planes(4);
  const double numbers[4][3] = {{2, 2, 0.5}, {6, 3, 0.35}, {9.5, 1.5, -0.3}, {12.5, 2.5, 0.55}};
  for (size_t i = 0; i < planes.size(); ++i) {
    planes[i].elevation = percent(numbers[i][0]);
    planes[i].thickness = percent(numbers[i][1]);
    planes[i].resistance = numbers[i][2];
  }
  return planes;
}

void describe(Fields<RockPlane>& f) {
  f("elevation", &RockPlane::elevation, Range{-1e9, 1e9}, "height of the plane at x, y");
  f("thickness", &RockPlane::thickness, open_range(0, 1e9),
    "thickness of the rock that it affects, at right angles to it");
  f("resistance", &RockPlane::resistance, Range{-10, 10},
    "resistance added on the plane; negative: it weakens the rock");
  f("dip", &RockPlane::dip, Range{0, 90}, "dip of the plane, 0 being level");
  f("direction", &RockPlane::direction, Range{-360, 360}, "direction in which it dips, clockwise from north");
  f("x", &RockPlane::x, Range{-1e9, 1e9}, "position of the plane, east of the world's middle");
  f("y", &RockPlane::y, Range{-1e9, 1e9}, "position of the plane, north of the world's middle");
}

void describe(Fields<RockPlanesParams>& f) {
  f.about("Rock that gets harder or weaker towards planes: strata without sharp boundaries");
  f.reach(Reach::point);
  f("planes", &RockPlanesParams::planes, Range{0, 1000}, "the planes; they add up where they cross");
  f("base", &RockPlanesParams::base, Range{-10, 10}, "resistance away from all planes").sweep("0", "0.35", "0.6");
  f("roughness", &RockPlanesParams::roughness, Range{0, 10}, "amount of noise added, for joints and fractures")
      .slider(0, 1)
      .sweep("0", "0.12", "0.5");
  f("wavelength", &RockPlanesParams::wavelength, open_range(0, 1e9), "of the noise").slider(1, 30);
  f("octaves", &RockPlanesParams::octaves, Range{1, 16}, "of the noise");
  f.seed(&RockPlanesParams::seed);
}

NoiseSpec roughness_noise(const Frame& world, const RockPlanesParams& params) {
  return {.scale = params.wavelength.in(world),
          .octaves = params.octaves,
          .key = params.seed.stream("rock_planes").bits(0)};
}

Geology rock_planes(const Frame& world, const RockPlanesParams& params, const Context&) {
  check_params(params);
  std::vector<Sheet> sheets;
  Interval levels;
  for (size_t i = 0; i < params.planes.size(); ++i) {
    const RockPlane& plane = params.planes[i];
    const double thickness = plane.thickness.in(world);
    if (!(thickness > 0)) refuse(fmt::format("'planes[{}].thickness' must be above 0", i), "or remove the plane");
    const Vec3 at = place_in(world, plane.x, plane.y, plane.elevation);
    sheets.push_back({at, plane_normal(plane.dip, plane.direction) * (1 / thickness), plane.resistance});
    levels = hull_of(levels, {at.z - thickness, at.z + thickness});
  }
  if (sheets.empty()) levels = usual_levels(world);
  const NoiseSpec spec = roughness_noise(world, params);
  if (params.roughness > 0) require_fine_positions(world, spec, 0);
  return Geology(std::make_shared<const PlanarRock>(std::move(sheets), spec, params.base, params.roughness, levels));
}

}  // namespace tepui
