#include "tepui/cover/plants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/noise.h"
#include "tepui/core/parallel.h"
#include "tepui/cover/plant_shares.h"
#include "tepui/cover/smoothed.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

namespace {

/// Metres over which the slope is taken, water gathers, and what lies higher or lower counts.
constexpr double slope_distance = 20, gathering = 40, around = 250;
/// Of the finer noise to the broader.
constexpr double lacunarity = 6, gain = 0.55;

Halo plants_halo(const PlantsParams&, const Frame& frame) {
  const Halo slope = slope_over_halo(frame, slope_distance), smooth = smoothing_halo(frame, around),
             gathers = smoothing_halo(frame, gathering);
  return {std::max({slope.x, smooth.x, gathers.x}), std::max({slope.y, smooth.y, gathers.y})};
}

const Grid<float>& needed(const Terrain& land, const char* name, const char* by) {
  const Layer* layer = land.find(name);
  if (layer == nullptr)
    refuse(fmt::format("this land has no layer '{}', which plants live by", name),
           fmt::format("put '{}' between them: \"... | soil | climate | plants\"", by));
  return layer->grid();
}

const Grid<float>* grid(const Terrain& land, const char* name) {
  const Layer* layer = land.find(name);
  return layer != nullptr ? &layer->grid() : nullptr;
}

/// All that plants live by, but for chance.
class PlantLand {
 public:
  PlantLand(const Terrain& land, const Context& context)
      : z_(land.height()),
        soil_(needed(land, "soil", "soil")),
        mean_(needed(land, "temperature", "climate")),
        summer_(needed(land, "temperature_summer", "climate")),
        winter_(needed(land, "temperature_winter", "climate")),
        sun_(needed(land, "sun", "climate")),
        sun_summer_(needed(land, "sun_summer", "climate")),
        rain_(needed(land, "rain", "climate")),
        water_(grid(land, "water")),
        avalanches_(grid(land, "avalanches")),
        loose_{grid(land, "talus"), grid(land, "gravel"), grid(land, "mud"), grid(land, "sand")},
        zeros_(static_cast<size_t>(z_.width()), 0.0f),
        slope_(slope_over(land, slope_distance, context.stage("slope", 0, 0.2))),
        smooth_(smoothed(z_, land.frame(), around, context.stage("heights", 0.2, 0.7))) {
    if (const Grid<float>* drainage = grid(land, "drainage"))
      areas_ = smoothed(specific(*drainage, land.frame()), land.frame(), gathering, context.stage("water", 0.7, 0.9));
    if (water_ != nullptr) beside_ = smoothed(wet(*water_), land.frame(), gathering, context.stage("shores", 0.9, 1));
  }

  /// Of a row that needs work, the buffer holds its numbers.
  void row(int64_t y, std::vector<float> (&buffer)[3], PlantRows& rows) const {
    const auto or_zero = [&](const Grid<float>* g) { return g != nullptr ? g->row(y) : zeros_.data(); };
    rows[soil_in] = soil_.row(y), rows[slope_in] = slope_.row(y);
    rows[mean_in] = mean_.row(y), rows[summer_in] = summer_.row(y), rows[winter_in] = winter_.row(y);
    rows[sun_in] = sun_.row(y), rows[sun_summer_in] = sun_summer_.row(y), rows[rain_in] = rain_.row(y);
    rows[water_in] = or_zero(water_), rows[avalanche_in] = or_zero(avalanches_);
    rows[beside_in] = beside_.empty() ? zeros_.data() : beside_.row(y);
    const auto w = static_cast<size_t>(z_.width());
    for (std::vector<float>& part : buffer) part.resize(w);
    const float *z = z_.row(y), *smooth = smooth_.row(y);
    for (size_t x = 0; x < w; ++x) buffer[0][x] = z[x] - smooth[x];
    rows[position_in] = buffer[0].data();
    std::fill(buffer[1].begin(), buffer[1].end(), 0.0f);
    for (const Grid<float>* layer : loose_)
      if (layer != nullptr)
        for (size_t x = 0; x < w; ++x) buffer[1][x] += layer->row(y)[x];
    rows[loose_in] = buffer[1].data();
    rows[area_in] = areas_.empty() ? hollow_areas(buffer[0], buffer[2]) : areas_.row(y);
  }

 private:
  static Grid<float> specific(const Grid<float>& drainage, const Frame& frame) {
    Grid<float> areas = drainage.clone();
    const auto per_width = static_cast<float>(1 / std::sqrt(frame.cell.x * frame.cell.y));
    for (float& a : areas.cells()) a *= per_width;
    return areas;
  }
  static Grid<float> wet(const Grid<float>& water) {
    Grid<float> shares = water.clone();
    for (float& share : shares.cells()) share = share > 0.05f ? 1.0f : 0.0f;
    return shares;
  }
  /// Where no layer tells: more in hollows than on crests.
  static const float* hollow_areas(const std::vector<float>& position, std::vector<float>& areas) {
    for (size_t x = 0; x < areas.size(); ++x) {
      const float low = std::clamp(-position[x] / 15.0f, -2.0f, 3.0f);
      // 100 m on a slope, 17 on a crest, 1700 at the bottom.
      areas[x] = 100.0f * (low >= 0 ? 1 + low * (1 + low * 1.5f) : 1 / (1 - low * (1 - low * 0.75f)));
    }
    return areas.data();
  }

  const Grid<float>&z_, &soil_, &mean_, &summer_, &winter_, &sun_, &sun_summer_, &rain_;
  const Grid<float>*water_, *avalanches_, *loose_[4];
  std::vector<float> zeros_;
  Grid<float> slope_, smooth_, areas_, beside_;
};

/// The chance of a row.
class PlantChance {
 public:
  PlantChance(const PlantsParams& params, const Frame& frame) {
    const Stream stream = params.seed.stream("plants");
    for (uint64_t i = 0; i < 4; ++i) {
      const NoiseSpec spec{.scale = params.stands.in(frame),
                           .octaves = 2,
                           .lacunarity = lacunarity,
                           .gain = gain,
                           .key = stream.bits(i)};
      require_fine_positions(frame, spec, 0);
      noise_.emplace_back(spec);
    }
    for (int64_t x = 0; x < frame.width; ++x) x_.push_back(frame.x(x));
  }

  void row(double y, std::vector<float>& buffer, PlantRows& rows) const {
    buffer.resize(4 * x_.size());
    for (size_t i = 0; i < 4; ++i) {
      float* out = buffer.data() + i * x_.size();
      noise_[i].row(x_, y, {out, x_.size()});
      rows[i == 0 ? line_noise_in : noise_in + i - 1] = out;
    }
  }

 private:
  std::vector<Noise> noise_;
  std::vector<double> x_;
};

}  // namespace

void describe(Fields<PlantsParams>& f) {
  using P = PlantsParams;
  f.about("Grow grass, shrubs, conifers and broadleaf trees where climate, soil and water let them");
  f.window(plants_halo);
  f.example("noise sum=ridged height=900m | soil | climate | {}");
  f("tree_line", &P::tree_line, Range{-50, 50}, "warmest month at the line above which no trees grow")
      .unit("degC")
      .slider(4, 14)
      .sweep("6", "8.3", "11");
  f("grass", &P::grass, Range{-100, 100}, "favours grass").slider(-5, 5);
  f("shrub", &P::shrub, Range{-100, 100}, "favours shrubs").slider(-5, 5);
  f("conifer", &P::conifer, Range{-100, 100}, "favours conifers").slider(-5, 5);
  f("broadleaf", &P::broadleaf, Range{-100, 100}, "favours broadleaf trees").slider(-5, 5);
  f("variety", &P::variety, Range{0, 100}, "how much chance there is").slider(0, 3).sweep("0", "1", "3");
  f("stands", &P::stands, open_range(0, 1e6), "how wide stands and clearings are").slider(50, 2000);
  f.seed(&P::seed);
}

Terrain plants(const Terrain& in, const Terrain* mask, const PlantsParams& params, const Context& context) {
  if (mask != nullptr) require_same_frame(in.frame(), "in", mask->frame(), "mask");
  const Grid<float>* scale = mask != nullptr ? &mask_layer(*mask).grid() : nullptr;
  const Frame& frame = in.frame();
  const PlantLand land(in, context.stage("land", 0, 0.5));
  const PlantChance chance(params, frame);
  const PlantLaw law(params);
  const int64_t w = frame.width, h = frame.height;
  std::array<Grid<float>, 4> shares;
  for (Grid<float>& share : shares) share = Grid<float>(w, h);
  parallel_chunks(h, rows_per_chunk(w), context.stage("plants", 0.5, 1), [&](int64_t begin, int64_t end) {
    thread_local std::vector<float> buffer[3], noise;
    PlantRows rows{};
    for (int64_t y = begin; y < end; ++y) {
      land.row(y, buffer, rows);
      chance.row(frame.y(y), noise, rows);
      std::array<float*, 4> out{};
      for (size_t k = 0; k < 4; ++k) out[k] = shares[k].row(y);
      plant_shares(law, rows, w, out);
      if (scale == nullptr) continue;
      for (float* row : out)
        for (int64_t x = 0; x < w; ++x) row[x] *= std::clamp((*scale)(x, y), 0.0f, 1.0f);
    }
  });
  Terrain out = in;
  for (size_t k = 0; k < 4; ++k)
    out = out.with(make_layer(plant_niches[k].name, "", LayerKind::mask, std::move(shares[k])));
  return out;
}

}  // namespace tepui
