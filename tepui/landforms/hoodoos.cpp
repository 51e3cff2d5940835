#include "tepui/landforms/hoodoos.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/landforms/feature.h"
#include "tepui/landforms/hoodoo_places.h"
#include "tepui/landforms/rule_file.h"
#include "tepui/landforms/shipped_rules.h"
#include "tepui/landforms/surface_samples.h"
#include "tepui/volume/land_sheet.h"

namespace tepui {

namespace {

constexpr std::array<const char*, 4> rule_names{"hoodoos", "goblins", "chimneys", "pinnacles"};

RuleSet rules_of(const HoodoosParams& params) {
  if (params.file && params.form == HoodooForm::paper)
    refuse("the rules are given twice, by 'file' and by form=paper", "keep one of them");
  if (params.file) return read_rules(params.file->path);
  return shipped_rule_set(params.form == HoodooForm::paper ? "paper" : rule_names[static_cast<size_t>(params.rules)]);
}

/// The area that drains through the nearest sample of a land, m2; none beyond it.
class Drainage {
 public:
  explicit Drainage(const Terrain* water) {
    if (water == nullptr) return;
    const Layer* layer = water->find("drainage");
    if (layer == nullptr) refuse("the land on port 'water' has no layer 'drainage'", "connect the land of a 'flow'");
    frame_ = water->frame();
    cells_ = layer->data;
  }
  double at(Vec3 place) const {
    if (cells_ == nullptr) return 0;
    const auto index = [](double at, double first, double cell, int64_t count) {
      return std::clamp<int64_t>(static_cast<int64_t>(std::floor((at - first) / cell + 0.5)), 0, count - 1);
    };
    return static_cast<double>((*cells_)(index(place.x, frame_.x(0), frame_.cell.x, frame_.width),
                                         index(place.y, frame_.y(0), frame_.cell.y, frame_.height)));
  }

 private:
  Frame frame_;
  std::shared_ptr<const Grid<float>> cells_;
};

/// Whether a place is on the land and not so near its sides that these would cut what grows there.
bool away_from_sides(const SurfaceSketch& sketch, Vec3 at, double distance) {
  if (sketch.sheet == nullptr) return true;
  const Box3& box = sketch.ground;
  return at.x >= box.low.x + distance && at.x <= box.high.x - distance && at.y >= box.low.y + distance &&
         at.y <= box.high.y - distance;
}

std::vector<HoodooSpot> spots_on(const Volume& in, const Where& where, const Drainage& water, double largest,
                                 const HoodooGround& ground, const Context& context) {
  const SurfaceSketch sketch = in.root().sketch();
  const double flattest = math::cos(math::radians(ground.slope.low)),
               steepest = math::cos(math::radians(ground.slope.high));
  SurfaceFilter filter;
  filter.accept = [&](Vec3 at, Vec3 normal) {
    return normal.z <= flattest && normal.z >= steepest && away_from_sides(sketch, at, 0.5 * ground.spacing) &&
           water.at(at) <= largest && where.weight(at) > 0;
  };
  filter.may = [&](const Box3& box) { return where.may(box); };
  std::vector<HoodooSpot> spots;
  for (const SurfaceSample& point :
       sample_surface(in, where.box(), ground.spacing, Stream(ground.key), filter, context, &ground.rock))
    spots.push_back({point.at, point.normal, where.weight(point.at)});
  return spots;
}

/// Ground at least this high is nowhere; of a volume that is no land, its highest place.
double highest_ground(const Volume& in, const SurfaceSketch& sketch) {
  if (sketch.sheet == nullptr) return in.support().empty() ? 0 : in.support().high.z;
  const Box3& box = sketch.ground;
  return sketch.sheet->range({box.low.x, box.low.y}, {box.high.x, box.high.y}).high;
}

/// All features, each grown by itself, one after the other.
std::vector<FieldPoint> grown(const RuleSet& rules, const Geology& rock, double threshold,
                              const std::vector<Seedling>& seedlings, const Context& context) {
  constexpr int64_t grain = 16;
  const auto count = static_cast<int64_t>(seedlings.size());
  std::vector<std::vector<FieldPoint>> parts(static_cast<size_t>((count + grain - 1) / grain));
  parallel_chunks(count, grain, context, [&](int64_t begin, int64_t end) {
    std::vector<FieldPoint>& part = parts[static_cast<size_t>(begin / grain)];
    for (int64_t i = begin; i < end; ++i) grow(rules, rock, threshold, seedlings[static_cast<size_t>(i)], part);
  });
  std::vector<FieldPoint> points;
  for (const std::vector<FieldPoint>& part : parts) points.insert(points.end(), part.begin(), part.end());
  return points;
}

}  // namespace

void describe(Fields<HoodoosParams>& f) {
  f.about("Grow pillars of rock on slopes by rules: hoodoos, goblins, chimneys, pinnacles");
  f.example(
      "turbulence wavelength=5 contrast=2 resistance=0.1..0.9 | noise height=120 | crop x=1000..1080 y=1000..1080 | "
      "adjust offset=-25 | implicitize floor=5 | {} before=crop slope=0..60 spacing=9 ridges=0");
  f("form", &HoodoosParams::form, {"natural", "paper"},
    "natural: by the rules below; paper: by the printed rules of Paris et al. 2019");
  f("rules", &HoodoosParams::rules, {"hoodoos", "goblins", "chimneys", "pinnacles"},
    "what grows; 'tepui rules' prints the rules, to copy and change")
      .sweep("goblins", "chimneys", "pinnacles");
  f("file", &HoodoosParams::file, "JSON file with rules of your own; auto: those that 'rules' names");
  f("spacing", &HoodoosParams::spacing, open_range(0, 1e6),
    "least distance from one to the next; auto: that of the rules")
      .slider(2, 30);
  f("height", &HoodoosParams::height, open_range(0, 1000), "shortest and tallest; auto: those of the rules")
      .slider(1, 60);
  f("slope", &HoodoosParams::slope, Range{0, 90},
    "slopes of the ground on which they grow, degrees; auto: those of the rules");
  f("plateau", &HoodoosParams::plateau, Range{-1e5, 1e5},
    "elevation that no top exceeds; auto: the highest ground; land on the port 'before' limits them as well")
      .unit("m");
  f("ridges", &HoodoosParams::ridges, Range{0, 1}, "how much they keep to the ridges between gullies");
  f("drainage", &HoodoosParams::drainage, Range{0, 1e12},
    "largest area that may drain through their places, if the port 'water' has land with the layer 'drainage'")
      .unit("m2")
      .slider(0, 500);
  f("width", &HoodoosParams::width, open_range(0, 100), "factor of their thickness")
      .slider(0.3, 3)
      .sweep("0.6", "1", "1.6");
  describe_where(f);
  f.seed(&HoodoosParams::seed);
}

Volume hoodoos(const Frame& world, const Volume& in, const Geology* rock, const Terrain* before, const Terrain* water,
               const Terrain* mask, const Lines* region, const HoodoosParams& params, const Context& context) {
  const RuleSet rules = rules_of(params);
  const Geology& beds = rock != nullptr ? *rock : in.rock();
  const Where where(params, world, in, mask, region);
  const SurfaceSketch sketch = in.root().sketch();
  const std::optional<LandSheet> former = before != nullptr ? std::optional<LandSheet>(*before) : std::nullopt;
  const bool paper = params.form == HoodooForm::paper;
  HoodooGround ground{rules, beds};
  ground.ground = sketch.sheet.get();
  ground.plateau = former ? &*former : nullptr;
  ground.highest = params.plateau    ? *params.plateau
                   : paper || former ? std::numeric_limits<double>::infinity()
                                     : highest_ground(in, sketch);
  ground.spacing = params.spacing ? params.spacing->in(world) : rules.spacing;
  ground.slope = params.slope.value_or(rules.slope);
  ground.height = params.height ? Interval{params.height->low.in(world), params.height->high.in(world)} : rules.height;
  ground.ridges = params.ridges;
  ground.width = params.width;
  ground.rests_on_hard = !paper;
  ground.key = params.seed.stream("hoodoos").key();
  const std::vector<HoodooSpot> spots =
      spots_on(in, where, Drainage(water), params.drainage, ground, context.stage("places", 0, 0.6));
  const std::vector<Seedling> seedlings = seedlings_at(ground, spots, context.stage("places", 0.6, 0.7));
  if (spots.empty())
    context.warn(fmt::format("no ground is {:g} to {:g} degrees steep where hoodoos may grow: there are none",
                             ground.slope.low, ground.slope.high));
  else if (seedlings.empty())
    context.warn(fmt::format("no place leaves room for {:g} m below the {}: there are no hoodoos", ground.height.low,
                             former ? "land on port 'before'" : "plateau"));
  const std::vector<FieldPoint> points =
      grown(rules, beds, in.threshold(), seedlings, context.stage("growth", 0.7, 0.9));
  return with_feature(in, points, {"hoodoos", {{"features", static_cast<double>(seedlings.size())}}}, context);
}

}  // namespace tepui
