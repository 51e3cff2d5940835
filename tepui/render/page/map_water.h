#pragma once  // internal

#include <functional>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/render/ground/inland_water.h"
#include "tepui/render/page/drawing.h"
#include "tepui/render/page/legend.h"

namespace tepui {

/// A lake, or a river that is wide enough to have two shores: the outer shore, then those of its islands. Rings end
/// where they begin; points are in samples.
struct WaterArea {
  std::vector<std::vector<Vec2>> rings;
};

/// Where numbers between samples are above 0; at the border of the grid areas end half a sample beyond it.
std::vector<WaterArea> areas_above_zero(const Grid<float>& grid, const Context& context);

/// How high water stands over the ground at every sample, in at most `most` of them on the longer side; within 1 m of
/// the ground, so that the mean of several samples tells which share of them is wet.
Grid<float> water_over_ground(const InlandWater& water, int64_t most, const Context& context);

struct WaterStyle {
  uint32_t fill = 0xb9d8e8, shore = 0x4a83ab;
  double shore_width = 0.8;
};

/// Draws areas; `to_page` places a point of theirs. Shores are drawn but for where they end at the border, which is
/// beyond `last` samples.
void draw_water_areas(Drawing& drawing, const std::vector<WaterArea>& areas, Vec2 last,
                      const std::function<Vec2(Vec2)>& to_page, const WaterStyle& style);

/// Lakes and wide rivers on a map, whose area reaches half a sample beyond the outermost ones.
void draw_lakes(Drawing& drawing, const PlotArea& area, const InlandWater& water, const WaterStyle& style,
                const Context& context);

}  // namespace tepui
