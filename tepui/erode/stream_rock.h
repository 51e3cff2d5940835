#pragma once  // internal

#include <optional>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/noise.h"
#include "tepui/core/random.h"
#include "tepui/erode/displaced_nodes.h"
#include "tepui/erode/lattice_ladder.h"
#include "tepui/erode/stream_land.h"
#include "tepui/geology/geology.h"

namespace tepui {

/// How rock and its variety change the law of rivers from place to place.
///
/// Rock of resistance rho wears 10^(-1.2 rho) times as fast, from 0.9 on less, and rock of resistance 1 never; it
/// stands at the talus angle up to rho = 0.3 and at up to 78 degrees from 0.8 on. Noise makes erodibility and talus
/// differ, without which all slopes look alike.
class StreamRock {
 public:
  StreamRock() = default;
  /// `talus` is the tangent; `size` the length of the world, by which the waves of the noise are measured.
  StreamRock(const Geology* rock, double talus, double variety, double size, Stream draws);

  bool has_rock() const { return rock_ != nullptr; }

  /// The part of it that does not depend on heights: at each node what erodibility and talus are multiplied
  /// by. Empty without variety.
  struct Variety {
    Grid<float> erodibility, talus;
  };
  Variety variety(const Lattice& lattice, const DisplacedNodes* nodes, const Context& context) const;

  /// Sets softness, steepest and mobility for the nodes as they lie now; mobility stays empty where all is 1.
  void apply(const Lattice& lattice, const DisplacedNodes* nodes, const Grid<float>& height, const Variety& variety,
             StreamGround& ground, const Context& context) const;
  /// The same where there is no rock: it never changes, and `variety` is used up.
  void apply_once(const Lattice& lattice, Variety variety, StreamGround& ground, const Context& context) const;

  /// Puts rock that never wears, neither where it was nor where uplift has brought it, back to where uplift has brought
  /// it, whatever was made of it between coarser samples; under `alluvium`, if that is not empty, no deeper than it was
  /// laid down. There the latter becomes 0: all that lies above the raised land is known to be loose.
  void hold_hardest(const Lattice& lattice, const DisplacedNodes* nodes, const Grid<float>& start,
                    const Grid<float>& raised, Grid<float>& alluvium, Grid<float>& height,
                    const Context& context) const;

  double talus() const { return talus_; }

  static double softness_of(double resistance);
  double steepest_of(double resistance, double factor) const;

 private:
  const Geology* rock_ = nullptr;
  double talus_ = 0.65;
  double variety_ = 0;
  std::optional<Noise> erodibility_, slopes_;
};

}  // namespace tepui
