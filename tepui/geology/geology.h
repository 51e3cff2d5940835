#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/hash.h"
#include "tepui/core/params.h"
#include "tepui/core/vec.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// Points in metres of the world, coordinate by coordinate.
struct RockPoints {
  const double *x = nullptr, *y = nullptr, *z = nullptr;
  int64_t count = 0;
};

/// A rock that a geology names.
struct NamedRock {
  std::string name;
  float resistance = 0;
};

/// How large a tree of rock is.
struct RockTreeSize {
  int depth = 1;
  int64_t visits = 1;  ///< nodes that a walk meets, those that are shared wherever they are named
};

/// A node of the tree that a geology is. Immutable; shared by all that hold it, from several threads.
class Rock {
 public:
  virtual ~Rock() = default;

  /// Resistance at every point. A point's number depends on the point alone, to the last bit, never on the others or on
  /// how many there are. May leave [0, 1]: only the root is held within.
  virtual void resistance(const RockPoints& at, float* rho) const = 0;

  /// Which of `names()` lies at every point; -1 where none does.
  virtual void rocks(const RockPoints& at, int32_t* which) const;
  virtual std::vector<NamedRock> names() const { return {}; }

  /// Heights between which it changes most, for a figure to show; equal ends where there are none.
  virtual Interval levels() const { return {}; }

  /// With all below it; without walking there.
  virtual RockTreeSize tree() const { return {}; }

  /// Adds its kind, its numbers and its children.
  virtual void hash(Hasher& hasher) const = 0;
  virtual size_t bytes() const = 0;
};
using RockPointer = std::shared_ptr<const Rock>;

/// How well rock resists erosion, anywhere in space: rho(x, y, z) from 0 (washed away by anything) to 1 (never worn).
/// The one rock behind every process. A value: immutable, cheap to copy.
class Geology {
 public:
  static constexpr std::string_view kind_name = "geology";

  /// The same everywhere: 0.
  Geology();
  explicit Geology(RockPointer root);

  /// Held within [0, 1].
  void resistance(const RockPoints& at, float* rho) const;
  float resistance(Vec3 at) const;

  const Rock& root() const { return *root_; }
  const RockPointer& share() const { return root_; }

  size_t bytes() const { return root_->bytes(); }
  Hash hash() const;

 private:
  RockPointer root_;
};

/// Resistance at the surface of a land: read at every sample's place and height.
Grid<float> surface_resistance(const Geology& rock, const Terrain& land, const Context& context);

}  // namespace tepui
