#include "tepui/volume/transform.h"

#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"

namespace tepui {

namespace {

/// Exact at quarter turns, as `affine` needs it.
double angle(const Angle& a) { return a.degrees / 90 * (math::pi / 2); }

}  // namespace

Vec3 pivot_of(const Volume& volume, Pivot pivot) {
  const Box3 box = volume.support();
  if (pivot == Pivot::origin || box.empty()) return {};
  Vec3 middle = (box.low + box.high) * 0.5;
  if (pivot == Pivot::foot) middle.z = box.low.z;
  return middle;
}

void describe(Fields<TransformParams>& f) {
  f.about("Move, turn, tilt, scale or flip a volume");
  f.reach(Reach::point);
  f.example("circular_faults | implicitize | {}");
  f("move", &TransformParams::move, Range{-1e9, 1e9}, "distances east, north and up");
  f("positions", &TransformParams::positions, {"percent", "metres"},
    "unit of 'move': % of the world's shorter side, or metres");
  f("turn", &TransformParams::turn, Range{-360, 360}, "rotation about the vertical, counter-clockwise from above")
      .sweep("0", "30", "90");
  f("tilt", &TransformParams::tilt, Range{-180, 180}, "angle by which it leans down towards 'tilt_direction'")
      .sweep("0", "10", "30");
  f("tilt_direction", &TransformParams::tilt_direction, Range{-360, 360},
    "direction of the tilt, clockwise from north");
  f("scale", &TransformParams::scale, Range{1e-3, 1e3}, "factor of its size").slider(0.1, 10);
  f("flip", &TransformParams::flip, "turn it upside down");
  f("about", &TransformParams::about, {"middle", "foot", "origin"},
    "fixed point of turning, tilting and scaling: the middle of its box, of the box's floor, or (0, 0, 0)");
}

Volume transform(const Frame& world, const Volume& in, const TransformParams& params, const Context&) {
  Motion motion;
  motion.pivot = pivot_of(in, params.about);
  motion.move = params.positions == Positions::metres ? params.move : params.move * (0.01 * world.shorter_side());
  motion.turn = angle(params.turn);
  motion.tilt = angle(params.tilt);
  motion.tilt_towards = angle(params.tilt_direction);
  motion.scale = params.scale;
  motion.flip = params.flip;
  for (const double number : {motion.move.x, motion.move.y, motion.move.z, motion.turn, motion.tilt, motion.scale})
    if (!std::isfinite(number)) refuse("'move' is not finite");
  if (!(motion.scale > 0)) refuse("'scale' must be above 0");
  if (motion.turn == 0 && motion.tilt == 0 && motion.scale == 1 && !motion.flip && motion.move == Vec3{}) return in;
  return in.with_root(moved(in.share(), forward(motion), backward(motion), in.threshold()));
}

}  // namespace tepui
