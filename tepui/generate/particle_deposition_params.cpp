#include "tepui/generate/particle_deposition_params.h"

namespace tepui {

void describe(Fields<ParticleDepositionParams>& f) {
  f.about("Drop particles that roll downhill and pile up: ridges, volcanoes and dunes");
  f.reach(Reach::whole);
  f("particles", &ParticleDepositionParams::particles, Range{0, 2e9}, "how many are dropped").slider(0, 2e7);
  f("start", &ParticleDepositionParams::start, {"walk", "point", "disc", "ridge", "everywhere"},
    "where they are dropped: at a point that wanders, in the middle, over a disc, along a line, all over the world")
      .sweep("walk", "point", "ridge");
  f("spread", &ParticleDepositionParams::spread, Range{0, 1e9},
    "how far from the middle they are dropped at most; not of 'point' and 'everywhere'")
      .slider(0, 50);
  f("stickiness", &ParticleDepositionParams::stickiness, Range{0, 1},
    "chance that a particle stays, at each step, though it could roll on: 0 even slopes, more is rougher and steeper")
      .slider(0, 0.2)
      .sweep("0", "0.03", "0.3");
  f("grain", &ParticleDepositionParams::grain, Range{1e-6, 1e9}, "distance between the nodes on which particles lie")
      .slider(0.1, 2);
  f("height", &ParticleDepositionParams::height, Range{0, 1e6},
    "height of the land from its lowest to its highest point")
      .slider(0, 50);
  f.seed(&ParticleDepositionParams::seed);
}

}  // namespace tepui
