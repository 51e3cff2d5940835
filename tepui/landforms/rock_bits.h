#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// Directions spread evenly over a hemisphere, for `RockBits::open_share`.
class RayFan {
 public:
  explicit RayFan(int rays = 32);

  /// The directions around a unit normal, turned about it by one of 64 angles.
  size_t rays() const { return directions_.size(); }
  Vec3 direction(size_t ray, const std::array<Vec3, 3>& around) const;
  /// Two directions across the normal, turned by the angle of that number, and the normal.
  std::array<Vec3, 3> around(Vec3 normal, uint64_t turn) const;

 private:
  std::vector<Vec3> directions_;  ///< z upwards
  std::vector<Vec2> turns_;
};

/// Where there is rock, one bit a cell of a lattice: for rays that need no more precision than a cell, at less than a
/// fiftieth of what `Volume::cast` costs. A cell is rock if the field is above the threshold in its middle; cells are
/// counted from the world's origin, so that any two of the same cell size agree wherever both know the rock. What
/// lies outside of what was asked for counts as air.
class RockBits {
 public:
  /// All of a box. Refuses more than four thousand million cells near a surface.
  RockBits(const Volume& volume, const Box3& box, double cell, const Context& context);
  /// All that lies within `reach` metres of some places, and more.
  RockBits(const Volume& volume, std::span<const Vec3> places, double reach, double cell, const Context& context);
  RockBits(const RockBits&) = delete;
  RockBits& operator=(const RockBits&) = delete;

  double cell() const { return cell_; }
  /// Of the cell that holds the point.
  bool rock(Vec3 at) const;

  /// Metres from a point along a unit direction to the first cell of rock, or of air, that a ray goes through; `far`
  /// where there is none so near.
  double to_rock(Vec3 from, Vec3 direction, double far) const;
  double to_air(Vec3 from, Vec3 direction, double far) const;

  /// The share of a hemisphere's rays of `length` metres from a point on the surface that meet no rock: how well air
  /// and waves reach it (the accessibility of Paris et al. 2019, section 6.1). Rays begin 1.25 cells above the surface,
  /// are turned by a hash of the place, and look at one cell a cell's length, which may leave out a corner.
  double open_share(Vec3 point, Vec3 normal, const RayFan& fan, double length) const;
  std::vector<float> open_shares(std::span<const Vec3> points, std::span<const Vec3> normals, const RayFan& fan,
                                 double length, const Context& context) const;

  /// Metres of rock along a direction that leads into it from a point on its surface: of the first rock that begins
  /// within two cells; 0 where there is none, `far` at most.
  double thickness(Vec3 point, Vec3 direction, double far) const;
  /// Metres of air along a direction that leads out of the rock.
  double free_air(Vec3 point, Vec3 direction, double far) const;

  size_t bytes() const;

 private:
  static constexpr int64_t brick_bits = 5, brick_side = 1 << brick_bits;
  /// A word has 4^3 cells, x fastest; a brick 8^3 words.
  using Words = std::array<uint64_t, 512>;
  /// For each word of a brick, how many words away in any direction, along an axis or aslant, the nearest with rock
  /// is: 0 where it has some itself, and `most_clear` at most.
  using Clearance = std::array<uint8_t, 512>;
  struct Brick {
    const Words* words;
    const Clearance* clear;
  };
  static const Words no_rock, all_rock;
  static constexpr uint8_t most_clear = 5;
  static const Clearance wide_open, blocked, unknown;

  struct Ray;
  struct RayGroup;
  /// Which of the 4^3 parts of a brick are wanted, a bit each, x fastest.
  using Parts = uint64_t;
  static constexpr int64_t part_bits = 3, part_side = 1 << part_bits;
  void lay_out(const Box3& box);
  void want_around(Vec3 place, double reach, std::vector<Parts>& wanted) const;
  void fill(const Volume& volume, const std::vector<Parts>& wanted, const Context& context);
  void find_clearance(const std::vector<Parts>& wanted, const Context& context);

  double cell_ = 1;
  std::array<int64_t, 3> first_{}, count_{};  ///< of bricks
  std::vector<Brick> bricks_;                 ///< x fastest
  std::vector<std::unique_ptr<Words>> own_;
  std::vector<std::unique_ptr<Clearance>> own_clearance_;
};

}  // namespace tepui
