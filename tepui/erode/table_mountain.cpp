#include "tepui/erode/table_mountain.h"

#include <algorithm>
#include <utility>

#include "tepui/core/parallel.h"
#include "tepui/erode/gradation.h"
#include "tepui/erode/levelling.h"
#include "tepui/geology/geology_from_materials.h"
#include "tepui/geology/hardness.h"
#include "tepui/geology/materials.h"

namespace tepui {

namespace {

constexpr int64_t cells_per_chunk = 1 << 16;

/// Materials as bytes, which wait for the heights to be done: so there are never more than three grids.
Grid<uint8_t> pack(const Terrain& land) {
  const Grid<float>& material = land.layer("material").grid();
  Grid<uint8_t> bytes(material.width(), material.height());
  parallel_chunks(bytes.size(), cells_per_chunk, Context(), [&](int64_t begin, int64_t end) {
    std::transform(material.data() + begin, material.data() + end, bytes.data() + begin,
                   [](float index) { return static_cast<uint8_t>(index); });
  });
  return bytes;
}

Layer unpack(Grid<uint8_t> bytes, int64_t count) {
  Grid<float> material(bytes.width(), bytes.height());
  parallel_chunks(bytes.size(), cells_per_chunk, Context(), [&](int64_t begin, int64_t end) {
    std::copy(bytes.data() + begin, bytes.data() + end, material.data() + begin);
  });
  Layer layer = make_layer("material", "", LayerKind::category, std::move(material));
  layer.classes = static_cast<int>(count);
  return layer;
}

}  // namespace

void describe(Fields<TableMountainParams>& f) {
  using P = TableMountainParams;
  f.about("Make mesas and buttes in one step: faults, materials, erosion, flat caprock, smooth slopes");
  f.window([](const P& p, const Frame& frame) { return levelling_halo(frame, p.levelling); }, "levelling");
  f("faults", &P::faults, Range{0, 1e7}, "how many faults").slider(0, 3000);
  f("radius", &P::radius, Range{0, 1e9}, "radius of a fault: one length, or drawn uniformly from an interval")
      .slider(0, 50);
  f("height", &P::height, Range{0, 1e6}, "height of the massif before erosion").slider(0, 50);
  f("limit", &P::limit, {"none", "along_x", "around_centre"},
    "where faults may lie: anywhere (mesas), near the middle line along x, or near the centre (buttes)")
      .sweep("none", "along_x", "around_centre");
  f("distance", &P::distance, Range{0, 1e9}, "with limit: how far from the middle line or the centre a fault may lie")
      .slider(0, 50);
  f("count", &P::count, Range{1, 255}, "how many materials").slider(1, 12);
  f("hardness", &P::hardness, Range{0, 1},
    "hardness of each material from the base up, 0 to 1; auto: evenly from 0 to 1");
  f("combine_top", &P::combine_top, Range{1, 255},
    "number of top materials that all get the hardness of the hardest among them")
      .slider(1, 12);
  f("erosion", &P::erosion, Range{0, 1}, "strength of erosion, as a share of the height").sweep("0.2", "0.5", "0.8");
  f("caprock", &P::caprock, "keep flat tops of the hardest rock");
  f("levelling", &P::levelling, Range{0, 1e9}, "half the side of the square over which slopes are smoothed")
      .slider(0, 5);
  f.seed(&P::seed);
}

Terrain table_mountain(const Frame& world, const TableMountainParams& params, const Context& context) {
  const CircularFaultsParams faults{.faults = params.faults,
                                    .radius = params.radius,
                                    .height = params.height,
                                    .limit = params.limit,
                                    .distance = params.distance,
                                    .seed = params.seed};
  Terrain land = circular_faults(world, faults, context.stage("faults", 0, 0.7));
  const HardnessParams hard{.values = params.hardness, .combine_top = params.combine_top};
  const Geology rock = banded_rock(land.relief(), hardness_of_materials(hard, static_cast<int>(params.count)));
  Grid<uint8_t> packed = pack(materials(land, nullptr, {params.count}, context.stage("materials", 0.7, 0.75)));
  land = gradation_with_caprock(land, &rock, {params.erosion, params.caprock}, context.stage("gradation", 0.75, 0.85));
  land = levelling(land, {params.levelling}, context.stage("levelling", 0.85, 0.95));
  land = land.with(unpack(std::move(packed), params.count));
  return hardness(land, hard, context.stage("hardness", 0.95, 1));
}

}  // namespace tepui
