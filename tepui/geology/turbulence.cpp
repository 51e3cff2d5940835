#include "tepui/geology/turbulence.h"

#include <cmath>

#include "tepui/core/noise.h"
#include "tepui/geology/rock_tree.h"

namespace tepui {

namespace {

class TurbulentRock : public Rock {
 public:
  TurbulentRock(const NoiseSpec& spec, const TurbulenceParams& params, Interval levels)
      : spec_(spec),
        noise_(spec),
        space_(params.along == TurbulenceAlong::space),
        contrast_(params.contrast),
        rho_(params.resistance),
        levels_(levels) {}

  void resistance(const RockPoints& at, float* rho) const override {
    const auto count = static_cast<size_t>(at.count);
    const std::span<const double> z(at.z, count);
    const std::span<float> out(rho, count);
    if (space_)
      noise_.points({at.x, count}, {at.y, count}, z, out);
    else
      noise_.row(z, 0, out);
    const double square = contrast_ * contrast_ - 1, middle = 0.5 * (rho_.low + rho_.high),
                 reach = 0.5 * (rho_.high - rho_.low) * contrast_;
    for (int64_t i = 0; i < at.count; ++i) {
      const auto n = static_cast<double>(rho[i]);
      rho[i] = static_cast<float>(middle + reach * n / std::sqrt(1 + square * n * n));
    }
  }
  Interval levels() const override { return levels_; }

  void hash(Hasher& hasher) const override {
    hasher.add("turbulence").add(space_).add(spec_.scale).add(spec_.octaves).add(spec_.key);
    hasher.add(contrast_).add(rho_.low).add(rho_.high).add(levels_.low).add(levels_.high);
  }
  size_t bytes() const override { return sizeof *this; }

 private:
  NoiseSpec spec_;
  Noise noise_;
  bool space_;
  double contrast_;
  Interval rho_, levels_;
};

}  // namespace

void describe(Fields<TurbulenceParams>& f) {
  f.about("Rock whose resistance is noise: strata of varying thickness, or lumps");
  f.reach(Reach::point);
  f("along", &TurbulenceParams::along, {"height", "space"},
    "height: level strata; space: lumps, the same in all directions");
  f("wavelength", &TurbulenceParams::wavelength, open_range(0, 1e9), "approximate size of the largest strata or lumps")
      .slider(1, 30)
      .sweep("2%", "5%", "12%");
  f("octaves", &TurbulenceParams::octaves, Range{1, 16}, "number of sizes, each half the one before");
  f("contrast", &TurbulenceParams::contrast, Range{1, 100},
    "contrast: higher values give more rock near the hardest and the softest")
      .slider(1, 10)
      .sweep("1", "3", "12");
  f("resistance", &TurbulenceParams::resistance, Range{-10, 10},
    "resistance of the softest and of the hardest rock; may be below 0 or above 1 for use in sums");
  f.seed(&TurbulenceParams::seed);
}

NoiseSpec turbulence_noise(const Frame& world, const TurbulenceParams& params) {
  return {
      .scale = params.wavelength.in(world), .octaves = params.octaves, .key = params.seed.stream("turbulence").bits(0)};
}

Geology turbulence(const Frame& world, const TurbulenceParams& params, const Context&) {
  check_params(params);
  const NoiseSpec spec = turbulence_noise(world, params);
  require_fine_positions(world, spec, 0);
  return Geology(std::make_shared<const TurbulentRock>(spec, params, usual_levels(world)));
}

}  // namespace tepui
