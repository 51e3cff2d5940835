#pragma once

#include <optional>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/terrain/lines.h"
#include "tepui/volume/placing.h"
#include "tepui/volume/primitive.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// One primitive, as a user gives it.
struct SculptStroke {
  PrimitiveShape shape = PrimitiveShape::sphere;
  Vec3 at{50, 50, 0};
  Vec3 to{50, 50, 0};
  std::vector<double> points{};
  Length radius = percent(3);
  Length end_radius = percent(1);
  Vec3 half{3, 3, 3};
  Angle turn{0};
  Length falloff = percent(3);
  double energy = -15;
  Length noise = metres(0);
  Length noise_scale = percent(2);
  std::optional<Length> spacing{};  // not given: one shape, at `at`
};
void describe(Fields<SculptStroke>& f);

struct SculptParams {
  std::vector<SculptStroke> strokes = default_strokes();
  Positions positions = Positions::percent;
  Heights heights = Heights::ground;
  double strength = 1;
  double threshold = Volume::usual_threshold;
  Seed seed;

  /// A hollow in the middle of the land, and a bridge across it.
  static std::vector<SculptStroke> default_strokes();
};
void describe(Fields<SculptParams>& f);

/// Adds rock to a volume or takes some away, stroke by stroke: f' = f + sum of primitives (Paris et al. 2019, section
/// 5.2; `Primitive` has their fields). Without a volume it starts in empty space, with the threshold that is given;
/// else with the volume's own. A stroke of energy e moves the surface to where f + e g = T: on land a sphere of -2T
/// carves about 0.6 of its falloff beyond its radius; deep in rock, where f is 2T, a cave needs e < -T.
///
/// Curves without points run along the lines that are given, one stroke each: those are in metres, with heights counted
/// as `heights` says; a line of a single point is a dab. So do points and spheres with a `spacing`, as a brush that is
/// drawn along a line leaves dabs: one at its first point, and one every so many metres. Numbers `falloff`, `radius`,
/// `energy`, `noise` and `noise_scale` of a line, in metres and as of a stroke, go before the stroke's own, so that
/// every line may have been drawn with another brush.
Volume sculpt(const Frame& world, const Volume* in, const Lines* along, const SculptParams& params,
              const Context& context);

}  // namespace tepui
