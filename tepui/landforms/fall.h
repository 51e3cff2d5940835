#pragma once

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// What stays: rock that stands on the land's floor, or the largest pieces.
enum class FallKeep { grounded, largest };

struct FallParams {
  Length cell = percent(100.0 / 256);  ///< in per cent of the longer side
  std::optional<FallKeep> keep{};      ///< grounded where there is land, else largest
  int pieces = 1;
  Length thinnest = metres(2);
};
void describe(Fields<FallParams>& f);

/// Lets rock fall that nothing carries, and pendants too thin to hold.
///
/// Rock is looked at where `polygonize` looks, at the points of its lattice for the same `cell`: so a mesh of that cell
/// has the pieces that are kept and no others. Points belong together that are next to each other along an axis. What
/// is connected to the land's floor stays, or, of a volume that is no land, its largest pieces.
///
/// A pendant is rock that no level square of `thinnest` metres fits into, at least that long, and joined to thicker
/// rock only above its middle. Fins, necks and arches stay.
///
/// What falls loses its field: v' = v - w max(v + T, 0), w being 1 at its points and at the air around that touches no
/// other rock, 0 elsewhere, and trilinear between. Everywhere else the field has the same bits.
///
/// Tells how many pieces and pendants fell and how many cubic metres of rock, counted in cells.
Volume fall(const Frame& world, const Volume& in, const FallParams& params, const Context& context);

}  // namespace tepui
