#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/geology/geology.h"
#include "tepui/io/raster/png.h"
#include "tepui/mesh/mesh.h"
#include "tepui/render/page/drawing.h"
#include "tepui/render/page/figure_params.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// A figure of the land. What is below `sea_level` (metres) is shown under water where the kind has water; a section
/// shows the `rock` beneath the surface. Maps show the land's lakes, from its layers `water` and `water_level`, and
/// `rivers`: lines that are the wider, the higher their attribute `order` is, or to scale where `width` (metres) is
/// more.
Drawing draw_figure(const Terrain& land, const FigureParams& params, const Context& context,
                    std::optional<double> sea_level = {}, const Geology* rock = nullptr, const Lines* rivers = nullptr);

/// Lines as a `skyline`: those that run from west to east as ridges, the farther (northern) ones paler, before a sky
/// that darkens upwards; tents as thin lines under the bold line of their mean; others as strokes. As a `map` of
/// rivers. As the `survey` of a cave: passages to the scale of their `radius`, in plan, and by their distance from a
/// sink.
Drawing draw_figure(const Lines& lines, const FigureParams& params, const Context& context);

/// A `section` of rock: its resistance in colours over distance and height. The line goes through the middle of the
/// world unless the parameters say otherwise, and may leave it; heights are `range`, or those that the rock gives.
Drawing draw_figure(const Geology& rock, const Frame& world, const FigureParams& params, const Context& context);

/// A `section` of a volume: rock where it is, by its resistance where its geology is known, and the air in its caves.
/// The line goes from west to east through the middle of all that there is unless the parameters say otherwise.
Drawing draw_figure(const Volume& volume, const FigureParams& params, const Context& context);

/// A mesh as a `wireframe`: its triangles as they lie, seen along parallel lines.
Drawing draw_figure(const Mesh& mesh, const FigureParams& params, const Context& context);

/// Whether figures of this kind are plots, whose numbers can be written.
bool has_numbers(FigureKind kind);

/// Writes the drawing as the file's ending says, .png, .webp or .svg, with the text inside, atomically; of a plot .csv
/// is the numbers that it shows. A PNG has `scale` pixels for each of the drawing's.
void write_figure(const FileTarget& to, const Drawing& drawing, const PngText& text = {}, const Context& context = {},
                  double scale = 1);

}  // namespace tepui
