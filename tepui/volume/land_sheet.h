#pragma once  // internal

#include <memory>
#include <vector>

#include "tepui/core/params.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/solid.h"

namespace tepui {

/// Land between its samples: cubic convolution (Keys 1981, Eq. 4 with a = -1/2) through all of them, with a continuous
/// slope; at the border as in `resample`, and level beyond it. Shares the terrain's heights, and holds beside them the
/// lowest and highest of blocks of samples.
class LandSheet : public HeightSheet {
 public:
  explicit LandSheet(const Terrain& land);

  void heights(const double* x, const double* y, int64_t count, double* h) const override;
  /// All (x[i], y[j]), x fastest: the same bits as `heights`.
  void lattice(const double* x, int64_t nx, const double* y, int64_t ny, double* h) const override;
  /// Metres at a place, and metres per metre to the east and north.
  double slope(double x, double y, double& east, double& north) const;

  /// Between which heights the land lies over a rectangle; may be wider, never narrower.
  Interval between(Vec2 low, Vec2 high) const;
  Range range(Vec2 low, Vec2 high) const override {
    const Interval heights = between(low, high);
    return {heights.low, heights.high};
  }
  Interval all() const { return all_; }
  /// The lowest and the highest sample.
  Interval samples() const;
  /// From the first to the last sample.
  Box3 plan() const;

  bool is_same(const HeightSheet& other) const override {
    const auto* like = dynamic_cast<const LandSheet*>(&other);
    return like != nullptr && like->hash() == hash();
  }

  const Frame& frame() const { return frame_; }
  const Grid<float>& grid() const { return *data_; }
  Hash hash() const;
  /// Of its own: the heights are the terrain's.
  size_t bytes() const;

 private:
  struct Block {
    float low, high;
  };
  struct Level {
    int64_t width = 0, height = 0;
    std::vector<Block> blocks;
  };

  Frame frame_;
  std::shared_ptr<const Grid<float>> data_;
  Hash cells_;                 ///< of the heights
  std::vector<Level> levels_;  ///< level k: blocks of 16 * 2^k samples a side
  Interval all_;
};

/// The land that a solid was made of, as long as its sketch lives; nullptr where it was made of none.
inline const LandSheet* land_in(const SurfaceSketch& sketch) {
  return dynamic_cast<const LandSheet*>(sketch.sheet.get());
}
/// The rectangle of that land's samples, at any height; everything where there is none. A volume of land is cut there:
/// what lies beyond belongs to the sides of a block, not to the land.
Box3 land_plan(const Solid& solid);

}  // namespace tepui
