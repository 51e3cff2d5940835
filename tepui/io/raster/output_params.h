#pragma once

#include "tepui/core/palette.h"
#include "tepui/core/params.h"

namespace tepui {

/// How a TIFF's samples are packed.
enum class Compression { deflate, none };

/// What a grid of samples in space holds.
enum class SampledQuantity { field, resistance };

/// The options of an output, described once for recipes, their schema and the command line. Which of them a file takes
/// is in the table of formats (formats.h) and, of what is no land, in that of the kinds of values.
struct OutputParams {
  Interval range{};  ///< heights of the smallest and the largest number of a 16-bit file; 0..0: the layer's own
  Vec2 tiles{1, 1};
  bool cog = false;
  Compression compression = Compression::deflate;
  Palette palette = Palette::desert;
  bool quantise = false;  ///< of a GLB, as GlbOptions tells
  bool meshopt = false;
  double cell = 0;  ///< metres; 0: one that suits the value
  SampledQuantity sample = SampledQuantity::field;
  Vec3 low{}, high{};  ///< of the box that is sampled; equal: all that there is

  bool has_range() const { return range.low != 0 || range.high != 0; }
  bool is_tiled() const { return tiles.x > 1 || tiles.y > 1; }
};
void describe(Fields<OutputParams>& f);

}  // namespace tepui
