#pragma once

#include <vector>

#include "reference/volume_nodes.h"

namespace tepui::reference {

/// A brush along a line.
struct SmoothStroke {
  std::vector<Vec3> points;
  double radius, strength;
};

/// How much strokes, or a region, smooth a place: their share, and how many times.
struct Smoothing {
  Share share, times;
};
Smoothing smoothing_along(const std::vector<SmoothStroke>& strokes);
Smoothing smoothing_within(const Share& weight, double strength);

/// `smooth` on one lattice: every coefficient from its definition, pass by pass.
Field smooth(Field in, Smoothing smoothing, double cell, double threshold);

}  // namespace tepui::reference
