#pragma once

#include <cstdint>
#include <memory>

#include "tepui/core/context.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/paint_params.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Changes the land within strokes of a brush, one after the other. A stroke is a line, a point or a polygon, whose
/// inside it fills; a sample at the distance d from it (seen from above) goes the share
///   strength * pressure * b(d / radius),   b(t) = (1 - u^2)^2,  u = (t - hardness) / (1 - hardness) within [0, 1]
/// of the way to what the tool wants. Where several places of a stroke reach a sample, the one with the largest share
/// counts: a stroke has the same effect however fast it was drawn, however many points it has and wherever it crosses
/// itself, and at any resolution.
///
/// Features may name their own texts `tool` and `layer` and numbers `radius`, `hardness`, `strength`, `amount`,
/// `target` and `value`, in metres; vertices `pressure` from 0 to 1. What they lack is as in the parameters. Strokes
/// beyond the land do nothing. Relief and other layers are kept; a layer that is not there begins at 0, as a mask if it
/// is called so.
Terrain paint(const Terrain& in, const Lines& strokes, const PaintParams& params, const Context& context);

/// What painting keeps from one time to the next: the land after some of the first strokes. It is at most 256 MiB
/// large, or as one land.
struct KeptPainting;
/// With nothing kept yet.
std::shared_ptr<KeptPainting> begin_painting();

/// The same land as that of paint(), bit by bit. Strokes are painted from the last of the kept lands on that no change
/// of a stroke or of `in` concerns: one more stroke paints two. What was painted is kept even where painting is
/// stopped, and `painted` grows by how many strokes that were.
Terrain paint_again(const Terrain& in, const Lines& strokes, const PaintParams& params, KeptPainting& kept,
                    int64_t& painted, const Context& context);

}  // namespace tepui
