#pragma once

#include <array>
#include <vector>

#include "tepui/core/vec.h"

namespace tepui {

/// The part of a sphere within an angle of a place; all of it from pi on.
struct Cap {
  Vec3 centre{0, 0, 1};
  double angle = 0;  ///< radians
};

/// Where a planet is refined, and how far. Whether an edge is split is told from its middle and its level alone, so
/// that both triangles of an edge agree; and what is split at one level lies at least `grading` edges inside what is
/// split at the level before, so that whatever a new vertex reads is there.
class SplitRegion {
 public:
  static constexpr int grading = 8;

  virtual ~SplitRegion() = default;
  /// Whether an edge of this level, whose middle is this place of the unit sphere, is split.
  virtual bool splits(int level, Vec3 middle) const = 0;
  /// Everything that is drawn, where the land begins at this level: it holds all that is split at it, and two edges.
  virtual Cap bounds(int level) const = 0;
  /// The finest level of vertices.
  virtual int deepest() const = 0;
  /// Regions of one kind that have the same numbers here split the same edges of this level.
  virtual std::array<double, 4> numbers(int level) const = 0;
  /// About which share of the sphere is split at this level: lists that grow are given room at once.
  virtual double share(int level) const = 0;
};

/// A region that splits the edges of every level within an angle of a place.
class CapsRegion : public SplitRegion {
 public:
  bool splits(int level, Vec3 middle) const override;
  Cap bounds(int level) const override;
  int deepest() const override { return static_cast<int>(reach_.size()); }
  std::array<double, 4> numbers(int level) const override;
  double share(int level) const override;

 protected:
  /// Up to a chord of the unit sphere from a place.
  struct Reach {
    Vec3 centre;
    double chord;
  };
  /// `reach`: for the edges of every level below the deepest. They are widened until each level lies inside the one
  /// before.
  CapsRegion(std::vector<Reach> reach, Cap bounds);

 private:
  std::vector<Reach> reach_;
  Cap bounds_;
};

/// What a camera needs: an edge is split while it looks longer than `detail` of its distance, and nothing beyond the
/// horizon is.
struct ViewSpec {
  Vec3 direction{1, 0, 0};  ///< of the place below the camera
  double altitude = 2;      ///< above the ground, in metres at the Earth's size
  double detail = 0.03;     ///< radians that an edge may fill
  int deepest = 20;
  double beyond = 0.15;  ///< radians beyond the horizon in which mountains may still be seen
  /// How much farther each level is split than it must be, as a share: cameras within about as far of each other split
  /// the same, and what has been made for one serves for the next.
  double slack = 0.09;
};
class ViewRegion : public CapsRegion {
 public:
  explicit ViewRegion(const ViewSpec& spec);

 private:
  static std::vector<Reach> reaches(const ViewSpec& spec);
  static Cap sight(const ViewSpec& spec);
};

/// A patch: everything within a distance of a place, to one level.
class PatchRegion : public CapsRegion {
 public:
  PatchRegion(Vec3 centre, double angle, int deepest);
};

/// The whole sphere to one level.
class WholeRegion : public SplitRegion {
 public:
  explicit WholeRegion(int deepest) : deepest_(deepest) {}
  bool splits(int level, Vec3) const override { return level < deepest_; }
  Cap bounds(int) const override { return {{0, 0, 1}, 4}; }
  int deepest() const override { return deepest_; }
  std::array<double, 4> numbers(int level) const override { return {share(level), 0, 0, 0}; }
  double share(int level) const override { return splits(level, {}) ? 1 : 0; }

 private:
  int deepest_;
};

/// The coarsest level whose edges are at most this long, in metres at the Earth's size.
int level_of_spacing(double metres);

}  // namespace tepui
