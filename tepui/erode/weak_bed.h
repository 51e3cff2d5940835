#pragma once  // internal

#include "tepui/erode/height_quanta.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// What decides how a wall wears: the weakest rock in it. Depths are in quanta below the rim.
struct WeakBed {
  float softness = 1;  ///< 1 less its resistance
  float top = 0;       ///< what stands above has less than half that softness, and falls with it
  float bottom = 0;    ///< so has what lies below, which stays
};

/// Finds it, in walls of rock or of a land with a layer `hardness`; without either all rock has softness 1.
class WeakBeds {
 public:
  /// Keeps the pointers. `relief` in quanta is that of the rock: beds thinner than 1/64 of it may be missed.
  WeakBeds(const Terrain& land, const Geology* rock, HeightQuanta quanta, float relief);

  bool vary() const { return rock_ != nullptr || hardness_ != nullptr; }
  /// Whether they can vary within a wall.
  bool lie_in_layers() const { return rock_ != nullptr; }
  /// In the wall of the cell's column from `rim` down to `foot`, quanta.
  WeakBed find(int64_t x, int64_t y, float rim, float foot) const;

 private:
  const Frame& frame_;
  const Geology* rock_ = nullptr;
  const Grid<float>* hardness_ = nullptr;
  HeightQuanta quanta_;
  float relief_ = 1;
};

}  // namespace tepui
