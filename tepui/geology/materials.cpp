#include "tepui/geology/materials.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/geology/materials.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
hn::Vec<D> load(D d, const double* z) {
  return hn::LoadU(d, z);
}
template <class D>
hn::Vec<D> load(D d, const float* z) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), z));
}

/// In double, multiplied before divided: a height on the border between two classes falls where exact arithmetic puts
/// it.
template <class Z>
void classify(const Z* z, int64_t count, double base, double span, double steps, float* material) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto v_base = hn::Set(d, base), v_span = hn::Set(d, span), v_steps = hn::Set(d, steps);
  const auto zero = hn::Zero(d), half = hn::Set(d, 0.5);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto step = hn::Div(hn::Mul(hn::Sub(load(d, z + i), v_base), v_steps), v_span);
    const auto clamped = hn::Min(hn::Max(step, zero), v_steps);
    // Adding 0 makes a zero positive.
    const auto index = hn::Add(hn::Floor(hn::Mul(hn::Ceil(clamped), half)), zero);
    hn::StoreU(hn::DemoteTo(df, index), df, material + i);
  }
  for (; i < count; ++i) {
    const double step = std::clamp((static_cast<double>(z[i]) - base) * steps / span, 0.0, steps);
    material[i] = static_cast<float>(std::floor(std::ceil(step) * 0.5) + 0.0);
  }
}

void classify_floats(const float* z, int64_t count, double base, double span, double steps, float* material) {
  classify(z, count, base, span, steps, material);
}
void classify_doubles(const double* z, int64_t count, double base, double span, double steps, float* material) {
  classify(z, count, base, span, steps, material);
}

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include "tepui/core/parallel.h"

namespace tepui {

HWY_EXPORT(classify_floats);
HWY_EXPORT(classify_doubles);

void MaterialBands::sort(const float* z, int64_t count, float* material) const {
  if (steps > 0)
    HWY_DYNAMIC_DISPATCH(classify_floats)(z, count, base, span, steps, material);
  else
    std::fill_n(material, count, 0.0f);
}

void MaterialBands::sort(const double* z, int64_t count, float* material) const {
  if (steps > 0)
    HWY_DYNAMIC_DISPATCH(classify_doubles)(z, count, base, span, steps, material);
  else
    std::fill_n(material, count, 0.0f);
}

void describe(Fields<MaterialsParams>& f) {
  f.about("Divide the land by height into materials, softest at the base, hardest at the top");
  f.reach(Reach::point);
  f.example("circular_faults | {}");
  f("count", &MaterialsParams::count, Range{1, 255}, "how many materials").slider(1, 12).sweep("3", "5", "9");
}

Terrain materials(const Terrain& in, const Terrain* from, const MaterialsParams& params, const Context& context) {
  constexpr int64_t cells_per_chunk = 1 << 16;
  if (from != nullptr) require_same_frame(in.frame(), "in", from->frame(), "from");
  const Terrain& surface = from != nullptr ? *from : in;
  const Grid<float>& z = surface.height();
  const MaterialBands bands(surface.relief(), params.count);
  Grid<float> material(z.width(), z.height());
  parallel_chunks(z.size(), cells_per_chunk, context, [&](int64_t begin, int64_t end) {
    bands.sort(z.data() + begin, end - begin, material.data() + begin);
  });
  Layer layer = make_layer("material", "", LayerKind::category, std::move(material));
  layer.classes = static_cast<int>(params.count);
  // Hardness was that of the old materials.
  return in.without("hardness").with(std::move(layer));
}

}  // namespace tepui

#endif
