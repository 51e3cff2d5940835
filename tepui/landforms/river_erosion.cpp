#include "tepui/landforms/river_erosion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/hydrology/flow.h"
#include "tepui/hydrology/rivers.h"
#include "tepui/landforms/feature.h"
#include "tepui/landforms/river_ways.h"
#include "tepui/landforms/surface_samples.h"
#include "tepui/volume/land_sheet.h"

namespace tepui {

namespace {

/// All lengths in metres.
struct Sizes {
  double depth, height, reach, size, spacing;
  bool paper;

  Sizes(const Frame& world, const RiverErosionParams& params)
      : depth(params.depth.in(world)), paper(params.form == CarvingForm::paper) {
    const auto in = [&](const std::optional<Length>& length, double otherwise) {
      return length ? length->in(world) : otherwise;
    };
    height = in(params.height, 1.75 * depth);
    reach = in(params.reach, 12 * depth);
    size = in(params.size, (paper ? 2.35 : 1.5) * depth);
    spacing = in(params.spacing, (paper ? 0.25 : 0.4) * size);
    for (const double length : {height, reach, size, spacing})
      if (!(length > 0)) refuse("sizes must be above 0 m", "leave them out, and give a 'depth'");
    if (spacing > size)
      refuse(fmt::format("a spacing of {:.3g} m leaves gaps between points of {:.3g} m", spacing, size),
             "use half of the size, or less");
  }
};

/// The land that a volume was made of, as it was before anything was carved into it.
Terrain land_of(const Volume& volume) {
  const SurfaceSketch sketch = volume.root().sketch();
  const LandSheet* sheet = land_in(sketch);
  if (sheet == nullptr)
    refuse("the volume was not made of land, so that it has no rivers",
           "connect land to the port 'water', or lines to 'along'");
  const Grid<float>& from = sheet->grid();
  Grid<float> height(from.width(), from.height());
  std::ranges::copy(from.cells(), height.cells().begin());
  const Interval all = sheet->samples();
  return Terrain(sheet->frame(), {all.low, std::max(all.high, all.low + 1e-3)}, std::move(height));
}

/// sqrt(drainage) * slope over what a hundredth of the land exceeds, the largest of four samples around.
class StreamStrength {
 public:
  StreamStrength(const Terrain& water, double least, const std::optional<double>& sea_level, const Context& context)
      : frame_(water.frame()) {
    const Terrain wet = water.find("drainage") != nullptr
                            ? water
                            : flow(water, nullptr, nullptr, {FlowMethod::freeman, 1.1, {}, sea_level}, context);
    const Grid<float>&area = wet.layer("drainage").grid(), &z = water.height();
    const int64_t w = z.width(), h = z.height();
    Grid<float> power(w, h);
    std::vector<float> sorted;
    for (int64_t y = 0; y < h; ++y)
      for (int64_t x = 0; x < w; ++x) {
        const int64_t x0 = std::max<int64_t>(x - 1, 0), x1 = std::min(x + 1, w - 1);
        const int64_t y0 = std::max<int64_t>(y - 1, 0), y1 = std::min(y + 1, h - 1);
        const auto rise = [&](float a, float b, int64_t cells, double cell) {
          return cells > 0 ? (static_cast<double>(b) - static_cast<double>(a)) / (static_cast<double>(cells) * cell)
                           : 0;
        };
        const double east = rise(z(x0, y), z(x1, y), x1 - x0, frame_.cell.x);
        const double north = rise(z(x, y0), z(x, y1), y1 - y0, frame_.cell.y);
        power(x, y) = static_cast<float>(std::sqrt(static_cast<double>(area(x, y)) * (east * east + north * north)));
        sorted.push_back(power(x, y));
      }
    const auto rank = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) * 99 / 100);
    std::ranges::nth_element(sorted, rank);
    const double most = static_cast<double>(*rank);
    strength_ = Grid<float>(w, h, 0);
    constexpr int64_t around = 4;
    for (int64_t y = 0; y < h; ++y)
      for (int64_t x = 0; x < w; ++x) {
        const double share = most > 0 ? std::min(static_cast<double>(power(x, y)) / most, 1.0) : 0;
        if (share < least) continue;
        for (int64_t j = std::max<int64_t>(y - around, 0); j <= std::min(y + around, h - 1); ++j)
          for (int64_t i = std::max<int64_t>(x - around, 0); i <= std::min(x + around, w - 1); ++i)
            strength_(i, j) = std::max(strength_(i, j), static_cast<float>(share));
      }
  }

  double at(double x, double y) const {
    const auto i = static_cast<int64_t>(std::lround((x - frame_.x(0)) / frame_.cell.x));
    const auto j = static_cast<int64_t>(std::lround((y - frame_.y(0)) / frame_.cell.y));
    if (i < 0 || j < 0 || i >= strength_.width() || j >= strength_.height()) return 0;
    return static_cast<double>(strength_(i, j));
  }

 private:
  Frame frame_;
  Grid<float> strength_;
};

class Carver {
 public:
  Carver(const Sizes& sizes, const RiverErosionParams& params, const Geology& rock, const Where& where,
         const RiverWays* ways, const StreamStrength* strength)
      : sizes_(sizes), params_(params), rock_(rock), where_(where), ways_(ways), strength_(strength) {}

  std::vector<FieldPoint> points(const Volume& volume, const Stream& random, const Context& context) const {
    // The sides of its block are no walls of a canyon.
    const Box3 land = land_plan(volume.root());
    const SurfaceFilter filter{
        .accept = [&](Vec3 at, Vec3) { return land.holds(at) && where_.weight(at) > 0 && reaches(at); },
        .may =
            [&](const Box3& box) {
              return where_.may(box) &&
                     (ways_ == nullptr || ways_->may({box.low.x, box.low.y}, {box.high.x, box.high.y}));
            },
        .least_up = sizes_.paper ? -0.8 : -1,
        .most_up = 0.8};
    const std::vector<SurfaceSample> samples =
        sample_surface(volume, where_.box(), sizes_.spacing, random, filter, context.stage("", 0, 0.7), &rock_);
    if (sizes_.paper) {
      std::vector<FieldPoint> all;
      for (const SurfaceSample& s : samples) {
        const double sigma = where_.weight(s.at) * strength_->at(s.at.x, s.at.y);
        if (const double e = erosion_effect(static_cast<double>(s.resistance), sigma); e >= 0.05 && s.resistance < 1)
          all.push_back({s.at, sizes_.size, -2 * volume.threshold() * e});
      }
      return sparing_hardest(std::move(all), rock_, context.stage("", 0.7, 1));
    }
    std::vector<float> depths(samples.size());
    parallel_chunks(static_cast<int64_t>(samples.size()), 256, context.stage("", 0.7, 0.8),
                    [&](int64_t begin, int64_t end) {
                      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
                        depths[i] = static_cast<float>(depth(samples[i]));
                    });
    return sheet_points(volume, rock_, samples, depths, {sizes_.size, sizes_.spacing, 0.03 * sizes_.depth}, random,
                        context.stage("", 0.8, 1));
  }

 private:
  bool reaches(Vec3 at) const { return sizes_.paper ? strength_->at(at.x, at.y) > 0 : ways_->may({at.x, at.y}); }

  double depth(const SurfaceSample& s) const {
    double distance = 0;
    const WayPoint* way = ways_->nearest({s.at.x, s.at.y}, distance);
    if (way == nullptr) return 0;
    const double weak = weakness(static_cast<double>(s.resistance), params_.weak);
    const double against = s.normal.x * way->bend.x + s.normal.y * way->bend.y;
    const double outer = std::clamp(against, 0.0, 1.0), inner = std::clamp(-against, 0.0, 1.0);
    const double stage = s.at.z - way->level;
    const double water = fading((stage - 0.3 * sizes_.depth) / (sizes_.height * (1 + 1.2 * outer)));
    const double at_water = water * (0.35 + 0.65 * weak) * (0.55 + 1.1 * outer - 0.2 * inner);
    const double above = stage > 0 ? 0.26 * weak : 0;
    // Walls far from the water belong to it less and less.
    const double near = 1 - math::smoothstep(0.6, 1, distance / sizes_.reach);
    const double strong = params_.power > 0 ? math::smoothstep(0, params_.power, way->power) : 1;
    return sizes_.depth * where_.weight(s.at) * near * strong * std::max(at_water, above);
  }

  const Sizes& sizes_;
  const RiverErosionParams& params_;
  const Geology& rock_;
  const Where& where_;
  const RiverWays* ways_;
  const StreamStrength* strength_;
};

}  // namespace

void describe(Fields<RiverErosionParams>& f) {
  f.about("Let rivers undercut the walls of their canyons, the outer banks of bends most");
  f.reach(Reach::whole);
  f("form", &RiverErosionParams::form, {"metres", "paper"},
    "rule: depths in metres by bends and the weakness of rock, or the paper's energies");
  f("depth", &RiverErosionParams::depth, open_range(0, 1e6), "depth that weak rock at the water loses in a pass")
      .slider(0.1, 5)
      .sweep("0.5%", "1%", "2%");
  f("passes", &RiverErosionParams::passes, Range{0, 40}, "how many times").sweep("1", "3", "6");
  f("source", &RiverErosionParams::source, open_range(0, 1e15),
    "area that a river drains where it begins; auto: a five-hundredth of the land")
      .unit("m2");
  f("power", &RiverErosionParams::power, Range{0, 1},
    "stream power from which a river carves in full, as a share of the strongest; 0: all do");
  f("height", &RiverErosionParams::height, open_range(0, 1e6),
    "height above the water that is undercut on a straight reach; auto: 1.75 depths");
  f("reach", &RiverErosionParams::reach, open_range(0, 1e6),
    "distance from a river up to which walls are its own; auto: 12 depths");
  f("weak", &RiverErosionParams::weak, Range{0, 1},
    "resistance up to which rock is all weak, and from which it is not weak at all");
  f("size", &RiverErosionParams::size, open_range(0, 1e6),
    "size of what is taken at a time; auto: 1.5 depths, or 2.35 for the paper's rule");
  f("spacing", &RiverErosionParams::spacing, open_range(0, 1e6),
    "distance between points; auto: 0.4 of the size, or a quarter for the paper's rule");
  f("sea_level", &RiverErosionParams::sea_level, Range{-1e7, 1e7},
    "land at or below it is sea; auto: the world's sea, if it has one")
      .unit("m")
      .slider(0, 1000)
      .sea_level();
  describe_where(f);
  f.seed(&RiverErosionParams::seed);
}

Volume river_erosion(const Frame& world, const Volume& in, const Terrain* water, const Lines* along,
                     const Geology* rock, const Terrain* mask, const Lines* region, const RiverErosionParams& params,
                     const Context& context) {
  const Sizes sizes(world, params);
  if (!(params.weak.low <= params.weak.high)) refuse("'weak' ends below its beginning", "give the lower number first");
  const Where where(params, world, in, mask, region);
  if (where.box().empty()) return made_by(in, {"river_erosion", {{"points", 0}}}, context);
  const Context first = context.stage("rivers", 0, 0.1);
  std::optional<RiverWays> ways;
  std::optional<StreamStrength> strength;
  if (sizes.paper) {
    strength.emplace(water != nullptr ? *water : land_of(in), params.power, params.sea_level, first);
  } else {
    const auto found = [&] {
      return rivers(water != nullptr ? *water : land_of(in), {.source = params.source, .sea_level = params.sea_level},
                    first);
    };
    ways.emplace(along != nullptr ? *along : found(), 0.3 * sizes.depth, 3.5 * sizes.depth, sizes.reach);
  }
  const Carver carver(sizes, params, rock != nullptr ? *rock : in.rock(), where, ways ? &*ways : nullptr,
                      strength ? &*strength : nullptr);
  const Stream random = params.seed.stream("river_erosion");
  Volume out = in;
  size_t points = 0;
  for (int i = 0; i < params.passes; ++i) {
    const Context stage = context.stage("water", 0.1 + 0.9 * i / params.passes, 0.1 + 0.9 * (i + 1) / params.passes);
    const std::vector<FieldPoint> taken = carver.points(out, Stream(random.bits(static_cast<uint64_t>(i))), stage);
    out = out.with_root(with_points(out.share(), taken, out.threshold()));
    points += taken.size();
  }
  const double length = ways ? static_cast<double>(ways->points().size()) * 0.3 * sizes.depth : 0;
  return made_by(out,
                 {"river_erosion",
                  {{"points", static_cast<double>(points)},
                   {"passes", static_cast<double>(params.passes)},
                   {"river_metres", std::round(length)}}},
                 context);
}

}  // namespace tepui
