#pragma once  // internal

#include <optional>
#include <string>
#include <vector>

#include "tepui/core/frame.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/paint_params.h"

namespace tepui {

/// One step of a stroke's line, seen from above; a point is a step of no length.
struct StrokeStep {
  Vec3 from, to;
  double pressure_from = 1, pressure_to = 1;
};

/// A stroke with everything known that its features and the parameters say, in metres.
struct BrushStroke {
  PaintTool tool = PaintTool::raise;
  double radius = 1, hardness = 0, strength = 1, amount = 0, value = 1;
  std::optional<double> target{};
  std::string layer{};
  std::vector<StrokeStep> steps{};
  std::vector<std::vector<Vec3>> rings{};  ///< of a polygon: its inside is full

  Vec2 low, high;  ///< of all that it reaches
};

/// How strongly a stroke acts on a place, from 0 to 1, and the stroke's own height there.
struct BrushTouch {
  double share = 0, height = 0;
  double distance = 0;

  /// Of two steps of a stroke the stronger counts; where both have their full strength, the nearer.
  bool beats(const BrushTouch& other) const {
    return share > other.share || (share > 0 && share == other.share && distance < other.distance);
  }
};

/// The brush's profile at the share `t` of its radius.
double brush_profile(double t, double hardness);

/// What the step `step` of a stroke does at (x, y), before the strength.
BrushTouch touch_of(const BrushStroke& stroke, const StrokeStep& step, double x, double y);

/// Whether (x, y) is within the polygon of the stroke.
bool is_inside(const BrushStroke& stroke, double x, double y);

/// All strokes in their order. Refuses, with the feature's number and name, what no brush can do.
std::vector<BrushStroke> brush_strokes(const Frame& frame, const Lines& lines, const PaintParams& params);

}  // namespace tepui
