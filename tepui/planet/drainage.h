#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

/// How water leaves every vertex of a planet.
struct Drainage {
  std::vector<double> surface;    ///< of the land filled up to where its water flows over, metres
  std::vector<int32_t> receiver;  ///< the neighbour that takes a vertex's water, which lies lower; -1 in the sea
  std::vector<int32_t> order;     ///< the land's vertices, each after its receiver
};

/// Which vertices are sea: below 0 and joined to a sea of more than 100,000 km2 at the Earth's size. The lowest vertex
/// of all is, where there is no other, so that water has somewhere to go.
std::vector<uint8_t> find_seas(std::span<const double> height, const Neighbours& around);

/// Floods the land from the sea, lowest first (Barnes et al. 2014), so that no hollow is left; a filled one falls by a
/// trace towards its outlet.
Drainage drain(const SphereMesh& mesh, const Neighbours& around, std::span<const double> height,
               std::span<const uint8_t> sea, const Context& context);

/// The sum of what arrives at every vertex from above, with its own.
template <class T>
std::vector<T> accumulated(const Drainage& water, std::vector<T> own) {
  for (auto v = water.order.rbegin(); v != water.order.rend(); ++v)
    own[static_cast<size_t>(water.receiver[static_cast<size_t>(*v)])] += own[static_cast<size_t>(*v)];
  return own;
}

struct IncisionSpec {
  int steps = 20;
  double years = 2.5e5;         ///< of a step
  double erodibility = 1.6e-7;  ///< of common rock, per year, with the square root of the area
  double keep_hollows = 60;     ///< metres of a hollow that mud does not fill
};

/// Raises and cuts the land by stream power, implicitly (Braun and Willett 2013): a step raises every vertex by uplift,
/// fills hollows, and cuts every stream towards its receiver.
void incise(const SphereMesh& mesh, const Neighbours& around, std::vector<double>& height, std::span<const uint8_t> sea,
            std::span<const double> flow_area, std::span<const float> uplift, std::span<const float> hardness,
            const IncisionSpec& spec, const Context& context);

}  // namespace tepui
