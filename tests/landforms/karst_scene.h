#pragma once

#include <cmath>
#include <map>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/math.h"
#include "tepui/geology/strata.h"
#include "tepui/terrain/lines.h"
#include "tepui/volume/implicitize.h"

namespace tepui::test {

/// A plateau of limestone and marl with hollows, above a valley in the west; 300 m wide.
inline Terrain karst_land(int64_t samples = 101, double side = 300) {
  const Frame world = make_world({side, side}, samples);
  Grid<float> height(world.width, world.height);
  for (int64_t y = 0; y < world.height; ++y)
    for (int64_t x = 0; x < world.width; ++x) {
      const double east = world.x(x) - 0.3 * side - 14 * math::sin(world.y(y) * 0.05);
      const double t = std::clamp(east / 16 + 0.5, 0.0, 1.0), plateau = t * t * (3 - 2 * t);
      const double hollow = math::sin(world.x(x) * 0.08) * math::sin(world.y(y) * 0.09);
      height(x, y) = static_cast<float>(5 + 75 * plateau + 7 * hollow * plateau);
    }
  return Terrain(world, {0, 100}, std::move(height));
}

inline Geology karst_beds() {
  StrataParams params;
  params.elevation = metres(-60);
  params.beds.clear();
  for (int i = 0; i < 14; ++i)
    params.beds.push_back(i % 2 == 0 ? Bed{"limestone", metres(9), 0.5} : Bed{"marl", metres(4), 0.1});
  return strata(make_world({300, 300}, 3), params, {});
}

inline Volume karst_massif(const Terrain& land, const Geology& rock) {
  return implicitize(land, nullptr, &rock, {.floor = metres(30)}, {});
}

/// What is told, by name.
class Told : public ProgressSink {
 public:
  void progress(int, std::string_view, double) override {}
  void warn(std::string_view message) override { warnings += std::string(message) + "\n"; }
  void told(int, std::string_view name, double value, std::string_view) override { numbers[std::string(name)] = value; }
  Context context() { return {this, nullptr}; }

  std::map<std::string, double> numbers;
  std::string warnings;
};

/// Points that are given.
inline Lines given_points(std::vector<Vec3> places) {
  std::vector<Polyline> list;
  for (const Vec3& at : places) list.push_back({"", {at}, false, {}});
  return Lines(std::move(list));
}

}  // namespace tepui::test
