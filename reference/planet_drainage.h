#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tepui/planet/drainage.h"
#include "tepui/planet/sphere_mesh.h"

// Water and stream power on the global stage's mesh, plainly: surfaces by sweeping until nothing changes (Planchon and
// Darboux 2001), receivers by trying every neighbour, areas by walking down from every vertex.

namespace tepui::reference {

struct PlainDrainage {
  std::vector<double> surface;
  std::vector<int32_t> receiver;  ///< -1 in the sea
};

/// Where water lies and runs: every land vertex's surface is its ground, or a trace above its lowest neighbour's
/// surface if that is higher.
PlainDrainage drain(const SphereMesh& mesh, std::span<const double> height, std::span<const uint8_t> sea);

/// One implicit step of dh/dt = uplift - K / hardness * sqrt(area) * slope.
std::vector<double> incise_once(const SphereMesh& mesh, std::vector<double> height, std::span<const uint8_t> sea,
                                std::span<const double> flow_area, std::span<const float> uplift,
                                std::span<const float> hardness, const IncisionSpec& spec);

}  // namespace tepui::reference
