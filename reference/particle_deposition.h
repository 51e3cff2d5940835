#pragma once

#include "tepui/generate/particle_deposition.h"

namespace tepui::reference {

/// Particle by particle, each looking at all 8 neighbours at each step.
Grid<int32_t> pile_particles(const Frame& world, const ParticleDepositionParams& params);

/// The pile, and the B-spline over it summed sample by sample.
Terrain particle_deposition(const Frame& world, const ParticleDepositionParams& params);

}  // namespace tepui::reference
