#include "tepui/geology/hardness.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/geology/hardness_table.h"
#include "tepui/geology/minerals.h"

namespace tepui {

namespace {

void require_one_each(size_t count, const char* what, size_t materials, const char* wanted) {
  if (count != materials)
    refuse(fmt::format("{} {} are given, but the land has {} materials", count, what, materials),
           fmt::format("give {} {}, from the base up", materials, wanted));
}

/// As given, from the base up; empty where nothing is.
std::vector<double> given_hardness(const HardnessParams& params, size_t materials) {
  std::vector<std::string> given;
  if (params.values) given.emplace_back("values");
  if (params.minerals) given.emplace_back("minerals");
  if (params.file) given.emplace_back("file");
  if (given.size() > 1)
    refuse(fmt::format("hardness is given more than once, by {}", fmt::join(given, " and ")), "keep one of them");
  if (params.file) return read_hardness_table(params.file->path, materials);
  std::vector<double> list = params.values.value_or(std::vector<double>());
  if (params.values) require_one_each(list.size(), "hardness values", materials, "numbers from 0 to 1");
  if (!params.minerals) return list;
  for (const MineralName& name : *params.minerals) list.push_back(mineral_hardness(name.mineral));
  require_one_each(list.size(), "minerals", materials, "minerals");
  return list;
}

}  // namespace

void describe(Fields<MineralName>& f) {
  std::vector<std::string> known;
  for (const Mineral& mineral : minerals()) known.emplace_back(mineral.name);
  f("mineral", &MineralName::mineral, fmt::format("one of {}", fmt::join(known, ", ")));
}

void describe(Fields<HardnessParams>& f) {
  f.about("Set how hard each material is");
  f.reach(Reach::point);
  f.example("circular_faults | materials | {} values=0.1,0.8,0.3,0.4,1");
  f("values", &HardnessParams::values, Range{0, 1},
    "hardness of each material from the base up, 0 to 1; auto: evenly from 0 to 1, unless minerals or a file are given")
      .sweep("0,0,0,0,1", "0.1,0.8,0.3,0.4,1", "0.8,0.85,0.9,0.95,1");
  f("minerals", &HardnessParams::minerals, Range{1, 255},
    "instead of values: the mineral of each material; auto: none; hardness relative to diamond: none 0, talc "
    "0.001, gypsum "
    "0.002, calcite 0.006, fluorite 0.014, apatite 0.032, orthoclase 0.048, quartz 0.067, topaz 0.133, corundum 0.267, "
    "diamond 1");
  f("file", &HardnessParams::file,
    "instead of values: a .csv or .json table of materials and their hardness (docs/formats.md); auto: none");
  f("combine_top", &HardnessParams::combine_top, Range{1, 255},
    "number of top materials that all get the hardness of the hardest among them")
      .slider(1, 12)
      .sweep("1", "2", "4");
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

std::vector<float> hardness_of_materials(const HardnessParams& params, int materials) {
  std::vector<float> list = normalised_hardness(materials);
  std::ranges::transform(given_hardness(params, list.size()), list.begin(),
                         [](double value) { return static_cast<float>(value); });
  const auto combined = static_cast<size_t>(std::max<int64_t>(params.combine_top, 1));
  if (combined > list.size())
    refuse(fmt::format("'combine_top' is {}, but the land has {} materials", combined, list.size()));
  const auto top = list.end() - static_cast<std::ptrdiff_t>(combined);
  std::fill(top, list.end(), *std::max_element(top, list.end()));
  return list;
}

Terrain hardness(const Terrain& in, const HardnessParams& params, const Context& context) {
  constexpr int64_t cells_per_chunk = 1 << 16;
  const Layer& material = material_layer(in);
  const std::vector<float> list = hardness_of_materials(params, material.classes);
  const float* m = material.grid().data();
  const auto top = static_cast<float>(list.size() - 1);
  Grid<float> result(material.grid().width(), material.grid().height());
  parallel_chunks(result.size(), cells_per_chunk, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      result.data()[i] = list[static_cast<size_t>(static_cast<int>(std::clamp(m[i], 0.0f, top)))];
  });
  return in.with(make_layer("hardness", "", LayerKind::continuous, std::move(result)));
}

}  // namespace tepui
