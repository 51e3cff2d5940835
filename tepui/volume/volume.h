#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tepui/geology/geology.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/solid.h"

namespace tepui {

/// What an operator made on a volume, for `info` to tell: {"sea_erosion", {{"points", 51234}, {"passes", 4}}}.
struct Made {
  std::string by;
  struct Number {
    std::string name;
    double value = 0;
    friend bool operator==(const Number&, const Number&) = default;
  };
  std::vector<Number> numbers{};
  friend bool operator==(const Made&, const Made&) = default;
};

/// A solid: rock where the field of its tree is above the threshold, and the geology of that rock. A value: immutable,
/// cheap to copy and to extend; trees share their parts.
class Volume {
 public:
  static constexpr std::string_view kind_name = "volume";
  static constexpr double usual_threshold = 7.5;

  /// Nothing.
  Volume();
  Volume(SolidPointer root, double threshold, Geology rock = {});

  const Solid& root() const { return *root_; }
  const SolidPointer& share() const { return root_; }
  /// T.
  double threshold() const { return threshold_; }
  const Geology& rock() const { return rock_; }
  Volume with_root(SolidPointer root) const;

  /// What was made on it, in order; part of its content.
  const std::vector<Made>& made() const { return made_; }
  Volume with_made(Made made) const;
  /// What was made on another volume, which is now a part of this one, comes after its own; its land counts where this
  /// one has none.
  Volume with_part(const Volume& part) const;

  /// The land that it was made of, with the layers that lay on it; none where there were none. Wherever its surface
  /// still is that of the land, they lie on it.
  const std::optional<Terrain>& land() const { return land_; }
  Volume with_land(Terrain land) const;

  /// Outside of it there is no rock.
  Box3 support() const { return root_->support(); }
  /// The height of the floor at which the rock of land ends below; of what is no land, the lowest that rock can be;
  /// nothing of a volume without rock. Caves stay above it.
  std::optional<double> floor() const;

  /// f - T at one point and at many, wherever they lie: they are put in order first. The same bits either way, for this
  /// and all that follows. -T where a coordinate is not a finite number.
  float value(Vec3 at) const;
  void values(std::span<const double> x, std::span<const double> y, std::span<const double> z, std::span<float> v,
              const Context& context) const;
  /// Whether there is rock; 1 and 0 in a batch.
  bool inside(Vec3 at) const { return value(at) > 0; }
  void inside(std::span<const double> x, std::span<const double> y, std::span<const double> z, std::span<uint8_t> rock,
              const Context& context) const;
  /// Of f. The way out of the rock is against it.
  Vec3 gradient(Vec3 at) const;
  void gradients(std::span<const double> x, std::span<const double> y, std::span<const double> z, std::span<float> dx,
                 std::span<float> dy, std::span<float> dz, const Context& context) const;
  float resistance(Vec3 at) const { return rock_.resistance(at); }
  void resistances(std::span<const double> x, std::span<const double> y, std::span<const double> z,
                   std::span<float> rho, const Context& context) const;

  /// How far along a ray of unit length the surface is first crossed, within `far` metres, in either direction; found
  /// in steps of `step` metres and then to a thousandth of one. What is thinner than a step may be missed, by every ray
  /// equally: where steps are left out, `range` has shown that nothing is there.
  std::optional<double> cast(Vec3 from, Vec3 direction, double far, double step) const;
  void casts(std::span<const Vec3> from, std::span<const Vec3> direction, double far, double step,
             std::span<std::optional<double>> hits, const Context& context) const;

  size_t bytes() const;
  Hash hash() const;

 private:
  struct PlaceLists {
    std::span<const double> x, y, z;
  };
  struct Gathered;
  template <class Tell>
  void for_batches(const PlaceLists& at, const Context& context, const Tell& tell) const;
  float nothing() const;

  SolidPointer root_;
  double threshold_ = usual_threshold;
  Geology rock_;
  std::vector<Made> made_;
  std::optional<Terrain> land_;
  Hash land_hash_;
};

}  // namespace tepui
