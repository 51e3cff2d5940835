#include "tepui/landforms/carving.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "tepui/volume/primitive.h"

namespace tepui::carving_test {

/// Deep rock: a body so large that its field is 2T all around the origin.
Volume deep_rock(double threshold) {
  Primitive body;
  body.shape = PrimitiveShape::box;
  body.skeleton = {{0, 0, 0}};
  body.half = {500, 500, 500};
  body.energy = 2 * threshold;
  return {with_primitives(empty_solid(threshold), {body}, threshold), threshold};
}

double uniform(double low, double high) { return low + (high - low) * (*rc::gen::inRange(0, 1001)) / 1000.0; }

/// How far from the origin the surface lies along a direction, the origin being hollow.
double hollow(const Volume& volume, Vec3 direction) { return volume.cast({}, direction, 400, 0.05).value_or(400); }

RC_GTEST_PROP(Carving, AChainHollowsOutATubeOfItsRadius, ()) {
  const double threshold = uniform(2, 20), radius = uniform(1, 8);
  const double falloff = radius * uniform(1.4, 3), step = 0.35 * radius;
  std::vector<FieldPoint> points;
  const double energy = chain_energy(threshold, radius, falloff, step);
  for (int i = -60; i <= 60; ++i) points.push_back({{i * step, 0, 0}, falloff, energy});
  const Volume rock = deep_rock(threshold);
  const Volume carved = rock.with_root(with_points(rock.share(), points, threshold));
  RC_ASSERT(carved.value({}) < 0);
  RC_ASSERT(std::abs(hollow(carved, {0, 1, 0}) - radius) < 0.02 * radius);
  RC_ASSERT(std::abs(hollow(carved, {0, 0, -1}) - radius) < 0.02 * radius);
}

RC_GTEST_PROP(Carving, AFilledBodyEndsAtItsOutermostPoints, ()) {
  const double threshold = uniform(2, 20), spacing = uniform(0.3, 2), falloff = spacing * uniform(2, 3.5);
  const double energy = body_energy(threshold, falloff, spacing);
  std::vector<FieldPoint> points;
  const int n = 8;
  for (int z = -n; z <= n; ++z)
    for (int y = -n; y <= n; ++y)
      for (int x = -n; x <= n; ++x) points.push_back({{x * spacing, y * spacing, z * spacing}, falloff, energy});
  const Volume rock = deep_rock(threshold);
  const Volume carved = rock.with_root(with_points(rock.share(), points, threshold));
  RC_ASSERT(std::abs(hollow(carved, {1, 0, 0}) - n * spacing) < 0.6 * spacing);
  RC_ASSERT(std::abs(hollow(carved, {0, 0, 1}) - n * spacing) < 0.6 * spacing);
}

}  // namespace tepui::carving_test
