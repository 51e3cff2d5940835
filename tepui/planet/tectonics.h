#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

/// What makes a planet's crust, before water and ice touch it.
struct TectonicSpec {
  int plates = 14;
  double fastest = 0.1;      ///< metres a year, the fastest a plate may move
  double continents = 0.39;  ///< share of the sphere that has a continent's crust
  double sea = 0.7;          ///< share of the sphere below the sea
  int hot_spots = 24;
  bool belts = true, worn_belts = true;
  uint64_t key = 0;
};

/// The crust of every vertex.
struct Crust {
  std::vector<float> height;     ///< metres above the sea
  std::vector<float> belt;       ///< 1 in the heart of a rising belt, 0 outside
  std::vector<float> worn_belt;  ///< the same of belts that have long stopped
  std::vector<float> age;        ///< of the sea floor, million years; below 0 on continents
  std::vector<float> stress;     ///< opening minus closing of the nearest border, metres a year, 0 away from it
  std::vector<float> basalt;     ///< share of the ground that hot spots and arcs have laid
  std::vector<int32_t> plate;
  std::vector<Vec3> plate_turns;  ///< of each plate, radians a year about its direction
};

Crust make_crust(const SphereMesh& mesh, const Neighbours& around, std::span<const std::array<int32_t, 2>> parents,
                 std::span<const double> areas, const TectonicSpec& spec, const Context& context);

/// The depth of sea floor of an age in million years, in metres (Stein and Stein 1992).
double sea_floor_depth(double age);
/// And back, from 0 to 180.
double sea_floor_age(double depth);

}  // namespace tepui
