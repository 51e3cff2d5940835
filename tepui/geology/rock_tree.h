#pragma once  // internal

#include <vector>

#include "tepui/core/frame.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"

// What the nodes of a geology's tree share.

namespace tepui {

/// Metres east and north of the world's middle, and a height, as a point of the world.
Vec3 place_in(const Frame& world, Length x, Length y, Length elevation);

/// The upward unit normal of a plane that dips so steeply to `direction`, clockwise from north.
Vec3 plane_normal(Angle dip, Angle direction);

/// The level unit vector to `direction`, clockwise from north.
Vec2 level_direction(Angle direction);

/// The heights between which land lies where nothing else is said: what a figure frames of rock without levels.
Interval usual_levels(const Frame& world);

/// g(u) = (1 - u^2)^3 for u^2 < 1, and 0 beyond (Paris et al. 2019, section 3): 1 on the skeleton, with two continuous
/// derivatives.
inline double falloff_of_square(double u2) {
  const double t = 1 - u2;
  return t > 0 ? t * t * t : 0;
}

/// Points are moved and gathered in runs of so many, which lie on the stack.
inline constexpr int64_t rock_run = 256;

/// Coordinates of one run.
struct RockRun {
  double x[rock_run], y[rock_run], z[rock_run];
  RockPoints points(int64_t count) const { return {x, y, z, count}; }
};

/// Calls act(points, first) for runs of at most rock_run points, in order.
template <class Act>
void for_runs(const RockPoints& at, const Act& act) {
  for (int64_t first = 0; first < at.count; first += rock_run)
    act(RockPoints{at.x + first, at.y + first, at.z + first, std::min(rock_run, at.count - first)}, first);
}

/// The size of a node with these children. Refuses trees so deep or so large that a walk would take too long.
RockTreeSize tree_over(const std::vector<RockPointer>& children);

/// Bytes of a node and all below it.
size_t bytes_over(size_t own, const std::vector<RockPointer>& children);

/// The heights of all that tell some; equal ends where none does.
Interval hull_of(Interval a, Interval b);

/// The names of several rocks as one list, each once.
class RockNames {
 public:
  explicit RockNames(const std::vector<RockPointer>& rocks);

  const std::vector<NamedRock>& all() const { return all_; }
  /// What rock number `child` calls `which`, in the list; -1 stays.
  int32_t translate(size_t child, int32_t which) const {
    return which < 0 ? -1 : place_[child][static_cast<size_t>(which)];
  }

 private:
  std::vector<NamedRock> all_;
  std::vector<std::vector<int32_t>> place_;
};

/// Rock that was moved: rho(p) = child(w(p)), w the way back to where the rock at p came from.
class MovedRock : public Rock {
 public:
  explicit MovedRock(RockPointer child) : child_(std::move(child)), tree_(tree_over({child_})) {}

  void resistance(const RockPoints& at, float* rho) const final;
  void rocks(const RockPoints& at, int32_t* which) const final;
  std::vector<NamedRock> names() const final { return child_->names(); }
  RockTreeSize tree() const final { return tree_; }
  size_t bytes() const override { return bytes_over(sizeof *this, {child_}); }

 protected:
  /// w of at most rock_run points.
  virtual void back(const RockPoints& at, RockRun& from) const = 0;
  const Rock& child() const { return *child_; }

 private:
  RockPointer child_;
  RockTreeSize tree_;
};

}  // namespace tepui
