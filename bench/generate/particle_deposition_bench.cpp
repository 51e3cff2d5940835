#include "tepui/generate/particle_deposition.h"

#include <memory>

#include "bench/bench.h"
#include "reference/particle_deposition.h"

namespace tepui::bench {

namespace {

Row particle_row(DepositionStart start, double stickiness) {
  const Frame world = make_world({2048, 2048}, 1025);
  ParticleDepositionParams params;
  params.particles = 1'000'000;
  params.start = start;
  params.stickiness = stickiness;
  const auto land = std::make_shared<Terrain>();
  Row row;
  row.size = "1025x1025, 1e6 particles";
  row.items = static_cast<double>(params.particles);
  row.fast = [=] { *land = particle_deposition(world, params, {}); };
  row.reference = [=] { reference::particle_deposition(world, params); };
  row.hash = [=] { return land->hash(); };
  return row;
}

}  // namespace

TEPUI_BENCH("generate/particle_deposition/1e6") { return particle_row(DepositionStart::walk, 0.03); }

// One heap, down which every particle rolls.
TEPUI_BENCH("generate/particle_deposition/1e6_heap") { return particle_row(DepositionStart::point, 0); }

}  // namespace tepui::bench
