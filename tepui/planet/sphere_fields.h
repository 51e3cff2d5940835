#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

/// A field on the vertices of a mesh, evened out over about `far` radians: rounds of means with the neighbours.
void even_out(std::vector<float>& field, const SphereMesh& mesh, const Neighbours& around, double far,
              const Context& context);

/// The field of a coarser level of the same icosphere carried to a finer one: every new vertex takes the mean of the
/// two on whose edge it was born.
std::vector<float> raised(std::span<const float> coarse, std::span<const std::array<int32_t, 2>> parents);

/// The value that `share` of the sphere's area lies above.
double exceeded_by(std::span<const float> field, std::span<const double> areas, double share);

}  // namespace tepui
