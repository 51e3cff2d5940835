#pragma once  // internal

#include <optional>
#include <utility>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/vec.h"

namespace tepui {

/// Where a grid of heights stands in space: sample (i, j) with height h is at origin + (i cell.x, j cell.y, lift h).
struct HeightPlacement {
  Vec3 origin;
  Vec2 cell{1, 1};
  double lift = 1;
};

/// A surface of bilinear patches over a grid of heights, made ready for rays without a copy of the heights: between
/// which two parallel planes each block of patches lies, and between which heights each square of blocks. Like the
/// pyramid of Tevs, Ihrke and Seidel (2008), but small beside the heights, and as tight on slopes as on level ground.
/// The grid must be at least 2 x 2, finite, and outlive this; cells and lift are more than 0.
class HeightField {
 public:
  HeightField(const Grid<float>& heights, const HeightPlacement& placement, const Context& context);

  const Grid<float>& heights() const { return *heights_; }
  const HeightPlacement& placement() const { return placement_; }

  /// The patches are cut into squares, each a primitive of a ray scene.
  size_t squares() const { return squares_.size(); }
  /// Corners of the box around a square, in space.
  std::pair<Vec3, Vec3> bounds(size_t square) const;
  /// Memory held beside the heights.
  size_t bytes() const { return blocks_.size() * sizeof(Block) + squares_.size() * sizeof(Span); }

  /// A ray in the measure of the grid (samples and heights), made once for all squares.
  struct Ray {
    double from[3], direction[3];
    double per[3];  ///< 1 / direction, finite
    double slack;   ///< more than the rounding of a height on the ray
  };
  Ray ray(Vec3 from, Vec3 direction) const;

  struct Hit {
    double distance = 0;  ///< in lengths of the direction
    double u = 0, v = 0;  ///< position in samples
  };
  /// The first point of a square's patches that the ray meets strictly after `near` and not after `far`, from either
  /// side. No ray slips through between neighbours.
  std::optional<Hit> hit(size_t square, const Ray& ray, double near, double far) const;
  std::optional<Hit> hit(size_t square, Vec3 from, Vec3 direction, double near, double far) const {
    return hit(square, ray(from, direction), near, far);
  }
  /// Whether there is such a point.
  bool blocked(size_t square, const Ray& ray, double near, double far) const;

  /// In space; positions in samples, clamped to the grid.
  double height_at(double u, double v) const;
  /// Of the patch itself, upward, unit length.
  Vec3 facet_at(double u, double v) const;
  /// Smooth over the patches' borders: Horn's (1981) slopes between samples.
  Vec3 normal_at(double u, double v) const;

 private:
  /// Patches lie between low and high over a plane with these slopes per sample through the first corner.
  struct Block {
    float low, high, slope_x, slope_y;
  };
  struct Span {
    float low, high;
  };

  void measure_square(int64_t column, int64_t row, float& steepest);
  template <bool any>
  bool cast(size_t square, const Ray& ray, double near, double far, Hit& hit) const;

  /// The patch at a position in samples and where in it that is, 0 to 1.
  struct Patch {
    int64_t x, y;
    double s, t;
  };
  Patch patch_at(double u, double v) const;
  /// The upward normal of slopes per sample.
  Vec3 upright(double slope_x, double slope_y) const;
  /// Beyond the border, on the line through the two samples before it.
  double sample(int64_t x, int64_t y) const;

  const Grid<float>* heights_ = nullptr;
  HeightPlacement placement_;
  int64_t patches_[2] = {}, columns_ = 0;  ///< columns of squares
  std::vector<Block> blocks_;              ///< square by square, each row by row
  std::vector<Span> squares_;
  double steepest_ = 0, highest_ = 0;  ///< of all slopes and heights, sign aside
};

}  // namespace tepui
