#pragma once  // internal

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/geology/geology.h"
#include "tepui/render/ground/covers.h"
#include "tepui/render/ground/ground.h"
#include "tepui/render/ground/inland_water.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// What the look of a land depends on, whatever the place.
GroundSetting setting_of(const Terrain& land, const SkinParams& skin, std::optional<double> sea_level,
                         const Geology* rock, const Context& context);

/// The natural look of a land, made ready once: its sea, its lakes and rivers, and those of its layers that tell of
/// rock and cover, read in place: `material`, `hardness`, `temperature_summer` and those of the table of covers.
/// Classes are read from the nearest sample, all else between samples. Land without heights is level. Beds, lines of
/// snow and trees and detail are laid out over the whole world and the land's relief, so that a crop shows what the
/// whole does.
class LandGround {
 public:
  /// Where the rock is known, cliffs and walls show its beds.
  LandGround(const Terrain& land, const SkinParams& skin, std::optional<double> sea_level, const Context& context,
             const Geology* rock = nullptr);

  /// Positions are in samples, clamped to the land; the footprint is in metres.
  GroundLook look(double u, double v, Vec3 normal, double footprint) const;
  /// A wall through the beds and the debris on them; metres from the land's south-west sample, z above the datum.
  Rgb cut(Vec3 at, double footprint = 0) const;
  /// Ground beyond the land, made of what is at (u, v) of it; metres as for cut().
  GroundLook beyond(Vec3 at, double u, double v, Vec3 normal, double footprint) const;
  /// What look() tells the Ground.
  GroundPoint point(double u, double v, Vec3 normal, double footprint) const;

  double height_at(double u, double v) const;
  /// Smooth between samples: Horn's (1981) slopes, land being continued in a straight line beyond its border. Unit
  /// length.
  Vec3 normal_at(double u, double v) const;

  Vec2 cell() const { return land_.frame().cell; }
  const InlandWater& water() const { return water_; }

 private:
  struct Sight;  ///< the samples around a place
  Sight sight(double u, double v, int64_t width, int64_t height) const;
  static double between(const Grid<float>& grid, const Sight& at);
  float read(const Layer* layer, const Sight& at) const;
  /// Depth of snow whose edge is ragged below the size of the samples.
  float snow(double u, double v, Vec3 at, double footprint) const;
  double sample(int64_t x, int64_t y) const;
  /// Over the nearer of the sea and the inland water at (u, v).
  float above_water(double u, double v, double z) const;
  /// Of the place in metres from the land's south-west corner.
  void know_rock(GroundPoint& point, Vec3 at) const;
  static void lay(GroundPoint& point, const CoverRow& row, float depth);

  Terrain land_;
  const Grid<float>* heights_ = nullptr;
  const Layer *material_ = nullptr, *hardness_ = nullptr, *warmest_ = nullptr;
  Covers covers_;
  std::vector<std::pair<const Layer*, const CoverRow*>> masks_;  ///< layers of depths that are masks, metres likewise
  std::optional<double> sea_;
  std::optional<Geology> rock_;
  InlandWater water_;
  Ground ground_;
};

}  // namespace tepui
