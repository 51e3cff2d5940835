#include "tepui/erode/gradation.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/erode/gradation.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef TEPUI_ERODE_GRADATION_TYPES
#define TEPUI_ERODE_GRADATION_TYPES

namespace tepui {

struct Gradation {
  float drop;     ///< E (top - base)
  float hardest;  ///< value of the rock layer that means hardness 1
  float top;
  bool caprock;
};

}  // namespace tepui

#endif

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// `rock` is hardness, or material indices up to `hardest`; it may be `result` itself.
void grade(const float* z, const float* rock, int64_t count, const Gradation& g, float* result) {
  const hn::ScalableTag<float> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto zero = hn::Zero(d), one = hn::Set(d, 1.0f);
  const auto drop = hn::Set(d, g.drop), hardest = hn::Set(d, g.hardest), top = hn::Set(d, g.top);
  constexpr float lowest = std::numeric_limits<float>::lowest();
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto h = hn::Min(hn::Max(hn::Div(hn::LoadU(d, rock + i), hardest), zero), one);
    const auto sunk = hn::Sub(hn::LoadU(d, z + i), hn::Mul(drop, hn::Sub(one, h)));
    const auto graded = hn::Max(sunk, hn::Set(d, lowest));
    hn::StoreU(g.caprock ? hn::IfThenElse(hn::Eq(h, one), top, graded) : graded, d, result + i);
  }
  for (; i < count; ++i) {
    const float h = std::clamp(rock[i] / g.hardest, 0.0f, 1.0f);
    result[i] = g.caprock && h == 1.0f ? g.top : std::max(z[i] - g.drop * (1.0f - h), lowest);
  }
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/geology/hardness.h"
#include "tepui/terrain/cells.h"

namespace tepui {

HWY_EXPORT(grade);

namespace {

/// The layer that tells the rock, and its value of hardness 1.
struct RockLayer {
  const Layer& layer;
  float hardest;
};
RockLayer rock_of(const Terrain& land) {
  if (const Layer* hardness = land.find("hardness")) return {*hardness, 1.0f};
  if (land.find("material") == nullptr)
    refuse("this land has neither a layer 'hardness' nor 'material'",
           "use 'materials' first, then 'hardness' if needed, or connect 'rock'");
  const Layer& material = material_layer(land);
  // A single material has hardness 0, which is its index over anything.
  return {material, static_cast<float>(std::max(material.classes - 1, 1))};
}

}  // namespace

void describe(Fields<GradationParams>& f) {
  f.about("Erode soft rock more than hard; keep caprock flat");
  f.reach(Reach::point);
  f.example("circular_faults | materials | {}");
  f("erosion", &GradationParams::erosion, Range{0, 1}, "strength of erosion, as a share of the relief")
      .sweep("0.1", "0.5", "0.9");
  f("caprock", &GradationParams::caprock,
    "keep flat tops of the hardest rock, at the top of the relief; with a 'rock' nothing is lifted");
}

Terrain gradation(const Terrain& in, const Geology* rock, const GradationParams& params, const Context& context) {
  return gradation_with_caprock(in, rock, {params.erosion, params.caprock && rock == nullptr}, context);
}

Terrain gradation_with_caprock(const Terrain& in, const Geology* rock, const GradationParams& params,
                               const Context& context) {
  constexpr int64_t cells_per_chunk = 1 << 16;
  const Grid<float>& z = in.height();
  Gradation g{to_cell(params.erosion * in.relief().span()), 1, to_cell(in.relief().top), params.caprock};
  Grid<float> result = rock != nullptr ? surface_resistance(*rock, in, context.stage("rock", 0, 0.6))
                                       : Grid<float>(z.width(), z.height());
  const float* hardness = result.data();
  if (rock == nullptr) {
    const RockLayer told = rock_of(in);
    hardness = told.layer.grid().data();
    g.hardest = told.hardest;
  }
  parallel_chunks(z.size(), cells_per_chunk, rock != nullptr ? context.stage("gradation", 0.6, 1) : context,
                  [&](int64_t begin, int64_t end) {
                    HWY_DYNAMIC_DISPATCH(grade)
                    (z.data() + begin, hardness + begin, end - begin, g, result.data() + begin);
                  });
  return in.with_height(std::move(result));
}

}  // namespace tepui

#endif
