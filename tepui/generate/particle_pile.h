#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/grid.h"
#include "tepui/generate/particle_deposition_params.h"

// What particle_deposition() is made of, before it is sampled.

namespace tepui {

/// The lattice over the whole world: nodes a grain apart from its south-west corner until all of it is covered.
struct GrainLattice {
  double grain = 1;
  int64_t width = 1, height = 1;
};
/// Refuses more nodes than 2^28.
GrainLattice grain_lattice(const Frame& world, const ParticleDepositionParams& params);

/// The node on which each particle is dropped, one after another.
class ParticleDrops {
 public:
  ParticleDrops(const Frame& world, const ParticleDepositionParams& params, const Context& context);

  struct Node {
    int64_t x, y;
  };
  /// A walk to a particle may be long: stops with Error{cancelled} on the way.
  Node drop(int64_t particle);

 private:
  void walk_to(int64_t step);

  Stream stream_;
  GrainLattice lattice_;
  DepositionStart start_;
  int64_t particles_;
  Vec2 middle_, reach_;  ///< in grains
  int64_t steps_ = 1, step_ = 0;
  Node at_{}, low_{}, high_{};  ///< of the walk
  Context context_;
};

/// What becomes of a particle on its way: whether it sticks, and where it rolls. A generator with its own key for each.
class ParticleWay {
 public:
  ParticleWay(const Stream& stream, int64_t particle) : state_(stream.bits(static_cast<uint64_t>(particle), 1)) {}

  void next() { state_ = state_ * 6364136223846793005u + 1442695040888963407u; }
  /// By the chance threshold / 2^32.
  bool sticks(uint64_t threshold) const { return ((state_ >> 16) & 0xffffffffu) < threshold; }
  /// One of `count`.
  unsigned choose(unsigned count) const { return static_cast<unsigned>((state_ >> 48) * count >> 16); }

 private:
  uint64_t state_;
};
uint64_t stick_threshold(double stickiness);

/// Particles do not stick where the next node is lower by this or more.
inline constexpr int32_t steep = 4;

/// The neighbours of a node, in the order in which they are chosen from.
inline constexpr int neighbour_x[8] = {-1, 0, 1, -1, 1, -1, 0, 1};
inline constexpr int neighbour_y[8] = {-1, -1, -1, 0, 0, 1, 1, 1};

/// How many particles lie on each node.
Grid<int32_t> pile_particles(const Frame& world, const ParticleDepositionParams& params, const Context& context);

}  // namespace tepui
