#include "tepui/geology/hardness.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

void describe(Fields<HardnessParams>& f) {
  f.about("Say how hard each material is");
  f.reach(Reach::point);
  f.example("circular_faults | materials | {} values=0.1,0.8,0.3,0.4,1");
  f("values", &HardnessParams::values, Range{0, 1},
    "hardness of each material from the base up, 0 to 1; empty: evenly from 0 to 1")
      .sweep("0,0,0,0,1", "0.1,0.8,0.3,0.4,1", "0.8,0.85,0.9,0.95,1");
}

const Layer& material_layer(const Terrain& land) {
  const Layer* found = land.find("material");
  if (found == nullptr) refuse("this land has no layer 'material'", "use 'materials' first");
  if (found->classes < 1)
    refuse("the layer 'material' does not say how many materials there are", "make it with 'materials'");
  return *found;
}

std::vector<float> normalised_hardness(int materials) {
  std::vector<float> list(static_cast<size_t>(materials), 0.0f);
  for (size_t m = 1; m < list.size(); ++m)
    list[m] = static_cast<float>(static_cast<double>(m) / static_cast<double>(list.size() - 1));
  return list;
}

Terrain hardness(const Terrain& in, const HardnessParams& params, const Context& context) {
  constexpr int64_t cells_per_chunk = 1 << 16;
  const Layer& material = material_layer(in);
  const auto count = static_cast<size_t>(material.classes);
  if (!params.values.empty() && params.values.size() != count)
    refuse(fmt::format("there are {} hardness values, but the land has {} materials", params.values.size(), count),
           fmt::format("give {} numbers from 0 to 1, from the base up", count));
  std::vector<float> list = normalised_hardness(material.classes);
  std::ranges::transform(params.values, list.begin(), [](double value) { return static_cast<float>(value); });

  const float* m = material.grid().data();
  const auto top = static_cast<float>(count - 1);
  Grid<float> result(material.grid().width(), material.grid().height());
  parallel_chunks(result.size(), cells_per_chunk, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      result.data()[i] = list[static_cast<size_t>(static_cast<int>(std::clamp(m[i], 0.0f, top)))];
  });
  return in.with(make_layer("hardness", "", LayerKind::continuous, std::move(result)));
}

}  // namespace tepui
