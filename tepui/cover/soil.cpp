#include "tepui/cover/soil.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/cover/rockfall.h"
#include "tepui/cover/smoothed.h"
#include "tepui/cover/soil_depth.h"
#include "tepui/cover/water_beds.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

namespace {

/// Of the smoothing: how far apart heights are that tell whether soil stays.
constexpr double slope_share = 0.3;
/// Metres of loose ground that are soil at once.
constexpr double deepest_fines = 1.5;

double slope_distance(const SoilParams& params, const Frame& frame) { return slope_share * params.smoothing.in(frame); }

Halo soil_halo(const SoilParams& params, const Frame& frame) {
  const double smoothing = params.smoothing.in(frame);
  const Halo smooth = smoothing_halo(frame, smoothing), bend = soil_bend(frame, smoothing),
             slope = gradient_halo(frame, slope_distance(params, frame)), beds = water_beds_halo(frame, smoothing);
  // At a border the bend is that of samples farther in.
  return {std::max({smooth.x + 2 * bend.x, smooth.x + beds.x, slope.x + beds.x}),
          std::max({smooth.y + 2 * bend.y, smooth.y + beds.y, slope.y + beds.y})};
}

/// What lies on a sample.
struct Loose {
  double soil = 0, talus = 0, gravel = 0, mud = 0;
};

/// What the layers of a land lay on it.
class LooseLand {
 public:
  LooseLand(const Terrain& land, const Terrain* mask, const Grid<float>& slope, const WaterBeds& beds)
      : slope_(slope), beds_(beds), sediment_(grid(land, "sediment")), talus_(grid(land, "talus")) {
    if (mask != nullptr) mask_ = &mask_layer(*mask).grid();
  }

  Loose at(int64_t i, float weathered) const {
    const double sediment = value(sediment_, i);
    const double steep = math::smoothstep(0.25, 0.5, static_cast<double>(slope_.data()[i]));
    Loose lies;
    lies.talus = std::max(value(talus_, i), sediment * steep);
    lies.soil = std::max(static_cast<double>(weathered), std::min(sediment * (1 - steep), deepest_fines));
    // Between blocks and pebbles there is none.
    lies.soil *= 1 - std::min(lies.talus / 0.6, 1.0);
    if (!beds_.empty()) {
      lies.gravel = static_cast<double>(beds_.gravel.data()[i]);
      lies.mud = static_cast<double>(beds_.mud.data()[i]);
      lies.soil *= (1 - std::min((lies.gravel + lies.mud) / 0.3, 1.0)) * (1 - static_cast<double>(beds_.wet.data()[i]));
    }
    const double share = mask_ != nullptr ? std::clamp(static_cast<double>(mask_->data()[i]), 0.0, 1.0) : 1;
    return {share * lies.soil, share * lies.talus, share * lies.gravel, share * lies.mud};
  }

 private:
  static const Grid<float>* grid(const Terrain& land, const char* name) {
    const Layer* layer = land.find(name);
    return layer != nullptr ? &layer->grid() : nullptr;
  }
  static double value(const Grid<float>* grid, int64_t i) {
    return grid != nullptr ? std::max(static_cast<double>(grid->data()[i]), 0.0) : 0;
  }

  const Grid<float>& slope_;
  const WaterBeds& beds_;
  const Grid<float>*sediment_, *talus_, *mask_ = nullptr;
};

Grid<float> resistance_of(const Terrain& land, const Geology* rock, const Context& context) {
  if (rock != nullptr) return surface_resistance(*rock, land, context);
  const Layer* hardness = land.find("hardness");
  return hardness != nullptr ? hardness->grid().clone() : Grid<float>();
}

}  // namespace

void describe(Fields<SoilParams>& f) {
  using P = SoilParams;
  f.about("Cover rock with soil, blocks, gravel and mud, where weathering, rivers and lakes make and leave them");
  f.window(soil_halo);
  f.reach_by([](const P& p) { return p.rockfall > 0 ? Reach::whole : Reach::window; }, "whole with rockfall");
  f.example("noise height=300m | {}");
  f("age", &P::age, Range{0, 1e7}, "since the rock was bare")
      .unit("years")
      .slider(0, 100000)
      .sweep("1000", "12000", "50000");
  f("production", &P::production, Range{0, 1000}, "how fast bare rock of medium resistance becomes soil")
      .unit("mm a year")
      .slider(0, 1);
  f("creep", &P::creep, Range{0, 1e6}, "how far soil moves downhill")
      .unit("m2 in 1000 years")
      .slider(0, 20)
      .sweep("1", "3", "10");
  f("steepest", &P::steepest, open_range(0, 89), "the slope at which no soil stays").slider(20, 60);
  f("smoothing", &P::smoothing, Range{0, 1e5}, "over what distance crests and hollows count").slider(5, 200);
  f("rockfall", &P::rockfall, Range{0, 1000}, "rock that steep walls lose and that lies below them")
      .unit("m")
      .slider(0, 10);
  f("runoff", &P::runoff, Range{0, 20000}, "of rain, where no layer 'discharge' tells how large rivers are")
      .unit("mm a year")
      .slider(50, 3000);
  f.seed(&P::seed);
}

Terrain soil(const Terrain& in, const Terrain* mask, const Geology* rock, const SoilParams& params,
             const Context& context) {
  if (mask != nullptr) require_same_frame(in.frame(), "in", mask->frame(), "mask");
  const Frame& frame = in.frame();
  const Terrain land = params.rockfall > 0 ? rockfall(in, mask, params, context.stage("rockfall", 0, 0.5)) : in;
  const Context rest = params.rockfall > 0 ? context.stage("", 0.5, 1) : context;
  SoilGround ground{smoothed(land.height(), frame, params.smoothing.in(frame), rest.stage("heights", 0, 0.3)),
                    slope_grid(land, slope_distance(params, frame), rest.stage("slope", 0.3, 0.4)),
                    resistance_of(land, rock, rest.stage("rock", 0.4, 0.5))};
  Grid<float> depth = soil_depth(ground, params, frame, rest.stage("soil", 0.5, 0.7));
  const WaterBeds beds = water_beds(land, ground.smooth, ground.slope, params, rest.stage("water", 0.7, 0.9));
  const LooseLand loose(land, mask, ground.slope, beds);
  const int64_t w = depth.width(), h = depth.height();
  Grid<float> talus(w, h), gravel(w, h), mud(w, h);
  parallel_chunks(h, rows_per_chunk(w), rest.stage("covers", 0.9, 1), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i) {
      const Loose lies = loose.at(i, depth.data()[i]);
      depth.data()[i] = to_cell(lies.soil);
      talus.data()[i] = to_cell(lies.talus);
      gravel.data()[i] = to_cell(lies.gravel);
      mud.data()[i] = to_cell(lies.mud);
    }
  });
  Terrain out = land;
  const auto add = [&](const char* name, Grid<float>& cells) {
    out = out.with(make_layer(name, "m", LayerKind::continuous, std::move(cells)));
  };
  add("soil", depth), add("talus", talus), add("gravel", gravel), add("mud", mud);
  return out;
}

}  // namespace tepui
