#include "tepui/cover/plant_shares.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/cover/plant_shares.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "tepui/cover/vector_math.h"

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

/// What a place offers.
struct Site {
  FloatVec soil, slope, summer, winter, warmth, moisture, wet, avalanche, line, chaparral, savanna;
};

HWY_INLINE FloatVec at_least(FloatVec x, float least) { return hn::Max(x, number(least)); }
HWY_INLINE FloatVec between(FloatVec x, float least, float most) { return hn::Min(at_least(x, least), number(most)); }
HWY_INLINE FloatVec times(float factor, FloatVec x) { return hn::Mul(number(factor), x); }
HWY_INLINE FloatVec less(FloatVec x, float c) { return hn::Sub(x, number(c)); }
HWY_INLINE FloatVec more(FloatVec x, float c) { return hn::Add(x, number(c)); }

/// ln(rain / what could evaporate): Priestley and Taylor 1972, the share of heat by a fit to D / (D + g).
HWY_INLINE FloatVec climate_moisture(FloatVec rain, FloatVec sun, FloatVec mean, FloatVec summer) {
  const FloatVec season = times(0.5f, hn::Add(mean, summer));
  const FloatVec share = logistic(less(times(0.0565f, season), 0.405f));
  const FloatVec could = hn::Mul(times(1.26f * net_radiation * evaporated, at_least(sun, 1)), share);
  return between(hn::Sub(log(at_least(rain, 1)), log(at_least(could, 1))), -4, 4);
}

HWY_INLINE Site site(const PlantLaw& law, const PlantRows& at) {
  const auto in = [&](size_t i) HWY_ATTR { return hn::LoadU(Floats(), at[i]); };
  Site s;
  s.soil = in(soil_in), s.slope = in(slope_in), s.summer = in(summer_in), s.winter = in(winter_in);
  s.avalanche = between(in(avalanche_in), 0, 4);
  const FloatVec position = in(position_in);
  const FloatVec sunny = times(0.012f, between(less(in(sun_summer_in), 330), -200, 100));
  const FloatVec windy = times(0.02f, between(position, 0, 60));
  s.warmth = hn::Add(hn::Sub(hn::Add(s.summer, sunny), windy), times(1.4f * law.variety, in(line_noise_in)));
  const FloatVec index = between(hn::Sub(log(at_least(in(area_in), 1)), log(at_least(s.slope, 0.02f))), 2, 14);
  const FloatVec climate = climate_moisture(in(rain_in), in(sun_in), in(mean_in), s.summer);
  const FloatVec holds = times(0.35f, log(times(2, more(between(s.soil, 0, 1), 0.05f))));
  s.moisture = hn::Add(hn::Add(hn::Add(climate, times(0.22f, less(index, 6.5f))), holds), times(2, in(beside_in)));
  s.wet = hn::Mul(
      hn::Sub(number(1), smooth(s.slope, 0.04f, 12.5f)),
      logistic(times(1.5f, hn::Add(hn::Add(less(index, 10.8f), times(1.2f, climate)), times(3, in(beside_in))))));
  const FloatVec off = times(0.8f, less(s.warmth, law.tree_line));
  s.line = exp(hn::Neg(hn::Mul(off, off)));
  const FloatVec dry = hn::Neg(s.moisture);
  s.chaparral = hn::Mul(hn::Mul(logistic(less(s.winter, 3)), logistic(times(0.8f, hn::Sub(number(15), s.winter)))),
                        hn::Mul(logistic(times(4, less(dry, 0.15f))), logistic(times(4, hn::Sub(number(1.3f), dry)))));
  s.savanna = hn::Mul(logistic(times(0.7f, less(s.winter, 14))), logistic(times(4, more(dry, 0.05f))));
  return s;
}

HWY_INLINE FloatVec limited(FloatVec score, const PlantLimit& limit, FloatVec x) {
  if (limit.weight == 0) return score;
  return hn::Sub(score, times(limit.weight, logistic(times(limit.per, less(x, limit.at)))));
}

HWY_INLINE FloatVec score(const PlantNiche& niche, float favour, const PlantLaw& law, const Site& s, FloatVec chance) {
  FloatVec sum = more(times(niche.moist, between(s.moisture, -1, 1)), niche.base + favour);
  sum = limited(sum, niche.cold, hn::Sub(number(law.tree_line), s.warmth));
  sum = limited(sum, niche.dry, hn::Neg(s.moisture));
  sum = limited(sum, niche.thin, hn::Neg(s.soil));
  sum = limited(sum, niche.hot, s.summer);
  sum = limited(sum, niche.mild, s.winter);
  sum = limited(sum, niche.frost, hn::Neg(s.winter));
  sum = limited(sum, niche.steep, s.slope);
  sum = hn::Add(sum, hn::Add(times(niche.avalanche, s.avalanche), times(niche.wet, s.wet)));
  sum = hn::Add(sum, hn::Add(times(niche.line, s.line), times(niche.chaparral, s.chaparral)));
  return hn::Add(sum, hn::Add(times(niche.savanna, s.savanna), times(niche.chance * law.variety, chance)));
}

void shares_row(const PlantLaw& law, const PlantRows& rows, int64_t count, const std::array<float*, 4>& shares) {
  const Floats d;
  over_rows<plant_inputs, 4>(rows, shares, count, [&](const PlantRows& at, const std::array<float*, 4>& out) HWY_ATTR {
    const Site s = site(law, at);
    const auto in = [&](size_t i) HWY_ATTR { return hn::LoadU(d, at[i]); };
    FloatVec e[4], bare = exp(times(2, hn::Add(times(2.2f, smooth(in(loose_in), 0.1f, 1 / 0.7f)),
                                               times(3, smooth(s.slope, 0.9f, 2)))));
    for (size_t k = 0; k < 4; ++k) {
      // Grass grows where shrubs, by chance, do not.
      const FloatVec chance = in(noise_in + (k == 0 ? 0 : k - 1));
      e[k] = exp(times(2, score(plant_niches[k], law.favour[k], law, s, chance)));
    }
    // On ground that trees root in all compete, elsewhere all but trees.
    const FloatVec rooted = more(times(1 - cracks, smooth(s.soil, 0, 1 / root_depth)), cracks);
    const FloatVec low = hn::Add(bare, hn::Add(e[grass_kind], e[shrub_kind]));
    const FloatVec all = hn::Add(low, hn::Add(e[conifer_kind], e[broadleaf_kind]));
    const auto dry = hn::Lt(in(water_in), number(0.05f));
    // A little less, so that rounded shares never add up to more than 1.
    const FloatVec most = hn::IfThenElseZero(dry, number(1.0f - 0x1p-20f));
    const FloatVec among_trees = hn::Mul(most, hn::Div(rooted, all));
    const FloatVec elsewhere = hn::Mul(most, hn::Div(hn::Sub(number(1), rooted), low));
    for (size_t k = 0; k < 4; ++k) {
      const bool tree = k == conifer_kind || k == broadleaf_kind;
      hn::StoreU(hn::Mul(e[k], tree ? among_trees : hn::Add(among_trees, elsewhere)), d, out[k]);
    }
  });
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tepui {

HWY_EXPORT(shares_row);

PlantLaw::PlantLaw(const PlantsParams& params)
    : tree_line(static_cast<float>(params.tree_line)),
      variety(static_cast<float>(params.variety)),
      favour{static_cast<float>(params.grass), static_cast<float>(params.shrub), static_cast<float>(params.conifer),
             static_cast<float>(params.broadleaf)} {}

void plant_shares(const PlantLaw& law, const PlantRows& rows, int64_t count, const std::array<float*, 4>& shares) {
  HWY_DYNAMIC_DISPATCH(shares_row)(law, rows, count, shares);
}

}  // namespace tepui

#endif
