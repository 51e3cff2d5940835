#include "tepui/landforms/sea_erosion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/landforms/feature.h"
#include "tepui/landforms/rock_bits.h"
#include "tepui/landforms/sheet_carving.h"
#include "tepui/landforms/shore.h"
#include "tepui/landforms/surface_samples.h"

namespace tepui {

namespace {

/// All lengths in metres.
struct Sizes {
  double sea, depth, height, thin, fetch, radius, spacing;
  int passes;
  bool paper;

  Sizes(const Frame& world, const SeaErosionParams& params)
      : sea(params.sea_level.value_or(0)),
        depth(params.depth.in(world)),
        height(0),
        thin(0),
        fetch(0),
        radius(0),
        spacing(0),
        passes(0),
        paper(params.form == CarvingForm::paper) {
    const auto in = [&](const std::optional<Length>& length, double otherwise) {
      return length ? length->in(world) : otherwise;
    };
    height = in(params.height, 1.45 * depth);
    thin = in(params.thin, 3.6 * depth);
    fetch = in(params.fetch, 7.3 * depth);
    radius = in(params.size, (paper ? 1.45 : 0.9) * depth);
    spacing = in(params.spacing, (paper ? 0.25 : 0.44) * radius);
    passes = params.passes.value_or(paper ? 3 : 4);
    for (const double length : {height, radius, spacing, fetch})
      if (!(length > 0)) refuse("sizes must be above 0 m", "leave them out, and give a 'depth'");
    if (spacing > radius)
      refuse(fmt::format("a spacing of {:.3g} m leaves gaps between points of {:.3g} m", spacing, radius),
             "use half of the radius, or less");
  }
  /// How far above the sea waves reach in the weakest rock.
  double highest() const { return paper ? height : 3.2 * height; }
};

/// How much of the waves there is at a height.
double waves(const Sizes& sizes, double z, double weak) {
  const double up = z - sizes.sea;
  return fading(up / (up > 0 && !sizes.paper ? sizes.height * (1 + 2.2 * weak) : sizes.height));
}

struct Pass {
  const Sizes& sizes;
  const SeaErosionParams& params;
  const Geology& rock;
  const Where& where;
  const Shore& shore;
  Stream random;
  int number;

  std::vector<SurfaceSample> samples(const Volume& volume, const Context& context) const {
    Box3 region = where.box();
    region.low.z = std::max(region.low.z, sizes.sea - sizes.height);
    region.high.z = std::min(region.high.z, sizes.sea + sizes.highest());
    const SurfaceFilter filter{.accept = [&](Vec3 at, Vec3) { return shore.near(at.x, at.y) && where.weight(at) > 0; },
                               .may = [&](const Box3& box) { return where.may(box) && shore.may(box); },
                               .least_up = sizes.paper ? -0.8 : -1,
                               .most_up = 0.8};
    return sample_surface(volume, region, sizes.spacing, random, filter, context, &rock);
  }

  /// What is wanted at the samples that the sea reaches: metres, or sigma.
  std::vector<float> strengths(const Volume& volume, std::vector<SurfaceSample>& samples,
                               const Context& context) const {
    std::erase_if(samples, [&](const SurfaceSample& s) { return !(share(s) > 0) || s.resistance >= 1; });
    std::vector<Vec3> at, normal;
    for (const SurfaceSample& s : samples) at.push_back(s.at), normal.push_back(s.normal);
    const RockBits bits(volume, at, std::max(sizes.fetch, sizes.thin), 0.7 * sizes.spacing,
                        context.stage("rock", 0, 0.6));
    const std::vector<float> open =
        bits.open_shares(at, normal, RayFan(32), sizes.fetch, context.stage("rays", 0.6, 0.95));
    std::vector<float> wanted(samples.size());
    parallel_chunks(
        static_cast<int64_t>(samples.size()), 1024, context.stage("", 0.95, 1), [&](int64_t begin, int64_t end) {
          for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
            wanted[i] = static_cast<float>(share(samples[i]) * reached(samples[i], static_cast<double>(open[i]), bits));
        });
    return wanted;
  }

  std::vector<FieldPoint> points(const Volume& volume, const Context& context) const {
    std::vector<SurfaceSample> at = samples(volume, context.stage("", 0, 0.4));
    const std::vector<float> wanted = strengths(volume, at, context.stage("", 0.4, 0.8));
    if (!sizes.paper)
      return sheet_points(volume, rock, at, wanted, {sizes.radius, sizes.spacing, 0.03 * sizes.depth}, random,
                          context.stage("", 0.8, 1));
    constexpr double energies[] = {1, 2.0 / 3, 8.0 / 15};
    const double most = 2 * volume.threshold() * energies[std::min(number, 2)];
    std::vector<FieldPoint> all;
    for (size_t i = 0; i < at.size(); ++i)
      if (const double e = erosion_effect(static_cast<double>(at[i].resistance), static_cast<double>(wanted[i]));
          e >= 0.05)
        all.push_back({at[i].at, sizes.radius, -most * e});
    return sparing_hardest(std::move(all), rock, context.stage("", 0.8, 1));
  }

 private:
  double weak(const SurfaceSample& s) const { return weakness(static_cast<double>(s.resistance), params.weak); }

  /// Without what the rock around has to say.
  double share(const SurfaceSample& s) const {
    const double here = where.weight(s.at) * waves(sizes, s.at.z, weak(s));
    return sizes.paper ? here : sizes.depth * here * (0.12 + 0.88 * weak(s));
  }
  double reached(const SurfaceSample& s, double open, const RockBits& bits) const {
    if (sizes.paper) return open;
    const double thick = sizes.thin > 0 ? bits.thickness(s.at, s.normal * -1, sizes.thin) / sizes.thin : 1;
    // Of hard rock alone.
    const double spared = weak(s) + (1 - weak(s)) * math::smoothstep(0.2, 1, thick);
    return std::min(1.0, open / 0.35) * spared;
  }
};

}  // namespace

void describe(Fields<SeaErosionParams>& f) {
  f.about("Let waves cut notches, caves, arches and stacks into a coast");
  f.reach(Reach::whole);
  f("form", &SeaErosionParams::form, {"metres", "paper"},
    "rule: depths in metres by the weakness of rock, or the paper's energies");
  f("sea_level", &SeaErosionParams::sea_level, Range{-1e7, 1e7},
    "height of the water; auto: the world's sea, or 0 if it has none")
      .unit("m")
      .slider(-100, 100)
      .sea_level();
  f("depth", &SeaErosionParams::depth, open_range(0, 1e6), "depth that open, weak rock at sea level loses in a pass")
      .slider(0.1, 5)
      .sweep("0.7%", "1.4%", "2.5%");
  f("passes", &SeaErosionParams::passes, Range{0, 40}, "how many times; auto: 4, or the paper's 3")
      .sweep("1", "4", "8");
  f("height", &SeaErosionParams::height, open_range(0, 1e6),
    "height above the sea that waves reach on hard rock, 3.2 times as high on weak; auto: 1.45 depths");
  f("weak", &SeaErosionParams::weak, Range{0, 1},
    "resistance up to which rock is all weak, and from which it is not weak at all");
  f("thin", &SeaErosionParams::thin, Range{0, 1e6},
    "thickness below which hard rock is spared, so that stacks stand; auto: 3.6 depths");
  f("fetch", &SeaErosionParams::fetch, open_range(0, 1e6),
    "distance over which rock shelters from waves; auto: 7.3 depths");
  f("size", &SeaErosionParams::size, open_range(0, 1e6),
    "size of what is taken at a time; auto: 0.9 depths, or 1.45 for the paper's rule");
  f("spacing", &SeaErosionParams::spacing, open_range(0, 1e6),
    "distance between points; auto: 0.44 of the size, or a quarter for the paper's rule");
  describe_where(f);
  f.seed(&SeaErosionParams::seed);
}

Volume sea_erosion(const Frame& world, const Volume& in, const Geology* rock, const Terrain* mask, const Lines* region,
                   const SeaErosionParams& params, const Context& context) {
  if (region != nullptr && region->empty()) return in;
  const Sizes sizes(world, params);
  if (!(params.weak.low <= params.weak.high)) refuse("'weak' ends below its beginning", "give the lower number first");
  const Geology& geology = rock != nullptr ? *rock : in.rock();
  const Where where(params, world, in, mask, region);
  const Stream random = params.seed.stream("sea_erosion");
  Volume out = in;
  size_t points = 0;
  for (int i = 0; i < sizes.passes; ++i) {
    const Context stage = context.stage("waves", static_cast<double>(i) / sizes.passes, (i + 1.0) / sizes.passes);
    // As far inland as waves reach up a slope of 45 degrees.
    const Shore shore(out, where.box(), sizes.sea, 2 * sizes.spacing, sizes.highest(), stage.stage("shore", 0, 0.02));
    const Pass pass{sizes, params, geology, where, shore, Stream(random.bits(static_cast<uint64_t>(i))), i};
    const std::vector<FieldPoint> taken = pass.points(out, stage);
    out = out.with_root(with_points(out.share(), taken, out.threshold()));
    points += taken.size();
  }
  return made_by(
      out, {"sea_erosion", {{"points", static_cast<double>(points)}, {"passes", static_cast<double>(sizes.passes)}}},
      context);
}

}  // namespace tepui
