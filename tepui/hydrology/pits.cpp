#include "tepui/hydrology/pits.h"

#include "tepui/hydrology/chosen_lakes.h"
#include "tepui/hydrology/sea_level.h"
#include "tepui/terrain/lines_builder.h"

namespace tepui {

void describe(Fields<PitsParams>& f) {
  f.about("Find the hollows that water would fill, as points with depth, level, area and volume");
  f.example("noise height=400m | {}");
  f("depth", &PitsParams::depth, Range{0, 1e6}, "shallower ones are left out")
      .unit("m")
      .slider(0, 20)
      .sweep("0", "2", "10");
  f("area", &PitsParams::area, Range{0, 1e15}, "smaller ones are left out").unit("m2").slider(0, 1e6);
  describe_sea_level(f);
}

Lines pits(const Terrain& in, const PitsParams& params, const Context& context) {
  const ChosenLakes lakes = chosen_lakes(in, params.depth, params.area, params.sea_level, context);
  const Frame& frame = in.frame();
  LinesBuilder builder;
  const NumberColumn depth = builder.number("depth", "m"), level = builder.number("level", "m");
  const NumberColumn area = builder.number("area", "m2"), volume = builder.number("volume", "m3");
  for (size_t lake = 1; lake < lakes.chosen.size(); ++lake) {
    if (lakes.chosen[lake] == 0) continue;
    const int64_t cell = lakes.water.basins.pits[static_cast<size_t>(lakes.measures.bottom[lake])];
    const Vec3 at{frame.x(cell % frame.width), frame.y(cell / frame.width), in.height().data()[cell]};
    builder.begin(FeatureShape::point);
    builder.part({&at, 1});
    builder.set(depth, lakes.measures.deepest[lake]);
    builder.set(level, lakes.water.ways.level[lake]);
    builder.set(area, static_cast<double>(lakes.measures.cells[lake]) * frame.cell.x * frame.cell.y);
    builder.set(volume, lakes.measures.volume[lake]);
  }
  if (const auto geo = lines_geo(frame)) builder.set_geo(*geo);
  return std::move(builder).build();
}

}  // namespace tepui
