#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

enum class ShapeKind {
  box,       ///< a block with vertical walls
  cylinder,  ///< a drum
  cone,
  pyramid,
  prism,  ///< a roof: its ridge runs along `width`, its gables are vertical
  cliff,  ///< a step: all land east of the middle is high
};

struct ShapeParams {
  ShapeKind kind = ShapeKind::box;
  Length x = percent(50), y = percent(50);  ///< of the middle; a per cent is of the side it is measured along
  Length width = percent(60), depth = percent(60);
  Length height = percent(15);
  Angle rotation;
};
void describe(Fields<ShapeParams>& f);

/// A solid on flat ground at 0, for test scenes. With (u, v) a sample's place from the middle, along the shape's own
/// width and depth, p = 2 u / width and q = 2 v / depth, and s(p) = 1 where -1 <= p < 1, else 0:
///
///     box       s(p) s(q)                        pyramid   max(0, 1 - max(|p|, |q|))
///     cylinder  1 where p^2 + q^2 <= 1, else 0   prism     s(p) max(0, 1 - |q|)
///     cone      max(0, 1 - sqrt(p^2 + q^2))      cliff     1 where u >= 0, else 0
///
/// times `height`. Walls hold their western and southern samples and not their eastern and northern ones, so that a box
/// n cells wide is n samples wide, wherever its middle lies; its volume is then exact. A wall that passes a sample
/// within 2^-32 of the world's longer side goes through it. `rotation` turns the shape counter-clockwise about its
/// middle; after quarter turns walls hold the same sides' samples as before; after others those of the shape's own
/// axes. A shape without width or depth is flat ground.
Terrain shape(const Frame& world, const ShapeParams& params, const Context& context);

}  // namespace tepui
