#include "tepui/generate/skyline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/terrain/lines_builder.h"

namespace tepui {

namespace {

/// More are no picture, and their lines would fill the memory.
constexpr int64_t most_tents = 10000;
constexpr double most_points = 2e7;
/// Where the range of a Brownian curve is measured, whatever its points.
constexpr int64_t measuring_samples = 4097;

/// One ridge: how far up the world it stands, and how high it is beside its model.
struct Ridge {
  int64_t number = 1;
  double y = 0, scale = 1;
};

Ridge ridge_of(const Frame& world, const SkylineParams& params, int64_t number) {
  const double far =
      params.ranges > 1 ? static_cast<double>(params.ranges - number) / static_cast<double>(params.ranges - 1) : 1;
  return {number, world.origin.y + far * world.size.y, params.foothills + far * (1 - params.foothills)};
}

void check(const SkylineParams& params) {
  if (static_cast<double>(params.points) * static_cast<double>(params.ranges) > most_points)
    refuse(fmt::format("{} ranges of {} points exceed the limit of {:.0f} points", params.ranges, params.points,
                       most_points));
  if (!params.tents) return;
  if (params.kind != SkylineKind::uplift)
    refuse("a Brownian curve is not made of tents", "remove 'tents', or use kind = uplift");
  // Divided, for the product may be beyond all numbers.
  if (params.peaks > most_tents / params.ranges)
    refuse(fmt::format("{} peaks in {} ranges are too many to give each tent as a line", params.peaks, params.ranges),
           fmt::format("the limit is {} peaks", most_tents));
}

/// From 0 to 1 over the range of a fixed lattice; what lies below that is ground.
std::vector<double> brownian_heights(const ProfileLine& line, const BrownianProfile& model, const Stream& stream,
                                     const Context& context) {
  const std::vector<double> lattice =
      brownian_profile({measuring_samples, line.length}, model, stream, context.stage("measure", 0, 0.3));
  const auto [low, high] = std::minmax_element(lattice.begin(), lattice.end());
  const double base = *low, span = *high - *low;
  std::vector<double> z = brownian_profile(line, model, stream, context.stage("curve", 0.3, 1));
  for (double& v : z) v = span > 0 ? std::max(0.0, (v - base) / span) : 0;
  return z;
}

/// From foot to foot, as far as the world goes.
std::vector<Vec3> tent_of(const ProfileLine& line, const ProfilePeak& peak, double ruggedness, double x0,
                          const Ridge& ridge) {
  const auto height_at = [&](double x) {
    return std::max(0.0, peak.height - ruggedness * std::abs(x - peak.position));
  };
  const double reach = ruggedness > 0 ? peak.height / ruggedness : line.length;
  std::vector<Vec3> tent;
  for (const double x :
       {std::max(peak.position - reach, 0.0), peak.position, std::min(peak.position + reach, line.length)}) {
    const bool foot = ruggedness > 0 && x != peak.position && x > 0 && x < line.length;
    tent.push_back({x0 + x, ridge.y, foot ? 0 : ridge.scale * height_at(x)});
  }
  return tent;
}

}  // namespace

void describe(Fields<SkylineParams>& f) {
  using P = SkylineParams;
  f.about("Skylines of mountain ranges, as lines");
  f.reach(Reach::point);
  f("kind", &P::kind, {"uplift", "brownian"},
    "uplift: the mean of many tents, smooth and worn; brownian: a fractal curve, craggy");
  f("points", &P::points, Range{1, 1e7}, "points of each line, evenly from west to east").slider(129, 4097);
  f("ranges", &P::ranges, Range{1, 64}, "number of ranges behind one another; the farthest does not depend on it")
      .slider(1, 8)
      .sweep("1", "3", "8");
  f("foothills", &P::foothills, Range{0, 1}, "height of the nearest range, as a share of the farthest");
  f("peaks", &P::peaks, Range{0, 1e7}, "kind=uplift: number of tents; more make the ridge lower and smoother")
      .slider(1, 200)
      .sweep("8", "30", "300");
  f("peak_height", &P::peak_height, Range{0, 1e6}, "height of a tent: one length, or drawn uniformly from an interval")
      .slider(0, 200);
  f("ruggedness", &P::ruggedness, Range{0, 1e6},
    "slope of the tents' sides, in metres per metre: 1 makes hills, 20 needles")
      .slider(0.2, 40)
      .sweep("2", "8", "40");
  f("tents", &P::tents, "also give every tent as a separate line");
  f("hurst", &P::hurst, open_range(0, 1), "kind=brownian: Hurst exponent, between 0 and 1; higher is smoother")
      .slider(0.1, 0.9);
  f("height", &P::height, Range{0, 1e6}, "kind=brownian: height from the lowest to the highest point").slider(0, 50);
  f("size", &P::size, Range{0.001, 1e9}, "kind=brownian: distance between the largest mountains").slider(5, 200);
  f("detail", &P::detail, Range{0.001, 1e9}, "kind=brownian: distance between the smallest crags").slider(0.02, 5);
  f.seed(&P::seed);
}

Stream skyline_stream(const Seed& seed, int64_t range) {
  return Stream(seed.stream("skyline").bits(static_cast<uint64_t>(range)));
}

bool is_tent(std::string_view name) { return name.starts_with("tent "); }

Lines skyline(const Frame& world, const SkylineParams& params, const Context& context) {
  check(params);
  const ProfileLine line{params.points, world.size.x};
  const UpliftProfile uplift{params.peaks, params.peak_height.low.in(world), params.peak_height.high.in(world),
                             params.ruggedness};
  const BrownianProfile brownian{params.hurst, params.size.in(world), params.detail.in(world)};
  const double x0 = world.origin.x, height = params.height.in(world);
  LinesBuilder lines;
  for (int64_t number = 1; number <= params.ranges; ++number) {
    const auto share = [&](int64_t n) { return static_cast<double>(n) / static_cast<double>(params.ranges); };
    const Context stage = context.stage("ranges", share(number - 1), share(number));
    const Ridge ridge = ridge_of(world, params, number);
    const Stream stream = skyline_stream(params.seed, number);
    const bool tents = params.kind == SkylineKind::uplift;
    const std::vector<double> z =
        tents ? uplift_profile(line, uplift, stream, stage) : brownian_heights(line, brownian, stream, stage);
    const double scale = tents ? ridge.scale : ridge.scale * height;
    context.check();
    std::vector<Vec3> range;
    range.reserve(z.size());
    for (size_t i = 0; i < z.size(); ++i)
      range.push_back({x0 + line.x(static_cast<int64_t>(i)), ridge.y, scale * z[i]});
    lines.begin(FeatureShape::line, fmt::format("range {}", number));
    lines.part(range);
    if (!params.tents) continue;
    const std::vector<ProfilePeak> peaks = draw_profile_peaks(line, uplift, stream, 0, params.peaks);
    for (size_t i = 0; i < peaks.size(); ++i) {
      lines.begin(FeatureShape::line, fmt::format("tent {} of range {}", i + 1, number));
      lines.part(tent_of(line, peaks[i], params.ruggedness, x0, ridge));
    }
  }
  return std::move(lines).build();
}

}  // namespace tepui
