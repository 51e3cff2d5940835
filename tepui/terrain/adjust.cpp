#include "tepui/terrain/adjust.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tepui/core/curve.h"
#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

struct Bounds {
  double low = 0, high = 0;
};

Bounds in_order(const char* name, const LengthInterval& interval, const Frame& frame) {
  const Bounds bounds{interval.low.in(frame), interval.high.in(frame)};
  if (bounds.low > bounds.high)
    refuse(fmt::format("'{}' goes from {:g} down to {:g} m", name, bounds.low, bounds.high),
           "write the smaller value first");
  return bounds;
}

/// The steps made ready: every cell goes through operator().
class Steps {
 public:
  Steps(const AdjustParams& p, const Frame& frame, const Relief& relief)
      : params_(p), start_(relief), offset_(p.offset.in(frame)), curve_(p.curve) {
    // Land flattened by a scale of 0 keeps the span of its relief: shares of nothing are of no use to anyone.
    const double span = relief.span() * (p.scale == 0 ? 1 : p.scale);
    moved_ = {relief.base + offset_, relief.base + span + offset_};
    if (moved_.top < moved_.base) std::swap(moved_.base, moved_.top);
    final_ = moved_;
    if (p.clamp == AdjustClamp::relief) clamp_ = {moved_.base, moved_.top};
    if (p.clamp == AdjustClamp::between) clamp_ = in_order("between", p.between, frame);
    if (p.relief != AdjustRelief::keep) {
      const Bounds to = in_order("to", p.to, frame);
      final_ = {to.low, to.high};
      if (!final_.has_shares())
        refuse(fmt::format("both ends of 'to' are {:g} m", to.low), "the top of the relief must be above its base");
    }
    if (uses_shares() && !moved_.has_shares())
      refuse(
          fmt::format("the relief goes from {:g} to {:g} m, so shares of it are not defined", moved_.base, moved_.top),
          "set it first: relief=set to=0..800");
  }

  double operator()(double z) const {
    if (params_.scale != 1) z = start_.base + (z - start_.base) * params_.scale;
    if (offset_ != 0) z += offset_;
    if (!params_.curve.points.empty()) z = within_relief(z, curve_);
    if (params_.terraces > 0) z = within_relief(z, [this](double g) { return terrace(g); });
    if (params_.clamp != AdjustClamp::off) z = std::clamp(z, clamp_.low, clamp_.high);
    if (params_.relief == AdjustRelief::stretch) z = final_.base + (z - moved_.base) * (final_.span() / moved_.span());
    return z;
  }

  bool moves_ground() const {
    return params_.scale != 1 || offset_ != 0 || !params_.curve.points.empty() || params_.terraces > 0 ||
           params_.clamp != AdjustClamp::off || params_.relief == AdjustRelief::stretch;
  }

  const Relief& relief() const { return final_; }

 private:
  bool uses_shares() const {
    return !params_.curve.points.empty() || params_.terraces > 0 || params_.relief == AdjustRelief::stretch;
  }

  template <class Function>
  double within_relief(double z, const Function& function) const {
    const double inside = std::clamp(z, moved_.base, moved_.top);
    const double share = (inside - moved_.base) / moved_.span();
    return moved_.base + function(share) * moved_.span() + (z - inside);
  }

  double terrace(double share) const {
    const double step = share * params_.terraces, level = std::floor(step);
    const double tread = params_.sharpness, along = step - level;
    const double rise = tread < 1 ? std::clamp((along - tread / 2) / (1 - tread), 0.0, 1.0) : (along < 0.5 ? 0.0 : 1.0);
    return (level + rise) / params_.terraces;
  }

  const AdjustParams& params_;
  Relief start_, moved_, final_;
  double offset_;
  CurveFunction curve_;
  Bounds clamp_;
};

}  // namespace

void describe(Fields<AdjustParams>& f) {
  f.about("Scale, offset, remap by a curve, terrace and clamp heights, and set the relief, in that order");
  f.reach(Reach::point);
  f.example("noise | {} terraces=6");
  f("scale", &AdjustParams::scale, Range{-1e6, 1e6}, "step 1: factor for heights above the base; scales the relief too")
      .slider(0, 4);
  f("offset", &AdjustParams::offset, Range{-1e7, 1e7}, "step 2: added to heights; moves the relief too")
      .slider(-1000, 1000);
  f("curve", &AdjustParams::curve, Range{-1e6, 1e6},
    "step 3: a curve through [old, new] points, as shares of the relief (0 base, 1 top); no points: no change");
  f("terraces", &AdjustParams::terraces, Range{0, 100000}, "step 4: number of terraces from base to top; 0: none")
      .slider(0, 20)
      .sweep("3", "6", "12");
  f("sharpness", &AdjustParams::sharpness, Range{0, 1},
    "sharpness of the terraces: 0 leaves the slope as it is, 1 makes flat treads")
      .sweep("0.2", "0.7", "1");
  f("clamp", &AdjustParams::clamp, {"off", "relief", "between"},
    "step 5: limit heights to the relief, or to 'between'");
  f("between", &AdjustParams::between, Range{-1e7, 1e7}, "lowest and highest height for clamp=between")
      .slider(-1000, 9000);
  f("relief", &AdjustParams::relief, {"keep", "set", "stretch"},
    "step 6: set the relief to 'to' and leave the heights, or stretch the heights with it");
  f("to", &AdjustParams::to, Range{-1e7, 1e7}, "base and top for relief=set and relief=stretch").slider(-1000, 9000);
  f("layer", &AdjustParams::layer, "layer to adjust; for layers other than height, 0 is the base and 1 the top");
}

Terrain adjust(const Terrain& in, const Terrain* mask, const AdjustParams& params, const Context& context) {
  if (mask != nullptr) require_same_frame(in.frame(), "in", mask->frame(), "mask");
  const Layer& layer = in.layer(params.layer);
  const bool ground = layer.name == "height";
  if (!ground && params.relief != AdjustRelief::keep)
    refuse(fmt::format("layer '{}' has no relief", layer.name), "only the layer 'height' has one");
  const Steps steps(params, in.frame(), ground ? in.relief() : Relief{0, 1});

  Terrain result = in;
  if (steps.moves_ground()) {
    if (layer.kind == LayerKind::category)
      refuse(fmt::format("layer '{}' holds classes, which cannot be used in arithmetic", layer.name));
    const Grid<float>* weights = mask != nullptr ? &mask_layer(*mask).grid() : nullptr;
    Grid<float> out(in.frame().width, in.frame().height);
    parallel_chunks(out.height(), rows_per_chunk(out.width()), context, [&](int64_t begin, int64_t end) {
      const float* old = layer.grid().data();
      for (int64_t i = begin * out.width(); i < end * out.width(); ++i) {
        double z = steps(old[i]);
        if (weights != nullptr) z = blend(old[i], z, std::clamp(static_cast<double>(weights->data()[i]), 0.0, 1.0));
        if (layer.kind == LayerKind::mask) z = std::clamp(z, 0.0, 1.0);
        out.data()[i] = to_cell(z);
      }
    });
    result = in.with(layer.holding(std::move(out)));
  }
  if (!ground) return result;
  Relief relief = steps.relief();
  if (mask != nullptr && params.relief != AdjustRelief::set)
    relief = {std::min(relief.base, in.relief().base), std::max(relief.top, in.relief().top)};
  return result.with_relief(relief);
}

}  // namespace tepui
