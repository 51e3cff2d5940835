#include "tepui/geology/fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/geology/rock_tree.h"

namespace tepui {

namespace {

constexpr int most_steps = 64;

class NoiseFold : public MovedRock {
 public:
  NoiseFold(RockPointer in, const std::array<NoiseSpec, 3>& specs, double amplitude, int steps)
      : MovedRock(std::move(in)),
        specs_(specs),
        noise_{Noise(specs[0]), Noise(specs[1]), Noise(specs[2])},
        amplitude_(amplitude),
        steps_(steps) {}

  Interval levels() const override {
    const Interval told = child().levels();
    return told.low < told.high ? Interval{told.low - amplitude_, told.high + amplitude_} : told;
  }
  void hash(Hasher& hasher) const override {
    hasher.add("noise fold").add(amplitude_).add(steps_).add(specs_[0].scale).add(specs_[0].octaves);
    for (const NoiseSpec& spec : specs_) hasher.add(spec.key);
    child().hash(hasher);
  }

 protected:
  void back(const RockPoints& at, RockRun& from) const override {
    const auto count = static_cast<size_t>(at.count);
    std::copy_n(at.x, count, from.x);
    std::copy_n(at.y, count, from.y);
    std::copy_n(at.z, count, from.z);
    float moved[3][rock_run];
    const double length = amplitude_ / steps_;
    for (int step = 0; step < steps_; ++step) {
      for (size_t axis = 0; axis < 3; ++axis)
        noise_[axis].points({from.x, count}, {from.y, count}, {from.z, count}, {moved[axis], count});
      for (size_t i = 0; i < count; ++i) {
        from.x[i] += length * static_cast<double>(moved[0][i]);
        from.y[i] += length * static_cast<double>(moved[1][i]);
        from.z[i] += length * static_cast<double>(moved[2][i]);
      }
    }
  }

 private:
  std::array<NoiseSpec, 3> specs_;
  std::array<Noise, 3> noise_;
  double amplitude_;
  int steps_;
};

class WaveFold : public MovedRock {
 public:
  WaveFold(RockPointer in, Vec3 crest, Vec2 direction, double amplitude, double wavelength)
      : MovedRock(std::move(in)),
        crest_(crest),
        direction_(direction),
        amplitude_(amplitude),
        wavelength_(wavelength) {}

  Interval levels() const override {
    const Interval told = child().levels();
    return told.low < told.high ? Interval{told.low - amplitude_, told.high + amplitude_} : told;
  }
  void hash(Hasher& hasher) const override {
    hasher.add("wave fold");
    for (const double number : {crest_.x, crest_.y, direction_.x, direction_.y, amplitude_, wavelength_})
      hasher.add(number);
    child().hash(hasher);
  }

 protected:
  void back(const RockPoints& at, RockRun& from) const override {
    for (int64_t i = 0; i < at.count; ++i) {
      const double s = (at.x[i] - crest_.x) * direction_.x + (at.y[i] - crest_.y) * direction_.y;
      from.x[i] = at.x[i];
      from.y[i] = at.y[i];
      from.z[i] = at.z[i] - amplitude_ * math::cos(2 * math::pi * (s / wavelength_));
    }
  }

 private:
  Vec3 crest_;
  Vec2 direction_;
  double amplitude_, wavelength_;
};

}  // namespace

void describe(Fields<FoldParams>& f) {
  f.about("Fold rock at random, or into parallel arches and troughs");
  f.reach(Reach::point);
  f.example("strata | {}");
  f("by", &FoldParams::by, {"noise", "waves"}, "noise: irregular folds; waves: parallel arches and troughs");
  f("amplitude", &FoldParams::amplitude, Range{0, 1e9}, "largest distance that rock is moved")
      .slider(0, 20)
      .sweep("2%", "7%", "12%");
  f("wavelength", &FoldParams::wavelength, open_range(0, 1e9), "distance between folds")
      .slider(5, 200)
      .sweep("25%", "40%", "90%");
  f("octaves", &FoldParams::octaves, Range{1, 8}, "by=noise: number of sizes of folds");
  f("steps", &FoldParams::steps, Range{1, most_steps},
    "by=noise: number of small moves that make up the fold; 1 is the paper's")
      .slider(1, 16);
  f("direction", &FoldParams::direction, Range{-360, 360},
    "by=waves: direction in which folds follow each other, clockwise from north");
  f("x", &FoldParams::x, Range{-1e9, 1e9}, "by=waves: position of a crest, east of the world's middle");
  f("y", &FoldParams::y, Range{-1e9, 1e9}, "by=waves: position of a crest, north of the world's middle");
  f.seed(&FoldParams::seed, "by=noise");
}

std::array<NoiseSpec, 3> fold_noise(const Frame& world, const FoldParams& params) {
  const Stream stream = params.seed.stream("fold");
  std::array<NoiseSpec, 3> specs;
  for (size_t axis = 0; axis < 3; ++axis) {
    specs[axis].scale = params.wavelength.in(world);
    specs[axis].octaves = params.octaves;
    specs[axis].key = stream.bits(axis);
  }
  return specs;
}

double largest_fold(const Frame& world, const FoldParams& params) {
  return params.steps / (std::sqrt(3.0) * steepest_slope_in_space(fold_noise(world, params)[0]));
}

Geology fold(const Frame& world, const Geology& in, const FoldParams& params, const Context&) {
  check_params(params);
  const double amplitude = params.amplitude.in(world), wavelength = params.wavelength.in(world);
  if (params.by == FoldBy::waves)
    return Geology(std::make_shared<const WaveFold>(in.share(), place_in(world, params.x, params.y, metres(0)),
                                                    level_direction(params.direction), amplitude, wavelength));
  const std::array<NoiseSpec, 3> specs = fold_noise(world, params);
  const double largest = largest_fold(world, params);
  if (!(amplitude < largest)) {
    FoldParams more = params;
    while (more.steps <= most_steps && !(amplitude < largest_fold(world, more))) ++more.steps;
    refuse(
        fmt::format("an amplitude of {:.4g} m would fold rock over itself", amplitude),
        fmt::format("at a wavelength of {:.4g} m and steps = {} it must stay below {:.4g} m{}", wavelength,
                    params.steps, largest, more.steps <= most_steps ? fmt::format("; or steps = {}", more.steps) : ""));
  }
  require_fine_positions(world, specs[0], amplitude);
  return Geology(std::make_shared<const NoiseFold>(in.share(), specs, amplitude, params.steps));
}

}  // namespace tepui
