#include "tepui/terrain/combine.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// The layer of that name, or the only one: "node.layer" as an input means just that one.
const Layer& named_or_only(const Terrain& land, const std::string& name) {
  return land.find(name) == nullptr && land.layers().size() == 1 ? land.layers().front() : land.layer(name);
}

/// Where the numbers of a layer start and how far they reach: the relief of a height, 0 to 1 of anything else.
Relief relief_of(const Terrain& land, const Layer& layer) {
  return layer.name == "height" ? land.relief() : Relief{0, 1};
}

Relief combined_relief(CombineMode mode, const Relief& a, const Relief& b) {
  switch (mode) {
    case CombineMode::add:
      return {a.base + b.base, a.top + b.top};
    case CombineMode::subtract:
      return {a.base - b.top, a.top - b.base};
    case CombineMode::multiply:
      return a;
    case CombineMode::min:
      return {std::min(a.base, b.base), std::min(a.top, b.top)};
    case CombineMode::max:
      return {std::max(a.base, b.base), std::max(a.top, b.top)};
    case CombineMode::mix:
      break;
  }
  return b;
}

/// Calls visit(f) with f(a, b) the combination of two cells: one loop is compiled for each mode.
template <class Visit>
void with_mode(CombineMode mode, const Relief& a_relief, const Relief& b_relief, const Visit& visit) {
  switch (mode) {
    case CombineMode::add:
      return visit([](double a, double b) { return a + b; });
    case CombineMode::subtract:
      return visit([](double a, double b) { return a - b; });
    case CombineMode::multiply:
      return visit([base = a_relief.base, zero = b_relief.base, span = b_relief.span()](double a, double b) {
        return base + (a - base) * ((b - zero) / span);
      });
    case CombineMode::min:
      return visit([](double a, double b) { return std::min(a, b); });
    case CombineMode::max:
      return visit([](double a, double b) { return std::max(a, b); });
    case CombineMode::mix:
      return visit([](double, double b) { return b; });
  }
}

void require_not_classes(const Layer& a, const Layer& b, CombineMode mode) {
  if (a.kind != LayerKind::category && b.kind != LayerKind::category) return;
  if (mode == CombineMode::min || mode == CombineMode::max || mode == CombineMode::mix) {
    if (a.kind == b.kind) return;
    const bool first = a.kind == LayerKind::category;
    refuse(fmt::format("layer '{}' holds classes, layer '{}' does not", (first ? a : b).name, (first ? b : a).name));
  }
  refuse(fmt::format("layer '{}' holds classes, which cannot be used in arithmetic",
                     (a.kind == LayerKind::category ? a : b).name),
         "use 'min', 'max' or 'mix'");
}

}  // namespace

void describe(Fields<CombineParams>& f) {
  f.about("Combine two lands: add, subtract, multiply, take the lower or higher, or mix by a mask");
  f.reach(Reach::point);
  f.example("circular_faults | materials | gradation | {} with=circular_faults");
  f("mode", &CombineParams::mode, {"add", "subtract", "multiply", "min", "max", "mix"},
    "how samples are combined; 'multiply' scales 'in' above its base by the height of 'with' as a share of its relief")
      .sweep("add", "subtract", "multiply");
  f("amount", &CombineParams::amount, Range{0, 1},
    "share of the change that is applied, times the mask if there is one")
      .sweep("0.1", "0.5", "1");
  f("layer", &CombineParams::layer, "layer to combine; if 'with' has only one layer, that one is used");
}

Terrain combine(const Terrain& in, const Terrain& with, const Terrain* mask, const CombineParams& params,
                const Context& context) {
  require_same_frame(in.frame(), "in", with.frame(), "with");
  if (mask != nullptr) require_same_frame(in.frame(), "in", mask->frame(), "mask");
  const Layer& a = in.layer(params.layer);
  const Layer& b = named_or_only(with, params.layer);
  require_not_classes(a, b, params.mode);
  const Relief a_relief = relief_of(in, a), b_relief = relief_of(with, b);
  if (params.mode == CombineMode::multiply && !b_relief.has_shares())
    refuse(fmt::format("the relief of 'with' goes from {:g} to {:g} m, so there is no share of it to multiply by",
                       b_relief.base, b_relief.top),
           "set its relief with 'adjust'");

  const Grid<float>* weights = mask != nullptr ? &mask_layer(*mask).grid() : nullptr;
  Grid<float> out(a.grid().width(), a.grid().height());
  with_mode(params.mode, a_relief, b_relief, [&](const auto& combination) {
    parallel_chunks(out.height(), rows_per_chunk(out.width()), context, [&](int64_t begin, int64_t end) {
      const float* za = a.grid().data();
      const float* zb = b.grid().data();
      for (int64_t i = begin * out.width(); i < end * out.width(); ++i) {
        double weight = params.amount;
        if (weights != nullptr) weight *= std::clamp(static_cast<double>(weights->data()[i]), 0.0, 1.0);
        if (a.kind == LayerKind::category) weight = weight >= 0.5 ? 1 : 0;
        double z = blend(za[i], combination(za[i], zb[i]), weight);
        if (a.kind == LayerKind::mask) z = std::clamp(z, 0.0, 1.0);
        out.data()[i] = to_cell(z);
      }
    });
  });

  Layer combined = a.holding(std::move(out));
  combined.classes = std::max(a.classes, b.classes);
  Terrain result = in.with(std::move(combined));
  if (a.name != "height" || b.name != "height") return result;
  const Relief full = combined_relief(params.mode, a_relief, b_relief);
  Relief relief{blend(a_relief.base, full.base, params.amount), blend(a_relief.top, full.top, params.amount)};
  if (mask != nullptr) relief = {std::min(relief.base, a_relief.base), std::max(relief.top, a_relief.top)};
  return result.with_relief(relief);
}

}  // namespace tepui
