#pragma once

#include "tepui/core/params.h"

namespace tepui {

/// Where particles are dropped.
enum class DepositionStart {
  walk,        ///< at a point that wanders about
  point,       ///< in the middle
  disc,        ///< evenly over a disc
  ridge,       ///< evenly along a line from west to east
  everywhere,  ///< evenly over the world
};

struct ParticleDepositionParams {
  int64_t particles = 3'000'000;
  DepositionStart start = DepositionStart::walk;
  Length spread = percent(45);
  double stickiness = 0.03;
  Length grain = percent(0.25);
  Length height = percent(20);
  Seed seed;
};
void describe(Fields<ParticleDepositionParams>& f);

}  // namespace tepui
