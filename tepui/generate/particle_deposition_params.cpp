#include "tepui/generate/particle_deposition_params.h"

namespace tepui {

void describe(Fields<ParticleDepositionParams>& f) {
  f.about("Drop particles that roll downhill and pile up: ridges, volcanoes and dunes");
  f.reach(Reach::whole);
  f("particles", &ParticleDepositionParams::particles, Range{0, 2e9}, "number of particles dropped").slider(0, 2e7);
  f("start", &ParticleDepositionParams::start, {"walk", "point", "disc", "ridge", "everywhere"},
    "where they are dropped: at a wandering point, in the middle, over a disc, along a line, or everywhere")
      .sweep("walk", "point", "ridge");
  f("spread", &ParticleDepositionParams::spread, Range{0, 1e9},
    "largest distance from the middle at which they are dropped; unused for 'point' and 'everywhere'")
      .slider(0, 50);
  f("stickiness", &ParticleDepositionParams::stickiness, Range{0, 1},
    "chance at each step that a particle stops though it could roll on; 0 gives even slopes, more is rougher and "
    "steeper")
      .slider(0, 0.2)
      .sweep("0", "0.03", "0.3");
  f("grain", &ParticleDepositionParams::grain, Range{1e-6, 1e9},
    "distance between the grid points that particles land on")
      .slider(0.1, 2);
  f("height", &ParticleDepositionParams::height, Range{0, 1e6}, "height from the lowest to the highest point")
      .slider(0, 50);
  f.seed(&ParticleDepositionParams::seed);
}

}  // namespace tepui
